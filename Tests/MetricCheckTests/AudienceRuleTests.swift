import MetricTestSupport
import Testing

/// C403, C404, W002, W003 and W004: what a person is shown.
@Suite struct AudienceRuleTests {
  @Test func daysAreNoScore() {
    checks(
      """
      extend Habit { startDay : DayKey? }
      measure a { for habit  value day - habit.startDay }  // error: C403 C405
      measure b { for habit  value day }  // error: C403
      measure c { for habit  value weekday(day) }  // error: C403
      measure d { for habit  value day - habit.startDay >= 3 }
      measure e { for habit  value if day > habit.startDay then 1 else 0 }
      measure f { for habit  value day - habit.startDay  audience team }
      measure g { for habit  value weekday(day) in ["monday"] }
      measure h { for habit  value count(HabitEntry where day - habit.startDay >= 1 and dayKey == day) }
      progress i {
        for habit
        value 1
        target day - habit.startDay  // error: C403 C405
      }
      progress j {
        for habit
        value if 1 == 1 then day - habit.startDay else 0  // error: C403 C405
        target 5
      }
      completion k {
        for habit  every day  when count(HabitEntry) >= 1
        rest when day < habit.startDay
      }
      """)
  }

  @Test func teamMetrics() {
    checks(
      """
      measure a { for habit  value count(HabitEntry)  audience team }
      measure b { for habit  value a + 1 }  // error: C404
      measure c { for habit  value a + 1  audience team }
      completion d { for habit  every day  when count(HabitEntry) >= 1  audience team }
      streak e { of d }  // error: C404
      streak f { of d  audience team }
      measure g { for user  value sum(habit.a) }  // error: C404
      measure h { for user  value count(habit where d) }  // error: C404
      measure i { for habit  value count(d) }  // error: C404
      level j { of a  at 1 }  // error: C404
      """)
  }

  @Test func rowsOfSinglePeople() {
    checks(
      """
      entity FamilyChild { id : ID  familyId : Text? }
      entity Film { id : ID }
      fact Minutes { id : ID  childId : FamilyChild  filmId : Film  dayKey : DayKey  minutes : Decimal min 0 }
      measure a { for familyChild  audience team  value sum(Minutes.minutes) }  // warning: W015
      measure b { for habit  audience team  value count(HabitEntry) }  // warning: W015
      measure c { for film  audience team  value sum(Minutes.minutes) }
      measure d { for app  value average(familyChild.a) }
      measure e { for user  audience team  value count(Event)  allow W015 "only averages of it are shown" }
      """)
  }

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

  @Test("PRIV-11: the value of one person") func valuesOfOne() {
    checks(
      """
      measure a { for app  value max(Event.value) }  // error: C411
      measure b { for app  value last(Event.name)  at least 5 users }  // error: C411
      measure c { for app  value last(Event.userId) }  // error: C411
      measure d { for app  value count(Event) + max(user.xp) }  // error: C411
      measure e { for user  value last(Event.name) }
      measure f { for app  value average(Event.value) + percentile(Event.value, 90)  at least 5 users }
      measure g { for app  value count(user where xp > 10) }
      completion h { for app  every day  when max(Event.value) > 3 }  // error: C411
      fact Weather { dayKey : DayKey  warmth : Int }
      measure i { for app  value max(Weather.warmth) }
      extend User { xp : Int? }
      measure j { for habit  value max(HabitEntry.value)  audience team }
      """)
  }

  @Test("PRIV-10: differences of protected numbers") func protectedDifferences() {
    checks(
      """
      measure a { for app  value count(Event)  at least 5 users }
      measure b { for app  value count(Event where name != "x")  at least 5 users  allow W017 "a test" }
      measure c { for app  value a - b }  // error: C412
      measure d { for app  value a + -1 * b }  // error: C412
      measure e { for app  value b / a }
      measure f { for app  value if a > b then 1 else 0 }  // error: C412
      measure g { for app  value count(Event) - count(Event where name == "x")  at least 5 users  allow W017 "a test" }  // error: C412
      measure h { for app  value a - a offset 7 days }
      measure i { for app  value a - count(HabitEntry) }
      measure j { for app  value count(Event) - count(Event where name == "x")  allow W017 "a test" }
      measure k { for app  value 100 - 100 * b / a }
      measure l { for app  value sum(Event.value) - sum(Event.value where name == "x") + 0 * a }  // error: C412
      funnel m { for user  step one Event where name == "x"  step two Event where name == "y"  at least 5 users }
      measure n { for app  value m.one - m.two }  // error: C412
      measure o { for app  value m.two / m.one }
      progress p { for app  value a - b }  // error: C412
      measure q { for app  value a - (n + 1) }  // error: C412
      """)
  }

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

  @Test func losesByWaiting() {
    checks(
      """
      measure a { for habit  value if day - last(HabitEntry) <= 7 then count(HabitEntry) else 0 }  // error: C409
      measure b { for habit  value if weekday(day) == "monday" then 0 else count(HabitEntry) }  // error: C409
      measure c { for habit  value if day >= 2026-07-01 then 0 else count(HabitEntry) }  // error: C409
      measure d { for habit  value day < 2026-07-01 }  // error: C409
      measure e { for habit  value if day >= 2026-07-01 then count(HabitEntry) else 0 }
      measure f { for habit  value count(HabitEntry over last 7 days) }
      progress g { for habit  value count(HabitEntry)
        target if weekday(day) == "sunday" then 1 else 3 }  // error: C409
      """)
  }

  @Test func verdictsAsTexts() {
    checks(
      """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      measure a { for habit  value if count(HabitEntry) >= 3 then "F" else "A" }  // error: C408
      measure b { for habit  value if done then habit.name else habit.unit }
      measure c { for habit  value if count(HabitEntry) < 3 then habit.name else habit.unit }  // error: C408
      measure d { for habit  value if done then 2026-01-01 else 2026-01-02 }  // error: C408
      measure e { for habit  value if habit.kind == "binary" then habit.name else none }
      measure f { for app  value "on" }
      """)
  }

  @Test("RDG-01 RDG-02: readings") func readings() {
    checks(
      """
      fact Weighing { id : ID  userId : User  dayKey : DayKey  kg : Decimal min 0  steps : Int?  calm : Bool? }
      measure a { for user  value last(Weighing.kg)  reading "the last weight" }
      measure b { for user  value average(Weighing.kg over last 7 days)  reading "a week's mean" }
      measure steps { for user  value average(Weighing.steps)  reading "the mean of whole numbers" }
      measure c { for user  value count(Weighing where calm) / count(Weighing)  reading "the calm share" }
      measure d { for user  value last(Weighing.kg) - 70  reading "why" }  // error: C410
      measure e { for user  value count(Weighing)  reading "why" }  // error: C410
      measure f { for user  value a * 2 }  // error: C410
      level g { of a  at 60 }  // error: C410
      measure h { for app  value average(user.a) }
      measure i { for app  value average(Weighing.kg)  reading "why" }  // error: C410
      measure j { for user  value last(Weighing.kg)  reading " " }  // error: T030
      completion k { for user  every day  when count(Weighing) >= 1 and a > 70 }  // error: C410
      streak l { of k  reading "why" }  // error: T008
      completion m { for user  every day  when count(Weighing) >= 1 }
      streak n { of m  previous }
      measure o { for user  value n }  // error: C410
      level p { of n  at 7 }  // error: C410
      streak q { of m  previous  audience team }
      level r { of q  at 7  audience team }  // error: C406
      measure s { for app  value average(user.n) }
      """)
  }

  @Test func levelsInDisguise() {
    checks(
      """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      momentum m { of done  over last 7 days }
      measure a { for habit  value (if m >= 3 then 1 else 0) + (if m >= 6 then 1 else 0) }  // error: C406
      measure b { for habit  value if m >= 6 then 2 else if m >= 3 then 1 else 0 }  // error: C406
      measure c { for habit  value if count(HabitEntry) >= 6 then 2 else if count(HabitEntry) >= 3 then 1 else 0 }
      measure d { for habit  value m >= 3 }
      level e { of m  at 3  audience team }  // error: C406
      """)
  }

  @Test func wordsThatPeopleRead() {
    checks(
      """
      measure a { for user
        title "Failed days"  // warning: W008
        value count(Event) }
      measure b { for user  value count(Event)
        unit shame }  // warning: W008
      /// How far you are behind.
      measure c { for user  value count(Event) }  // warning: W008
      measure failed_requests { for app  title "Failed requests"  value count(Event) }
      measure lost_days { for user  value count(Event) }  // warning: W008
      measure d { for user  title "Lost"  value count(Event)  allow W008 "the name of a television series" }
      fact Walk { id : ID  userId : User  dayKey : DayKey  hourUtc : Int?  pointsPerHour : Int? min 0 }
      measure e { for user  value count(Walk where hourUtc < 6) }  // warning: W016
      measure f { for user  value sum(Walk.pointsPerHour) }
      """)
  }

  @Test func calendarWindows() {
    checks(
      """
      completion a { for habit
        every calendar week  // warning: W002
        when count(HabitEntry) >= 1 }
      completion b { for habit
        every calendar month  // warning: W002
        when count(HabitEntry) >= 1 }
      measure f { for habit  value count(HabitEntry)
        over calendar week }  // warning: W002
      measure g { for habit
        value count(HabitEntry over calendar month) }  // warning: W002
      completion c { for habit  every week  when count(HabitEntry) >= 1 }
      completion d { for habit  every calendar week  when count(HabitEntry) >= 1  audience team }
      completion e { for habit  every calendar week  when count(HabitEntry) >= 1  allow W002 "payroll" }
      """)
  }

  @Test func departures() {
    checks(
      """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      completion active { for user  every day  when count(Event) >= 1 }
      streak a { of done
        grace 1 day }  // warning: W003
      momentum b { of done
        half life 7 days }  // warning: W003
      streak c { of active  grace 1 day }
      momentum d { of active  half life 7 days }
      streak e { of done  best }
      streak f { of done  grace 1 day  allow W003 "meant" }
      """)
  }

  @Test func groupsOfOne() {
    checks(
      """
      fact Weather { dayKey : DayKey  city : Text? }
      measure a { for app  value count(Event)
        by name }  // warning: W004
      measure b { for app  value sum(Event.value)  by name  at least 5 users }
      measure c { for user  value count(Event)  by name }
      measure d { for app  value count(Weather)  by city }
      retention e { for user  start Event  return Event  after 1 days
        by cohort week }  // warning: W004
      funnel f { for user  step one Event where name == "1"  step two Event where name == "2"
        by name }  // warning: W004
      """)
  }
}
