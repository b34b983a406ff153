import MetricTestSupport
import Testing

/// Windows, periods, lengths and their multiples.
@Suite struct LengthTests {
  private let base = """
    completion done { for habit  every day  when count(HabitEntry) >= 1 }
    completion weekly { for habit  every week  when count(HabitEntry) >= 1 }
    completion ten { for habit  every 10 days  when count(HabitEntry) >= 1 }
    completion two { for habit  every 2 weeks  when count(HabitEntry) >= 1 }
    completion cal { for habit  every calendar week from sunday  when count(HabitEntry) >= 1
      allow W002 "meant" }
    completion month { for habit  every calendar month  when count(HabitEntry) >= 1
      allow W002 "meant" }

    """

  /// WIN-08: the longest length of each place, and one more.
  @Test(arguments: [
    ("completion x { for habit  every N days  when count(HabitEntry) >= 1 }", 3660),
    ("completion x { for habit  every N weeks  when count(HabitEntry) >= 1 }", 522),
    ("streak x { of done  grace N days  allow W003 \"meant\" }", 3660),
    ("streak x { of cal  grace N windows  allow W003 \"meant\" }", 3660),
    ("momentum x { of done  over last N days }", 3660),
    ("momentum x { of done  over last N windows }", 3660),
    ("momentum x { of month  over last N windows }", 3660),
    ("momentum x { of done  half life N days  allow W003 \"meant\" }", 3660),
    ("momentum x { of done  half life N weeks  allow W003 \"meant\" }", 522),
    ("momentum x { of weekly  half life N windows  allow W003 \"meant\" }", 3660),
    ("measure x { for habit  value count(HabitEntry)  over last N days }", 3660),
    ("measure x { for habit  value count(HabitEntry over last N weeks) }", 522),
    ("measure x { for habit  value count(done over last N days) }", 3660),
    ("measure x { for habit  value momentum7 offset N days }", 3660),
    ("measure x { for habit  value momentum7 offset N months }", 120),
    ("retention x { for user  start first Event  return Event  after 1, N days }", 3660),
    (
      "funnel x { for user  step one Event where name == \"1\"  step two Event where name == \"2\"  within N days }",
      3660
    ),
  ])
  func longest(_ definition: String, _ most: Int) {
    let momentum = "momentum momentum7 { of done  over last 7 days }\n"
    checks(base + momentum + definition.replacing("N ", with: "\(most) ") + "\n")
    for more in ["\(most + 1)", "4000000", "9000000000000"] {
      checks(base + momentum + definition.replacing("N ", with: "\(more) ") + "  // error: T016\n")
    }
  }

  @Test func multiples() {
    checks(
      base + """
        momentum a { of weekly  over last 4 weeks }
        momentum b { of weekly  over last 28 days }
        momentum c { of weekly  over last 4 windows }
        momentum d { of weekly
          over last 10 days }  // error: T016
        momentum e { of ten  over last 30 days }
        momentum f { of ten
          over last 4 weeks }  // error: T016
        momentum g { of two
          over last 3 weeks }  // error: T016
        momentum h { of two  over last 4 weeks }
        momentum i { of cal
          over last 4 weeks }  // error: T016
        momentum j { of cal  over last 4 windows }
        momentum k { of month  over last 1 window }
        momentum l { of done
          over last 0 days }  // error: T016
        streak m { of weekly  grace 1 week  allow W003 "meant" }
        streak n { of weekly
          grace 1 day }  // error: T016
        streak r { of weekly  forgive 1 in 2 weeks }
        streak s { of weekly
          forgive 1 in 10 days }  // error: T016
        streak t { of cal  best  forgive 2 in 3 windows }
        streak u { of done
          forgive 2 in 2 days }  // error: T016
        streak v { of done
          forgive 0 in 2 days }  // error: T016
        momentum o { of weekly  half life 2 weeks  allow W003 "meant" }
        momentum p { of weekly
          half life 10 days }  // error: T016
        momentum q { of done
          over last 1.5 days }  // error: T016
        """)
  }

  @Test func windows() {
    checks(
      """
      completion a { for habit  every 0 days  when count(HabitEntry) >= 1 }  // error: T016
      completion b { for habit  every 7 day  when count(HabitEntry) >= 1 }
      completion c { for habit  every 2.5 days  when count(HabitEntry) >= 1 }  // error: T016
      completion d { for habit  every 100% days  when count(HabitEntry) >= 1 }  // error: T016
      completion e { for habit  every 3661 days  when count(HabitEntry) >= 1 }  // error: T016
      """)
  }

  @Test func periods() {
    checks(
      """
      measure a { for habit  value count(HabitEntry over last 0 days) }  // error: T016
      measure b { for habit  value count(HabitEntry over last 3 windows) }  // error: T016
      measure c { for habit  value count(HabitEntry over last 2 weeks) }
      measure d { for habit  value count(HabitEntry over calendar week from sunday) }
      measure e { for habit  value count(HabitEntry over calendar month) + count(HabitEntry over all time) }
      measure f { for habit  value count(HabitEntry)
        over last 3 windows }  // error: T016
      funnel g { for user  step one Event where name == "1"  step two Event where name == "2"
        within 0 days }  // error: T016
      funnel h { for user  step one Event where name == "1"  step two Event where name == "2"  within 4 weeks }
      retention i { for user  start Event  return Event
        after 0 days }  // error: T016
      retention j { for user  start Event  return Event  after 1, 4 weeks or later }
      """)
  }

  @Test func offsets() {
    checks(
      base + """
        measure a { for habit  value count(HabitEntry) }
        measure b { for habit  value a offset 7 days + a offset 2 weeks + a offset 1 month }
        measure c { for habit  value a offset 0 days }  // error: T016
        measure d { for habit  value (a + 1) offset 7 days }  // error: S034
        measure e { for habit  value habit offset 7 days }  // error: T031
        measure f { for habit  value habit.weeklyTarget offset 7 days }  // error: T031
        measure g { for habit  value nothing offset 7 days }  // error: T001
        measure h { for habit  value if done offset 1 day then 1 else 0 }
        measure i { for habit  value day offset 1 day }  // error: T031
        measure j { for user  value count(habit where done and not done offset 7 days)  audience team }
        measure k { for user  value sum(habit.a offset 7 days) }
        measure l { for habit  value sum(HabitEntry.value offset 7 days) }  // error: T031
        measure m { for app  value first_steps.one offset 7 days }
        funnel first_steps { for user  step one Event where name == "1"  step two Event where name == "2" }
        """)
  }
}
