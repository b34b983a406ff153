/// What the values of one metric look like: plots chosen by its kind and its values, facts, a table and a headline.
struct MetricFigures {
  let entry: MetricEntry
  let data: CatalogueData
  var observations: Observations

  var title: String { entry.title }
  /// Those that it is about: `reading plans`.
  var nouns: String { Counting.plural(entry.noun) }
  private var period: String { "\(Wording.day(data.from)) to \(Wording.day(data.to))" }
  /// The period of a series of the whole: one of calendar months, quarters or years has a point for each.
  private var seriesPeriod: String {
    guard let unit = entry.planned.calendarUnit else { return period }
    let isOpen = data.to.number < unit.days(holding: data.to.number).upperBound
    return "\(period), by \(unit.name)" + (isOpen ? "; the last \(unit.name) is open" : "")
  }
  private var unit: String { entry.summary.unit ?? "Value" }

  /// In the order they are read: the whole, the spread, the days, single subjects.
  var all: [Figure] {
    ([wholeFigure, groupSeriesFigure] + spreadFigures + seriesFigures + subjectFigures).compactMap { $0 }
  }

  private func heading(_ part: String) -> String {
    part.isEmpty ? title : "\(title): \(Wording.title(ofName: part).lowercased())"
  }

  func form(_ part: String) -> NumberForm { NumberForm(entry.planned.parts.first { $0.name == part }) }

  private var wholeFigure: Figure? {
    switch entry.summary.kind {
    case "funnel": funnelFigure
    case "retention": retentionFigure
    default: groupFigure
    }
  }

  /// The groups of a measure, those with the greatest values first.
  private var groupFigure: Figure? {
    guard !entry.hasPersonalGroups else { return nil }
    let groups = observations.ranked.filter { !$0.group.isEmpty }
    let most = groups.first?.value.amount?.approximate ?? 0
    if entry.planned.grouping.count > 1 { return heatMap(groups, most: most) }
    let bars = groups.prefix(20).map { row in
      BarPlot.Bar(
        label: Wording.group(row.group), share: most > 0 ? (row.value.amount?.approximate ?? 0) / most : 0,
        number: form("").text(row.value))
    }
    return BarPlot(bars: bars, headings: ["Group", unit, ""])
      .figure("\(title), by group", "On \(Wording.day(data.at))\(largest(20, of: groups.count, "groups"))")
  }

  private func largest(_ most: Int, of count: Int, _ noun: String) -> String {
    count > most ? "; the \(most) largest of \(count) \(noun)" : ""
  }

  /// Groups by several fields: a column for each value of the last one, and a row for each of those before it.
  private func heatMap(_ groups: [ResultRow], most: Double) -> Figure? {
    func ranked<Name: Hashable & Comparable>(_ name: (GroupKey) -> Name) -> [Name] {
      let totals = groups.reduce(into: [Name: Double]()) {
        $0[name($1.group), default: 0] += $1.value.amount?.approximate ?? 0
      }
      return totals.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map(\.key)
    }
    let values = Dictionary(groups.map { ($0.group, $0.value) }, uniquingKeysWith: { first, _ in first })
    let rows = ranked { GroupKey($0.fields.dropLast()) }
    let columns = ranked { $0.fields.last ?? "" }.prefix(12)
    let names = entry.planned.grouping.map(\.name)
    return MatrixPlot(
      rowHeading: names.dropLast().joined(separator: ", "), sizeHeading: "",
      columns: columns.map { Wording.group($0) },
      rows: rows.prefix(20).map { row in
        let cells = columns.map { values[GroupKey(row.fields + [$0])] }
        return MatrixPlot.Row(
          label: Wording.group(row), size: "",
          shares: cells.map { $0?.amount.map { most > 0 ? max(0, $0.approximate) / most : 0 } },
          texts: cells.map { $0.map(Wording.value) ?? "" })
      }
    ).figure(
      "\(title), by \(names.joined(separator: " and "))",
      "On \(Wording.day(data.at)), by \(names.last ?? "") from the left\(largest(20, of: rows.count, "rows"))"
    )
  }

  /// The groups over time: a line per group, the greatest first; with a table of months or weeks.
  private var groupSeriesFigure: Figure? {
    guard !entry.hasPersonalGroups else { return nil }
    let days = Set(observations.groups.flatMap { $0.series.map(\.day) }).sorted()
    let months = days.filter { $0 == $0.endOfMonth || $0 == days.last }
    let weeks = days.filter { (Int(days.last?.number ?? 0) - Int($0.number)) % 7 == 0 }
    let columns = (months.count > 4 ? months : weeks).suffix(12)
    func rank(_ series: DaySeries) -> Int64 { series.last?.value.amount?.millionths ?? .min }
    let groups = observations.groups.sorted { (rank($0.series), $1.name) > (rank($1.series), $0.name) }
    guard columns.count > 1 else { return nil }
    return SmallMultiples(
      panels: groups.prefix(12).map { (Wording.group($0.name), $0.series) }, form: form(""),
      columns: Array(columns)
    ).figure("\(title), groups over time", "\(period)\(largest(12, of: groups.count, "groups"))")
  }

  private var spreadFigures: [Figure?] {
    entry.planned.parts.map { part in
      guard let spread = observations.spreads[part.name], spread.subjectCount >= data.fewest else {
        return nil
      }
      if !spread.texts.isEmpty { return textFigure(part.name, spread) }
      guard spread.numbers.count >= data.fewest else { return nil }
      return Histogram(numbers: spread.numbers, form: form(part.name), subjects: nouns.capitalizedFirst)
        .figure(
          "\(heading(part.name)), distribution",
          "How many \(nouns) have each value on \(Wording.day(data.at))")
    }
  }

  /// Texts that enough subjects share; a rare text could reveal who has it.
  private func textFigure(_ part: String, _ spread: Spread) -> Figure? {
    let shared = spread.texts.filter { $0.value >= data.fewest }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(20)
    let most = shared.first?.value ?? 0
    let bars = shared.map { text, count in
      BarPlot.Bar(label: text, share: Double(count) / Double(max(1, most)), number: Counting.grouped(count))
    }
    return BarPlot(bars: bars, headings: ["Text", nouns.capitalizedFirst, ""])
      .figure(
        "\(heading(part)), distribution",
        "Texts that \(data.fewest) \(nouns) or more have on \(Wording.day(data.at))")
  }

  private var seriesFigures: [Figure?] {
    entry.planned.parts.flatMap { part in
      [
        observations.series[part.name].flatMap {
          figure($0, title: heading(part.name), part: part.name, period: seriesPeriod)
        },
        observations.spreadSeries[part.name].flatMap { spreadFigure($0, part: part.name) },
      ]
    }
  }

  private var subjectFigures: [Figure?] {
    observations.subjects.flatMap { subject, parts in
      entry.planned.parts.map { part in
        parts[part.name].flatMap {
          figure($0, title: "\(heading(part.name)): \(subject)", part: part.name, period: period)
        }
      }
    }
  }

  /// The days of one subject, or of the whole.
  private func figure(_ series: DaySeries, title: String, part: String, period: String) -> Figure? {
    if series.contains(where: { if case .bool = $0.value { true } else { false } }) {
      let days = series.map { day, value in
        let part = value == .bool(true) ? 1 : 0
        return CalendarPlot.Day(
          day: day, share: value == .none ? nil : Double(part), text: Wording.value(value), part: part)
      }
      let count = days.reduce(0) { $0 + $1.part }
      // A square is a day, whatever the points of a line are.
      return CalendarPlot(days: days, counted: "Days with yes")
        .figure(title, "\(count) of \(Counting.of(days.count, "day")), \(self.period)")
    }
    let points = series.map { LinePlot.Point(day: $0.day, value: $0.value.amount?.approximate) }
    return LinePlot(points: points, form: form(part), unit: unit).figure(title, period)
  }

  /// The days of all subjects together.
  private func spreadFigure(_ points: [SpreadPoint], part: String) -> Figure? {
    if points.contains(where: { $0.share != nil }) {
      let days = points.map {
        CalendarPlot.Day(
          day: $0.day, share: $0.share, text: "\($0.trueCount) of \($0.valueCount)", part: $0.trueCount,
          whole: $0.valueCount)
      }
      return CalendarPlot(days: days, counted: "Complete")
        .figure("\(heading(part)), day by day", "The share of \(nouns) that were complete, \(period)")
    }
    let medians = points.map {
      LinePlot.Point(
        day: $0.day, value: $0.median?.approximate, low: $0.quarter?.approximate,
        high: $0.threeQuarters?.approximate)
    }
    return LinePlot(points: medians, form: form(part), unit: "Median")
      .figure("\(heading(part)), over time", "Median and middle half of the \(nouns), \(seriesPeriod)")
  }
}
