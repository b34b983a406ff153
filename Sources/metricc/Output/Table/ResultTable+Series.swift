/// The values of one subject, group and part, day after day.
private struct Series {
  /// What the row is about: subject, group, part, or a metric's name.
  var keys: [Cell]
  /// One for each day; nil if there is no row.
  var values: [Value?]
  /// How a value is shown.
  var cell: (Value) -> Cell = \.cell
  var isShare = false
  var topic = RowTopic(subject: "")
  /// What the last value is compared with, and by how much it is above that.
  var earlier: [Cell] = []

  var isBool: Bool {
    values.contains { if case .bool? = $0 { true } else { false } }
      && values.allSatisfy { if case .bool? = $0 { true } else { $0 == nil || $0 == Value.none } }
  }

  var isNumber: Bool { values.allSatisfy { ($0?.alignment ?? .number) == .number } }
}

/// Series that are shown below each other.
private typealias SeriesBlock = (keys: [String], series: [Series])

extension ResultTable {
  /// The blocks of several days: one a metric, metrics with a single series together.
  var seriesBlocks: [[String]] {
    let places = Dictionary(days.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var blocks: [[String]] = []
    let metrics = metricRows
    for metric in metrics where metric.isKeyed {
      blocks += lines(block(metric, places), named: metric)
    }
    var single: [String: SeriesBlock] = [:]
    for metric in metrics where !metric.isKeyed {
      let name = Cell(metric.heading(part: ""))
      let series = Series(
        keys: [name], values: values(metric.rows, places), earlier: earlierCells(metric.rows.last, metric))
      single[metric.subject, default: ([metric.subject], [])].series.append(series)
    }
    for (_, block) in single.sorted(by: { $0.key < $1.key }) { blocks += lines(block, named: nil) }
    return blocks
  }

  private func values(_ rows: ArraySlice<ResultRow>, _ places: [DayKey: Int]) -> [Value?] {
    var values = [Value?](repeating: nil, count: days.count)
    for row in rows { if let place = places[row.at] { values[place] = row.value } }
    return values
  }

  /// The series of a metric: its rows differ in `at` alone.
  private func block(_ metric: MetricRows, _ places: [DayKey: Int]) -> SeriesBlock {
    var block: SeriesBlock = ([], [])
    if metric.hasSubjects { block.keys.append(metric.subject) }
    block.keys += metric.groupColumns
    if metric.hasParts { block.keys.append("part") }
    let all = metric.rows.runs(by: \.topic).flatMap { $0.runs(by: \.part) }
    for rows in all {
      guard let first = rows.first else { continue }
      var keys: [Cell] = []
      if metric.hasSubjects { keys.append(Cell(first.subject)) }
      keys += metric.groupCells(first.group)
      if metric.hasParts { keys.append(Cell(first.part)) }
      block.series.append(
        Series(
          keys: keys, values: values(rows, places),
          cell: { metric.cell($0, part: first.part) }, isShare: metric.isShare(first.part),
          topic: first.topic, earlier: earlierCells(rows.last, metric)))
    }
    let others = rest(all.map(Array.init), of: metric.name) { $0[0].topic }
    block.series = Array(chosen(block.series, of: metric.name, topic: \.topic))
    for (part, rows) in Dictionary(grouping: others, by: { $0[0].part }).sorted(by: { $0.key < $1.key }) {
      block.series.append(restSeries(rows, metric, part, keyCount: block.keys.count, places))
    }
    return block
  }

  /// Series that are left out, added up day by day.
  private func restSeries(
    _ series: [[ResultRow]], _ metric: MetricRows, _ part: String, keyCount: Int, _ places: [DayKey: Int]
  ) -> Series {
    let addsUp = choice.rest?(metric.name, part) == true
    var days = [[Value]](repeating: [], count: self.days.count)
    for row in series.joined() { if let place = places[row.at] { days[place].append(row.value) } }
    let last = series.compactMap(\.last).filter { $0.at == self.days.last }
    var keys = [ResultTable.restCell(series.count)] + [Cell](repeating: .empty, count: keyCount - 1)
    if metric.hasParts { keys[keyCount - 1] = Cell(part) }
    return Series(
      keys: keys, values: days.map { addsUp ? .sum($0) : Value.none }, cell: { metric.cell($0, part: part) },
      isShare: metric.isShare(part), earlier: Array(restCells(last, metric, part: part).dropFirst()))
  }

  /// The block's lines, Bools, numbers and the rest each in a grid of their own.
  private func lines(_ block: SeriesBlock, named metric: MetricRows?) -> [[String]] {
    let bools = block.series.filter(\.isBool)
    let numbers = block.series.filter { !$0.isBool && $0.isNumber }
    let others = block.series.filter { !$0.isBool && !$0.isNumber }
    var parts: [[String]] = []
    if !bools.isEmpty { parts.append(stripLines(block.keys, bools)) }
    for isShare in [false, true] {
      let some = numbers.filter { $0.isShare == isShare }
      if !some.isEmpty { parts.append(sparklineLines(block.keys, some, isShared: metric != nil)) }
    }
    if !others.isEmpty { parts.append(otherGrid(block.keys, others).lines(layout)) }
    guard let metric, !parts.isEmpty else { return parts }
    if block.series.count > ResultTable.mostUnsummarized, block.keys == [metric.subject] {
      let noun = Counting.of(block.series.count, metric.subject)
      parts.insert(sparklineLines([noun], [summary(block.series)], isShared: true), at: 0)
    }
    var line = layout.bold(metric.heading(part: ""))
    if let title = metric.title { line += "  " + layout.dim(title) }
    parts[0].insert(line, at: 0)
    return parts
  }
}

extension ResultTable {
  /// The median of each day, or the share that is true.
  private func summary(_ series: [Series]) -> Series {
    let isBool = series.contains(where: \.isBool)
    let values = days.indices.map { day -> Value? in
      let known = series.compactMap { $0.values[day] }.filter { $0 != .none }.sorted { $0.rank < $1.rank }
      guard isBool else { return ResultTable.median(known) }
      return known.isEmpty
        ? nil
        : .decimal(
          FixedDecimal(
            millionths: Int64(known.count { $0 == .bool(true) }) * FixedDecimal.scale / Int64(known.count)))
    }
    let one = Int128(FixedDecimal.scale)
    return Series(
      keys: [Cell(isBool ? "true" : "median")], values: values,
      cell: isBool ? { Percent.cell($0.millionths, of: one) } : series.first?.cell ?? \.cell, isShare: isBool)
  }

  /// The median as the language has it, by the nearest rank (AGG-03).
  static func median(_ sorted: [Value]) -> Value? {
    sorted.isEmpty ? nil : sorted[(50 * sorted.count + 99) / 100 - 1]
  }

  /// The columns that a strip may take beside the other columns of its row.
  private func stripWidth(beside grid: Grid) -> Int {
    let others = grid.headings.indices.filter { $0 != grid.keyCount }
    return max(16, layout.width - grid.width(of: others, layout))
  }

  /// Bools as a strip of days, and how many are true.
  private func stripLines(_ keys: [String], _ series: [Series]) -> [String] {
    let strip = CalendarStrip(days: days)
    let counts = series.map { row in
      Cell("\(row.values.count { $0 == .bool(true) }) of \(row.values.count { $0 != nil })")
    }
    var grid = Grid(
      keys: keys, [.init(strip.ruler), .init("true", .right)],
      rows: zip(series, counts).map { $0.keys + [.empty, $1] })
    if strip.width <= stripWidth(beside: grid) {
      for (row, one) in series.enumerated() {
        grid.rows[row][keys.count] = Cell(strip.text(one.values.map(CalendarStrip.mark)))
      }
      return grid.lines(layout)
    }
    return foldedStrips(keys, series, counts, width: stripWidth(beside: grid) - 12).lines(layout)
  }

  /// Strips of more days than a line has room for: several lines each, with their first days.
  private func foldedStrips(_ keys: [String], _ series: [Series], _ counts: [Cell], width: Int) -> Grid {
    var grid = Grid(keys: keys, [.init("from"), .init("days"), .init("true", .right)])
    let lines = CalendarStrip(days: days).folded(to: width)
    for (one, count) in zip(series, counts) {
      for (index, line) in lines.enumerated() {
        let names = index == 0 ? one.keys : keys.map { _ in .empty }
        let strip = CalendarStrip(days: Array(days[line])).text(one.values[line].map(CalendarStrip.mark))
        grid.rows.append(
          names + [Cell(days[line.lowerBound].description, .dim), Cell(strip), index == 0 ? count : .empty])
      }
    }
    return grid
  }

  /// Numbers as a sparkline, with the first, the last, the lowest and the highest.
  ///
  /// - Parameter isShared: whether the series are of one metric, and so have one scale.
  private func sparklineLines(_ keys: [String], _ series: [Series], isShared: Bool) -> [String] {
    let alignment: Grid.Alignment = series.contains(where: \.isShare) ? .right : .number
    let stats = ["first", open == nil ? "last" : "last (open)", "min", "max"]
    var grid = Grid(
      keys: keys, [.init("")] + stats.map { .init($0, alignment) } + earlierHeadings(alignment))
    for one in series {
      let known = one.values.compactMap { $0 }.filter { $0.millionths != nil }.sorted { $0.rank < $1.rank }
      let ends = [one.values.first ?? nil, one.values.last ?? nil]
      let shown = (ends + [known.first, known.last]).map { $0.map(one.cell) ?? .empty }
      let blank = earlierHeadings(alignment).map { _ in Cell.empty }
      grid.rows.append(one.keys + [.empty] + shown + (one.earlier.isEmpty ? blank : one.earlier))
    }
    let size = max(1, (days.count - 1) / stripWidth(beside: grid) + 1)
    let marked = stride(from: 0, to: days.count, by: size).map { days[min($0 + size, days.count) - 1] }
    grid.headings[keys.count].text = CalendarStrip(days: marked, hasWeeks: false).ruler
    let bars = series.map { one in
      Sparkline.means(one.values.map { value in (value?.millionths).map { Double($0) } }, size: size)
    }
    let scale = isShared ? Sparkline.scale(bars.joined()) : nil
    for (row, values) in bars.enumerated() {
      grid.rows[row][keys.count] = Cell(Sparkline.text(values, on: scale ?? Sparkline.scale(values)))
    }
    var header = isShared ? "no value" : "▁ the lowest of the row, █ the highest"
    if let scale, let one = series.first {
      let ends = [scale.lowerBound, scale.upperBound].map { bound in
        one.cell(.decimal(FixedDecimal(millionths: Int64(bound.rounded())))).text
      }
      header = ends[0] == ends[1] ? "all \(ends[0])" : "▁ \(ends[0]), █ \(ends[1])"
    }
    if size > 1 { header += "; a bar is the mean of \(size) values" }
    return [layout.dim(header)] + grid.lines(layout)
  }

  /// Days and texts: the first, the last, and how often they changed.
  private func otherGrid(_ keys: [String], _ series: [Series]) -> Grid {
    Grid(
      keys: keys,
      [.init("first"), .init(open == nil ? "last" : "last (open)"), .init("changes", .number)],
      rows: series.map { one in
        let changes = zip(one.values, one.values.dropFirst()).count { $0 != $1 }
        let ends = [one.values.first ?? nil, one.values.last ?? nil].map { $0?.cell ?? .empty }
        return one.keys + ends + [Cell(Counting.grouped(changes))]
      })
  }
}

extension MetricRows {
  /// Whether it has more than one series.
  fileprivate var isKeyed: Bool { hasSubjects || hasGroups || hasParts }
}
