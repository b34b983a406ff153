import MetricTestSupport
import Testing

/// W018: a free text that may hold a verdict.
@Suite struct FreeVerdictTests {
  @Test("CHK-08: a text that may hold a verdict") func freeTexts() {
    checks(
      """
      fact Match {
        id : ID  userId : User  dayKey : DayKey  outcome : Text?  gameResult : Text?  verdict : Text?
        place : Text?  status : Text?  step : Text?  seen : Text? observed "what the referee said"
      }
      measure a { for user  value count(Match where outcome == "good") }  // warning: W018
      measure b { for user  value count(Match where gameResult == "x") }  // warning: W018
      measure c { for user  value count(Match where verdict is not none) }  // warning: W018
      measure d { for user  value count(Match where status in ["done", "missed"]) }  // warning: W018
      measure e { for user  value count(Match where status == "open") }
      measure f { for user  value count(Match where place == "home") }
      measure g { for user  value count(Match where step == "done") }
      measure h { for user  value count(Match where step == "not_done") }  // warning: W018
      measure i { for user  value count(Match where seen == "missed") }
      measure j { for user  value count(Match where outcome == "good")  allow W018 "the referee's word" }
      """)
  }
}
