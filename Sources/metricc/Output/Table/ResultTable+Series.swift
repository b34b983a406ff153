/// The values of one subject, group and part, day after day.
private struct Series {
  /// What the row is about: subject, group, part, or a metric's name.
  var keys: [Cell]
  /// One for each day; nil if there is no row.
  var values: [Value?]
  /// How a value is shown.
  var cell: (Value) -> Cell = \.cell
  var isShare = false
  /// What the last value is compared with, and by how much it is above that.
  var earlier: [Cell] = []

  var isBool: Bool {
    values.contains { if case .bool? = $0 { true } else { false } }
      && values.allSatisfy { if case .bool? = $0 { true } else { $0 == nil || $0 == Value.none } }
  }

  var isNumber: Bool { values.allSatisfy { ($0?.alignment ?? .number) == .number } }

  /// The first and the last value.
  var ends: [Value?] { [values.first ?? nil, values.last ?? nil] }
}

extension ResultTable {
  /// The blocks of several days: one a metric, metrics with a single series together.
  var seriesBlocks: [[String]] {
    let metrics = metricRows
    let single = Dictionary(grouping: metrics.filter { !$0.isKeyed }, by: \.subject)
    return metrics.filter(\.isKeyed).flatMap { lines(headings($0), series($0), named: $0) }
      + single.sorted { $0.key < $1.key }.flatMap { subject, metrics in
        let series = metrics.map {
          Series(
            keys: [Cell($0.heading(part: ""))], values: values($0.rows),
            earlier: earlierCells($0.rows.last, $0))
        }
        return lines([subject], series, named: nil)
      }
  }

  private func values(_ rows: ArraySlice<ResultRow>) -> [Value?] {
    let values = Dictionary(rows.map { ($0.at, $0.value) }, uniquingKeysWith: { $1 })
    return days.map { values[$0] }
  }

  private func headings(_ metric: MetricRows) -> [String] {
    (metric.hasSubjects ? [metric.subject] : []) + metric.groupColumns + (metric.hasParts ? ["part"] : [])
  }

  /// The series of a metric: the rows of each differ in `at` alone. What is left out is added up day by day.
  private func series(_ metric: MetricRows) -> [Series] {
    func series(_ keys: [Cell], _ values: [Value?], part: String, earlier: [Cell]) -> Series {
      Series(
        keys: keys, values: values, cell: { metric.cell($0, part: part) }, isShare: metric.isShare(part),
        earlier: earlier)
    }
    let all = metric.rows.runs(by: \.topic).flatMap { $0.runs(by: \.part) }
    let (shown, others) = ranking.split(all, of: metric.name) { $0[$0.startIndex].topic }
    let own = shown.map { rows in
      let first = rows[rows.startIndex]
      let groups = metric.hasGroups ? first.group.fields.map(ResultTable.groupCell) : []
      let keys =
        (metric.hasSubjects ? [Cell(first.subject)] : []) + groups
        + (metric.hasParts ? [Cell(first.part)] : [])
      return series(keys, values(rows), part: first.part, earlier: earlierCells(rows.last, metric))
    }
    let parts = Dictionary(grouping: others) { $0[$0.startIndex].part }.sorted { $0.key < $1.key }
    return own
      + parts.map { part, others in
        var keys = [ResultTable.restCell(others.count)] + headings(metric).dropFirst().map { _ in .empty }
        if metric.hasParts { keys[keys.count - 1] = Cell(part) }
        let rows = Dictionary(grouping: others.joined(), by: \.at)
        let addsUp = choice.rest?(metric.name, part) == true
        let sums = days.map { addsUp ? .sum((rows[$0] ?? []).map(\.value)) : Value.none }
        let last = others.compactMap(\.last).filter { $0.at == days.last }
        let earlier = restCells(last, metric, part: part).dropFirst()
        return series(keys, sums, part: part, earlier: Array(earlier))
      }
  }

  /// The lines of series below each other, Bools, numbers and the rest each in a grid of their own.
  private func lines(_ keys: [String], _ series: [Series], named metric: MetricRows?) -> [[String]] {
    let bools = series.filter(\.isBool)
    let numbers = series.filter { !$0.isBool && $0.isNumber }
    let others = series.filter { !$0.isBool && !$0.isNumber }
    var parts: [[String]] = []
    if !bools.isEmpty { parts.append(stripLines(keys, bools)) }
    for isShare in [false, true] {
      let some = numbers.filter { $0.isShare == isShare }
      if !some.isEmpty { parts.append(sparklineLines(keys, some, isShared: metric != nil)) }
    }
    if !others.isEmpty { parts.append(otherGrid(keys, others).lines(layout)) }
    guard let metric, !parts.isEmpty else { return parts }
    if series.count > ResultTable.mostUnsummarized, keys == [metric.subject] {
      let noun = Counting.of(series.count, metric.subject)
      parts.insert(sparklineLines([noun], [summary(series)], isShared: true), at: 0)
    }
    let title = metric.title.map { "  " + layout.dim($0) } ?? ""
    parts[0].insert(layout.bold(metric.heading(part: "")) + title, at: 0)
    return parts
  }

  /// The median of each day, or the share that is true.
  private func summary(_ series: [Series]) -> Series {
    let isBool = series.contains(where: \.isBool)
    let values = days.indices.map { day -> Value? in
      let known = series.compactMap { $0.values[day] }.filter { $0 != .none }.sorted { $0.rank < $1.rank }
      guard isBool, !known.isEmpty else { return ResultTable.median(known) }
      let trueCount = Int64(known.count { $0 == .bool(true) })
      return .decimal(FixedDecimal(millionths: trueCount * FixedDecimal.scale / Int64(known.count)))
    }
    return Series(
      keys: [Cell(isBool ? "true" : "median")], values: values,
      cell: isBool ? { Percent.cell($0) } : series.first?.cell ?? \.cell, isShare: isBool)
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
    let width = stripWidth(beside: grid)
    if strip.width > width {
      return foldedStrips(keys, series, counts, strip.folded(to: width - 12)).lines(layout)
    }
    for (row, one) in series.enumerated() {
      grid.rows[row][keys.count] = Cell(strip.text(one.values.map(CalendarStrip.mark)))
    }
    return grid.lines(layout)
  }

  /// Strips of more days than a line has room for: several lines each, with their first days.
  private func foldedStrips(
    _ keys: [String], _ series: [Series], _ counts: [Cell], _ lines: [Range<Int>]
  ) -> Grid {
    let rows = zip(series, counts).flatMap { one, count in
      lines.enumerated().map { index, line in
        let strip = CalendarStrip(days: Array(days[line])).text(one.values[line].map(CalendarStrip.mark))
        return (index == 0 ? one.keys : keys.map { _ in .empty })
          + [Cell(days[line.lowerBound].description, .dim), Cell(strip), index == 0 ? count : .empty]
      }
    }
    return Grid(keys: keys, [.init("from"), .init("days"), .init("true", .right)], rows: rows)
  }

  /// Numbers as a sparkline, with the first, the last, the lowest and the highest; on one scale where
  /// they are of one metric (`isShared`).
  private func sparklineLines(_ keys: [String], _ series: [Series], isShared: Bool) -> [String] {
    let alignment: Grid.Alignment = series.contains(where: \.isShare) ? .right : .number
    let stats = ["first", open == nil ? "last" : "last (open)", "min", "max"]
    let compared = earlierHeadings(alignment)
    var grid = Grid(
      keys: keys, [.init("")] + stats.map { .init($0, alignment) } + compared,
      rows: series.map { one in
        let known = one.values.compactMap { $0 }.filter { $0.millionths != nil }.sorted { $0.rank < $1.rank }
        let shown = one.ends + [known.first, known.last]
        return one.keys + [.empty] + shown.map { $0.map(one.cell) ?? .empty }
          + (one.earlier.isEmpty ? compared.map { _ in .empty } : one.earlier)
      })
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
        return one.keys + one.ends.map { $0?.cell ?? .empty } + [Cell(Counting.grouped(changes))]
      })
  }
}
