import MetricTestSupport
import Testing

/// W017: metrics of a library from which a hidden number follows.
@Suite struct CombinableMetricsTests {
  @Test func combinableMetrics() {
    checks(
      """
      extend User { city : Text?  plan : Text? }
      measure a { for app  value count(Event)  at least 5 users }
      measure b { for app  value count(Event)  by user.city  at least 5 users }
      measure c { for app  value count(Event where user.city == "Ulm")  at least 5 users }  // warning: W017
      measure d { for app  value count(Event)  by user.plan  at least 5 users }  // warning: W017
      measure e { for app  value average(Event.value)  at least 5 users }
      measure f { for app  value average(Event.value where user.city != "Ulm") }  // warning: W017
      measure g { for app  value sum(Event.value over last 7 days)  at least 5 users }
      measure h { for app  value sum(Event.value)  over last 7 days  at least 3 users }  // warning: W017
      measure i { for app  value days(Event)  at least 5 users }
      measure j { for app  value days(Event where name == "x") / 2  at least 5 users  allow W017 "meant" }
      measure k { for app  value distinct(Event.name)  at least 5 users  nearest 5 }
      measure l { for app  value distinct(Event.name where user.city == "Ulm")  at least 5 users  nearest 10 }
      measure m { for app  value distinct(Event.name where user.city == "Bonn")  at least 5 users  nearest 3 }  // warning: W017
      measure n { for app  value count(HabitEntry)  at least 5 users  nearest 5 }
      measure o { for app  value count(HabitEntry) / count(habit)  at least 5 users }  // warning: W017
      progress p { for app  value sum(HabitEntry.value)  target sum(HabitEntry.value where value > 1) }
      measure q { for app  value sum(HabitEntry.value where value > 2)  at least 5 users }  // warning: W017
      funnel r { for user  step one HabitEntry  step two Event where name == "x"  at least 5 users }
      funnel s { for user  step one HabitEntry  step two Event where name == "y"  at least 5 users }
      funnel t { for user  step one HabitEntry where value > 1  step two Event  at least 5 users }  // warning: W017
      retention u { for user  start Event  return Event  after 1 day  at least 5 users }
      retention v { for user  start Event  return Event where name == "x"  after 1 day  at least 5 users }  // warning: W017
      retention w { for user  start Event where name == "x"  return Event  after 7 days  at least 5 users }
      """)
  }

  /// What a metric may be asked for is as good as published.
  @Test("SLC-05: slices give each other away") func slices() {
    checks(
      """
      extend User { city : Text?  plan : Text? }
      measure a { for app  value count(Event)  slice by user.city  at least 5 users }
      measure b { for app  value sum(Event.value)  slice by user.city, user.plan  at least 5 users }  // warning: W017
      measure d { for app  value count(HabitEntry)  by habit.user.city  slice by habit.user.plan  at least 5 users }  // warning: W017
      measure e { for app  value count(HabitEntry)  slice by habit.user.plan, habit.user.city  at least 5 users  nearest 5 }  // warning: W017
      measure f { for app  value distinct(Event.userId)  slice by user.plan, user.city  at least 5 users  nearest 5 }
      measure g { for app  value distinct(HabitEntry.habitId)  slice by habit.userId  at least 5 users }  // error: C416
      """)
  }

  /// A table hides the lines that the totals by its first fields hide.
  @Test func tablesBesideTheirLines() {
    checks(
      """
      extend User { city : Text?  plan : Text? }
      measure a { for app  value count(Event)  at least 5 users }
      measure b { for app  value count(Event)  by user.plan  at least 5 users }
      measure c { for app  value count(Event)  by user.plan, user.city  at least 5 users }
      measure d { for app  value count(Event)  by user.plan, user.city, name  at least 5 users }
      measure e { for app  value sum(Event.value)  by user.plan, user.city  at least 5 users }
      measure f { for app  value sum(Event.value)  by user.city  at least 5 users }  // warning: W017
      measure g { for app  value days(Event)  by user.plan, user.city  at least 5 users }
      measure h { for app  value days(Event)  by user.plan  at least 3 users }  // warning: W017
      measure i { for app  value distinct(Event.name)  by user.plan, user.city  at least 5 users }
      measure j { for app  value distinct(Event.name)  by user.plan, name  at least 5 users }  // warning: W017
      measure k { for habit  value count(HabitEntry)  audience team  at least 5 users  allow W015 "a test" }
      """)
  }

  /// An average of some, beside the sums and counts of all, says what holds of the rest: possibly one person.
  @Test func anAverageBesideSumsAndCounts() {
    checks(
      """
      extend User { city : Text?  plan : Text? }
      measure a { for app  value average(Event.value where user.plan != "free")  at least 5 users }
      measure b { for app  value sum(Event.value)  by user.city  at least 5 users }  // warning: W017
      measure c { for app  value count(Event)  by user.city  at least 5 users }
      measure d { for app  value average(HabitEntry.value where value > 1)  at least 5 users }
      measure e { for app  value count(HabitEntry)  at least 5 users }
      """)
  }
}
