import MetricDiagnostics

/// An Instant as a value. The resolver sees where a name stands for one.
package enum ReadsInstant {
  static let page = Page(
    """
    C301 reads-instant: An instant is used for more than order
    An Instant orders the facts of one day and supports `is none`, nothing else. Its day depends on a zone, so
    travel would change history.
    -measure last_seen { for habit  value count(HabitEntry where timestampUtc == timestampUtc) }
    +measure seen { for habit  value count(HabitEntry where timestampUtc is not none) }
    """)

  package static func finding(_ name: String, at span: Span) -> Diagnostic {
    .error(
      page.code, "`\(name)` is an Instant, which orders facts and is never a value", at: span,
      notes: [Note("count and compare by DayKey; `is none` tells whether it is there")])
  }
}
