/// Loop Habit Tracker's CSV export, whole or in parts: `Habits.csv`, a folder like `001 Meditate` with
/// `Checkmarks.csv` for each habit, and a `Checkmarks.csv` with a column for each habit.
///
/// People keep parts of it and open them in spreadsheets, so any of these may be missing, a header too, and dates
/// may be written in another order.
struct LoopCSV {
  let files: [ExportFile]
  let order: DateOrder?
  let output: HabitOutput
  private var report: ImportReport { output.report }

  /// A habit of the list, which may be missing, with the marks found for it.
  private struct Listed {
    var habit: LoopHabit
    /// `001`; empty if there is no list.
    var position = ""
    var hasType = false
    var marks: LoopMarks?
  }

  func run() throws(ImportFailure) {
    var habits = try listedHabits()
    if let single = files.first, single.path.isEmpty {
      try addMarks(ofAll: single, to: &habits)
    } else {
      try addFolders(to: &habits)
      if let all = file("Checkmarks.csv") {
        if habits.isEmpty || habits.contains(where: { $0.marks == nil }) {
          try addMarks(ofAll: all, to: &habits)
        } else {
          report.leftOut("file of all checkmarks", "the folders of the habits say the same")
        }
      }
    }
    guard !habits.isEmpty else {
      throw ImportFailure(
        "there is no `Habits.csv`, no `Checkmarks.csv` and no folder like `001 Meditate` with one; give the folder into "
          + "which Loop's archive was unpacked, or a `Checkmarks.csv`")
    }
    for index in habits.indices {
      if !habits[index].hasType, habits[index].marks?.hasAmounts == true {
        habits[index].habit.isNumerical = true
        report.decided("habit without a type, read as one with amounts because its values are not marks")
      }
      habits[index].habit.add(to: output)
    }
    for listed in habits {
      if let marks = listed.marks {
        try marks.add(to: listed.habit, order, output)
      } else {
        report.leftOut("habit without checkmarks", "the export holds no day of it")
      }
    }
    reportOtherFiles()
  }

  /// A file of the folder itself, whatever its capitals.
  private func file(_ name: String) -> ExportFile? {
    files.first { $0.path.lowercased() == name.lowercased() }
  }

  private static let columns: Set = [
    "Position", "Name", "Type", "Question", "Description", "FrequencyNumerator", "FrequencyDenominator",
    "Color", "Unit", "Target Type", "Target Value", "Archived?", "NumRepetitions", "Interval",
  ]

  private func listedHabits() throws(ImportFailure) -> [Listed] {
    guard let list = file("Habits.csv") else { return [] }
    var habits: [Listed] = []
    var ids = NamedIDs()
    var rows = try CSVRows(list, required: ["Position", "Name"])
    while let row = try rows.next() {
      let hasType = ["YES_NO", "NUMERICAL"].contains(row["Type"])
      let habit = try habit(row, ids: &ids)
      habits.append(Listed(habit: habit, position: row["Position"], hasType: hasType))
      for column in rows.header where !LoopCSV.columns.contains(column) && !row[column].isEmpty {
        report.leftOut("column \(column) of Habits.csv")
      }
    }
    report.leftOut("color of a habit", count: habits.count)
    return habits
  }

  /// Older exports name some columns otherwise.
  private func habit(_ row: CSVRows.Row, ids: inout NamedIDs) throws(ImportFailure) -> LoopHabit {
    func whole(_ names: [String]) throws(ImportFailure) -> Int64 {
      guard let name = names.first(where: row.has) else { return 1 }
      guard let value = Int64(row[name]), value > 0 else {
        throw row.failure("expected a whole number above 0", name)
      }
      return value
    }
    let target = Amount(row["Target Value"])
    guard target != nil || row["Target Value"].isEmpty else {
      throw row.failure("expected a number", "Target Value")
    }
    report.rounded(target)
    let name = row["Name"]
    if !["", "YES_NO", "NUMERICAL"].contains(row["Type"]) {
      report.leftOut("type \(quoted(row["Type"])) of a habit", "its values say whether it has amounts")
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

  /// The marks in the folders of the habits; without a list the folders are the habits.
  private func addFolders(to habits: inout [Listed]) throws(ImportFailure) {
    let hasList = !habits.isEmpty
    var ids = NamedIDs()
    for file in files {
      guard let folder = LoopCSV.folder(file) else { continue }
      let position = String(folder.prefix { $0 != " " })
      if !hasList {
        let habit = LoopCSV.habit(LoopCSV.name(ofFolder: folder), &ids)
        habits.append(Listed(habit: habit, marks: try LoopMarks.ofOne(file)))
      } else if let index = habits.firstIndex(where: { [position, folder].contains($0.position) }) {
        habits[index].marks = try LoopMarks.ofOne(file)
      }
    }
  }

  /// The marks of a file with a column for each habit, for those that have none yet; or of one habit, after which
  /// nothing but the file is called.
  private func addMarks(ofAll file: ExportFile, to habits: inout [Listed]) throws(ImportFailure) {
    var ids = NamedIDs()
    guard let columns = try LoopMarks.columns(of: file, names: habits.map(\.habit.name)) else {
      var parts = file.name.split(separator: "/").map(String.init)
      let stem = parts.popLast().map { String($0.prefix(upTo: $0.lastIndex(of: ".") ?? $0.endIndex)) } ?? ""
      let folder = stem.lowercased() == "checkmarks" ? parts.last { !$0.allSatisfy { $0 == "." } } : nil
      let habit = LoopCSV.habit(folder.map(LoopCSV.name) ?? stem, &ids)
      return habits.append(Listed(habit: habit, marks: try LoopMarks.ofOne(file)))
    }
    for habit in habits { _ = ids.id(for: habit.habit.name, fallback: habit.habit.id) }
    var taken: Set<Int> = []
    let hasList = !habits.isEmpty
    for (name, marks) in columns {
      let index = habits.indices.first { habits[$0].habit.name == name && !taken.contains($0) }
      if let index {
        if habits[index].marks == nil { habits[index].marks = marks }
      } else {
        if hasList { report.decided("habit that is not in Habits.csv, taken from its column") }
        habits.append(Listed(habit: LoopCSV.habit(name, &ids), marks: marks))
      }
      taken.insert(index ?? habits.count - 1)
    }
  }

  /// A habit that the export only names.
  private static func habit(_ name: String, _ ids: inout NamedIDs) -> LoopHabit {
    LoopHabit(id: ids.id(for: name, fallback: "habit"), name: name)
  }

  /// `001 Meditate` of `001 Meditate/Checkmarks.csv`.
  private static func folder(_ file: ExportFile) -> String? {
    let parts = file.path.split(separator: "/")
    guard parts.count == 2, parts[1].lowercased() == "checkmarks.csv" else { return nil }
    return String(parts[0])
  }

  /// `Meditate` of `001 Meditate`.
  private static func name(ofFolder folder: String) -> String {
    let digits = folder.prefix { $0.isNumber }
    let rest = folder.dropFirst(digits.count)
    return digits.isEmpty || !rest.hasPrefix(" ") ? folder : String(rest.dropFirst())
  }

  private func reportOtherFiles() {
    for file in files where !file.path.isEmpty {
      switch file.path.lowercased().split(separator: "/").last {
      case "slips.csv": report.leftOut("file of slips", "an entry says that something was done")
      case "scores.csv": report.leftOut("file of scores", "a score is derived by the app")
      case "habits.csv", "checkmarks.csv": break
      default: report.leftOut("other file", "not a part of Loop's export")
      }
    }
  }
}

/// The marks of one habit as a `Checkmarks.csv` of Loop Habit Tracker writes them, newest first: a column of its rows.
struct LoopMarks {
  private typealias Row = (cells: [String], starts: [Int])

  private let file: ExportFile
  private let rows: [Row]
  private let column: Int
  /// Whether notes follow the values.
  private let hasNotes: Bool

  /// Reads a file of one habit: dates, values and perhaps notes, with or without a header.
  static func ofOne(_ file: ExportFile) throws(ImportFailure) -> LoopMarks {
    var found: [Row] = []
    var rows = CSVRows(file)
    while let row = try row(&rows) {
      if found.isEmpty, row.cells[0].lowercased() == "date" { continue }
      guard row.cells.count > 1 else {
        try file.requireReadable(firstRow: row.cells)
        throw file.failure("found one cell in the row, expected a date and a value", at: row.starts[0])
      }
      found.append(row)
    }
    return LoopMarks(file: file, rows: found, column: 1, hasNotes: true)
  }

  /// Reads a file with a column for each habit; nil where it is one of one habit. `names` are those of the
  /// habits that are known: Loop writes a name with a comma without quotes.
  static func columns(
    of file: ExportFile, names: [String]
  ) throws(ImportFailure) -> [(name: String, marks: LoopMarks)]? {
    var rows = CSVRows(file)
    guard let (header, starts) = try row(&rows) else {
      throw file.failure("found an empty file, expected `Date` and the names of habits", at: 0)
    }
    let isOfOne = header.count > 1 && header[1].lowercased() == "value"
    guard header[0].lowercased() == "date", !isOfOne else {
      try file.requireReadable(firstRow: header)
      if isOfOne || header[0].first?.isNumber == true { return nil }
      let shown = header.prefix(12).map(quoted).joined(separator: ", ")
      throw file.failure(
        "found \(shown) in the first row, expected `Date` or a date, as in Loop's `Checkmarks.csv`",
        at: starts[0])
    }
    let columns = joined(header.dropFirst(), names)
    var found: [Row] = []
    while let row = try row(&rows) {
      guard row.cells.count == columns.count + 1 else {
        throw file.failure(
          "found \(row.cells.count) cells in the row, expected \(columns.count + 1) as in the header; where the name of "
            + "a habit has a comma, give the folder that holds `Habits.csv` too", at: row.starts[0])
      }
      found.append(row)
    }
    return columns.enumerated().map {
      ($1, LoopMarks(file: file, rows: found, column: $0 + 1, hasNotes: false))
    }
  }

  /// The next row. Some versions wrote the object in place of its value, `Entry(timestamp=2026-01-31, value=2)`, and
  /// most end each row with a comma.
  private static func row(_ rows: inout CSVRows) throws(ImportFailure) -> Row? {
    guard let (found, foundStarts) = try rows.nextCells() else { return nil }
    var cells: [String] = []
    var starts: [Int] = []
    for (cell, start) in zip(found, foundStarts) {
      let value = cell.drop { $0 == " " }
      if cells.last?.hasPrefix("Entry(timestamp=") == true, value.hasPrefix("value="), value.last == ")" {
        cells[cells.count - 1] = String(value.dropFirst(6).dropLast())
      } else {
        cells.append(cell)
        starts.append(start)
      }
    }
    if cells.count > 1, cells.last == "" { cells.removeLast() }
    return (cells, starts)
  }

  /// The names of a header, some of them with commas.
  private static func joined(_ cells: ArraySlice<String>, _ names: [String]) -> [String] {
    var found: [String] = []
    var rest = cells
    while let first = rest.first {
      let count = (1...rest.count).last { names.contains(rest.prefix($0).joined(separator: ",")) } ?? 1
      found.append(count == 1 ? first : rest.prefix(count).joined(separator: ","))
      rest = rest.dropFirst(count)
    }
    return found
  }

  /// Whether a value is none of the numbers that stand for marks.
  var hasAmounts: Bool {
    rows.contains { row in LoopMarks.code(row.cells[column]).map { !(-1...3).contains($0) } ?? false }
  }

  func add(to habit: LoopHabit, _ order: DateOrder?, _ output: HabitOutput) throws(ImportFailure) {
    let order = order ?? DateOrder.only(in: rows.lazy.map { $0.cells[0] })
    for (cells, starts) in rows {
      let (date, value) = (cells[0], cells[column])
      guard let day = DayKey(date, order: order) else {
        throw file.failure(
          "found the date \(quoted(date)), \(DateOrder.expectation(of: date, order))", at: starts[0])
      }
      guard let code = LoopMarks.code(value) else {
        throw file.failure(
          "found the value \(quoted(value)), expected a mark such as `YES_MANUAL`, or a whole number",
          at: starts[column])
      }
      let hasNotes = hasNotes && cells.count > 2 && !cells[2].isEmpty
      try habit.addEntry(code, day: day, hasNotes: hasNotes, to: output) {
        file.failure($0, at: starts[column])
      }
    }
  }

  private static func code(_ text: String) -> Int64? {
    switch text {
    case "YES_MANUAL": 2
    case "YES_AUTO": 1
    case "NO": 0
    case "SKIP": 3
    case "UNKNOWN", "": -1
    default: Int64(text)
    }
  }
}
