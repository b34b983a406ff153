import MetricDiagnostics

/// A metric that names a penalty.
enum PenaltyTerm: WordRule {
  static let page = Page(
    """
    C402 penalty-term: A metric names a penalty
    `penalty`, `punish`, `lose`, `missed`, `late` and `deadline` have no meaning in a metric. What was not done
    is simply not counted.
    See: W008
    -measure points { for habit  value count(HabitEntry)  penalty 5 per missed day }
    +measure points { for habit  value 5 * count(HabitEntry) }
    """)

  static let reason = "a metric never punishes, and what was not done is simply not counted"
  static let fix = "count what was done instead, with a completion, a momentum or a progress"
}
