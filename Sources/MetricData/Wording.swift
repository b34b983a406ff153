import MetricDiagnostics

/// How findings about data quote what they found.
enum Wording {
  /// The user's text in backticks, bytes that are no UTF-8 made visible.
  static func quoted(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    // A scalar has at most four bytes, so this is always enough to see whether the text is cut.
    MetricDiagnostics.quoted(String(decoding: bytes.prefix(4 * 61), as: UTF8.self))
  }

  /// `a`, `b` or `c`.
  static func alternatives(_ texts: [String]) -> String {
    let all = texts.map { MetricDiagnostics.quoted($0) }
    guard let last = all.last, all.count > 1 else { return all.first ?? "nothing" }
    return all.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Whether a text is a day in another form, or a moment: `2026-01-31T08:15:00Z`, `31.01.2026`, `20260131`.
  static func isForeignDay(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.count >= 8 && bytes.count(where: { (0x30...0x39).contains($0) }) >= 8
      && bytes.allSatisfy { $0 < 0x80 && ($0 <= 0x3A || $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: "Z")) }
  }

  /// What to write in place of such a text.
  static func foreignDayNotes(_ bytes: UnsafeBufferPointer<UInt8>) -> [Note] {
    let day = String(decoding: bytes.prefix(10), as: UTF8.self)
    guard bytes.count > 10, DayKey(day) != nil else {
      return [Note("reading stops here: write every day as `YYYY-MM-DD`")]
    }
    return [
      Note("reading stops here: a day is the local date on which it happened, such as `\(day)`"),
      Note("one moment has different dates in different places; keep it in a field of type `Instant`"),
    ]
  }

  /// What a field takes.
  static func expectation(_ column: ColumnSchema) -> String {
    if let choices = column.choices { return alternatives(choices) }
    return switch column.type {
    case .text: column.isIdentifier ? "a text or a whole number" : "a text"
    case .int: "a whole number"
    case .decimal: "a number"
    case .bool: "`true` or `false`"
    case .dayKey: "a day `YYYY-MM-DD`"
    case .instant: "an instant with its zone like `2026-01-31T08:15:00Z`"
    }
  }
}
