import MetricDiagnostics
import MetricLanguage
import MetricPlan

/// The value of a metric in one line, with a small curve: for the index.
struct Headline {
  let entry: MetricEntry
  let data: CatalogueData
  let observations: Observations

  private var summary: MetricSummary { entry.planned.summary }
  private var noun: String { Wording.noun(ofSubject: summary.subject) }

  var markup: HTML {
    guard let (value, note) = value else { return "" }
    return "<p class=\"value\"><span>\(value) <small>\(note)</small></span>\(curve)</p>"
  }

  /// The value and what it is.
  private var value: (String, String)? {
    if ["funnel", "retention"].contains(summary.kind) {
      let groups = Set(observations.rows.map(\.group))
      guard groups.isSubset(of: [GroupKey()]) else { return (Counting.of(groups.count, "group"), "") }
      return summary.kind == "funnel" ? funnel : retention
    }
    if observations.rows.allSatisfy(\.group.isEmpty),
      let row = observations.rows.first(where: \.part.isEmpty)
    {
      return (
        Wording.value(row.value), summary.unit.map { row.value == .int(1) ? Counting.singular($0) : $0 } ?? ""
      )
    }
    if let spread = observations.spreads[""] { return value(of: spread) }
    let groups = observations.rows.filter { $0.part.isEmpty }.count
    return groups > 0 ? (Counting.of(groups, "group"), "") : nil
  }

  private func value(of spread: Spread) -> (String, String)? {
    guard spread.subjectCount >= data.fewest else { return nil }
    if spread.isBool {
      return ("\(spread.trueCount) of \(spread.valueCount)", "\(Counting.plural(noun)) complete")
    }
    guard spread.numbers.count >= data.fewest, let median = spread.percentile(50) else { return nil }
    let number = Wording.number(median)
    let unit = summary.unit.map { "\(number == "1" ? Counting.singular($0) : $0), " } ?? ""
    return (number, "\(unit)median of \(Counting.of(spread.numbers.count, noun))")
  }

  /// The share of the first step that came to the last one.
  private var funnel: (String, String)? {
    guard !entry.planned.parts.contains(where: \.role.isAnySteps) else { return nil }
    let steps = Set(entry.planned.parts.filter { !$0.role.isStepDays }.map(\.name))
    guard let first = observations.rows.first,
      let last = observations.rows.last(where: { steps.contains($0.part) }),
      let whole = first.value.amount,
      let part = last.value.amount,
      let percent = Wording.percent(part.approximate, of: whole.approximate)
    else { return nil }
    return (percent, "from “\(Wording.title(ofName: first.part))” to “\(Wording.title(ofName: last.part))”")
  }

  private var retention: (String, String)? {
    let rates = entry.planned.parts.compactMap(\.role.daysOfRate).compactMap { days in
      observations.rows.last { $0.part == PartRole.rate(days).name && $0.value != .none }.map { (days, $0) }
    }
    guard let (days, row) = rates.last,
      let percent = row.value.amount.flatMap({ Wording.percent($0.approximate, of: 1) })
    else { return nil }
    return (percent, "came back on day \(days)")
  }

  /// The last weeks as a small line, for the eye alone.
  private var curve: HTML {
    let whole = observations.series[""]?.map { $0.value.amount?.approximate }
    let middle = observations.spreadSeries[""]?.map { $0.share ?? $0.median?.approximate }
    let values = (whole ?? middle ?? []).suffix(90)
    let known = values.compactMap { $0 }
    guard known.count > 7, let low = known.min(), let high = known.max(), high > low else { return "" }
    var path = HTML.empty
    for (index, value) in values.enumerated() {
      guard let value else { continue }
      let x = 1 + Double(index) / Double(values.count - 1) * 70
      path += "\(HTML(stringLiteral: path.isEmpty ? "M" : "L"))\(x) \(22 - (value - low) / (high - low) * 20)"
    }
    return
      "<svg viewBox=\"0 0 72 24\" width=\"72\" height=\"24\" aria-hidden=\"true\"><path class=\"line\" d=\"\(path)\"/></svg>"
  }
}
