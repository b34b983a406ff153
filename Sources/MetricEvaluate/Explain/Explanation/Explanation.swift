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
  public var group: GroupKey
  public var at: DayKey
  /// The rows of the result table; empty if there is no row.
  public var parts: [Part]
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

/// A record of the dataset.
public struct RecordReference: Hashable, Sendable {
  /// `HabitEntry`
  public var record: String
  /// Its place in the table, from 0.
  public var row: Int
  public var id: String?
  /// Of a fact.
  public var day: DayKey?
  /// What an aggregate took from it, where it takes something.
  public var value: Value?

  func precedes(_ other: RecordReference) -> Bool {
    if record != other.record { return record.utf8.lexicographicallyPrecedes(other.record.utf8) }
    if day != other.day { return (day ?? .first) < (other.day ?? .first) }
    return row < other.row
  }
}

/// The windows that a completion, a streak or a momentum examined.
public struct WindowStory: Hashable, Sendable {
  /// What a window is; a rest window does not exist for the number, and one that is forgiven adds nothing to it.
  public enum State: String, Sendable {
    case complete, incomplete, rest, forgiven
  }

  /// A window, named by its first and last day.
  public struct Window: Hashable, Sendable {
    public var first: DayKey
    public var last: DayKey
    public var state: State
    /// Whether it is one of those that make the number.
    public var counts: Bool
    /// Of a `half life`: what a complete window here is worth, in billionths.
    public var weight: Int64?
    public var recordCount: Int
  }

  /// Why no further window was examined.
  public enum Ending: Hashable, Sendable {
    /// The run ended at a window that is not complete, which ends on this day.
    case incomplete(DayKey)
    /// Likewise, where as many as the streak forgives lie close after it.
    case unforgiven(DayKey)
    /// Before the run there is no fact that `when` names.
    case firstFact(DayKey)
    /// There is no such fact at all.
    case noFact
    /// As many windows as the metric looks at.
    case enough
    /// There are more windows than an explanation looks at.
    case cut
  }

  /// The completion whose windows these are.
  public var completion: String
  /// `day`, `7 days`, `calendar week from monday`
  public var every: String
  /// From the newest one back: those that the number was read from.
  public var windows: [Window]
  /// Some older ones, from the newest one back, which have no part in the number.
  public var before: [Window] = []
  public var ending: Ending
  /// The day from which the number was read: r, for `best` the day on which it was reached, for `previous`
  /// the day on which the run ended.
  public var readAt: DayKey
  /// Days with a record that the number rests on, rising, each once.
  public var recordDays: [DayKey]
}

/// What one link leads to.
public struct LinkStory: Hashable, Sendable {
  public var link: RecordReference
  /// The entity whose facts contribute (a habit).
  public var end: String
  /// The bundle through which the link names it; nil if it names it directly.
  public var bundle: String?
  /// `count` or `sum`; empty if the link does not say.
  public var contribution: String
  /// False if another link already leads to the same.
  public var counts: Bool
  public var factCount: Int
  /// What it adds; nil if the aggregate only sees the facts.
  public var amount: Value?
}

/// How far a subject came in a funnel.
public struct FunnelStory: Hashable, Sendable {
  /// A step with the fact that was chosen for it.
  public struct Step: Hashable, Sendable {
    public var name: String
    public var isReached: Bool
    /// The day of the fact that was chosen.
    public var day: DayKey?
    /// The fact; nil for a day of a completion.
    public var record: RecordReference?
    /// How many facts the subject has that fit the step by themselves.
    public var factCount: Int
  }

  public var steps: [Step]
  public var reached: Int
  /// The group that the subject counts in.
  public var group: GroupKey
  /// The last day that the steps could lie on; nil without `within`, or where no attempt began.
  public var deadline: DayKey?
}

/// When a subject started and came back.
public struct RetentionStory: Hashable, Sendable {
  /// A day 0 of the subject.
  public struct Start: Hashable, Sendable {
    public var day: DayKey
    public var group: GroupKey
    public var checks: [Check]
  }

  /// One of the days after day 0 that the metric asks about.
  public struct Check: Hashable, Sendable {
    /// `d7`
    public var name: String
    public var day: DayKey
    public var isEligible: Bool
    public var hasReturned: Bool
    /// The day of the return that counts.
    public var returnDay: DayKey?
    /// What the facts that count add up to, in a metric with a value.
    public var worth: Value?
  }

  public var starts: [Start]
  /// Days with a return fact from the first start on, rising, each once.
  public var returnDays: [DayKey]
}
