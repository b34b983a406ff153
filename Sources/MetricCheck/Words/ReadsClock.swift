import MetricDiagnostics

/// A metric that asks for the time.
enum ReadsClock: WordRule {
  static let page = Page(
    """
    C302 reads-clock: A metric reads a clock
    `now` and `today` do not exist: a metric depends on the dataset and a reference day, so the same question
    has the same answer.
    -measure entries { for habit  value count(HabitEntry where day == today) }
    +measure entries { for habit  value count(HabitEntry over last 1 day) }
    """)

  static let reason = "a metric depends on the dataset and a reference day, never on a clock"
  static let fix = "windows and periods end at the reference day by themselves; `day` is that day"
}
