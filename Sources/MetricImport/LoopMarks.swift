import MetricDiagnostics
import MetricValues

/// The marks of one habit as a `Checkmarks.csv` of Loop Habit Tracker writes them, newest first.
struct LoopMarks {
  private struct Mark {
    var date: String
    var dateAt: Int
    var value: String
    var valueAt: Int
    var hasNotes = false
  }

  private let file: ExportFile
  private var marks: [Mark] = []

  private init(_ file: ExportFile) { self.file = file }

  /// Reads a file of one habit: dates, values and perhaps notes, with or without a header.
  init(ofOne file: ExportFile) throws(ImportFailure) {
    self.init(file)
    var rows = CSVRows(file)
    while let (cells, starts) = try LoopMarks.row(&rows) {
      if marks.isEmpty, cells[0].lowercased() == "date" { continue }
      guard cells.count > 1 else {
        try file.requireReadable(firstRow: cells)
        throw file.failure("found one cell in the row, expected a date and a value", at: starts[0])
      }
      let hasNotes = cells.count > 2 && !cells[2].isEmpty
      add(Mark(date: cells[0], dateAt: starts[0], value: cells[1], valueAt: starts[1], hasNotes: hasNotes))
    }
  }

  /// Reads a file with a column for each habit; nil where it is one of one habit.
  ///
  /// - Parameter names: of the habits, as far as they are known: Loop writes a name with a comma without quotes.
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
    var columns = joined(header.dropFirst(), names).map { (name: $0, marks: LoopMarks(file)) }
    while let (cells, starts) = try row(&rows) {
      guard cells.count == columns.count + 1 else {
        throw file.failure(
          "found \(cells.count) cells in the row, expected \(columns.count + 1) as in the header; where the name of a "
            + "habit has a comma, give the folder that holds `Habits.csv` too", at: starts[0])
      }
      for index in columns.indices {
        columns[index].marks.add(
          Mark(date: cells[0], dateAt: starts[0], value: cells[index + 1], valueAt: starts[index + 1]))
      }
    }
    return columns
  }

  /// The next row. Some versions wrote the object in place of its value, `Entry(timestamp=2026-01-31, value=2)`, and
  /// most end each row with a comma.
  private static func row(_ rows: inout CSVRows) throws(ImportFailure) -> ([String], starts: [Int])? {
    guard let (found, foundStarts, _) = try rows.nextCells() else { return nil }
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

  /// The names of a header, of which some have commas.
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

  private mutating func add(_ mark: Mark) { marks.append(mark) }

  /// Whether a value is none of the numbers that stand for marks.
  var hasAmounts: Bool {
    marks.contains { mark in LoopMarks.code(mark.value).map { !(-1...3).contains($0) } ?? false }
  }

  /// Adds the entries of the habit.
  func add(
    to habit: LoopHabit, _ order: DateOrder?, _ output: inout HabitOutput, _ report: inout ImportReport
  ) throws(ImportFailure) {
    let order = order ?? DateOrder.only(in: marks.lazy.map(\.date))
    for mark in marks {
      guard let day = DayKey(mark.date, order: order) else {
        throw file.failure(
          "found the date \(quoted(mark.date)), \(DateOrder.expectation(of: mark.date, order))",
          at: mark.dateAt)
      }
      guard let code = LoopMarks.code(mark.value) else {
        throw file.failure(
          "found the value \(quoted(mark.value)), expected a mark such as `YES_MANUAL`, or a whole number",
          at: mark.valueAt)
      }
      do throws(ImportFailure) {
        try habit.addEntry(code, day: day, hasNotes: mark.hasNotes, to: &output, &report)
      } catch {
        throw file.failure(error.message, at: mark.valueAt)
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
    case "UNKNOWN", "": -1
    default: Int64(text)
    }
  }
}
