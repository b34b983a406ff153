import MetricData

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

/// One row of the result table: `metric,subject,group,part,at,value`.
///
/// `subject` is empty for `app` metrics and funnels, `group` and `part` where they mean nothing.
public struct ResultRow: Hashable, Sendable {
  public var metric: String
  public var subject: String
  public var group: String
  public var part: String
  public var at: DayKey
  public var value: Value

  public init(
    metric: String, subject: String, group: String, part: String, at: DayKey, value: Value
  ) {
    self.metric = metric
    self.subject = subject
    self.group = group
    self.part = part
    self.at = at
    self.value = value
  }
}

/// Why an evaluation gave no rows at all.
public enum EvaluationError: Error, Hashable, Sendable {
  /// A result outside ±9·10¹², with the metric and subject it belongs to.
  case overflow(metric: String, subject: String, day: DayKey?)
  /// A bundle holds itself, directly or through others; the ids in order.
  case bundleCycle([String])
  /// Bundles nest more than 8 deep; the ids from the outermost on.
  case bundleTooDeep([String])
  /// A `sum` link between a goal and a habit of different units.
  case unitMismatch(link: String, goal: String, habit: String, goalUnit: String, habitUnit: String)
}
