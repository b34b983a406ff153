import MetricTestSupport
import Testing

/// C102 and W014: a number that somebody declared is no metric.
@Suite struct DeclaredAsValueTests {
  private let records = """
    extend User { steps : Int? min 0 }
    extend Habit { weight : Int? min 0  bonus : Decimal? min 0  paused : Bool?  note : Text?  startDay : DayKey? }
    fact Drink setting {
      id : ID  habitId : Habit  dayKey : DayKey  amount : Int min 0  name : Text?
      spare = amount - 5  share = 1 / (amount - 2)  size = if amount > 3 then "large" else "small"
    }
    completion done { for habit  every day  when count(HabitEntry) >= 1 }

    """

  /// Each value shows a declared number.
  @Test(arguments: [
    "habit.weight", "floor(habit.bonus)", "habit.weight * 2", "count(HabitEntry) + habit.bonus",
    "count(HabitEntry) - (0 - habit.bonus)", "greatest(count(HabitEntry), habit.weight)",
    "if count(HabitEntry) >= 1 then habit.weight else 0", "if habit.paused then 3 else 2",
    "if habit.weight > 3 then count(HabitEntry) + 1 else 1", "least(habit.weight, 10)",
    "least(count(HabitEntry) + 1000, habit.weight)", "least(count(HabitEntry), 1) * habit.weight",
    "(count(HabitEntry) + 1) * habit.bonus", "(count(HabitEntry) + 1) / habit.bonus", "1 / habit.bonus",
    "habit.paused", "not habit.paused", "habit.weight >= 7", "habit.paused is none",
    "count(HabitEntry) >= 1 and habit.paused", "count(HabitEntry) >= 1 or habit.paused",
    "count(HabitEntry) >= habit.weight - 5", "count(HabitEntry) + 1 >= habit.weight",
    "habit.kind == \"binary\"",
    "max(HabitEntry.habit.weight)", "count(Drink)", "sum(Drink.amount)", "last(Drink.amount)",
    "greatest(0, 100 - 5 * count(Drink))", "habit.weight in [1, 2]",
    // A declared number decides whether there is a value, and that decides the rest.
    "(count(HabitEntry) / (habit.bonus - 2)) is none",
    "if count(HabitEntry) / (habit.bonus - 2) <= 1 then 5 else 2",
    "if (count(HabitEntry) * (if habit.paused then 1 else none)) is none then 5 else 2",
    // What is above 0 may be rounded to 0, which any number reaches.
    "count(HabitEntry) >= habit.bonus * habit.bonus", "count(HabitEntry) >= habit.bonus / 3",
    "count(HabitEntry) >= habit.weight / habit.weight",
    // A declared number decides which setting is read.
    "if last(Drink.name where amount >= 3) == \"a\" then count(HabitEntry) + 5 else count(HabitEntry) + 1",
    // Where there are no settings, 0 has reached their sum and their number.
    "(if count(HabitEntry) >= sum(Drink.amount) then 5 else 0) * habit.weight",
    "(if count(HabitEntry) >= count(Drink) then 5 else 0) * habit.weight",
    "(if count(HabitEntry) == distinct(Drink.amount) then 5 else 0) * habit.weight",
    // Equal settings deviate by 0.
    "if count(HabitEntry) < stddev(Drink.amount) then 5 else 2",
    // What is computed of declared numbers may be below 0, none, or a text that says which they are.
    "100 + least(count(HabitEntry), last(Drink.spare))", "count(HabitEntry) >= max(Drink.spare)",
    "(count(HabitEntry) * last(Drink.share)) is none",
    "if last(Drink.size) == \"large\" then count(HabitEntry) + 5 else count(HabitEntry) + 1",
  ])
  func shown(_ value: String) {
    let found = codes("measure a { for habit  value \(value) }\n")
    #expect(found.contains("C102"), "\(value): \(found)")
    let team = codes("measure a { for habit  value \(value)  audience team }\n")
    #expect(!team.contains("C102"), "\(value)")
    // That a text decides is no number that somebody declared.
    #expect(team.contains("W014") != value.hasPrefix("habit.kind"), "\(value)")
  }

  /// Declared numbers are parameters here.
  @Test(arguments: [
    "count(HabitEntry) / habit.weight", "count(HabitEntry) * habit.bonus",
    "least(count(HabitEntry), habit.weight)", "count(HabitEntry) >= habit.weight",
    "sum(HabitEntry.value where value >= habit.bonus)", "count(HabitEntry where habit.paused)",
    "if habit.paused then count(HabitEntry) else 0",
    "if habit.kind == \"binary\" then count(done) else count(HabitEntry)",
    "count(HabitEntry) >= last(Drink.amount)", "sum(HabitEntry.habit.bonus)", "habit.note", "habit.startDay",
    "last(HabitEntry)", "count(HabitEntry) + 1", "1", "count(HabitEntry) / (habit.bonus - 2)",
    "count(HabitEntry) >= habit.bonus * habit.weight", "count(HabitEntry) >= habit.bonus * 1.5",
    "count(HabitEntry) >= habit.weight / 7", "count(HabitEntry) >= habit.bonus / 2",
    "if last(Drink.name) == \"a\" then count(HabitEntry) + 5 else count(HabitEntry) + 1",
    "if count(HabitEntry) / habit.bonus >= 1 then 5 else 2", "(count(HabitEntry) / habit.bonus) is not none",
    "least(count(HabitEntry), sum(Drink.amount))", "least(stddev(Drink.amount), count(HabitEntry))",
    "count(HabitEntry) > count(Drink)", "sum(Drink.amount) < count(HabitEntry)",
    "count(HabitEntry) >= max(Drink.amount) + sum(Drink.amount)",
  ])
  func parameters(_ value: String) {
    let found = codes("measure a { for habit  value \(value) }\n")
    #expect(!found.contains("C102"), "\(value): \(found)")
  }

  private func codes(_ text: String) -> [String] { findingCodes(of: records + text) }

  @Test("CHK-07: declared numbers over subjects") func overSubjects() {
    checks(
      records + """
        measure a { for user  value max(habit.weight) }  // error: C102
        measure b { for user  value sum(habit.weight where done) }  // error: C102
        measure c { for user  value count(habit where paused) }  // error: C102
        measure d { for user  value count(habit where done and not (habit.paused)) }
        measure e { for user  value count(habit) }
        measure f { for user  value count(habit where cadence == "weekly") }
        measure g { for app  value average(habit.weight) }  // warning: W014
        measure h { for app  value average(habit.weight)  allow W014 "what people wrote down" }
        measure i { for habit where paused  value 1 }  // error: C102
        measure j { for habit where paused  value count(HabitEntry) }
        measure k { for habit  value count(HabitEntry) * 2 }
        measure l { for app  value distinct(habit.k) * average(user.steps)  audience team }  // warning: W014
        measure m { for app  value sum(habit.k) * average(user.steps)  audience team }
        measure n { for user  value least(count(HabitEntry), sum(habit.weight)) }
        measure o { for user  value if count(HabitEntry) >= sum(habit.weight) then 5 else 2 }  // error: C102
        """)
  }

  @Test("CHK-07: declared numbers over days") func overDays() {
    checks(
      records + """
        progress a { for habit  value count(HabitEntry)  target habit.bonus }
        // Equal ones deviate by 0, which any number reaches: that is not nothing.
        measure b { for habit  value (if count(HabitEntry) >= stddev(a.target over last 7 days) and habit.paused then 5 else 1) + count(HabitEntry) }  // error: C102
        measure c { for habit  value (if count(HabitEntry) >= max(a.target over last 7 days) and habit.paused then 5 else 1) + count(HabitEntry) }
        // On which days it has a value, a declared Bool decides.
        measure d { for habit  value count(HabitEntry) + 1 + count(HabitEntry) * (if habit.paused then 1 else none) }
        measure e { for habit  value sum(d over last 7 days) }  // error: C102
        measure f { for habit  value count(HabitEntry) * (if habit.paused then 1 else none) }
        measure g { for habit  value sum(f over last 7 days) }
        """)
  }

  @Test func throughMetrics() {
    checks(
      records + """
        measure a { for habit  value habit.weight }  // error: C102
        measure b { for habit  value a * 2 }
        progress c { for habit  value count(HabitEntry)  target habit.weeklyTarget }
        measure d { for habit  value c.target }  // error: C102
        measure e { for habit  value c.fraction }
        progress f { for habit  value habit.bonus  target habit.weeklyTarget }  // error: C102
        completion g { for habit  every day  when count(HabitEntry) >= 1 and habit.paused }
        completion h { for habit  every day  when count(HabitEntry) >= 2 or habit.paused }  // error: C102
        """)
  }
}
