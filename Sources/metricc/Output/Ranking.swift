/// Whom a row is about.
struct RowTopic: Hashable {
  var subject: String
  var group = GroupKey()
}

extension ResultRow {
  var topic: RowTopic { RowTopic(subject: subject, group: group) }
}

/// `--sort`: the place of each subject and group by a value, the greatest first.
struct Ranking {
  private let ranks: [Key: Int]
  private let isOfEach: Bool

  private struct Key: Hashable {
    /// Nil if one metric ranks the rows of all.
    var metric: String?
    var topic: RowTopic
  }

  init(_ rows: [ResultRow], at last: DayKey?, metrics: [MetricSummary], _ choice: ResultTable.Choice) {
    isOfEach = choice.sortsEach
    let firstParts = Dictionary(metrics.map { ($0.name, $0.parts.first ?? "") }) { first, _ in first }
    let ranked = rows.filter { row in
      guard row.at == last else { return false }
      if choice.sortsEach { return row.part == firstParts[row.metric] }
      return choice.sort == row.column
    }
    let order = ranked.sorted { $0.value.rank > $1.value.rank }
    ranks = Dictionary(
      order.enumerated().map { place, row in
        (Key(metric: choice.sortsEach ? row.metric : nil, topic: row.topic), place)
      }, uniquingKeysWith: { first, _ in first })
  }

  func sorted<Item>(_ items: [Item], of metric: String?, topic: (Item) -> RowTopic) -> [Item] {
    guard !ranks.isEmpty else { return items }
    func rank(_ topic: RowTopic) -> Int? { ranks[Key(metric: isOfEach ? metric : nil, topic: topic)] }
    let ranked = items.enumerated().map { place, item in
      let topic = topic(item)
      let rank = rank(topic) ?? rank(RowTopic(subject: topic.subject))
      return (rank: rank ?? .max, place: place, item: item)
    }
    return ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.item)
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
      let sorted = ranking.sorted(rows.runs(by: \.topic), of: rows.first?.metric) {
        $0.first?.topic ?? RowTopic(subject: "")
      }
      self.rows += sorted.prefix(choice.top ?? .max).joined()
      guard let addsUp = choice.rest, let first = rows.first else { continue }
      let others = Array(sorted.dropFirst(choice.top ?? .max).joined())
      func place(_ row: ResultRow) -> ResultRow {
        var place = row.place
        (place.subject, place.group) = ("", GroupKey(first.group.fields.map { _ in "" }))
        return place
      }
      let groups = Dictionary(grouping: others, by: place)
      for var row in others.map(place).once(by: \.self) {
        let rows = groups[row] ?? []
        let isSum = addsUp(row.metric, row.part)
        let before = isSum ? Value.sum(rows.map { earlier?[$0.place] ?? .none }) : .none
        rest?[self.rows.count] = Rest(count: rows.count, before: before)
        row.value = isSum ? .sum(rows.map(\.value)) : .none
        self.rows.append(row)
      }
    }
  }
}
