/// Results with a row for each subject and day, and a column for each metric and part: `goal_progress.fraction`.
///
/// `subject`, then `group` where the metrics have groups, or a column for each of their fields, `at`, and `open` where a week or month is open. A metric
/// that never met a subject has the value there that it has without data.
struct WideResult {
  private struct Key: Hashable, Comparable {
    var subject: String
    var group: GroupKey
    var at: DayKey

    static func < (left: Key, right: Key) -> Bool {
      if left.subject != right.subject { return Folder.bytesPrecede(left.subject, right.subject) }
      return left.group == right.group ? left.at < right.at : left.group < right.group
    }
  }

  private let subjectName: String
  private let groupColumns: [String]
  private let isSeries: Bool
  private let open: DayKey?
  private let columns: [String]
  private let rows: [(key: Key, values: [Value])]

  init(_ rows: [ResultRow], of metrics: [String], _ library: MetricLibrary, days: [DayKey], open: DayKey?) {
    let summaries = metrics.compactMap { name in library.metrics.first { $0.name == name } }
    let columns = summaries.flatMap(\.columns)
    let places = Dictionary(columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    func cells(_ rows: [ResultRow]) -> [Key: [Value?]] {
      rows.reduce(into: [:]) { cells, row in
        guard let place = places[row.column] else { return }
        let key = Key(subject: row.subject, group: row.group, at: row.at)
        cells[key, default: columns.map { _ in nil }][place] = .some(row.value)
      }
    }
    // What metrics say of a subject that they never met.
    let unmet = cells(library.rowsOfAbsentSubject(metrics, days: days))
    self.rows = cells(rows).sorted { $0.key < $1.key }.map { key, cells in
      let others = key.subject.isEmpty ? nil : unmet[Key(subject: "", group: key.group, at: key.at)]
      return (key, cells.indices.map { cells[$0] ?? others?[$0] ?? .none })
    }
    (subjectName, isSeries) = (summaries.first?.subject ?? "subject", days.count > 1)
    groupColumns = metrics.first.map { library.groupColumns(of: $0) } ?? []
    (self.open, self.columns) = (open, columns)
  }

  var records: ResultRecords {
    let columns = ["subject"] + groupColumns + ["at"] + (open == nil ? [] : ["open"]) + columns
    return ResultRecords(columns: columns, count: rows.count) { index in
      let (key, values) = rows[index]
      let groups = groupColumns.indices.map { key.group.fields[$0] }
      let keys: [any ResultCell] = [key.subject] + groups + [key.at]
      return keys + (open.map { [Value.bool(key.at == $0)] } ?? []) + values
    }
  }

  /// For people. The day is in each row where there are several, and above the rows otherwise.
  func table(_ layout: Layout) -> String {
    let headings = columns.enumerated().map { index, name in
      Grid.Heading(name, rows.lazy.compactMap { $0.values[index].alignment }.first ?? .right)
    }
    let cells = rows.map { key, values in
      [Cell(key.subject)] + groupColumns.indices.map { ResultTable.groupCell(key.group.fields[$0]) }
        + (isSeries ? [Cell(ResultTable.name(of: key.at, open: open))] : []) + values.map(\.cell)
    }
    let grid = Grid(keys: [subjectName] + groupColumns + (isSeries ? ["at"] : []), headings, rows: cells)
    guard let day = rows.first?.key.at else { return "no subject has a result\n" }
    let title = isSeries ? [] : [layout.bold(ResultTable.name(of: day, open: open)), ""]
    return (title + grid.lines(layout)).map { $0 + "\n" }.joined()
  }
}

extension MetricLibrary {
  /// The metrics of a wide result: named ones, or all without groups that are for `user`; where there are none, those of
  /// the one kind of subject that there is.
  func wideMetrics(_ named: [String]) throws(CommandFailure) -> [MetricSummary] {
    let all = metrics.sorted { Folder.bytesPrecede($0.name, $1.name) }
    var chosen = all.filter { named.contains($0.name) }
    if named.isEmpty {
      let ungrouped = all.filter { grouping(of: $0.name) == nil }
      let ofSubjects = ungrouped.filter { $0.rowSubject != "app" }
      chosen = ungrouped.filter { $0.rowSubject == "user" }
      if chosen.isEmpty { chosen = ofSubjects.isEmpty ? ungrouped : ofSubjects }
      let left = all.count - chosen.count
      if left > 0 {
        Remarks.say(
          "\(Counting.of(left, "metric")) of other subjects or with groups left out, as --layout wide has a row for each subject; name them with --metric"
        )
      }
    }
    let kinds = Set(chosen.map(\.rowSubject)).sorted()
    if kinds.count > 1 {
      throw .usage(
        "--layout wide has a row for each subject, and the metrics are of \(kinds.map { "`\($0)`" }.joined(separator: ", ")); choose those of one with --metric"
      )
    }
    if let first = chosen.first,
      let other = chosen.first(where: { grouping(of: $0.name) != grouping(of: first.name) })
    {
      func words(_ name: String) -> String {
        "`\(name)` \(grouping(of: name).map { "has groups by \($0)" } ?? "has no groups")"
      }
      throw .usage(
        "--layout wide has a row for each group, and \(words(first.name)) while \(words(other.name)); evaluate them separately"
      )
    }
    let own = ["subject", "at", "open"] + groupColumns(of: chosen.first?.name ?? "")
    if let bad = chosen.first(where: { own.contains($0.name) }) {
      throw .usage(
        "--layout wide has a column `\(bad.name)` of its own; rename the metric, or leave it out with --metric"
      )
    }
    return chosen
  }
}

extension MetricSummary {
  /// Its parts as columns: `goal_progress.fraction`.
  var columns: [String] { parts.map { $0.isEmpty ? name : "\(name).\($0)" } }

  /// The subject of its rows: a funnel or retention counts its subjects and has one row.
  fileprivate var rowSubject: String { ["funnel", "retention"].contains(kind) ? "app" : subject }
}
