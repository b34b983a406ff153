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
