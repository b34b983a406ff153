import MetricDiagnostics
import MetricEvaluate
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
    return "<p class=\"value\"><span>\(value) <small>\(note)</small></span>\(curve)</p>\(change)"
  }

  private var form: NumberForm { NumberForm(entry.planned.parts.first) }

  /// `+5 since 23 Jun`.
  private var change: HTML {
    let before = observations.earlierDay ?? data.at.advanced(by: -7)
    guard let part = entry.planned.parts.first,
      let change = observations.change(of: part, from: before, to: data.at)
    else { return "" }
    return "<p class=\"change\">\(change.text) since \(Wording.shortDay(before))</p>"
  }

  /// The groups with the greatest values: `phone 75`, and `tablet 10` beside it.
  private var groups: (String, String)? {
    let groups = observations.rows.filter { $0.part.isEmpty }.sorted {
      ($0.value.amount?.millionths ?? .min, $1.group) > ($1.value.amount?.millionths ?? .min, $0.group)
    }
    guard let first = groups.first, !entry.hasPersonalGroups else {
      return groups.isEmpty ? nil : (Counting.of(groups.count, "group"), "")
    }
    func text(_ row: ResultRow) -> String {
      "\(Wording.group(row.group).shortened(to: 24)) \(form.text(row.value))"
    }
    let others =
      groups.dropFirst().prefix(2).map(text) + (groups.count > 3 ? ["\(groups.count - 3) more"] : [])
    return (text(first), others.joined(separator: ", "))
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
        form.text(row.value), summary.unit.map { row.value == .int(1) ? Counting.singular($0) : $0 } ?? ""
      )
    }
    return observations.spreads[""].map { value(of: $0) } ?? groups
  }

  private func value(of spread: Spread) -> (String, String)? {
    guard spread.subjectCount >= data.fewest else { return nil }
    if spread.isBool {
      return ("\(spread.trueCount) of \(spread.valueCount)", "\(Counting.plural(noun)) complete")
    }
    guard spread.numbers.count >= data.fewest, let median = spread.percentile(50) else { return nil }
    let number = form.text(median)
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
    let quotients = entry.planned.parts.map(\.role).compactMap { role in
      role.quotient.flatMap { quotient in
        observations.rows.last { $0.part == role.name && $0.value != .none }.map { (role, quotient.days, $0) }
      }
    }
    guard let (role, days, row) = quotients.last, let amount = row.value.amount else { return nil }
    let when = days.from == nil ? "day \(days.words)" : "days \(days.words)"
    guard role.isShare else { return (Wording.number(amount), "added by \(when)") }
    return Wording.percent(amount.approximate, of: 1).map { ($0, "came back on \(when)") }
  }

  /// The last weeks as a small line, for the eye alone.
  private var curve: HTML {
    let whole = observations.series[""]?.map { $0.value.amount?.approximate }
    let middle = observations.spreadSeries[""]?.map { $0.share ?? $0.median?.approximate }
    let values = (whole ?? middle ?? []).suffix(90)
    let known = values.compactMap { $0 }
    guard known.count > 7, let low = known.min(), let high = known.max(), high > low else { return "" }
    var (path, end) = (HTML.empty, HTML.empty)
    for (index, value) in values.enumerated() {
      guard let value else { continue }
      let x = 1 + Double(index) / Double(values.count - 1) * 70
      let y = 22 - (value - low) / (high - low) * 20
      path += "\(HTML(stringLiteral: path.isEmpty ? "M" : "L"))\(x) \(y)"
      end = "<circle class=\"dot\" cx=\"\(x)\" cy=\"\(y)\" r=\"3\"/>"
    }
    return
      """
      <svg viewBox="0 0 76 24" width="76" height="24" aria-hidden="true"><path class="line" d="\(path)"/>\(end)</svg>
      """
  }
}
