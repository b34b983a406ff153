import MetricDiagnostics

/// A metric that is to be changed.
enum MutatesState: WordRule {
  static let page = Page(
    """
    C202 mutates-state: A metric would be changed in place
    `increment`, `reset`, `override`, `expire`, `carry` and the like ask a metric to change something. Correct
    the fact that it rests on; then every metric agrees.
     completion done { for habit  every day  when count(HabitEntry) >= 1 }
    -streak run { of done  reset monthly }
    +streak run { of done }
    """)

  static let reason = "a metric cannot change anything, not even itself"
  static let fix = "correct a number by editing or adding the fact that it rests on"
}
