import MetricTestSupport
import Testing

/// W010: where a library uses consent, each fact of a user that the team reads says its level.
@Suite struct MissingConsentTests {
  @Test func silentFacts() {
    checks(
      """
      fact Visit { dayKey : DayKey  userId : User  consent standard }
      fact Walk { dayKey : DayKey  userId : User }
      fact Weather { dayKey : DayKey }
      measure a { for user  value count(Visit)  audience team }
      measure b { for user  value count(Walk)  audience team }  // warning: W010
      measure c { for user  value count(Walk) }
      measure d { for app  value count(Weather) }
      measure e { for app  value count(Consent) }
      measure f { for app  value count(HabitEntry) }  // warning: W010
      funnel g { for user  step one Visit  step two Walk }  // warning: W010
      retention h { for user  start Walk  return Visit  after 1 days  allow W010 "meant" }
      """)
  }

  /// Consent reaches the facts below a user metric; a team metric in between has its own warning.
  @Test func throughUserMetrics() {
    checks(
      """
      fact Visit { dayKey : DayKey  userId : User  consent none }
      fact Walk { dayKey : DayKey  userId : User }
      completion walked { for user  every day  when count(Walk) >= 1 }
      measure walks { for user  value count(Walk) }
      streak a { of walked  audience team }  // warning: W010
      measure b { for app  value average(user.walks) }  // warning: W010
      measure c { for user  value walks + 1 }
      measure d { for user  value c  audience team }  // warning: W010
      measure e { for user  value d  audience team }
      """)
  }

  @Test func withoutConsent() {
    checks(
      """
      fact Walk { dayKey : DayKey  userId : User }
      measure b { for user  value count(Walk)  audience team }
      """)
  }
}
