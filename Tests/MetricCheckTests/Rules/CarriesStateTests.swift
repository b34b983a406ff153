import MetricTestSupport
import Testing

/// C103: a fact carries no derived number.
@Suite struct CarriesStateTests {
  @Test("CHK-08: a fact carries no derived number") func stateInFacts() {
    checks(
      """
      fact DayLog {
        id : ID  habitId : Habit  dayKey : DayKey  completed : Bool?  streak : Int? min 0
        totalMINUTES : Int? min 0  progressPercent : Decimal? min 0  summary : Text?  pageCount : Int? min 0
        quizScore : Int? min 0 observed "the points of the quiz"  rank : Int? stored  minutes : Int? min 0
        level : "a1" | "b1" ?
      }
      measure a { for habit  value max(DayLog.streak) }  // error: C103
      completion b { for habit  every day  when count(DayLog where completed) >= 1 }  // error: C103
      measure c { for habit  value sum(DayLog.totalMINUTES) }  // error: C103
      measure d { for app  value average(DayLog.progressPercent) }  // error: C103
      measure e { for habit  value last(DayLog.summary) }  // error: C103
      measure f { for habit  value sum(DayLog.pageCount) }  // error: C103
      measure g { for habit  value max(DayLog.quizScore) }
      measure h { for habit  value max(DayLog.rank) }  // error: C101
      measure i { for habit  value sum(DayLog.minutes where level == "a1") }
      measure j { for habit  value a * 2 }
      """)
  }
}
