import MetricLanguage
import MetricTestSupport
import Testing

@testable import MetricPlan

/// Metrics in the place of a field behind `by` (GRP-07, GRP-08).
@Suite struct MetricGroupTests {
  private static let metrics = """
    extend User { plan : Text?  kind : Text? }
    completion done { for habit  every day  when count(HabitEntry) >= 1 }
    completion active { for user  every day  when count(Event) >= 1 }
    momentum days7 { of active  over last 7 days }
    momentum strength { of active  half life 7 days }
    streak run { of active  forgive 1 in 7 days }
    level badge { of best  at 1, 5 }
    streak best { of active  best }
    measure band { for user  audience team  value if days7 >= 6 then "daily" else "sometimes"  allow W015 "groups" }
    measure kind { for user  value count(Event) }
    measure by_name { for user  audience team  value count(Event)  by name  allow W004 "all"  allow W015 "test" }
    measure last_user { for user  audience team  value last(Event.userId)  allow W015 "test" }
    measure people { for app  value count(user)  at least 5 users }

    """

  @Test("GRP-07: a Text, a Bool, a whole number, a level, a part, beside fields") func accepted() {
    checks(
      Self.metrics + """
        measure a { for app  value count(user)  by band  at least 5 users }
        measure b { for app  value average(user.days7)  by user.days7, plan  at least 5 users }
        measure c { for app  value count(user where active)  by badge, run.left, user.plan, active  at least 5 users }
        measure d { for user  audience team  value count(habit)  by done  allow W004 "own"  allow W015 "test" }
        measure e { for app  value a / a offset 7 days  by band }
        measure f { for app  value a / people  by band }
        measure g { for app  value count(user)  slice by days7, band  at least 5 users }
        level h { of a  at 5 }
        """)
  }

  @Test("GRP-07: a field goes first, also where a metric has its name") func fieldsFirst() throws {
    let library = MetricLibrary(
      unsearched: Self.metrics + "measure a { for app  value count(user)  by kind }"
    ).plan
    let measure = try #require(library.metrics.first { $0.name == "a" })
    #expect(measure.grouping.first?.read == nil && measure.grouping.first?.type == .text)
  }

  @Test("GRP-07 GRP-08: what is no group") func refused() {
    checks(
      Self.metrics + """
        measure a { for app  value count(user)  by strength  at least 5 users }  // error: T028
        measure b { for app  value count(user)  by done  at least 5 users }  // error: T020
        measure c { for app  value count(habit)  by habit.user.band  at least 5 users }  // error: T020
        measure d { for app  value count(user) + count(habit)  by band  at least 5 users }  // error: T020
        measure e { for app  value count(Event)  by band  at least 5 users }  // error: T028
        measure f { for app  value count(Event) / count(user)  by user.band  at least 5 users }  // error: T028
        measure g { for user  value count(habit)  by done }  // error: T028
        measure h { for app  value count(user)  by by_name  at least 5 users }  // error: T028
        measure i { for app  value count(user)  by people  at least 5 users }  // error: T020
        measure j { for app  value count(user)  by run.right  at least 5 users }  // error: T021
        measure k { for app  value count(user)  by last_user  at least 5 users }  // error: C416
        measure l { for app  value l2  by band }  // error: T028
        measure l2 { for app  value count(user)  at least 5 users }
        funnel m { for user  step one Event where name == "1"  step two Event where name == "2"  by band }  // error: T028
        measure n { for user  value if days7 >= 6 then "daily" else "sometimes" }  // error: C408
        """)
  }
}
