import MetricDiagnostics
import MetricValues

/// Loop Habit Tracker's CSV export: the unpacked folder with `Habits.csv` and, for each habit, a folder like
/// `001 Meditate` with `Checkmarks.csv`.
struct LoopCSV: Conversion {
  let files: [ExportFile]
  private(set) var report = ImportReport()

  mutating func run(_ output: DatasetOutput) throws(ImportFailure) {
    guard let list = files.first(where: { $0.path == "Habits.csv" }) else {
      throw ImportFailure("there is no `Habits.csv`; give the folder into which Loop's archive was unpacked")
    }
    var habitOutput = HabitOutput(output)
    var habits: [(habit: LoopHabit, folder: String)] = []
    var ids = NamedIDs()
    var rows = try CSVRows(list, required: ["Position", "Name"])
    while let row = try rows.next() {
      let habit = try habit(row, ids: &ids)
      habit.add(to: habitOutput, &report)
      habits.append((habit, row["Position"]))
      for column in rows.header where !LoopCSV.columns.contains(column) && !row[column].isEmpty {
        report.leftOut("column \(column) of Habits.csv")
      }
    }
    report.leftOut("color of a habit", count: habits.count)
    for (habit, position) in habits {
      guard let checkmarks = files.first(where: { LoopCSV.isCheckmarks($0.path, of: position) }) else {
        report.leftOut("habit without a folder of checkmarks", "the export holds no day of it")
        continue
      }
      try addEntries(of: habit, in: checkmarks, &habitOutput)
    }
    reportOtherFiles(habits.map(\.folder))
  }

  private static let columns: Set = [
    "Position", "Name", "Type", "Question", "Description", "FrequencyNumerator", "FrequencyDenominator",
    "Color",
    "Unit", "Target Type", "Target Value", "Archived?", "NumRepetitions", "Interval",
  ]

  /// Older exports name some columns otherwise.
  private mutating func habit(
    _ row: CSVRows.Row, ids: inout NamedIDs
  ) throws(ImportFailure) -> LoopHabit {
    func whole(_ names: [String]) throws(ImportFailure) -> Int64 {
      guard let name = names.first(where: row.has) else { return 1 }
      guard let value = Int64(row[name]), value > 0 else {
        throw row.failure("expected a whole number above 0", name)
      }
      return value
    }
    var target: Amount?
    if !row["Target Value"].isEmpty {
      target = Amount(row["Target Value"])
      guard target != nil else { throw row.failure("expected a number", "Target Value") }
      if target?.isRounded == true { report.leftOut("digits after the sixth", "amounts have six") }
    }
    let name = row["Name"]
    if !["", "YES_NO", "NUMERICAL"].contains(row["Type"]) {
      report.leftOut("type \(quoted(row["Type"])) of a habit", LoopHabit.readLikeYesOrNo)
    }
    if !["", "AT_LEAST", "AT_MOST"].contains(row["Target Type"]) {
      report.leftOut("target type \(quoted(row["Target Type"])) of a habit", LoopHabit.readLikeALeast)
    }
    return LoopHabit(
      id: ids.id(for: name, fallback: "habit \(row["Position"])"), name: name,
      isNumerical: row["Type"] == "NUMERICAL", times: try whole(["FrequencyNumerator", "NumRepetitions"]),
      days: try whole(["FrequencyDenominator", "Interval"]), unit: row["Unit"], target: target,
      isAtMost: row["Target Type"] == "AT_MOST", isArchived: row["Archived?"].lowercased() == "true",
      question: row["Question"], description: row["Description"])
  }

  private mutating func addEntries(
    of habit: LoopHabit, in file: ExportFile, _ output: inout HabitOutput
  ) throws(ImportFailure) {
    guard file.bytes.count > file.start else { return }
    // Old exports have no header.
    let hasHeader = file.bytes.dropFirst(file.start).starts(with: Array("Date".utf8))
    let columns = ["Date", "Value", "Notes"]
    var rows =
      hasHeader ? try CSVRows(file, required: ["Date", "Value"]) : CSVRows(file, columns: columns)
    let (date, value) = ("Date", "Value")
    while let row = try rows.next() {
      guard let day = DayKey(row[date]) else { throw row.failure("expected a date `YYYY-MM-DD`", date) }
      guard let code = LoopCSV.code(row[value]) else {
        throw row.failure("expected a mark such as `YES_MANUAL`, or a whole number", value)
      }
      do throws(ImportFailure) {
        try habit.addEntry(code, day: day, hasNotes: !row["Notes"].isEmpty, to: &output, &report)
      } catch {
        throw row.failure("expected an amount in thousandths", value)
      }
    }
  }

  /// A mark by its name or its number.
  private static func code(_ text: String) -> Int64? {
    switch text {
    case "YES_MANUAL": 2
    case "YES_AUTO": 1
    case "NO": 0
    case "SKIP": 3
    case "UNKNOWN": -1
    default: Int64(text)
    }
  }

  /// `001 Meditate/Checkmarks.csv` belongs to the habit of position `001`.
  private static func isCheckmarks(_ path: String, of position: String) -> Bool {
    let parts = path.split(separator: "/")
    guard parts.count == 2, parts[1] == "Checkmarks.csv" else { return false }
    return parts[0] == position || parts[0].hasPrefix("\(position) ")
  }

  /// What else lies in the folder: derived numbers, and the same days once more.
  private mutating func reportOtherFiles(_ positions: [String]) {
    for file in files where file.path != "Habits.csv" {
      let name = file.path.split(separator: "/").last ?? ""
      if positions.contains(where: { LoopCSV.isCheckmarks(file.path, of: $0) }) { continue }
      switch name {
      case "Slips.csv": report.leftOut("file of slips", "an entry says that something was done")
      case "Scores.csv": report.leftOut("file of scores", "a score is derived by the app")
      case "Checkmarks.csv" where file.path == "Checkmarks.csv":
        report.leftOut("file of all checkmarks", "the folders of the habits say the same")
      default: report.leftOut("other file", "not a part of Loop's export")
      }
    }
  }
}
