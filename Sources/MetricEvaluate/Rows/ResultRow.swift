import MetricData
import MetricDiagnostics
import MetricPlan

/// A value as it leaves the evaluator.
public enum Value: Hashable, Sendable {
  /// No value.
  case none
  case bool(Bool)
  case int(Int64)
  case decimal(FixedDecimal)
  case day(DayKey)
  case text(String)
}

extension Value {
  /// Texts are equal where their bytes are, as in the language.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.none, .none): true
    case (.bool(let one), .bool(let other)): one == other
    case (.int(let one), .int(let other)): one == other
    case (.decimal(let one), .decimal(let other)): one == other
    case (.day(let one), .day(let other)): one == other
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
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
}

extension Value {
  /// A literal of the plan as a value.
  package init(_ literal: Literal) {
    self =
      switch literal {
      case .none: .none
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .decimal(let value): .decimal(value)
      case .text(let text): .text(text)
      case .day(let day): .day(day)
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
}

extension Value: Encodable {
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

/// One row of the result table: `metric,subject,group,part,at,value`.
///
/// `subject` is empty for `app` metrics and funnels, `group` and `part` where they mean nothing. A group of several fields is a
/// record of CSV or an array of JSON.
public struct ResultRow: Hashable, Sendable {
  public var metric: String
  public var subject: String
  public var group: GroupKey
  public var part: String
  public var at: DayKey
  public var value: Value

  public init(
    metric: String, subject: String, group: GroupKey, part: String, at: DayKey, value: Value
  ) {
    self.metric = metric
    self.subject = subject
    self.group = group
    self.part = part
    self.at = at
    self.value = value
  }
}

/// Why an evaluation has no rows at all.
public enum EvaluationError: Error, Hashable, Sendable {
  /// A result outside ±9·10¹², with the metric and subject it belongs to.
  case overflow(metric: String, subject: String, day: DayKey?)
  /// A bundle holds itself, directly or through others; the ids in order.
  case bundleCycle([String])
  /// Bundles nest more than 8 deep; the ids from the outermost on.
  case bundleTooDeep([String])
  /// An id stands for itself, directly or through others, or more than 16 links follow on each other; the ids in order.
  case identityCycle([String])
  /// An id stands for two others.
  case identityTargets(String, [String])
  /// A `sum` link between a goal and a habit of different units; an empty one is none.
  case unitMismatch(link: String, goal: String, habit: String, goalUnit: String, habitUnit: String)
}

extension DiagnosticCode {
  // What is wrong with records only together; single values are D001–D026.
  package static let bundleCycle = DiagnosticCode("D030", "bundle-cycle")
  package static let bundleTooDeep = DiagnosticCode("D031", "bundle-too-deep")
  package static let linkedUnitMismatch = DiagnosticCode("D032", "unit-mismatch")
  package static let identityCycle = DiagnosticCode("D034", "identity-cycle")
  package static let identityTargets = DiagnosticCode("D035", "identity-targets")
  package static let overflow = DiagnosticCode("D033", "overflow")
}

extension EvaluationError {
  package var code: DiagnosticCode {
    switch self {
    case .overflow: .overflow
    case .bundleCycle: .bundleCycle
    case .bundleTooDeep: .bundleTooDeep
    case .identityCycle: .identityCycle
    case .identityTargets: .identityTargets
    case .unitMismatch: .linkedUnitMismatch
    }
  }
}
