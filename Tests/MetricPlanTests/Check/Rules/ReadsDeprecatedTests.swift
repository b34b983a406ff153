import MetricTestSupport
import Testing

/// W012: a metric on its way out is read.
@Suite struct ReadsDeprecatedTests {
  @Test func deprecation() {
    checks(
      """
      measure old { for habit  value 1  deprecated "use new" }
      measure new { for habit  value 1 }
      measure a { for habit  value old + 1 }  // warning: W012
      measure b { for habit  value new + 1 }
      measure c { for user  value sum(habit.old) }  // warning: W012
      measure d { for habit  value old  allow W012 "until spring" }
      """)
  }
}
