/// What keeps or raises a number today: the smallest additions, and the value with them.
///
/// Records are added, never taken away, so it names what can be done, and nothing is lost by leaving it.
public struct Ahead: Hashable, Sendable {
  public var metric: String
  /// `streak`
  public var kind: String { metricKind.rawValue }
  package var metricKind: MetricKind
  /// Empty for a metric `for app`.
  public var subject: String
  /// Today.
  public var at: DayKey
  public var unit: String?
  /// Today's value, without any addition.
  public var value: Value
  /// What there is to keep: the value at the end of the window before; of a progress without a target over the last N days
  /// that of the day before. None for what nothing keeps.
  public var kept: Value
  /// What the value comes to next: a target, or the next threshold.
  public var next: FixedDecimal?
  /// Of a level: what its thresholds are compared with, today.
  public var measured: Value
  /// Whether nothing is needed today: `kept` is kept, the window complete, the target reached.
  public var isKept: Bool
  /// How many more windows may stay open: the part `left` of a streak that forgives.
  public var left: Int?
  /// The length of a window in words: `day`, `7 days`; nil for what has no windows.
  public var window: String?
  /// The last day on which the additions count for the same window or period; nil if that never ends.
  public var by: DayKey?
  /// The smallest additions; nil if nothing that can be logged today raises the number.
  public var step: Step?

  /// Additions, and the value with them.
  public struct Step: Hashable, Sendable {
    /// What the additions do.
    public enum Goal: String, Sendable, CaseIterable {
      /// A window becomes complete.
      case complete
      /// The number becomes at least what it was.
      case keep
      /// The number becomes greater than it is.
      case raise
      /// The target of a progress.
      case target
      /// The next threshold of a level.
      case threshold
    }

    public var goal: Goal
    public var additions: [Addition]
    /// The metric's with the additions.
    public var value: Value
    /// The additions with all their fields but ids.
    package var rows: [TestRow]
  }

  /// Equal records to log today.
  public struct Addition: Hashable, Sendable {
    /// `HabitEntry`
    public var record: String
    public var count: Int
    /// What matters in them, besides the day and the subject: fields with their values, in the order of the declaration.
    public var fields: [Field]
  }

  /// A field of an addition.
  public struct Field: Hashable, Sendable {
    public var name: String
    public var value: Value
    /// Whether it names an entity.
    public var isReference: Bool
  }
}
