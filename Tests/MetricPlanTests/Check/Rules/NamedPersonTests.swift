import MetricTestSupport
import Testing

/// C416 and C417: a number about many names nobody.
@Suite struct NamedPersonTests {
  @Test("PRIV-16: groups, thresholds and conditions that are a person") func people() {
    checks(
      """
      fact Visit {
        id : ID  userId : User  guestId : User?  dayKey : DayKey  city : Text?
        who = userId  isAnna = userId == "anna"
      }
      measure a { for app  value count(Visit)  by userId  at least 5 users }  // error: C416
      measure b { for app  value count(Visit)  by who  at least 2 users }  // error: C416
      measure c { for app  value count(Visit)  by guestId  at least 5 users }  // error: C416
      measure d { for app  value count(Visit)  by city  at least 1 users }  // error: C416
      measure e { for app  value count(Visit)  by city  at least 5 users }
      measure f { for app  value count(Event where userId == "v") }  // error: C417
      measure g { for app  value count(Visit where isAnna)  at least 5 users }  // error: C417
      measure h { for app  value count(Visit where who in ["a", "b"])  at least 5 users }  // error: C417
      measure i { for app  value count(user where id == "v")  at least 5 users }  // error: C417
      measure j { for app  value count(Visit where guestId != "v")  at least 5 users }  // error: C417
      measure k { for app  value count(Visit where guestId is none)  at least 5 users }
      measure l { for app  value distinct(Visit.userId)  at least 5 users }
      funnel m {  // error: C417 warning: W011
        for user
        step one Event where userId == "v"
        step two Event where name == "b"
        at least 5 users
      }
      measure n { for user  value count(Visit through userId where guestId == "v") }
      """)
  }
}
