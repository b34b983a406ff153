/// What a dialect cannot express exactly.
public struct SQLUnsupported: Error, Hashable, Sendable, CustomStringConvertible {
  /// The dialect that was asked for.
  public var dialect: SQLDialect
  /// For people: `a text that holds the character NUL`.
  public var construct: String
  /// What mends it.
  public var help: String

  /// One line: dialect, construct and help.
  public var description: String { "\(dialect.rawValue) cannot express \(construct); \(help)" }
}

/// Looks through a statement for what its dialect cannot express.
struct SupportCheck {
  let dialect: SQLDialect

  /// SQLite's parser holds a hundred symbols, and each level of parentheses takes three or more: none this deep
  /// is parsed. Some that are less deep are refused by the engine itself.
  static let deepestSQLiteText = 33

  func check(_ text: String) throws(SQLUnsupported) {
    switch dialect {
    case .postgres where text.utf8.contains(0):
      throw SQLUnsupported(
        dialect: dialect, construct: "a text that holds the character NUL",
        help: "write the definition without it, or take another dialect")
    case .sqlite:
      if SupportCheck.depth(of: text) > SupportCheck.deepestSQLiteText {
        throw SQLUnsupported(
          dialect: dialect, construct: "an expression nested this deep",
          help: "give parts of it a metric of their own, or take another dialect")
      }
    case .postgres, .duckdb, .spark: break
    }
  }

  /// How deep parentheses are nested outside of quotes and comments.
  static func depth(of text: String) -> Int {
    var depth = 0
    var deepest = 0
    // What ends what is open: a quote, or the line of a comment.
    var end: UInt8?
    var last: UInt8 = 0
    for byte in text.utf8 {
      defer { last = byte }
      if let open = end {
        if byte == open { end = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""): end = byte
      case UInt8(ascii: "-") where last == byte: end = UInt8(ascii: "\n")
      case UInt8(ascii: "("):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: ")"): depth -= 1
      default: break
      }
    }
    return deepest
  }
}
