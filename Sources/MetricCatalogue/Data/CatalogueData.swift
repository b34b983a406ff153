/// The values of a library, ready to be drawn.
///
/// Values of single subjects are kept only for subjects that were requested by name. All others appear as spreads, and
/// only if there are at least `fewest` subjects: a chart of three people's values would show three people's values.
public struct CatalogueData: Sendable {
  /// The reference day.
  public let at: DayKey
  /// The first and the last day of what is plotted.
  public let from: DayKey
  public let to: DayKey
  /// Fewer subjects than this are not shown.
  public let fewest: Int
  private(set) var observations: [String: Observations] = [:]

  public init(at: DayKey, from: DayKey, to: DayKey, fewest: Int) {
    self.at = at
    self.from = from
    self.to = to
    self.fewest = fewest
  }

  /// Takes the rows of all subjects at the reference day, of one or more metrics.
  ///
  /// - Returns: how many rows each metric has, so that the caller can estimate what a series costs.
  @discardableResult
  public mutating func addDay(_ rows: [ResultRow]) -> [String: Int] {
    var counts: [String: Int] = [:]
    forEachMetric(of: rows) { observations, rows in
      counts[rows[rows.startIndex].metric] = rows.count
      observations.addDay(rows)
    }
    return counts
  }

  /// Takes the rows of all subjects on the earlier day that these metrics are compared with.
  public mutating func addEarlier(_ rows: [ResultRow], of metrics: [String], at day: DayKey) {
    let all = Dictionary(grouping: rows, by: \.metric)
    for metric in metrics {
      observations[metric]?.addEarlier(all[metric] ?? [], at: day, fewest: fewest)
    }
  }

  /// Takes the rows of all subjects at the days of a series.
  public mutating func addSeries(_ rows: [ResultRow]) {
    forEachMetric(of: rows) { [fewest] in $0.addSeries($1, fewest: fewest) }
  }

  /// Takes the rows of the subjects that may be named, at the days of a series.
  public mutating func addSubjects(_ rows: [ResultRow]) {
    forEachMetric(of: rows) { $0.addSubjects($1) }
  }

  func figures(of entry: MetricEntry) -> MetricFigures? {
    observations[entry.name].map { MetricFigures(entry: entry, data: self, observations: $0) }
  }

  private mutating func forEachMetric(
    of rows: [ResultRow], _ add: (inout Observations, ArraySlice<ResultRow>) -> Void
  ) {
    for rows in rows.runs(by: \.metric) {
      add(&observations[rows[rows.startIndex].metric, default: Observations()], rows)
    }
  }
}

/// A value for each day that has a row, rising.
typealias DaySeries = [(day: DayKey, value: Value)]

extension Collection<ResultRow> {
  fileprivate var isOfSubjects: Bool { contains { !$0.subject.isEmpty } }

  fileprivate var byPart: [String: [ResultRow]] { Dictionary(grouping: self, by: \.part) }

  fileprivate var series: DaySeries { map { ($0.at, $0.value) }.sorted { $0.day < $1.day } }

  /// The values by group, then by part.
  fileprivate var byGroup: [GroupKey: [String: Value]] {
    reduce(into: [:]) { $0[$1.group, default: [:]][$1.part] = $1.value }
  }
}

/// A group with its values by part.
typealias GroupValues = (group: GroupKey, values: [String: Value])

/// A number on the earlier day and on the reference day.
struct ValueChange: Sendable {
  var from: Double
  var to: Double
  var form: NumberForm
  var isOfMedian = false

  /// `+12 (+5.1%)`, `unchanged`
  var text: String { form.change(from: from, to: to) }

  /// The change in thousandths of the greater number: what changed most comes first, whatever is counted.
  var size: Int {
    let most = max(abs(from), abs(to))
    return most > 0 && text != "unchanged" ? Int((abs(to - from) / most * 1000).rounded()) : 0
  }
}

/// The values of one metric.
struct Observations: Sendable {
  /// At the reference day, without subjects: `app` metrics, funnels, retentions.
  private(set) var rows: [ResultRow] = []
  /// By part: the spread over subjects at the reference day.
  private(set) var spreads: [String: Spread] = [:]
  /// By part: the values day by day, without subjects and groups.
  private(set) var series: [String: DaySeries] = [:]
  /// By part: the spread over subjects day by day.
  private(set) var spreadSeries: [String: [SpreadPoint]] = [:]
  /// The first part day by day for each group, without subjects.
  private(set) var groups: [(name: GroupKey, series: DaySeries)] = []
  /// The day to compare with; nil if it was not evaluated.
  private(set) var earlierDay: DayKey?
  /// By group, then by part: the values on that day, without subjects.
  private(set) var earlier: [GroupKey: [String: Value]] = [:]
  /// By part: the spread over subjects on that day.
  private var earlierSpreads: [String: SpreadPoint] = [:]
  /// By subject that may be named, then by part; ungrouped metrics only.
  private(set) var subjects: [(subject: String, parts: [String: DaySeries])] = []

  /// Whether there are values of groups, which have no subjects.
  var hasGroups: Bool { rows.contains { !$0.group.isEmpty } }

  mutating func addEarlier(_ rows: [ResultRow], at day: DayKey, fewest: Int) {
    earlierDay = day
    if rows.isOfSubjects {
      earlierSpreads = rows.byPart.compactMapValues { SpreadPoint(day, Spread($0), fewest: fewest) }
    } else {
      earlier = rows.byGroup
    }
  }

  mutating func addDay(_ rows: ArraySlice<ResultRow>) {
    if rows.isOfSubjects { spreads = rows.byPart.mapValues(Spread.init) } else { self.rows += rows }
  }

  mutating func addSeries(_ rows: ArraySlice<ResultRow>, fewest: Int) {
    let isOfSubjects = rows.isOfSubjects
    for (part, rows) in rows.byPart {
      if isOfSubjects {
        let days = Dictionary(grouping: rows, by: \.at).sorted { $0.key < $1.key }
        spreadSeries[part] = days.compactMap { SpreadPoint($0, Spread($1), fewest: fewest) }
      } else if rows.allSatisfy({ $0.group.isEmpty }) {
        series[part] = rows.series
      } else if part.isEmpty {
        groups = Dictionary(grouping: rows, by: \.group).sorted { $0.key < $1.key }.map { ($0, $1.series) }
      }
    }
  }

  /// The same with series of some days alone; those of yes and no are shown day by day.
  func on(_ days: Set<DayKey>) -> Observations {
    func kept(_ series: DaySeries) -> DaySeries {
      if case .bool = series.lazy.map(\.value).first(where: { $0 != .none }) { return series }
      return series.filter { days.contains($0.day) }
    }
    var observations = self
    observations.series = series.mapValues(kept)
    observations.spreadSeries = spreadSeries.mapValues { points in
      points.contains { $0.share != nil } ? points : points.filter { days.contains($0.day) }
    }
    observations.groups = groups.map { ($0.name, kept($0.series)) }
    observations.subjects = subjects.map { ($0.subject, $0.parts.mapValues(kept)) }
    return observations
  }

  /// The number of a part day by day: of the whole, or the share or median of all subjects.
  func points(of part: String) -> [(day: DayKey, value: Double?)] {
    series[part]?.map { ($0.day, $0.value.amount?.approximate) }
      ?? (spreadSeries[part] ?? []).map { ($0.day, $0.middle) }
  }

  /// Whether these numbers are shares of the subjects.
  func isShare(_ part: String) -> Bool { spreadSeries[part]?.contains { $0.share != nil } == true }

  /// How a part's number, median or share has changed since the earlier day; nil if one of the days has none.
  func change(of part: PlannedMetric.Part, to now: DayKey) -> ValueChange? {
    let (isWhole, isShare) = (series[part.name] != nil, isShare(part.name))
    let old =
      isWhole ? earlier[GroupKey()]?[part.name]?.amount?.approximate : earlierSpreads[part.name]?.middle
    guard let old, let new = points(of: part.name).last(where: { $0.day == now })?.value else { return nil }
    return ValueChange(
      from: old, to: new, form: isShare ? .share : NumberForm(part), isOfMedian: !isWhole && !isShare)
  }

  /// The groups in the order of the rows, with their values by part; without groups the one group is empty.
  var groupValues: [GroupValues] {
    let values = rows.byGroup
    return rows.map(\.group).once(by: \.self).map { ($0, values[$0] ?? [:]) }
  }

  /// The rows of the first part that have a number, the greatest first.
  var ranked: [ResultRow] {
    rows.filter { $0.part.isEmpty && $0.value.amount != nil }.sorted {
      ($0.value.amount?.millionths ?? 0, $1.group) > ($1.value.amount?.millionths ?? 0, $0.group)
    }
  }

  mutating func addSubjects(_ rows: ArraySlice<ResultRow>) {
    guard rows.allSatisfy({ $0.group.isEmpty }) else { return }
    subjects += rows.runs(by: \.subject).map { ($0[$0.startIndex].subject, $0.byPart.mapValues(\.series)) }
  }
}

extension SpreadPoint {
  /// Nil for fewer subjects than may be shown.
  fileprivate init?(_ day: DayKey, _ spread: Spread, fewest: Int) {
    guard spread.subjectCount >= fewest, spread.valueCount >= fewest else { return nil }
    self.init(
      day: day, share: spread.isBool ? Double(spread.trueCount) / Double(spread.valueCount) : nil,
      trueCount: spread.trueCount, valueCount: spread.valueCount, quarter: spread.percentile(25),
      median: spread.percentile(50), threeQuarters: spread.percentile(75))
  }
}
