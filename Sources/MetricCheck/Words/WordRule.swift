import MetricDiagnostics

/// A rule of the checklist that is recognised by a word which people write by habit.
private struct WordRule {
  let page: Page
  /// Why the word has no place in a metric.
  let reason: String
  /// What to write instead.
  let fix: String

  static let storesState = WordRule(
    page: Page(
      """
      C201 stores-state: A metric would be stored
      `stored`, `persist`, `cache`, `save` and the like ask for a metric to be written down. A copy would be a
      second truth beside the facts.
      -measure visits { for user  value count(Event)  cached }
      +measure visits { for user  value count(Event) }
      """),
    reason: "a metric is recomputed on request and never kept",
    fix: "delete the clause; if something happened, log it as a fact and derive the metric")

  static let mutatesState = WordRule(
    page: Page(
      """
      C202 mutates-state: A metric would be changed in place
      `increment`, `reset`, `override`, `expire`, `carry` and the like ask a metric to change something. Correct
      the fact that it rests on; then every metric agrees.
       completion done { for habit  every day  when count(HabitEntry) >= 1 }
      -streak run { of done  reset monthly }
      +streak run { of done }
      """),
    reason: "a metric cannot change anything, not even itself",
    fix: "correct a number by editing or adding the fact that it rests on")

  static let penaltyTerm = WordRule(
    page: Page(
      """
      C402 penalty-term: A metric names a penalty
      `penalty`, `punish`, `lose`, `missed`, `late` and `deadline` have no meaning in a metric. What was not done
      is simply not counted.
      See: W008
      -measure points { for habit  value count(HabitEntry)  penalty 5 per missed day }
      +measure points { for habit  value 5 * count(HabitEntry) }
      """),
    reason: "a metric never punishes, and what was not done is simply not counted",
    fix: "count what was done instead, with a completion, a momentum or a progress")

  static let usesTimeZone = WordRule(
    page: Page(
      """
      C303 uses-time-zone: A metric uses a time zone or a timestamp
      `timezone` and `timestamp` ask to aggregate by instants. A day is the person's own day, which no other zone
      may move.
      -measure entries { for habit  value count(HabitEntry)  timezone "Europe/Berlin" }
      +measure entries { for habit  value count(HabitEntry) }
      """),
    reason: "facts are counted by their DayKey, which no time zone rewrites",
    fix: "use `every day`, `every week` or `over last N days`; they count DayKeys")

  static let readsClock = WordRule(
    page: Page(
      """
      C302 reads-clock: A metric reads a clock
      `now` and `today` do not exist: a metric depends on the dataset and a reference day, so the same question
      has the same answer.
      -measure entries { for habit  value count(HabitEntry where day == today) }
      +measure entries { for habit  value count(HabitEntry over last 1 day) }
      """),
    reason: "a metric depends on the dataset and a reference day, never on a clock",
    fix: "windows and periods end at the reference day by themselves; `day` is that day")
}

extension ForbiddenWord {
  static let pages = [
    WordRule.storesState, .mutatesState, .penaltyTerm, .usesTimeZone, .readsClock,
  ].map(\.page)

  private var rule: WordRule {
    switch self {
    case .stored, .cached, .persist, .store, .cache, .save: .storesState
    case .increment, .reset, .override, .decrement, .expire, .rollover, .carry: .mutatesState
    case .penalty, .missed, .late, .deadline, .punish, .lose: .penaltyTerm
    case .timezone, .timestamp: .usesTimeZone
    case .now, .today: .readsClock
    }
  }

  /// The page that says why.
  package var page: Page { rule.page }

  /// The finding for the word where it starts a clause, or is an operand that stands for nothing.
  package func finding(at span: Span) -> Diagnostic {
    .error(
      rule.page.code, "`\(rawValue)` has no place here: \(rule.reason)", at: span, notes: [Note(rule.fix)])
  }
}
