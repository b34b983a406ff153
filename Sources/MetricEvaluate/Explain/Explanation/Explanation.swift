/// Why a number is what it is: the answer of `metricc why`, as a value.
///
/// It explains one metric for one subject at one reference day, and below `reads` each metric that
/// was read on the way. Records are named by their row; who has read the files adds file and line.
public struct Explanation: Hashable, Sendable {
  public var metric: String
  /// `streak`
  public var kind: String
  /// Whom the number is about; for a funnel or a retention the counted subject that was requested.
  public var subject: String
  /// Empty if the metric has no groups.
  public var group = GroupKey()
  public var at: DayKey
  /// The rows of the result table; empty if there is no row.
  public var parts: [Part] = []
  /// Why there is no row, or why the first part has no value.
  public var absence: Reason?
  /// What the expressions were, where the metric has some.
  public var clauses: [Clause] = []
  public var windows: WindowStory?
  public var links: [LinkStory] = []
  public var thresholds: [Threshold] = []
  public var journey: FunnelStory?
  public var returning: RetentionStory?
  /// The records behind the number, by record type, day and row; each once.
  public var records: [RecordReference] = []
  /// How many there are; more than `records` has where they are too many to list.
  public var recordCount = 0
  /// Facts that were not read, as somebody behind them did not consent.
  public var withheldCount = 0
  /// The metrics that were read, each once.
  public var reads: [Explanation] = []

  /// One number of the metric.
  public struct Part: Hashable, Sendable {
    public var name: String
    public var value: Value
  }

  /// The expression of a clause.
  public struct Clause: Hashable, Sendable {
    /// `when`, `rest when`, `value`, `target`, `for … where`
    public var word: String
    /// The last day of the window, or the reference day.
    public var at: DayKey
    public var expression: ExplainedExpression
  }

  /// A threshold of a level.
  public struct Threshold: Hashable, Sendable {
    public var value: FixedDecimal
    public var isReached: Bool
    /// The day on which it was first reached, where the level has days.
    public var on: DayKey?
  }
}

/// Why there is no value.
public struct Reason: Hashable, Sendable {
  /// What kind of reason it is, for programs.
  public enum Code: String, Sendable, CaseIterable {
    case unknownSubject = "unknown-subject"
    case noConsent = "no-consent"
    case leftOut = "left-out"
    case unknownGroup = "unknown-group"
    case hidden
    case divisionByZero = "division-by-zero"
    case nothingToLookAt = "nothing-to-look-at"
    case missingField = "missing-field"
    case missingRecord = "missing-record"
    case neverComplete = "never-complete"
    case metricWithoutValue = "metric-without-value"
    case outOfRange = "out-of-range"
    case writtenNone = "written-none"
  }

  public var code: Code
  /// A sentence without a full stop.
  public var text: String

  init(_ code: Code, _ text: String) { (self.code, self.text) = (code, text) }
}

/// An expression with what it was, and those it is made of.
public struct ExplainedExpression: Hashable, Sendable {
  /// As the language writes it.
  public var text: String
  public var value: Value
  /// False for the branch of an `if` that was not taken.
  public var isEvaluated: Bool
  /// Why it has no value.
  public var reason: Reason?
  public var operands: [ExplainedExpression] = []
  /// The facts that an aggregate examined.
  public var records: [RecordReference] = []
  public var recordCount = 0
  /// The subjects that an aggregate over subjects took, or the days that one of a metric's days took.
  public var subjects: [CountedSubject] = []
}

/// A subject that an aggregate over subjects took, or a day.
public struct CountedSubject: Hashable, Sendable {
  public var id: String
  /// What was aggregated; nil if subjects are counted.
  public var value: Value?
}
