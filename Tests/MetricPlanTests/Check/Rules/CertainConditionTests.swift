import MetricTestSupport
import Testing

/// W020 and W021: conditions that decide nothing.
@Suite struct CertainConditionTests {
  @Test("WIN-06 CHK-16: a completion that is never true") func never() {
    checks(
      """
      fact Smoke { id : ID  userId : User  dayKey : DayKey  n : Int min 0  kind : "pipe" | "cigar" }
      completion a { for user  every day  when count(Smoke) == 0 }  // warning: W020
      streak b { of a }
      completion c { for user  every day  when count(Smoke) < 1 }  // warning: W020
      completion d { for user  every week  when count(Smoke) >= 1 and count(Smoke) < 1 }  // warning: W020
      completion e { for user  every day  when count(Smoke) >= 1 }
      completion f { for user  every day  when count(Smoke) >= 0 }  // warning: W021
      """)
  }

  @Test func inside() {
    checks(
      """
      fact Log { id : ID  userId : User  dayKey : DayKey  n : Int min 0  x : Int? min 0 }
      measure a { for user  value count(Log where n < 0) }  // warning: W020
      measure b { for user  value count(Log where n > 5 and n < 3) }  // warning: W020
      measure c { for user  value count(Log where n >= 0) }  // warning: W021
      measure d { for user  value if count(Log) >= 0 then 1 else 0 }  // warning: W021
      measure e { for user  value count(Log where x >= 0) }
      measure f { for user  value count(Log where n > 3 and n < 5) }
      measure g { for user  value if count(Log) >= 3 then 2 else 1 }
      measure h { for user  value if true then count(Log) else 1 }
      measure i { for user  value count(Log where n < 0)  allow W020 "to be filled in" }
      """)
  }
}
