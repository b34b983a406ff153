/// What a dialect cannot express exactly.
public struct SQLUnsupported: Error, Hashable, Sendable, CustomStringConvertible {
  /// The dialect that was requested.
  public var dialect: SQLDialect
  /// For people: `a text that holds the character NUL`.
  public var construct: String
  /// How to fix it.
  public var help: String

  /// One line: dialect, construct and help.
  public var description: String { "\(dialect.rawValue) cannot express \(construct); \(help)" }
}

/// Looks through a statement for what its dialect cannot express.
enum SupportCheck {
  private static let mark = "\u{1}missing:"

  /// What a dialect writes for a construct that it lacks; a statement that keeps it is refused.
  static func missing(_ construct: String) -> String { "\(mark)\(construct)\(mark)" }

  /// The statement, which is given back as it is.
  static func checked(_ text: String, for dialect: SQLDialect) throws(SQLUnsupported) -> String {
    if let missing = text.firstRange(of: mark) {
      throw SQLUnsupported(
        dialect: dialect, construct: String(text[missing.upperBound...].prefix { $0 != "\u{1}" }),
        help: "compute the metric with `metricc eval`, or take another dialect")
    }
    if dialect == .postgres, text.utf8.contains(0) {
      throw SQLUnsupported(
        dialect: dialect, construct: "a text that holds the character NUL",
        help: "write the definition without it, or take another dialect")
    }
    return text
  }
}
