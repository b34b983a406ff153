import MetricTestSupport
import Testing

/// The type of every operator and function.
@Suite struct TypeTests {
  private let base = """
    extend Habit { startDay : DayKey?  isOn : Bool?  note : Text?  size : Int? }
    completion done { for habit  every day  when count(HabitEntry) >= 1 }

    """

  /// Expressions that a measure takes.
  static let sound = [
    "1 + 1", "1 + 0.5", "habit.weeklyTarget + habit.size", "1 - habit.size", "2 * 3 / 4", "-habit.size",
    "1 == 1.0", "habit.size < habit.weeklyTarget", "habit.startDay < 2026-01-01", "habit.note == habit.unit",
    "habit.isOn == true", "habit.isOn != false", "habit.note != habit.id", "habit.userId == \"ann\"",
    "not habit.isOn", "habit.isOn and done or not done", "habit.size in [1, 2]", "habit.size in [1.5]",
    "habit.weeklyTarget in [1, 2]", "habit.startDay in [2026-01-01]", "habit.note not in [\"a\"]",
    "habit.kind is none", "habit.size is not none", "(habit.size) is none", "done is not none",
    "if done then 1 else 0", "if done then 1 else 0.5", "if done then none else 1",
    "if done then 1 else none",
    "if done then \"a\" else habit.kind", "1 + (if done then 1 else 2)",
    "if done then 1 else if habit.isOn then 2 else none",
    "least(1, 2)", "greatest(habit.size, 0.5)", "floor(1.5)", "floor(habit.size)", "weekday(habit.startDay)",
    "weekday(habit.startDay) in [\"monday\"]", "habit.startDay - 2026-01-01", "habit.startDay == 2026-01-01",
    "count(HabitEntry)", "sum(HabitEntry.value)", "min(HabitEntry.value)", "max(HabitEntry.value)",
    "average(HabitEntry.value)", "percentile(HabitEntry.value, 95)", "distinct(HabitEntry.value)",
    "distinct(HabitEntry.habitId)", "days(HabitEntry)", "first(HabitEntry)", "last(HabitEntry)",
    "first(HabitEntry.value)", "last(HabitEntry.value where value > 0 over last 7 days)",
    "first(HabitEntry) < 2026-01-01", "first(done)", "last(done)", "count(done)",
    "count(done over last 4 weeks)", "done", "habit.note", "80% + 1", "1_000", "habit.size == none_of",
    "habit.id == \"a\"",
  ]

  @Test(arguments: sound)
  func accepted(_ expression: String) {
    checks(
      base
        + "measure none_of { for habit  value 1 }\nmeasure x { for habit  value \(expression)  audience team }\n"
    )
  }

  /// Expressions with one mistake in their types.
  static let wrong = [
    "1 + \"a\"", "1 + true", "habit.note + habit.note", "habit.startDay + 1", "1 - habit.startDay",
    "habit.startDay * 2", "-habit.note", "-done", "-habit.startDay", "1 == \"a\"", "1 < \"a\"",
    "habit.note < habit.unit", "habit.isOn < true", "habit.startDay < 1", "habit.startDay == \"2026-01-01\"",
    "habit.isOn == 1", "habit.note == 1", "1 == none", "none == none", "habit.size < none",
    "not 1", "not habit.note", "1 and done", "done or 1", "done and \"a\"", "habit.size in [\"a\"]",
    "habit.note in [1]", "habit.startDay in [\"2026-01-01\"]", "habit.size in [none]", "done in [1]",
    "if 1 then 1 else 2", "if done then 1 else \"a\"", "if done then true else 1",
    "if done then 2026-01-01 else \"a\"", "least(1, \"a\")", "greatest(done, done)",
    "least(2026-01-01, 2026-01-02)", "floor(\"a\")", "floor(done)", "weekday(1)", "weekday(\"monday\")",
    "sum(HabitEntry.habitId)", "average(HabitEntry.dayKey)", "max(HabitEntry.dayKey)",
    "percentile(HabitEntry.id, 50)", "none", "if done then none else none",
    "count(HabitEntry where value)", "count(HabitEntry where 1)", "count(HabitEntry where value == \"a\")",
  ]

  @Test(arguments: wrong)
  func rejected(_ expression: String) {
    checks(base + "measure x { for habit  value \(expression) }  // error: T012\n")
  }

  /// The parser says what is wrong, and the types of a chain add nothing to it.
  @Test(arguments: [
    "1 < habit.size < 3", "1 < habit.size < 3 < 4", "habit.size == 1 in [2]", "habit.size in [1] == 2",
    "habit.size < 3 is none", "habit.isOn is none < 3", "1 < habit.size < 3 and done",
  ])
  func chained(_ expression: String) {
    let codes = expression.contains("< 4") ? "S017 S017" : "S017"
    checks(base + "measure x { for habit  value \(expression) }  // error: \(codes)\n")
  }

  /// Calls with the wrong arguments.
  static let wrongCalls = [
    "least(1)", "greatest(1, 2, 3)", "floor(1, 2)", "weekday()", "min(1, 2)", "max(1, 2)", "sum(HabitEntry)",
    "average(HabitEntry)", "count(HabitEntry.value)", "days(HabitEntry.value)", "count()", "count(1)",
    "percentile(HabitEntry.value)", "percentile(HabitEntry.value, 0)", "percentile(HabitEntry.value, 101)",
    "percentile(HabitEntry.value, habit.size)", "percentile(HabitEntry.value, 1.5)", "count(Goal)",
    "count(GoalLink)", "sum(done)", "average(done)", "count(done where 1 == 1)",
    "contribution(HabitEntry)", "least(1 where 1 == 1, 2)", "count(HabitEntry + 1)",
    "distinct(HabitEntry)", "count(done offset 1 day)",
  ]

  @Test(arguments: wrongCalls)
  func rejectedCalls(_ call: String) {
    checks(
      base + "measure x2 { for habit  value 1 }\nmeasure x { for habit  value \(call) }  // error: T023\n")
  }

  @Test func conditions() {
    checks(
      base + """
        completion a { for habit  every day  when count(HabitEntry) }  // error: T012
        completion b { for habit  every day  when count(HabitEntry) >= 1
          rest when 1 }  // error: T012
        completion c { for habit  every day  when habit.isOn }  // error: T024
        completion d { for habit  every day  when two >= 1 }  // error: T024
        measure two { for habit  value 2 }
        completion e { for habit  every day  when three >= 1 }
        measure three { for habit  value count(HabitEntry) }
        completion f { for habit  every day  when count(HabitEntry) >= 1
          rest when day < habit.startDay or weekday(day) in ["saturday", "sunday"] }
        completion g { for habit  every day  when first(done) < day }
        completion h { for user  every day  when count(habit) >= 1 }  // error: T024
        completion i { for user  every day  when count(habit where done) >= 1 }
        completion j { for habit  every day  when if habit.isOn then count(HabitEntry) >= 1 else none }
        """)
  }

  @Test func progresses() {
    checks(
      base + """
        progress a { for habit  value done }  // error: T012
        progress b { for habit  value habit.note }  // error: T012
        progress c { for habit  value 1
          target done }  // error: T012
        progress d { for habit  value 1  target habit.weeklyTarget }
        progress e { for habit  value d + d.target + d.fraction }
        progress f { for habit  value d.goal }  // error: T021
        progress g { for habit  value e.fraction }  // error: T021
        """)
  }

  @Test func levels() {
    checks(
      base + """
        streak best_run { of done  best }
        level a { of best_run  at 1, 5, 10.5 }
        level b { of best_run
          at 1, 5, 5 }  // error: T027
        level c { of best_run
          at 5, 1 }  // error: T027
        level d { of done  at 1 }  // error: T012
        level e { of a  at 1 }  // error: C203
        measure f { for habit  value a + 1 }  // error: C203
        level g { of p.fraction  at 50%, 100% }
        level h { of p.part  at 1 }  // error: T021
        progress p { for habit  value count(HabitEntry)  target 10 }
        level i { of first_steps  at 1 }  // error: T031
        level j { of first_steps.one  at -1, 0, 1  audience team }
        funnel first_steps { for user  step one Event where name == "1"  step two Event where name == "2" }
        streak k { of best_run }  // error: T031
        momentum l { of p  over last 7 days }  // error: T031
        """)
  }

  @Test func choices() {
    checks(
      """
      fact Session { dayKey : DayKey  habitId : Habit  mood : "calm" | "tired" ?  other : "tired" | "wild" ? }
      measure a { for habit  value habit.cadence == "dayly" }  // error: T013
      measure b { for habit  value habit.cadence in ["daily", "yearly"] }  // error: T013
      measure c { for habit  value count(Session where mood != "sad") }  // error: T013
      measure d { for habit  value count(Session where "calm" == mood or mood == other) }
      measure e { for habit  value weekday(last(Session)) == "Monday" }  // error: T013
      measure f { for habit  value (if habit.kind is none then "no" else habit.kind) == "nope" }  // error: T013
      measure g { for habit  value (if habit.kind is none then "no" else habit.kind) == "no" }
      measure h { for habit  value last(Session.mood) == "sleepy" }  // error: T013
      """)
    #expect(
      findings(of: "measure a { for habit  value habit.cadence == \"dayly\" }")
        == [#"`"dayly"` is not among the allowed texts `"daily"`, `"weekly"` — did you mean `daily`?"#])
  }

  @Test func numbers() {
    checks(
      """
      measure a { for habit  value 9_000_000_000_000 }
      measure b { for habit  value 9000000000001 }  // error: T017
      measure c { for habit  value -9000000000001 }  // error: T017
      measure d { for habit  value 99999999999999999999999999999999999999999999 }  // error: T017
      measure e { for habit  value 0.0001% }
      measure f { for habit  value 0.00001% }  // error: S005
      measure g { for habit  value 900000000000000% }
      measure h { for habit  value 900000000000001% }  // error: T017
      measure i { for habit  value 9000000000000.000001 }  // error: T017
      measure j { for habit  value 170141183460469231731687303715884105728 }  // error: T017
      """)
  }

  @Test func days() {
    checks(
      """
      measure a { for habit  value last(HabitEntry) < 2026-02-29 }  // error: T018
      measure b { for habit  value last(HabitEntry) < 2024-02-29  audience team }
      measure c { for habit  value last(HabitEntry) < 0000-01-01 }  // error: T018
      measure d { for habit  value last(HabitEntry) < 2199-12-31  audience team }
      measure g { for habit  value last(HabitEntry) < 2200-01-01 }  // error: T018
      measure h { for habit  value last(HabitEntry) > 1899-12-31 }  // error: T018
      measure i { for habit  value last(HabitEntry) > 1900-01-01  audience team }
      measure e { for habit  value last(HabitEntry) in [2026-04-31] }  // error: T018
      measure f { for habit  value last(HabitEntry) < 2026-13-01 }  // error: T018
      """)
  }

  @Test func units() {
    checks(
      """
      measure minutes { for habit  value sum(HabitEntry.value)  unit minutes }
      measure pages { for habit  value count(HabitEntry)  unit pages }
      measure plain { for habit  value count(HabitEntry) }
      measure a { for habit  value minutes + pages }  // error: T019
      measure b { for habit  value minutes - pages }  // error: T019
      measure c { for habit  value minutes >= pages }  // error: T019
      measure d { for habit  value -minutes + (if 1 == 1 then pages else pages) }  // error: T019
      measure e { for habit  value minutes / pages + minutes * pages  audience team }
      measure f { for habit  value minutes + plain + 1 }
      measure g { for habit  value minutes + minutes offset 7 days }
      measure h { for user  value sum(habit.minutes) + sum(habit.pages) }  // error: T019
      measure i { for user  value distinct(habit.minutes) + sum(habit.pages)  audience team }
      """)
  }

  @Test func howToMend() {
    let messages = findings(
      of: """
        measure a { for habit  value last(HabitEntry) == "2026-01-01" }
        measure b { for habit  value count(HabitEntry) == "3" }
        measure c { for habit  value last(HabitEntry) + 1 }
        """)
    #expect(
      messages == [
        "`==` compares a DayKey with a Text — write `2026-01-01` without the quotes",
        "`==` compares an Int with a Text — write `3` without the quotes",
        "`+` takes numbers, found a DayKey — `-` between two days gives their distance",
      ])
  }
}
