import MetricTestSupport
import Testing

/// Where it is not known whose number a metric is, the rest of it is still looked at.
@Suite struct UnknownSubjectTests {
  @Test func theOtherMistakesAreFound() {
    checks(
      """
      measure a {
        for habitt  // error: T001
        value summ(HabitEntry.value)  // error: T001
      }
      measure b {
        for habitt  // error: T001
        value sum(HabitEntri.value) + sum(HabitEntry.valeu)  // error: T002 // error: T003
      }
      measure c {
        for habit where cadense == "daily"  // error: T001
        value count(HabitEntry where foo > 1)  // error: T001
      }
      funnel d {
        for usr  // error: T001
        step one Evnt where name == "a"  // error: T002
        step two Event where nam == "b"  // error: T001
      }
      measure e { value sum(HabitEntry.valeu) }  // error: T009 // error: T003
      measure f {
        for planet  // error: T001
        value sum(HabitEntry.valeu)  // error: T003
      }
      measure g {
        for usr  // error: T001
        value now  // error: C302
      }
      level h {
        of nothing  // error: T001
        at 3, 2  // error: T027
      }
      """)
  }

  /// Nothing is said that follows from the guess alone.
  @Test func aGuessBlamesNobody() {
    checks(
      """
      measure a { for planet  value planet.size }  // error: T001
      measure b { for usr  value contribution(HabitEntry through GoalLink) }  // error: T001
      measure c { for usr  value count(HabitEntry through nothing) }  // error: T001
      completion d { every day  when count(HabitEntry) >= 1 }  // error: T009
      streak e { of d }
      measure f { for habit  value sum(HabitEntry.value) + f2 }
      measure f2 { for habit  value count(HabitEntry) }
      measure f3 { for habitt  value f + f2 }  // error: T001
      """)
  }
}
