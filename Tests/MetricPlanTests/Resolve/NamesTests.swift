import MetricTestSupport
import Testing

@Suite struct NamesTests {
  @Test func unknownMetricsSubjectsAndFunctions() {
    checks(
      """
      measure a { for habit  value other_metric }  // error: T001
      measure b { for habits  value 1 }  // error: T001
      measure c { for Habit  value 1 }  // error: T001
      measure d { for habit  value median(HabitEntry.value) }  // error: T001
      streak e { of nothing  best }  // error: T001
      level f { of nothing  at 1 }  // error: T001
      measure g { for habit  value f2 }
      measure f2 { for habit  value count(HabitEntry) }
      """)
  }

  @Test func unknownRecords() {
    checks(
      """
      measure a { for habit  value count(HabitEntri) }  // error: T002
      extend Habitt { note : Text? }  // error: T002
      funnel b {
        for user
        step one Evnt  // error: T002
        step two Event where name == "two"
      }
      extend Habit { note : Text? }
      """)
  }

  @Test func unknownFields() {
    checks(
      """
      measure a { for habit  value sum(HabitEntry.size) }  // error: T003
      measure b { for habit  value habit.size }  // error: T003
      measure c { for habit  value count(HabitEntry where habit.usr.id == "a") }  // error: T003
      measure d { for habit  value count(HabitEntry where value.size == 1) }  // error: T003
      measure e { for habit  value count(HabitEntry where habit.user.id == "a") }
      measure f { for habit  value sum(HabitEntry.habit.weeklyTarget) }
      """)
  }

  @Test func duplicates() {
    checks(
      """
      measure a { for habit  value 1 }
      measure a { for habit  value 2 }  // error: T004
      entity Book { id : ID  title : Text?
        title : Text? }  // error: T004
      entity Book { id : ID }  // error: T004
      entity Habit { id : ID }  // error: T004
      extend Habit { unit : Text? }  // error: T004
      funnel b {
        for user
        step one Event where name == "one"
        step one Event where name == "two"  // error: T004
      }
      retention c { for user  start Event  return Event
        after 1, 7, 7 days }  // error: T004
      retention d { for user  start Event  return Event  after 1, 7 days }
      """)
  }

  /// Metrics cannot be called like a subject or a function; entities not like `app` and `day`.
  @Test func reservedNames() {
    checks(
      """
      measure habit { for habit  value 1 }  // error: T006
      measure user { for habit  value 1 }  // error: T006
      measure app { for habit  value 1 }  // error: T006
      measure day { for habit  value 1 }  // error: T006
      measure count { for habit  value 1 }  // error: T006
      measure contribution { for habit  value 1 }  // error: T006
      measure weekday { for habit  value 1 }  // error: T006
      entity App { id : ID }  // error: T006
      entity Day { id : ID }  // error: T006
      entity Text { id : ID }  // error: T006
      measure habits { for habit  value 1 }
      measure counts { for habit  value 1 }
      measure value { for habit  value 1 }
      measure target { for habit  value value + 1 }
      fact Day2 { dayKey : DayKey }
      """)
  }

  /// A reserved name is one finding; what refers to the entity is sound.
  @Test func aReservedEntityIsNoCascade() {
    checks(
      """
      entity Day { id : ID }  // error: T006
      fact Visit { dayKey : DayKey  placeId : Day  userId : User }
      measure a { for user  value count(Visit) }
      """)
  }

  @Test func suggestions() {
    #expect(
      findings(of: "measure a { for habit  value coutn(HabitEntry) }")
        == ["no function is called `coutn` — did you mean `count`?"])
    #expect(
      findings(of: "measure a { for habit  value sum(HabitEntry.valeu) }")
        == ["`HabitEntry` has no field `valeu` — did you mean `value`?"])
    #expect(
      findings(of: "measure a { for habit  value weeklyTarget }")
        == ["no metric or subject is called `weeklyTarget` — did you mean `habit.weeklyTarget`?"])
    #expect(
      findings(of: "measure a { for habit  value goal.target }")
        == ["no metric or subject is called `goal` — `goal` is a subject; this metric is for `habit`"])
    #expect(
      findings(of: "measure a { for Habit  value 1 }")
        == [
          "no entity has the subject name `Habit`; `for` names an entity or `app` — subjects are written with a lower-case letter: `habit`"
        ])
  }

  /// In a `where` the fact's own fields come first, then entities it refers to, then the subject.
  @Test func namesInsideWhere() {
    checks(
      """
      fact Note { dayKey : DayKey  habitId : Habit  unit : Text?  day : Int? }
      measure a { for habit  value count(Note where unit == "x" and habit.unit == "x" and day == 1) }
      measure b { for goal  value count(HabitEntry through GoalLink where goal.unit == habit.unit) }
      measure c { for habit  value count(HabitEntry where day >= 2026-01-01 and dayKey == day) }
      measure d { for habit  value count(HabitEntry where a > 1) }  // error: T031
      measure e { for habit  value count(HabitEntry where count(HabitEntry) > 1) }  // error: T031
      measure f { for habit  value count(HabitEntry where weeklyTarget > 1) }  // error: T001
      """)
  }

  @Test func fieldsNamedLikeKeywords() {
    checks(
      """
      fact Lesson { dayKey : DayKey  userId : User  level : "a1" | "b1" ?  over : Int? min 0  first : Int? }
      measure a { for user  value sum(Lesson.over where level == "b1" and first > 1) }
      """)
  }

  /// The subject alone is no value.
  @Test func theSubjectAlone() {
    checks(
      """
      measure a { for habit  value habit }  // error: T031
      measure b { for habit  value HabitEntry }  // error: T031
      measure c { for habit  value count(habit.id) }  // error: T014
      measure d { for habit  value habit.id }
      """)
  }

  @Test func anotherVersionOfTheLanguage() {
    checks(
      """
      language 1
      language 2  // error: T035
      language 1.0  // error: T035
      """)
  }

  /// Comparing every unknown name with every known one would take minutes.
  @Test func veryManyUnknownNamesHaveNoSuggestionEach() {
    let lines = (0..<700).map { "measure minutes_\($0) { for user  value minuts_\($0) }" }
    let found = findings(of: lines.joined(separator: "\n"))
    #expect(found.count == 700)
    let suggested = found.filter { $0.contains("did you mean") }.count
    #expect(suggested > 50)
    #expect(suggested < 400)
  }
}
