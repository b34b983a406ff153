import MetricTestSupport
import Testing

/// C418 and C419: what a limit looks at, and what rests on one.
@Suite struct LimitReachTests {
  static let sound = """
    fact CheckIn { id : ID  userId : User  dayKey : DayKey }
    fact Smoke { id : ID  userId : User  dayKey : DayKey  units : Int min 0 }
    fact Most setting { id : ID  userId : User  dayKey : DayKey  units : Int min 1 }
    completion free { for user  every day  when count(CheckIn) >= 1  limit count(Smoke) == 0 "own choice" }

    """

  @Test("CMP-03: a limit looks at its own window") func reach() {
    checks(
      Self.sound + """
        completion a { for user  every day  when count(CheckIn) >= 1
          limit count(Smoke over last 7 days) == 0 "why" }  // error: C418
        measure smoked { for user  value count(Smoke) }
        completion b { for user  every day  when count(CheckIn) >= 1
          limit smoked == 0 "why" }  // error: C418
        completion c { for user  every day  when count(CheckIn) >= 1
          limit sum(Smoke.units) <= last(Most.units over all time) "why" }
        completion d { for user  every week  when count(Smoke) >= 1  limit sum(Smoke.units) <= 4 "why" }
        completion e { for user  every day  when count(Smoke) == 0 }  // warning: W020
        completion f { for user  every day  when count(CheckIn) >= 1
          limit count(Smoke) < 0 "why" }  // warning: W020
        """)
  }

  @Test("CMP-03: what rests on a limit only rises") func resting() {
    checks(
      Self.sound + """
        streak run { of free }
        streak kind_run { of free  forgive 2 in 30 days }
        streak best_run { of free  best }
        momentum recent { of free  over last 7 days }
        measure kept { for user  value count(free) }
        level badge { of best_run  at 7, 30 }
        level kept_badge { of kept  at 7, 30 }
        progress points { for user  value 10 * count(free) + count(CheckIn) }
        measure week { for user  value count(free over last 7 days) }  // error: C419
        measure shown { for user  value recent }  // error: C419
        completion both { for user  every day  when free and count(CheckIn) >= 2 }  // error: C419
        measure team_week { for user  value count(free over last 7 days)  audience team }
        """)
  }

  /// A rest that any check-in ends would end a streak where the limit has ended the window.
  @Test("LAW-01: a rest beside a limit") func rest() {
    checks(
      """
      fact CheckIn { id : ID  userId : User  dayKey : DayKey  ill : Bool }
      fact Smoke { id : ID  userId : User  dayKey : DayKey }
      completion a { for user  every day  when count(CheckIn) >= 1
        rest when count(CheckIn where ill) == 0 }
      completion b { for user  every day  when count(CheckIn) >= 1  limit count(Smoke) == 0 "own choice"
        rest when count(CheckIn where ill) == 0 }  // error: C401
      completion c { for user  every day  when count(CheckIn) >= 1  limit count(Smoke) == 0 "own choice"
        rest when weekday(day) == "sunday" }
      """)
  }
}
