/// A value as it leaves the evaluator.
public enum Value: Hashable, Encodable, Sendable {
  /// No value.
  case none
  case bool(Bool)
  case int(Int64)
  case decimal(FixedDecimal)
  case day(DayKey)
  case text(String)

  /// Texts are equal where their bytes are (NUM-05). Swift's strings are equal also where they only look the same, and two
  /// conditions would be taken for one.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.none, .none): true
    case (.bool(let one), .bool(let other)): one == other
    case (.int(let one), .int(let other)): one == other
    case (.decimal(let one), .decimal(let other)): one == other
    case (.day(let one), .day(let other)): one == other
    case (.text(let one), .text(let other)): one.hasSameBytes(as: other)
    case (.none, _), (.bool, _), (.int, _), (.decimal, _), (.day, _), (.text, _): false
    }
  }

  /// Equal values feed the hasher alike: texts by their bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .none: break
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(value)
    case .day(let day): hasher.combine(day)
    case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
    }
  }

  /// A number in millionths; nil for everything else, and for an Instant.
  package var millionths: Int64? {
    switch self {
    case .int(let value): FixedDecimal(value)?.millionths
    case .decimal(let value): value.millionths
    case .none, .bool, .day, .text: nil
    }
  }

  /// As a cell of the result table has it.
  package var plainText: String {
    switch self {
    case .none: ""
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .decimal(let value): value.description
    case .day(let day): day.description
    case .text(let text): text
    }
  }

  /// As the language writes it.
  public var literalText: String {
    switch self {
    case .none: "none"
    case .text(let text): text.asLiteral
    case .bool, .int, .decimal, .day: plainText
    }
  }

  /// As JSON: null, true, a number, a text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .none: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .decimal(let value): try container.encode(value)
    case .day(let day): try container.encode(day)
    case .text(let text): try container.encode(text)
    }
  }
}

/// A literal, or any value as the language writes it, with its type.
package enum Literal: Hashable, Sendable {
  /// `none`, with the type that its place gives it.
  case none(ColumnType)
  case bool(Bool)
  case int(Int64)
  case decimal(FixedDecimal)
  case text(String)
  case day(DayKey)

  /// A value of the results as a literal.
  package init(_ value: Value, type: ColumnType) {
    self =
      switch value {
      case .none: .none(type)
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .decimal(let value): .decimal(value)
      case .day(let value): .day(value)
      case .text(let value): .text(value)
      }
  }

  package var value: Value {
    switch self {
    case .none: .none
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .decimal(let value): .decimal(value)
    case .text(let text): .text(text)
    case .day(let day): .day(day)
    }
  }

  package var type: ColumnType {
    switch self {
    case .none(let type): type
    case .bool: .bool
    case .int: .int
    case .decimal: .decimal
    case .text: .text
    case .day: .dayKey
    }
  }

  /// A number in millionths; nil for everything else.
  package var inMillionths: Int64? { value.millionths }

  /// A whole number; nil for everything else.
  package var whole: Int64? {
    inMillionths.flatMap { $0 % FixedDecimal.scale == 0 ? $0 / FixedDecimal.scale : nil }
  }

  package static func == (left: Literal, right: Literal) -> Bool {
    left.type == right.type && left.value == right.value
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(value)
  }
}

extension String {
  /// As a text literal of the language (TEXT-07).
  package var asLiteral: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\t": escaped += "\\t"
      case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        escaped += "\\u{\(String(scalar.value, radix: 16))}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return "\"\(escaped)\""
  }
}
