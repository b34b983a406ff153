import MetricDiagnostics

/// A metric that asks for a zone or a timestamp.
enum UsesTimeZone: WordRule {
  static let page = Page(
    """
    C303 uses-time-zone: A metric uses a time zone or a timestamp
    `timezone` and `timestamp` ask to aggregate by instants. A day is the person's own day, which no other zone
    may move.
    -measure entries { for habit  value count(HabitEntry)  timezone "Europe/Berlin" }
    +measure entries { for habit  value count(HabitEntry) }
    """)

  static let reason = "facts are counted by their DayKey, which no time zone rewrites"
  static let fix = "use `every day`, `every week` or `over last N days`; they count DayKeys"
}
