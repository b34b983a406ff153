import MetricTestSupport
import Testing

/// C412: two protected numbers may differ by a single person.
@Suite struct ProtectedDifferenceTests {
  @Test("PRIV-10: differences of protected numbers") func protectedDifferences() {
    checks(
      """
      measure a { for app  value count(Event)  at least 5 users }
      measure b { for app  value count(Event where name != "x")  at least 5 users  allow W017 "a test" }
      measure c { for app  value a - b }  // error: C412
      measure d { for app  value a + -1 * b }  // error: C412
      measure e { for app  value b / a }
      measure f { for app  value if a > b then 1 else 0 }  // error: C412
      measure g { for app  value count(Event) - count(Event where name == "x")  at least 5 users  allow W017 "a test" }  // error: C412
      measure h { for app  value a - a offset 7 days }
      measure i { for app  value a - count(HabitEntry) }
      measure j { for app  value count(Event) - count(Event where name == "x")  allow W017 "a test" }
      measure k { for app  value 100 - 100 * b / a }
      measure l { for app  value sum(Event.value) - sum(Event.value where name == "x") + 0 * a }  // error: C412
      funnel m { for user  step one Event where name == "x"  step two Event where name == "y"  at least 5 users }
      measure n { for app  value m.one - m.two }  // error: C412
      measure o { for app  value m.two / m.one }
      progress p { for app  value a - b }  // error: C412
      measure q { for app  value a - (n + 1) }  // error: C412
      """)
  }
}
