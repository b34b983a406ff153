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
  let metrics: [MetricSummary]
  let ranking: Ranking

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
    self.rows = rows.filter { !choice.hidden.contains($0.metric) }
    (self.days, self.open, self.metrics, self.layout) = (days, open, metrics, layout)
    (self.choice, self.earlier) = (choice, earlier)
    ranking = Ranking(rows, at: days.last, metrics: metrics, choice)
  }

  /// The whole table, each line with its end.
  var text: String {
    guard let first = days.first, let last = days.last else { return "no day\n" }
    let day = ResultTable.name(of: last, open: open)
    // `30 days`, or `4 of 22 days` where the series does not have each.
    let span = Counting.of(Int(last.number - first.number) + 1, "day")
    let spacing = span == Counting.of(days.count, "day") ? span : "\(Counting.grouped(days.count)) of \(span)"
    let title = days.count == 1 ? day : "\(first) … \(day), \(spacing)"
    let blocks = days.count == 1 ? dayBlocks : seriesBlocks
    let all =
      [[layout.bold(title)]] + (blocks.isEmpty ? [["no subject has a result"]] : blocks)
      + [legend.map(layout.dim)].filter { !$0.isEmpty }
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
    let hidden = choice.hidden.sorted(by: Folder.bytesPrecede).map(\.quoted).joined(separator: ", ")
    return [
      marks.joined(separator: "  "),
      hidden.isEmpty ? "" : "not shown, as other metrics rest on them: \(hidden) (`--all`)",
    ].filter { !$0.isEmpty }
  }

  /// The rows of each metric: by kind of subject, `app` last, then by name.
  var metricRows: [MetricRows] {
    let summaries = Dictionary(metrics.map { ($0.name, $0) }) { first, _ in first }
    let known = rows.runs(by: \.metric).compactMap { rows in
      summaries[rows[rows.startIndex].metric].map { MetricRows(rows, $0) }
    }
    let bySubject = Dictionary(grouping: known, by: \.subject)
    let last = bySubject["app"] ?? []
    return bySubject.keys.sorted().filter { $0 != "app" }.flatMap { bySubject[$0] ?? [] } + last
  }

  static func groupCell(_ group: String) -> Cell { group.isEmpty ? Cell("(none)", .dim) : Cell(group) }
}

/// The rows of a metric, and what the definitions say about it.
@dynamicMemberLookup
struct MetricRows {
  let rows: ArraySlice<ResultRow>
  let summary: MetricSummary
  /// Those that have a row.
  let parts: [String]
  let roles: [String: PartRole]

  init(_ rows: ArraySlice<ResultRow>, _ summary: MetricSummary) {
    (self.rows, self.summary) = (rows, summary)
    let present = rows.map(\.part).once(by: \.self)
    parts = summary.parts.filter(present.contains) + present.filter { !summary.parts.contains($0) }
    roles = Dictionary(uniqueKeysWithValues: summary.roles.map { ($0.name, $0) })
  }

  subscript<Fact>(dynamicMember fact: KeyPath<MetricSummary, Fact>) -> Fact { summary[keyPath: fact] }

  var hasSubjects: Bool { rows.contains { !$0.subject.isEmpty } }
  var hasGroups: Bool { rows.contains { !$0.group.isEmpty } }
  /// A column for each field of the groups, where there are any.
  var groupColumns: [String] {
    hasGroups ? summary.groupFields.count > 1 ? summary.groupFields : ["group"] : []
  }

  var hasParts: Bool { rows.contains { !$0.part.isEmpty } }
  /// Whether it has more than one series.
  var isKeyed: Bool { hasSubjects || hasGroups || hasParts }
  /// Whether the parts are stages of a way that subjects go: shares say more than numbers.
  var isStaged: Bool { summary.kind == "funnel" || summary.kind == "retention" }

  func isShare(_ part: String) -> Bool { summary.shares.contains { $0.name == part } }

  /// A value as people read it: a share in percent.
  func cell(_ value: Value, part: String) -> Cell {
    isShare(part) ? Percent.cell(value) : value.cell
  }

  func alignment(_ part: String) -> Grid.Alignment {
    if isShare(part) { return .right }
    return rows.lazy.filter { $0.part == part }.compactMap(\.value.alignment).first ?? .right
  }

  /// `reading_minutes (min)`, `goal_progress.fraction`.
  func heading(part: String) -> String {
    if !part.isEmpty { return "\(summary.name).\(part)" }
    return summary.unit.map { "\(summary.name) (\($0))" } ?? summary.name
  }
}
