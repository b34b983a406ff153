import MetricDiagnostics

/// A metric that is to be changed.
enum MutatesState: WordRule {
  static let page = Page(
    "C202", "mutates-state", "A metric would be changed in place",
    what:
      "`increment`, `reset`, `override`, `expire`, `carry` and the like ask a metric to change something.",
    why: "To correct a number, correct the fact that it rests on; then every metric agrees.",
    wrong: """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      streak run { of done  reset monthly }
      """,
    right: """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      streak run { of done }
      """)

  static let reason = "a metric cannot change anything, not even itself"
  static let fix = "correct a number by editing or adding the fact that it rests on"
}
