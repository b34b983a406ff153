/// HabitBull's CSV export: a row for each day of each habit.
struct HabitBull {
  let file: ExportFile
  let order: DateOrder?
  let output: HabitOutput
  private var report: ImportReport { output.report }

  private static let columns = ["HabitName", "HabitDescription", "HabitCategory", "CalendarDate", "Value"]

  /// What is known about a habit once all its rows were read.
  private struct Habit {
    let name: String
    var isQuantity = false
    var isDescribed = false
    var isCategorised = false
    var entries: [(day: DayKey, value: Amount)] = []
  }

  func run() throws(ImportFailure) {
    var rows = try CSVRows(file, required: HabitBull.columns)
    var habits: [Habit] = []
    var places: [String: Int] = [:]
    while let row = try rows.next() {
      let name = row["HabitName"]
      guard !name.isEmpty else { throw row.failure("expected the name of a habit", "HabitName") }
      let place = places[name] ?? habits.count
      if place == habits.count {
        places[name] = place
        habits.append(Habit(name: name))
      }
      if !row["HabitDescription"].isEmpty { habits[place].isDescribed = true }
      if !row["HabitCategory"].isEmpty { habits[place].isCategorised = true }
      report.leftOut(
        "comment of an entry", count: row["CommentText"].isEmpty ? 0 : 1, "an entry holds no text")
      for column in rows.header where !HabitBull.columns.contains(column) && column != "CommentText" {
        report.leftOut("column \(column)", count: row[column].isEmpty ? 0 : 1)
      }
      try add(row, to: &habits[place])
    }
    report.leftOut("description of a habit", count: habits.count(where: \.isDescribed))
    report.leftOut("category of a habit", count: habits.count(where: \.isCategorised))
    for habit in habits {
      let kind = habit.isQuantity ? "quantity" : "binary"
      output.add(HabitOutput.Habit(id: habit.name, name: habit.name, kind: kind))
      for entry in habit.entries {
        output.addEntry(of: habit.name, day: entry.day, value: habit.isQuantity ? entry.value : nil)
      }
    }
  }

  /// Takes in a row: 1 is done, another number above 0 is an amount, 0 and less is a day without an entry.
  private func add(_ row: CSVRows.Row, to habit: inout Habit) throws(ImportFailure) {
    // `2016-03-18`, or `11/5/2020` in the order that the caller names.
    guard let day = DayKey(row["CalendarDate"], order: order) else {
      throw row.failure(DateOrder.expectation(of: row["CalendarDate"], order), "CalendarDate")
    }
    guard let value = Amount(row["Value"]) else { throw row.failure("expected a number", "Value") }
    report.rounded(value)
    if value.millionths == 0 { return report.leftOut("day marked as not done", "the same as no entry") }
    if value.millionths < 0 {
      return report.leftOut("day with a mark below 0", "no amount; HabitBull does not say what it means")
    }
    if value.millionths != FixedDecimal.scale { habit.isQuantity = true }
    habit.entries.append((day, value))
  }
}
