import MetricDiagnostics

/// A field that somebody keeps a metric in. The resolver sees where a name stands for one.
package enum ReadsStoredField {
  static let page = Page(
    """
    C101 reads-stored-field: A metric reads a stored metric
    The field is marked `stored`: somebody keeps a computed number there, which drifts from the facts that it
    came from.
    See: W001
     extend Habit { bestStreak : Int? stored }
     completion done { for habit  every day  when count(HabitEntry) >= 1 }
    -measure best { for habit  value habit.bestStreak }
    +streak best { of done  best }
    """)

  package static func finding(_ name: String, declaredAt declaration: Span, at span: Span) -> Diagnostic {
    .error(
      page.code, "`\(name)` is a stored metric, and no metric may rest on one", at: span,
      notes: [
        Note("declared `stored` here", at: .source(declaration)),
        Note("derive the number from the facts behind it"),
      ])
  }
}
