// What the evaluator read on the way to a number: `why` narrates it.

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
