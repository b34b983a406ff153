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
