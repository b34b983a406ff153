import MetricTestSupport
import Testing

/// How facts reach subjects: the fewest references, `through field`, links and bundles.
@Suite struct RouteTests {
  private let base = """
    entity Book { id : ID  ownerId : User?  level : Text? }
    fact Message { id : ID  fromId : User  toId : User?  bookId : Book?  dayKey : DayKey }
    fact Weather { dayKey : DayKey  city : Text? }
    fact Reading { id : ID  userId : User  bookId : Book  dayKey : DayKey }

    """

  @Test func references() {
    checks(
      base + """
        measure a { for user  value count(Message) }  // error: T015
        measure b { for user  value count(Message through fromId) }
        measure c { for user  value count(Message through from) + count(Message through to) }
        measure d { for user  value count(Message through book) }
        measure e { for user  value count(Message through sender) }  // error: T014
        measure f { for user  value count(Reading) }
        measure g { for user  value count(Weather) }  // error: T014
        measure h { for app  value count(Weather) + count(Message) }
        measure i { for app  value count(Message through fromId) }  // error: T014
        measure j { for book  value count(Reading) + count(Message) }
        measure k { for goal  value count(HabitEntry) }  // error: T014
        measure l { for goal  value count(Reading through book) }  // error: T014
        """)
  }

  @Test func ambiguousPathsAreListed() {
    #expect(
      findings(of: base + "measure a { for user  value count(Message) }")
        == [
          "`Message` leads to `user` by 2 paths of the same length — by `Message.fromId → User` — by `Message.toId → User` — write `through fromId` to choose one"
        ])
    #expect(
      findings(of: "measure k { for goal  value count(HabitEntry) }")
        == [
          "no chain of references leads from `HabitEntry` to `goal` — `HabitEntry` refers to `Habit` — a link joins them: write `through GoalLink` — add a reference: `extend HabitEntry { goalId : Goal }`"
        ])
  }

  @Test func links() {
    checks(
      base + """
        link Shelf { bookId : Book  userId : User }
        link Stock { bookId : Book  goalId : Goal  contribution : "count" | "sum" }
        measure a { for goal  value count(HabitEntry through GoalLink) }
        measure b { for goal  value contribution(HabitEntry through GoalLink) }
        measure c { for goal  value contribution(Reading through Stock) }  // error: T023
        measure d { for user  value count(Reading through Shelf) }
        measure e { for user  value contribution(Reading through Shelf) }  // error: T023
        measure f { for user  value contribution(HabitEntry through Shelf) }  // error: T014
        measure g { for habit  value count(HabitEntry through Book) }  // error: T014
        measure h { for app  value count(HabitEntry through GoalLink) }  // error: T014
        measure i { for goal  value count(Reading through GoalLink) }  // error: T014
        measure j { for goal  value count(Reading through Stock) }
        """)
  }

  /// `contribution` sums the field `value`, which may be as unreadable as any other.
  @Test func contributionsReadTheValue() {
    checks(
      """
      fact Score { habitId : Habit  dayKey : DayKey  value : Int stored }
      fact Secret { habitId : Habit  dayKey : DayKey  value : Int pii }
      measure a { for goal  value contribution(Score through GoalLink) }  // error: C101
      measure b { for goal  value contribution(Secret through GoalLink) }  // error: T022
      """)
  }

  @Test func subjectsAsRows() {
    checks(
      base + """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        measure minutes { for user  value count(Reading) }
        measure a { for user  value count(habit where done and cadence == "weekly") }
        measure b { for user  value count(habit where habit.done) }
        measure c { for app  value average(user.minutes) + sum(user.minutes) }
        measure d { for app  value count(user where minutes > 1 and minutes offset 28 days > 1) }
        measure e { for user  value sum(habit.weeklyTarget) + max(habit.weeklyTarget where done) }
        measure f { for goal  value count(habit where done) }  // error: T014
        measure g { for habit  value count(habit) }  // error: T014
        measure h { for user  value count(habit through GoalLink) }  // error: T023
        measure i { for user  value count(habit over last 7 days) }  // error: T023
        measure j { for user  value sum(habit) }  // error: T023
        measure k { for user  value sum(habit.unit) }  // error: T012
        measure l { for user  value count(habit where minutes > 1) }  // error: T020
        measure m { for user  value average(habit.nothing) }  // error: T003
        measure n { for user  value count(habit where count(HabitEntry) > 1) }  // error: T031
        measure o { for user  value count(habit where done offset 7 days) }
        """)
  }

  @Test func metricsOfOtherSubjects() {
    checks(
      """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      measure whole { for app  value count(HabitEntry) }
      measure a { for user  value done }  // error: T020
      measure b { for habit  value whole  audience team }  // error: T020
      measure c { for app  value done }  // error: T020
      funnel steps { for user  step one Event where name == "1"  step two Event where name == "2" }
      retention back { for user  start Event  return Event  after 1, 7 days }
      measure d { for user  value steps.one  audience team }  // error: T020
      measure e { for app  value steps.one / steps.two + back.d7.rate }
      measure f { for app  value steps }  // error: T031
      measure g { for app  value back.d30.rate }  // error: T021
      measure h { for app  value steps.three }  // error: T021
      measure i { for app  value back.d7 }  // error: T021
      """)
  }

  @Test func groups() {
    checks(
      base + """
        measure a { for app  value count(Reading)  by book.level  at least 5 users }
        measure b { for app  value count(Reading) + count(Message)  by book.level  at least 5 users }
        measure c { for app  value count(Reading) + count(Weather)
          by book.level  at least 5 users }  // error: T003
        measure d { for app  value a + 1 }  // error: T028
        measure e { for app  value count(Reading)  by userId  at least 5 users }  // error: C416
        measure f { for app  value whole
          by userId }  // error: T028
        measure g { for app  value count(Reading) / whole  by book.level  at least 5 users }
        measure whole { for app  value count(Reading) }
        measure h { for app  value count(Reading)
          by cohort week }  // error: T028
        level i { of a  at 1, 2 }
        extend Reading { mark : Int? }
        extend Message { mark : Text? }
        measure j { for app  value count(Reading) + count(Message)
          by mark }  // error: T028
        """)
  }

  @Test func funnelGroups() {
    checks(
      """
      completion active { for user  every day  when count(Event) >= 1 }
      completion weekly { for user  every week  when count(Event) >= 1 }
      funnel a { for user  step one Event where name == "1"  step two Event where name == "2"  by name
        at least 5 users }
      funnel b { for user  step one active  step two Event where name == "2"
        by name  at least 5 users }  // error: T028
      funnel c { for user  step one active  step two Event where name == "2"  by cohort week  at least 5 users }
      funnel d { for user
        step one weekly  // error: T023
        step two Event where name == "2" }
      funnel e { for user
        step one active where 1 == 1  // error: T023
        step two Event where name == "2" }
      funnel f { for user
        step one User  // error: T023
        step two Event where name == "2" }
      funnel g { for user
        step one Event where name == "1"
        step two Event where name == "1" }  // error: T032
      retention h { for user  start each active  return active  after 1 days  by cohort day  at least 5 users }
      retention i { for user  start Event  return Event  after 1 days  by name  at least 5 users }
      funnel j { for habit
        step one active  // error: T020
        step two HabitEntry }
      """)
  }
}
