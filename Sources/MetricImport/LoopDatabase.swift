/// Answers a statement on the database in a file: its rows as a JSON array of objects, or nothing where there are none.
///
/// No stage below the command starts a program, so the command asks SQLite's own client.
public typealias DatabaseQuery = (_ statement: String, _ file: ExportFile) throws(ImportFailure) -> [UInt8]

/// Where nobody can be asked.
public func noDatabaseClient(_ statement: String, _ file: ExportFile) throws(ImportFailure) -> [UInt8] {
  throw ImportFailure(
    "found an SQLite database; reading it needs the client `sqlite3`, which is not on the path; install it, or "
      + "export as CSV in Loop, unpack the archive and import its folder", file: file.name)
}

/// Loop Habit Tracker's backup: an SQLite database with the tables `Habits` and `Repetitions`.
///
/// Loop keeps a day as the milliseconds of its midnight, taken as if it were in UTC, so the DayKey is read off
/// without any zone.
struct LoopDatabase {
  let file: ExportFile
  let query: DatabaseQuery
  let output: HabitOutput
  private var report: ImportReport { output.report }
  static let magic = Array("SQLite format 3\u{0}".utf8)

  func run() throws(ImportFailure) {
    var tables: [String] = []
    try file.forEachRow("SELECT name FROM sqlite_schema WHERE type = 'table'", query) { row in
      tables.append(row.text("name"))
    }
    guard ["habits", "repetitions"].allSatisfy({ name in tables.contains { $0.lowercased() == name } }) else {
      let found = tables.prefix(12).map(quoted).joined(separator: ", ")
      throw failure("found no tables `Habits` and `Repetitions`, only \(found.isEmpty ? "none" : found)")
    }
    let habits = try habits()
    for habit in habits.list { habit.add(to: output) }
    try addEntries(habits.byRow)
    for other in tables where !["habits", "repetitions"].contains(other.lowercased()) {
      let isInternal = other.hasPrefix("sqlite_") || other == "android_metadata"
      report.leftOut(
        "table", count: isInternal ? 0 : 1, "streaks, scores and computed checkmarks are derived by the app")
    }
  }

  /// A row by the names of its columns, which are in lower case.
  fileprivate struct Row {
    /// The column of the row's number, which no table has.
    static let number = "metricc row"
    private(set) var values: [String: JSONNode] = [:]

    init(_ node: JSONNode) {
      for (column, value) in node.members ?? [] {
        if case .null = value.value { continue }
        values[column.lowercased()] = value
      }
    }

    func integer(_ column: String) -> Int64? { values[column]?.number.flatMap { Int64($0) } }

    /// Empty if there is none.
    func text(_ column: String) -> String { values[column]?.string ?? "" }
  }

  /// The columns of `Habits` that are read, or reported under a name of their own.
  private static let columns: Set = [
    "id", "uuid", "name", "freq_num", "freq_den", "type", "unit", "target_value", "target_type", "archived",
    "question", "description", "position", "color", "reminder_hour", "reminder_min", "reminder_days",
    "highlight", Row.number,
  ]

  private func failure(_ message: String) -> ImportFailure { ImportFailure(message, file: file.name) }

  /// The habits in the order in which the app shows them.
  private func habits() throws(ImportFailure) -> (list: [LoopHabit], byRow: [Int64: LoopHabit]) {
    var rows: [(position: Int64, number: Int64, habit: LoopHabit)] = []
    var ids = NamedIDs()
    try file.forEachRow("SELECT rowid AS \"\(Row.number)\", * FROM Habits ORDER BY rowid", query) {
      (row) throws(ImportFailure) in
      let number = row.integer(Row.number) ?? 0
      // Older databases give no `uuid`; their number is what tells habits apart.
      let id = ids.id(for: row.text("uuid"), fallback: "habit \(row.integer("id") ?? number)")
      report.leftOut("reminder of a habit", count: row.integer("reminder_hour") == nil ? 0 : 1)
      report.leftOut("color of a habit", count: row.integer("color") == nil ? 0 : 1)
      for column in row.values.keys where !LoopDatabase.columns.contains(column) {
        report.leftOut("column \(column) of Habits")
      }
      // The app always writes 0 here.
      if let mark = row.integer("highlight"), mark != 0 { report.leftOut("column highlight of Habits") }
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
    rows.sort { ($0.position, $0.number) < ($1.position, $1.number) }
    let byRow = Dictionary(rows.map { ($0.number, $0.habit) }, uniquingKeysWith: { first, _ in first })
    return (rows.map(\.habit), byRow)
  }

  private func positive(_ row: Row, _ column: String) throws(ImportFailure) -> Int64 {
    guard let value = row.integer(column) else { return 1 }
    guard value > 0 else {
      throw failure("`\(column)` of the habit \(quoted(row.text("name"))) is `\(value)`, expected 1 or more")
    }
    return value
  }

  private func amount(_ row: Row, _ column: String) throws(ImportFailure) -> Amount? {
    guard let written = row.values[column]?.number else { return nil }
    // The client writes more digits than a number has.
    let text = row.integer(column) == nil ? Double(written).map { "\($0)" } ?? written : written
    guard let amount = Amount(text) else {
      throw failure(
        "`\(column)` of the habit \(quoted(row.text("name"))) is `\(text)`, which is out of range")
    }
    report.rounded(amount)
    return amount
  }

  private func addEntries(_ habits: [Int64: LoopHabit]) throws(ImportFailure) {
    var entries: [(day: DayKey, habit: Int64, number: Int64, code: Int64, hasNotes: Bool)] = []
    try file.forEachRow("SELECT rowid AS \"\(Row.number)\", * FROM Repetitions ORDER BY rowid", query) {
      (row) throws(ImportFailure) in
      let number = row.integer(Row.number) ?? 0
      guard let habit = row.integer("habit"), habits[habit] != nil else {
        return report.leftOut("entry of a habit that is not there")
      }
      // Older versions could leave such rows behind; a migration of the app deletes them.
      guard row.values["timestamp"] != nil else {
        return report.leftOut("entry without a day", "later versions of the app delete it")
      }
      guard let time = row.integer("timestamp"), let day = DayKey(checking: floorDivide(time, 86_400_000))
      else { throw failure("repetition \(number) has no `timestamp` from \(DayKey.range)") }
      // Before there were values, a repetition was a day on which it was done.
      entries.append((day, habit, number, row.integer("value") ?? 2, !row.text("notes").isEmpty))
    }
    entries.sort { ($0.habit, $0.day, $0.number) < ($1.habit, $1.day, $1.number) }
    for (index, entry) in entries.enumerated() {
      if index > 0, entries[index - 1].habit == entry.habit, entries[index - 1].day == entry.day {
        report.leftOut("second entry of a day", "the app keeps the first one")
      } else if let habit = habits[entry.habit] {
        try habit.addEntry(entry.code, day: entry.day, hasNotes: entry.hasNotes, to: output, failure)
      }
    }
  }
}

extension ExportFile {
  /// Calls `body` with each row of an answer about the database that the file is.
  fileprivate func forEachRow(
    _ statement: String, _ query: DatabaseQuery, _ body: (LoopDatabase.Row) throws(ImportFailure) -> Void
  ) throws(ImportFailure) {
    let answer = try query(statement, self)
    guard !answer.isEmpty else { return }
    let done = answer.withUnsafeBytes { bytes in
      Result { () throws(ImportFailure) in
        var parser = JSONParser(ExportFile(name: name, bytes: bytes))
        guard let rows = try parser.document().items else { throw ImportFailure("found no array") }
        for row in rows { try body(LoopDatabase.Row(row)) }
      }
    }
    // A place in the answer is not one in the file.
    do throws(ImportFailure) { try done.get() } catch { throw ImportFailure(error.message, file: name) }
  }
}

/// What both kinds of Loop Habit Tracker's exports say of a habit, and how it becomes records.
///
/// Loop asks for a habit n times in m days. The model has every day, and n times a week. An amount is kept in
/// thousandths, whatever its unit.
struct LoopHabit {
  var id: String
  var name: String
  var isNumerical = false
  var times: Int64 = 0
  /// 0 where the export does not say how often.
  var days: Int64 = 0
  var unit = ""
  var target: Amount?
  /// Whether the target is a most and no least.
  var isAtMost = false
  var isArchived = false
  var question = ""
  var description = ""

  static let readLikeYesOrNo = "it is read like a yes-or-no habit"
  static let readLikeALeast = "it is read like an at-least target"

  /// Adds the habit, and reports what of it the model does not hold.
  func add(to output: HabitOutput) {
    let report = output.report
    var habit = HabitOutput.Habit(id: id, name: name)
    habit.kind = isNumerical ? "quantity" : "binary"
    habit.unit = isNumerical ? unit : ""
    // Without a cadence the metrics of every day count it.
    if days > 0 { habit.setCadence(times, inDays: days, report) }
    if days > 0, isNumerical, let target, target.millionths > 0 {
      let reason = "a habit holds a target for the week only"
      switch habit.cadence {
      case "weekly": habit.weeklyTarget = isAtMost ? "" : target.text
      case "daily": report.leftOut("daily target of a habit", reason)
      default: report.leftOut("target for another time than a week", reason)
      }
    }
    report.leftOut("unit of a yes-or-no habit", count: isNumerical || unit.isEmpty ? 0 : 1)
    if isAtMost {
      report.leftOut("at-most target", "the model has no upper bounds; the amounts are imported")
    }
    if isArchived { report.leftOut("archived mark of a habit", "the habit is imported like any other") }
    report.leftOut("question of a habit", count: question.isEmpty ? 0 : 1)
    report.leftOut("description of a habit", count: description.isEmpty ? 0 : 1)
    output.add(habit)
  }

  /// Adds what stands for a day. `code` is Loop's number: 3 skipped and -1 unknown for any habit; otherwise
  /// thousandths of a numerical habit, and 2 done, 1 counted as done by the app, 0 not done.
  func addEntry(
    _ code: Int64, day: DayKey, hasNotes: Bool, to output: HabitOutput,
    _ failure: (_ message: String) -> ImportFailure
  ) throws(ImportFailure) {
    let report = output.report
    report.leftOut("note of an entry", count: hasNotes ? 1 : 0, "an entry holds no text")
    switch code {
    case -1: break
    case 3: output.addSkip(of: id, day: day)
    case ..<0 where isNumerical: report.leftOut("amount below 0", "the app counts it as 0")
    case 0 where isNumerical: report.leftOut("amount of 0", "an entry would say that the habit was done")
    case _ where isNumerical:
      guard let value = Amount(String(code))?.scaled(1, by: 1000) else {
        throw failure("found an amount that is out of range, \(code)")
      }
      output.addEntry(of: id, day: day, value: value)
    case 2: output.addEntry(of: id, day: day)
    case 1:
      report.leftOut(
        "day that the app marked as done automatically", "it follows from the frequency; nothing was done")
    case 0: report.leftOut("day marked as not done", "the same as no entry")
    default:
      report.leftOut("entry with an unknown mark", "a yes-or-no habit has the marks 0 to 3")
    }
  }
}
