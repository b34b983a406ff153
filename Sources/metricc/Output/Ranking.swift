/// Whom a row is about.
struct RowTopic: Hashable {
  var subject: String
  var group = GroupKey()
}

extension ResultRow {
  var topic: RowTopic { RowTopic(subject: subject, group: group) }

  /// The row without its value.
  var place: ResultRow {
    var place = self
    place.value = .none
    return place
  }

  /// The column of a wide result that its value is in.
  var column: String { part.isEmpty ? metric : "\(metric).\(part)" }
}

/// `--sort`: the place of each subject and group by a value, the greatest first.
struct Ranking {
  /// By metric; under nil if one metric ranks the rows of all.
  private let ranks: [String?: [RowTopic: Int]]
  private let choice: ResultTable.Choice

  init(_ rows: [ResultRow], at last: DayKey?, metrics: [MetricSummary], _ choice: ResultTable.Choice) {
    self.choice = choice
    let firstParts = Dictionary(metrics.map { ($0.name, $0.parts.first ?? "") }) { first, _ in first }
    let ranked = rows.filter { row in
      row.at == last
        && (choice.sortsEach ? row.part == firstParts[row.metric] : choice.sort == row.column)
    }
    let order = ranked.sorted { $0.value.rank > $1.value.rank }.enumerated()
    ranks = Dictionary(grouping: order) { choice.sortsEach ? $0.element.metric : nil }
      .mapValues { Dictionary($0.map { ($0.element.topic, $0.offset) }) { first, _ in first } }
  }

  /// The items of a metric in the order of the choice: those that are shown, and where the others are added up these.
  func split<Item>(
    _ items: [Item], of metric: String?, topic: (Item) -> RowTopic
  ) -> (shown: ArraySlice<Item>, rest: ArraySlice<Item>) {
    var sorted = items
    if let ranks = ranks[choice.sortsEach ? metric : nil] {
      let ranked = items.enumerated().map { place, item in
        let topic = topic(item)
        let rank = ranks[topic] ?? ranks[RowTopic(subject: topic.subject)]
        return (rank: rank ?? .max, place: place, item: item)
      }
      sorted = ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.item)
    }
    let top = choice.top ?? .max
    return (sorted.prefix(top), choice.rest == nil ? [] : sorted.dropFirst(top))
  }
}

/// The rows of results for programs as `--sort` and `--top` arrange them within each metric.
struct ArrangedRows {
  /// A row with the sum of what `--top` leaves out, of a part on a day.
  struct Rest {
    var count: Int
    var before: Value
  }

  private(set) var rows: [ResultRow] = []
  /// By index of the row; nil without `--rest`.
  private(set) var rest: [Int: Rest]?

  init(
    _ all: [ResultRow], at last: DayKey?, metrics: [MetricSummary], _ choice: ResultTable.Choice,
    earlier: EarlierValues?
  ) {
    let ranking = Ranking(all, at: last, metrics: metrics, choice)
    if choice.rest != nil { rest = [:] }
    for rows in all.runs(by: \.metric) {
      let (shown, rest) = ranking.split(rows.runs(by: \.topic), of: rows.first?.metric) {
        $0[$0.startIndex].topic
      }
      self.rows += shown.joined()
      let others = Array(rest.joined())
      func place(_ row: ResultRow) -> ResultRow {
        var place = row.place
        (place.subject, place.group) = ("", GroupKey(row.group.fields.map { _ in "" }))
        return place
      }
      let groups = Dictionary(grouping: others, by: place)
      for var row in others.map(place).once(by: \.self) {
        let rows = groups[row] ?? []
        let isSum = choice.rest?(row.metric, row.part) == true
        let before = isSum ? Value.sum(rows.map { earlier?[$0.place] ?? .none }) : .none
        self.rest?[self.rows.count] = Rest(count: rows.count, before: before)
        row.value = isSum ? .sum(rows.map(\.value)) : .none
        self.rows.append(row)
      }
    }
  }
}
