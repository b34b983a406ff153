import MetricTestSupport
import Testing

/// C301: an Instant orders facts and is never a value.
@Suite struct ReadsInstantTests {
  @Test func instants() {
    checks(
      """
      measure a { for habit  value count(HabitEntry where timestampUtc == timestampUtc) }  // error: C301 C301
      measure b { for habit  value last(HabitEntry.timestampUtc) }  // error: C301
      measure c { for app  value count(HabitEntry)
        by timestampUtc }  // error: C301
      measure d { for habit  value count(HabitEntry where timestampUtc is not none) }
      """)
  }
}
