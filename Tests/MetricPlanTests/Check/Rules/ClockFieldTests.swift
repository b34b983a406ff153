import MetricTestSupport
import Testing

/// W016: a field that is named for a clock.
@Suite struct ClockFieldTests {
  @Test func clocks() {
    checks(
      """
      fact Walk { id : ID  userId : User  dayKey : DayKey  hourUtc : Int?  pointsPerHour : Int? min 0 }
      measure e { for user  value count(Walk where hourUtc < 6) }  // warning: W016
      measure f { for user  value sum(Walk.pointsPerHour) }
      """)
  }
}
