import MetricTestSupport
import Testing

/// C407: facts of several people make a team metric.
@Suite struct SeveralPeopleTests {
  @Test func severalPeople() {
    checks(
      """
      entity Club { id : ID }
      extend User { clubId : Club? }
      measure a { for club  audience user  value count(Event) }  // error: C407
      measure b { for club  audience user  value count(user) }  // error: C407
      measure c { for club  value count(Event)  at least 5 users  allow W017 "of a" }
      measure d { for user  value count(Event) }
      measure e { for goal  value contribution(HabitEntry through GoalLink) }
      measure f { for club  value count(user) }  // warning: W004
      measure g { for club  audience user  value f + 1 }  // error: C407 C404
      completion h { for club  every day  when count(Event) >= 1 }
      streak i { of h }
      streak j { of h  audience user }  // error: C407 C404
      entity Place { id : ID  ownerId : User }
      fact Visit { id : ID  placeId : Place  userId : User?  dayKey : DayKey }
      fact Repair { id : ID  placeId : Place  dayKey : DayKey }
      measure k { for place  audience user  value count(Visit) }  // error: C407
      measure l { for place  audience user  value count(Repair) }
      measure m { for user  audience user  value count(Visit through placeId) }  // error: C407
      measure n { for user  audience user  value count(Visit through userId) }
      """)
  }
}
