import MetricTestSupport
import Testing

/// C415: a rest asks for the window.
@Suite struct RestForSomeTests {
  @Test("CHK-15: a rest that asks for the person alone") func rests() {
    checks(
      """
      extend User { pro : Bool?  plan : Text? }
      fact Pause setting { id : ID  userId : User  dayKey : DayKey  isOn : Bool }
      completion a { for user  every day  when count(Event) >= 1  rest when user.pro }  // error: C415
      completion b {
        for user
        every day
        when count(Event) >= 1
        rest when user.plan == "pro" or weekday(day) == "sunday"  // error: C415
      }
      completion c { for user  every day  when count(Event) >= 1  rest when user.pro and weekday(day) == "sunday" }
      completion d { for user  every day  when count(Event) >= 1  rest when last(Pause.isOn over all time) }
      completion e { for user  every day  when count(Event) >= 1  rest when user.pro  audience team }
      """)
  }
}
