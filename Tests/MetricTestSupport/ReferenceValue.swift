import MetricData
import MetricPlan

/// A text that is nothing but its UTF-8 bytes ("ID and Text compare as UTF-8 bytes, without
/// normalisation").
struct ByteText: Hashable, Comparable, ExpressibleByStringLiteral {
  var bytes: [UInt8]

  init(_ text: String) { bytes = Array(text.utf8) }
  init(stringLiteral value: String) { self.init(value) }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  static func < (left: ByteText, right: ByteText) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

/// A text for each field of `by`, one empty text without groups.
typealias ReferenceGroup = [ByteText]

extension [ByteText] {
  func isBefore(_ other: ReferenceGroup) -> Bool { lexicographicallyPrecedes(other) }

  /// "`group` is the value for one field, and for several the values as one CSV record".
  var text: String {
    guard count > 1 else { return self[0].string }
    return map { field in
      let marks = Set(",\"\r\n".utf8)
      guard field.bytes.contains(where: marks.contains) else { return field.string }
      let pieces = field.string.split(separator: "\"", omittingEmptySubsequences: false)
      return "\"" + pieces.joined(separator: "\"\"") + "\""
    }.joined(separator: ",")
  }
}

/// A value of the language while it is computed.
enum ReferenceValue: Hashable {
  case none
  case bool(Bool)
  case int(Int128)
  /// Millionths.
  case decimal(Int128)
  case text(ByteText)
  case day(DayKey)

  init(_ literal: Literal) {
    switch literal {
    case .none: self = .none
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(Int128(value))
    case .decimal(let value): self = .decimal(Int128(value.millionths))
    // "An empty string is missing in every format."
    case .text(let value): self = value.isEmpty ? .none : .text(ByteText(value))
    case .day(let value): self = .day(value)
    }
  }

  var isNone: Bool { self == .none }
  var isTrue: Bool { self == .bool(true) }

  /// The value as the result table has it; `type` is that of a missing one.
  func literal(of type: ValueType) -> Literal {
    switch self {
    case .none: .none(type)
    case .bool(let value): .bool(value)
    case .int(let value): .int(Int64(value))
    case .decimal(let value): .decimal(FixedDecimal(millionths: Int64(value)))
    case .text(let value): .text(value.string)
    case .day(let value): .day(value)
    }
  }

  /// "Values: `true`/`false`, integers, decimals without trailing zeros, DayKeys, empty for no value."
  var text: String {
    switch self {
    case .none: ""
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .decimal(let value): FixedDecimal(millionths: Int64(value)).description
    case .text(let value): value.string
    case .day(let value): value.description
    }
  }

  /// Whether this value stands before another of its type; false before true.
  func precedes(_ other: ReferenceValue) -> Bool {
    switch (self, other) {
    case (.bool(let left), .bool(let right)): !left && right
    case (.int(let left), .int(let right)): left < right
    case (.decimal(let left), .decimal(let right)): left < right
    case (.text(let left), .text(let right)): left < right
    case (.day(let left), .day(let right)): left < right
    default: false
    }
  }

  /// The size of a number in millionths; nil for everything else.
  var millionths: Int128? {
    switch self {
    case .int(let value): value * ReferenceNumber.scale
    case .decimal(let value): value
    case .none, .bool, .text, .day: nil
    }
  }
}

/// A result outside ±9·10¹²; whoever evaluates a metric adds its name and subject.
struct NumberOverflow: Error {}

/// "Int and Decimal share the range ±9·10¹²; a Decimal is a whole number of millionths."
enum ReferenceNumber {
  static let scale: Int128 = 1_000_000
  static let limit: Int128 = 9_000_000_000_000

  /// "… and a result that does not [fit] is an error naming metric and subject."
  static func int(_ value: Int128) throws -> ReferenceValue {
    guard value.magnitude <= limit.magnitude else { throw NumberOverflow() }
    return .int(value)
  }

  static func decimal(_ millionths: Int128) throws -> ReferenceValue {
    guard millionths.magnitude <= (limit * scale).magnitude else { throw NumberOverflow() }
    return .decimal(millionths)
  }

  /// "up to 10³⁷ millionths²"
  static let mostSquares = (0..<37).reduce(Int128(1)) { power, _ in power * 10 }

  /// Nil beyond 128 bits.
  static func sumOfSquares(_ values: [Int128]) -> Int128? {
    var sum = Int128(0)
    for value in values {
      let square = value.multipliedReportingOverflow(by: value)
      let next = sum.addingReportingOverflow(square.partialValue)
      guard !square.overflow, !next.overflow else { return nil }
      sum = next.partialValue
    }
    return sum
  }

  /// "`*`, `/`, `average` round half away from zero": the nearest whole number to a fraction.
  static func rounded(_ numerator: Int128, over denominator: Int128) -> Int128 {
    let size = (numerator.magnitude * 2 + denominator.magnitude) / (denominator.magnitude * 2)
    return (numerator < 0) == (denominator < 0) ? Int128(size) : -Int128(size)
  }

  static func arithmetic(
    _ operation: ArithmeticOperator, _ left: ReferenceValue, _ right: ReferenceValue
  ) throws -> ReferenceValue {
    switch (left, right) {
    // "None in, none out: arithmetic … with none [is] none."
    case (.none, _), (_, .none):
      return .none
    case (.int(let left), .int(let right)):
      switch operation {
      case .add: return try int(left + right)
      case .subtract: return try int(left - right)
      case .multiply: return try int(left * right)
      case .divide: return try divide(left, right)
      }
    case (.decimal(let left), .decimal(let right)):
      switch operation {
      case .add: return try decimal(left + right)
      case .subtract: return try decimal(left - right)
      case .multiply: return try decimal(rounded(left * right, over: scale))
      case .divide: return try divide(left, right)
      }
    default:
      preconditionFailure("`\(operation.rawValue)` meets \(left) and \(right)")
    }
  }

  /// "Division by zero … [is] none."
  static func divide(_ left: Int128, _ right: Int128) throws -> ReferenceValue {
    guard right != 0 else { return .none }
    return try decimal(rounded(left * scale, over: right))
  }

  /// The exact sum of numbers of one type; only the result must fit.
  static func sum(_ values: [ReferenceValue], type: ValueType) throws -> ReferenceValue {
    var total: Int128 = 0
    for value in values {
      switch value {
      case .int(let number), .decimal(let number): total += number
      case .none, .bool, .text, .day: preconditionFailure("a sum of \(value)")
      }
    }
    return type == .int ? try int(total) : try decimal(total)
  }
}
