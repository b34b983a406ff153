/// How findings about data quote what they found.
enum Wording {
  /// The user's text in backticks: at most 60 scalars, control characters and bytes that are no UTF-8
  /// made visible.
  static func quoted(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    // A scalar has at most four bytes, so this is always enough to see whether the text is cut.
    quoted(String(decoding: bytes.prefix(4 * (longest + 1)), as: UTF8.self))
  }

  static func quoted(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(longest) {
      switch scalar {
      case "\n": shown += "\\n"
      case "\r": shown += "\\r"
      case "\t": shown += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return text.unicodeScalars.count > longest ? "`\(shown)…`" : "`\(shown)`"
  }

  private static let longest = 60

  /// `a`, `b` or `c`.
  static func alternatives(_ texts: [String]) -> String {
    let all = texts.map { quoted($0) }
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

  /// `1 cell`, `2 cells`.
  static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }
}
