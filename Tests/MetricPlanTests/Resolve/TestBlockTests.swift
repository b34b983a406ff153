import MetricTestSupport
import Testing

@Suite struct TestBlockTests {
  private let base = """
    completion done { for habit  every day  when count(HabitEntry) >= 1 }
    streak run { of done }
    momentum share { of done  half life 7 days  allow W003 "meant" }
    progress goals { for goal  value contribution(HabitEntry through GoalLink)  target goal.target }
    measure last_day { for habit  value last(HabitEntry) }
    measure kind { for habit  value habit.kind }
    measure total { for app  value count(Event)  by name  at least 2 users }
    level totals { of total  at 1, 2 }
    funnel steps { for user  step one Event where name == "1"  step two Event where name == "2" }
    fact Reading { dayKey : DayKey  userId : User  mood : "calm" | "tired" ?  at : Instant?  twice = 2 }

    """

  @Test func sound() {
    checks(
      base + """
        test "all of it" {
          given Habit { id: "read", weeklyTarget: 3, name: none }
          given Goal { id: "g", target: 2.5 }
          given GoalLink { goalId: "g", habitId: "read", contribution: "sum" }
          given Reading { dayKey: 2026-01-01, userId: "ann", mood: "calm", at: "2026-01-01T08:00:00Z" }
          log "read" from 2026-01-01 "### #.. 5"
          given Event { userId: "ann", name: "1", dayKey: 2026-01-01 }
          expect done     for "read" at 2026-01-04 = true
          expect run      for "read" at 2026-01-04 = 4
          expect run      for "read" at 2026-01-04 = 4.0
          expect share    for "read" at 2026-01-04 = 1
          expect goals    for "g" part "fraction" at 2026-01-04 = 200%
          expect goals    for "g" at 2026-01-04 = none
          expect last_day for "read" at 2026-01-04 = 2026-01-03
          expect kind     for "read" at 2026-01-04 = none
          expect total    group "1" at 2026-01-04 = 1
          expect totals   group "1" at 2026-01-04 = 1
          expect total    at 2026-01-04 = none
          expect steps    part "one" at 2026-01-04 = 1
        }
        """)
  }

  @Test func wrongRecords() {
    checks(
      base + """
        test "given" {
          given Habbit { id: "read" }  // error: T002
          given Habit { id: "read", wekly: 3 }  // error: T003
          given Habit { id: "read", weeklyTarget: "3" }  // error: T012
          given Habit { id: "read", kind: "often" }  // error: T013
          given Habit { id: "read", weeklyTarget: -1 }  // error: T029
          given Habit { name: "read" }  // error: T029
          given Habit { id: "read", id: "write" }  // error: T004
          given Habit { id: "" }  // error: T029
          given Habit { id: none }  // error: T029
          given Habit { id: 3 }  // error: T012
          given HabitEntry { habitId: "read" }  // error: T029
          given HabitEntry { habitId: "read", dayKey: 2026-02-30 }  // error: T018
          given HabitEntry { habitId: "read", dayKey: "2026-02-03" }  // error: T012
          given Reading { dayKey: 2026-01-01, userId: "ann", twice: 2 }  // error: T029
          given Reading { dayKey: 2026-01-01, userId: "ann", at: "yesterday" }  // error: T029
          given Reading { dayKey: 2026-01-01, userId: "ann", at: 3 }  // error: T029
          given Goal { id: "g", target: 9000000000001 }  // error: T017
        }
        """)
  }

  @Test func wrongLogs() {
    checks(
      base + """
        test "log" {
          log "read" from 2026-01-01 "##x"  // error: T029
          log "read" from 2026-02-30 "##"  // error: T018
          log "read" from 2199-12-31 "#"
          log "read" from 2199-12-31 "##"  // error: T018
          log "" from 2026-01-01 "##"  // error: T029
        }
        """)
  }

  /// A log fills what the built-in entry needs and cannot fill more.
  @Test func logsOfExtendedEntries() {
    checks(
      """
      extend HabitEntry { source : Text }
      test "log" {
        log "read" from 2026-01-01 "##"  // error: T029
        given HabitEntry { habitId: "read", dayKey: 2026-01-01, source: "app" }
      }
      """)
  }

  @Test func wrongExpectations() {
    checks(
      base + """
        test "expect" {
          expect runs for "read" at 2026-01-04 = 4  // error: T001
          expect run at 2026-01-04 = 4  // error: T029
          expect total for "read" at 2026-01-04 = 4  // error: T029
          expect steps for "ann" part "one" at 2026-01-04 = 4  // error: T029
          expect run for "read" at 2026-01-04 = true  // error: T012
          expect run for "read" at 2026-01-04 = 4.5  // error: T012
          expect done for "read" at 2026-01-04 = 1  // error: T012
          expect last_day for "read" at 2026-01-04 = "2026-01-04"  // error: T012
          expect goals for "g" part "share" at 2026-01-04 = 1  // error: T021
          expect run for "read" part "best" at 2026-01-04 = 1  // error: T021
          expect steps at 2026-01-04 = 1  // error: T021
          expect run for "read" at 2026-02-30 = 4  // error: T018
          expect run for "read" group "x" at 2026-01-04 = 4  // error: T029
        }
        """)
  }
}
