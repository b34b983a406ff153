import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricPlan

/// Results for people.
///
/// For one day: a block for each kind of subject, with a row per subject and a column per metric or part; funnels and
/// retentions with their shares. For several days: a strip for each row, `■` and `·` for Bools and a sparkline for
/// numbers. Columns that say nothing are left out.
struct ResultTable {
  /// In the order of the results.
  let rows: [ResultRow]
  let days: [DayKey]
  /// The last day, where its week or month is open.
  let open: DayKey?
  let layout: Layout
  /// Which rows come first, and how many are shown.
  let choice: Choice
  /// What the rows are compared with, and how far it is back.
  let earlier: (values: EarlierValues, text: String)?
  private let summaries: [String: MetricSummary]
  private let ranking: Ranking

  /// What a reader wants to see of long tables.
  struct Choice {
    /// A metric, or a part of one as `metric.part`: rows with the greatest values come first.
    var sort: String?
    /// Whether the rows of each metric are sorted by its own value, or by its first part.
    var sortsEach = false
    /// How many rows of each table are shown; nil for all.
    var top: Int?
    /// Whether the others are added up in a last row: those of the metrics' parts for which this holds.
    var rest: ((_ metric: String, _ part: String) -> Bool)?
    /// Metrics that are left out, as they only serve others.
    var hidden: Set<String> = []
  }

  init(
    rows: [ResultRow], days: [DayKey], open: DayKey? = nil, metrics: [MetricSummary], layout: Layout,
    choice: Choice = Choice(), earlier: (values: EarlierValues, text: String)? = nil
  ) {
    self.earlier = earlier
    self.rows = choice.hidden.isEmpty ? rows : rows.filter { !choice.hidden.contains($0.metric) }
    self.days = days
    self.open = open
    self.layout = layout
    self.choice = choice
    summaries = Dictionary(metrics.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    ranking = Ranking(rows, at: days.last, metrics: metrics, choice)
  }

  /// The items of a metric's table in the order of the choice, as many as it shows.
  func chosen<Item>(
    _ items: [Item], of metric: String?, topic: (Item) -> RowTopic
  ) -> ArraySlice<Item> {
    ranking.sorted(items, of: metric, topic: topic).prefix(choice.top ?? .max)
  }

  /// The items that are left out, where they are added up.
  func rest<Item>(_ items: [Item], of metric: String?, topic: (Item) -> RowTopic) -> ArraySlice<Item> {
    choice.rest == nil ? [] : ranking.sorted(items, of: metric, topic: topic).dropFirst(choice.top ?? .max)
  }

  /// The whole table, each line with its end.
  var text: String {
    guard let first = days.first, let last = days.last else { return "no day\n" }
    var blocks = days.count == 1 ? dayBlocks : seriesBlocks
    if blocks.isEmpty { blocks = [["no subject has a result"]] }
    let title =
      (days.count == 1 ? "" : "\(first) … ") + ResultTable.name(of: last, open: open)
      + (days.count == 1 ? "" : ", \(spacing)")
    let notes = legend.map { Grid.painted(Cell($0, .dim), layout) }
    let all = [[Grid.painted(Cell(title, .bold), layout)]] + blocks + (notes.isEmpty ? [] : [notes])
    return all.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  /// `2026-06-16`, or `2026-06-16 (open)`.
  static func name(of day: DayKey, open: DayKey?) -> String { day == open ? "\(day) (open)" : "\(day)" }

  /// What the marks mean that are there, and what is not shown.
  private var legend: [String] {
    var marks: [String] = []
    if days.count > 1, rows.contains(where: { $0.value == .bool(true) || $0.value == .bool(false) }) {
      marks = ["■ true", "· false"]
    }
    let values = rows.lazy.map(\.value)
    if values.contains(.none) || earlier?.values.values.contains(.none) == true { marks.append("– no value") }
    if let earlier { marks.append("before: \(earlier.text) earlier") }
    let hidden = choice.hidden.sorted(by: Folder.bytesPrecede).map(Quoting.quoted)
    return (marks.isEmpty ? [] : [marks.joined(separator: "  ")])
      + (hidden.isEmpty
        ? [] : ["not shown, as other metrics rest on them: \(hidden.joined(separator: ", ")) (`--all`)"])
  }

  /// `30 days`, or `4 of 22 days` where the series does not have each.
  private var spacing: String {
    guard let first = days.first, let last = days.last else { return "" }
    let all = Counting.of(Int(last.number - first.number) + 1, "day")
    return all == Counting.of(days.count, "day") ? all : "\(Counting.grouped(days.count)) of \(all)"
  }
}

struct MetricRows {
  /// What the definitions say about it.
  var name: String
  var kind: String
  var subject: String
  var unit: String?
  /// What people call it; shown beside the name, by which it is found.
  var title: String?
  var parts: [String]
  var roles: [String: PartRole]
  /// Names of the parts that people read in percent.
  var shares: Set<String>
  /// What `by` names.
  var fields: [String]
  var rows: ArraySlice<ResultRow>

  var hasSubjects: Bool { rows.contains { !$0.subject.isEmpty } }
  var hasGroups: Bool { rows.contains { !$0.group.isEmpty } }
  /// A column for each field of the groups, where there are any.
  var groupColumns: [String] { hasGroups ? fields.count > 1 ? fields : ["group"] : [] }

  func groupCells(_ group: GroupKey) -> [Cell] {
    hasGroups ? group.fields.map(ResultTable.groupCell) : []
  }

  var hasParts: Bool { rows.contains { !$0.part.isEmpty } }

  func isShare(_ part: String) -> Bool { shares.contains(part) }

  /// A value as people read it: a share in percent.
  func cell(_ value: Value, part: String) -> Cell {
    isShare(part) ? Percent.cell(value.millionths, of: Int128(FixedDecimal.scale)) : value.cell
  }

  func alignment(_ part: String) -> Grid.Alignment {
    if isShare(part) { return .right }
    return rows.lazy.filter { $0.part == part }.compactMap(\.value.alignment).first ?? .right
  }

  /// `reading_minutes (min)`, `goal_progress.fraction`.
  func heading(part: String) -> String {
    if !part.isEmpty { return "\(name).\(part)" }
    return unit.map { "\(name) (\($0))" } ?? name
  }
}

extension ResultTable {
  /// The rows of each metric: by kind of subject, `app` last, then by name.
  var metricRows: [MetricRows] {
    let order = { (metric: MetricRows) in (metric.subject == "app" ? 1 : 0, metric.subject) }
    return rows.runs(by: \.metric).map(metricRows).enumerated().sorted { left, right in
      let (a, b) = (order(left.element), order(right.element))
      return a == b ? left.offset < right.offset : a < b
    }.map(\.element)
  }

  private func metricRows(_ rows: ArraySlice<ResultRow>) -> MetricRows {
    let name = rows.first?.metric ?? ""
    let summary = summaries[name]
    var parts: [String] = []
    var seen: Set<String> = []
    for row in rows where seen.insert(row.part).inserted { parts.append(row.part) }
    if let order = summary?.parts {
      parts = order.filter(seen.contains) + parts.filter { !order.contains($0) }
    }
    return MetricRows(
      name: name, kind: summary?.kind ?? "", subject: summary?.subject ?? "", unit: summary?.unit,
      title: summary?.title, parts: parts,
      roles: Dictionary(uniqueKeysWithValues: (summary?.roles ?? []).map { ($0.name, $0) }),
      shares: Set((summary?.shares ?? []).map(\.name)), fields: summary?.groupFields ?? [], rows: rows)
  }

  static func groupCell(_ group: String) -> Cell {
    group.isEmpty ? Cell("(none)", .dim) : Cell(group)
  }
}
