import MetricData

/// Loop Habit Tracker's backup: an SQLite database with the tables `Habits` and `Repetitions`.
///
/// Loop keeps a day as the milliseconds of its midnight, taken as if it were in UTC, so the DayKey is read off
/// without any zone.
struct LoopDatabase: Conversion {
  let file: ExportFile
  private(set) var report = ImportReport()

  mutating func run(_ output: DatasetOutput) throws(ImportFailure) {
    let database = try SQLiteFile(file)
    let tables = try database.tables()
    func table(_ name: String) -> SQLiteFile.Table? { tables.first { $0.name.lowercased() == name } }
    guard let habitTable = table("habits"), let repetitions = table("repetitions") else {
      let found = tables.prefix(12).map { quoted($0.name) }.joined(separator: ", ")
      throw failure("found no tables `Habits` and `Repetitions`, only \(found.isEmpty ? "none" : found)")
    }
    var habitOutput = HabitOutput(output)
    let habits = try habits(database, habitTable)
    for habit in habits.list { habit.add(to: habitOutput, &report) }
    try addEntries(database, repetitions, habits.byRow, &habitOutput)
    for other in tables where !["habits", "repetitions"].contains(other.name.lowercased()) {
      let isInternal = other.name.hasPrefix("sqlite_") || other.name == "android_metadata"
      report.leftOut(
        "table", count: isInternal ? 0 : 1, "streaks, scores and computed checkmarks are derived by the app")
    }
  }

  /// The columns of `Habits` that are read, or reported under a name of their own.
  private static let columns: Set = [
    "id", "uuid", "name", "freq_num", "freq_den", "type", "unit", "target_value", "target_type", "archived",
    "question", "description", "position", "color", "reminder_hour", "reminder_min", "reminder_days",
    "highlight",
  ]

  private func failure(_ message: String) -> ImportFailure { ImportFailure(message, file: file.name) }

  /// The habits in the order in which the app shows them.
  private mutating func habits(
    _ database: SQLiteFile, _ table: SQLiteFile.Table
  ) throws(ImportFailure) -> (list: [LoopHabit], byRow: [Int64: LoopHabit]) {
    var rows: [(position: Int64, number: Int64, habit: LoopHabit)] = []
    var ids = NamedIDs()
    var reminders = 0
    var colors = 0
    var others: [String: Int] = [:]
    try database.forEachRecord(of: table) { (number, row) throws(ImportFailure) in
      // Older databases give no `uuid`; their number is what tells habits apart.
      let id = ids.id(for: row.text("uuid"), fallback: "habit \(row.integer("id") ?? number)")
      reminders += row.integer("reminder_hour") == nil ? 0 : 1
      colors += row.integer("color") == nil ? 0 : 1
      for (column, value) in row where !LoopDatabase.columns.contains(column) && value != .null {
        others[column, default: 0] += 1
      }
      // The app always writes 0 here.
      if let mark = row.integer("highlight"), mark != 0 { others["highlight", default: 0] += 1 }
      if let type = row.integer("type"), !(0...1).contains(type) {
        report.leftOut("type `\(type)` of a habit", LoopHabit.readLikeYesOrNo)
      }
      if let type = row.integer("target_type"), !(0...1).contains(type) {
        report.leftOut("target type `\(type)` of a habit", LoopHabit.readLikeALeast)
      }
      let habit = LoopHabit(
        id: id, name: row.text("name"), isNumerical: row.integer("type") == 1,
        times: try positive(row, "freq_num"), days: try positive(row, "freq_den"), unit: row.text("unit"),
        target: try amount(row, "target_value"), isAtMost: row.integer("target_type") == 1,
        isArchived: (row.integer("archived") ?? 0) != 0, question: row.text("question"),
        description: row.text("description"))
      rows.append((row.integer("position") ?? number, row.integer("id") ?? number, habit))
    }
    report.leftOut("reminder of a habit", count: reminders)
    report.leftOut("color of a habit", count: colors)
    for (column, count) in others { report.leftOut("column \(column) of Habits", count: count) }
    rows.sort { ($0.position, $0.number) < ($1.position, $1.number) }
    let byRow = Dictionary(rows.map { ($0.number, $0.habit) }, uniquingKeysWith: { first, _ in first })
    return (rows.map(\.habit), byRow)
  }

  private func positive(_ row: [String: SQLiteFile.Value], _ column: String) throws(ImportFailure) -> Int64 {
    guard let value = row.integer(column) else { return 1 }
    guard value > 0 else {
      throw failure("`\(column)` of the habit \(quoted(row.text("name"))) is `\(value)`, expected 1 or more")
    }
    return value
  }

  private mutating func amount(
    _ row: [String: SQLiteFile.Value], _ column: String
  ) throws(ImportFailure) -> Amount? {
    let text: String
    switch row[column] {
    case .real(let value): text = "\(value)"
    case .integer(let value): text = "\(value)"
    case .text, .blob, .null, nil: return nil
    }
    guard let amount = Amount(text) else {
      throw failure(
        "`\(column)` of the habit \(quoted(row.text("name"))) is `\(text)`, which is out of range")
    }
    if amount.isRounded { report.leftOut("digits after the sixth", "amounts have six") }
    return amount
  }

  private mutating func addEntries(
    _ database: SQLiteFile, _ table: SQLiteFile.Table, _ habits: [Int64: LoopHabit],
    _ output: inout HabitOutput
  ) throws(ImportFailure) {
    var orphans = 0
    var entries: [(day: DayKey, habit: Int64, number: Int64, code: Int64, hasNotes: Bool)] = []
    try database.forEachRecord(of: table) { (number, row) throws(ImportFailure) in
      guard let habit = row.integer("habit"), habits[habit] != nil else {
        orphans += 1
        return
      }
      // Older versions could leave such rows behind; a migration of the app deletes them.
      guard let stamp = row["timestamp"], stamp != .null else {
        return report.leftOut("entry without a day", "later versions of the app delete it")
      }
      guard let time = row.integer("timestamp"), let day = LoopDatabase.day(ofMilliseconds: time) else {
        throw failure("repetition \(number) has no `timestamp` from \(DayKey.range)")
      }
      // Before there were values, a repetition was a day on which it was done.
      entries.append((day, habit, number, row.integer("value") ?? 2, !row.text("notes").isEmpty))
    }
    report.leftOut("entry of a habit that is not there", count: orphans)
    entries.sort { ($0.habit, $0.day, $0.number) < ($1.habit, $1.day, $1.number) }
    for (index, entry) in entries.enumerated() {
      guard let habit = habits[entry.habit] else { continue }
      if index > 0, entries[index - 1].habit == entry.habit, entries[index - 1].day == entry.day {
        report.leftOut("second entry of a day", "the app keeps the first one")
        continue
      }
      do throws(ImportFailure) {
        try habit.addEntry(entry.code, day: entry.day, hasNotes: entry.hasNotes, to: &output, &report)
      } catch {
        throw error.inFile(file.name)
      }
    }
  }

  private static func day(ofMilliseconds time: Int64) -> DayKey? {
    DayKey(checking: floorDivide(time, 86_400_000))
  }
}

extension [String: SQLiteFile.Value] {
  fileprivate func integer(_ column: String) -> Int64? {
    if case .integer(let value) = self[column] { value } else { nil }
  }

  /// Empty where there is none.
  fileprivate func text(_ column: String) -> String {
    if case .text(let text) = self[column] { text } else { "" }
  }
}
