/// For the index: the value of a metric in one line, with its change and a small curve.
extension MetricFigures {
  private var summary: MetricSummary { entry.summary }
  private var firstForm: NumberForm { NumberForm(entry.planned.parts.first) }

  var headline: HTML {
    guard let (value, note) = value else { return "" }
    return "<p class=\"value\"><span>\(value) <small>\(note)</small></span></p>\(changeMarkup)\(curve)"
  }

  /// The value and what it is.
  private var value: (String, String)? {
    if entry.isOfStages { return observations.hasGroups ? stageGroups : lastStage }
    if !observations.hasGroups, let row = observations.rows.first(where: \.part.isEmpty) {
      let unit = summary.unit ?? ""
      return (firstForm.text(row.value), row.value == .int(1) ? Counting.singular(unit) : unit)
    }
    return observations.spreads[""].map { value(of: $0) } ?? groups
  }

  private func value(of spread: Spread) -> (String, String)? {
    guard spread.subjectCount >= data.fewest else { return nil }
    if spread.isBool {
      return ("\(spread.trueCount) of \(spread.valueCount)", "\(Counting.plural(entry.noun)) complete")
    }
    guard spread.numbers.count >= data.fewest, let median = spread.percentile(50) else { return nil }
    let number = firstForm.text(median)
    let unit = summary.unit.map { "\(number == "1" ? Counting.singular($0) : $0), " } ?? ""
    return (number, "\(unit)median of \(Counting.of(spread.numbers.count, entry.noun))")
  }

  /// The groups with the greatest values: `phone 75`, then `tablet 10`.
  private var groups: (String, String)? {
    let rows = observations.rows.filter(\.part.isEmpty)
    let groups = observations.ranked
    guard !groups.isEmpty, !entry.hasPersonalGroups else {
      return rows.isEmpty ? nil : (Counting.of(rows.count, "group"), groups.isEmpty ? "without a value" : "")
    }
    return listed(groups.map { ($0.group, firstForm.text($0.value)) })
  }

  /// The first of the groups, and the next two beside it.
  private func listed(_ groups: [(GroupKey, String)]) -> (String, String) {
    func text(_ group: (GroupKey, String)) -> String {
      "\(Wording.group(group.0).shortened(to: 24)) \(group.1)"
    }
    let others =
      groups.dropFirst().prefix(2).map(text) + (groups.count > 3 ? ["\(groups.count - 3) more"] : [])
    return (text(groups[0]), others.joined(separator: ", "))
  }

  private var isFunnel: Bool { summary.kind == "funnel" }
  private var isAnyOrder: Bool { stages.contains(where: \.isAnySteps) }

  /// The last quotient of a retention that has a value.
  private var quotient: PartRole? {
    stages.last { role in
      role.quotient != nil && observations.rows.contains { $0.part == role.name && $0.value != .none }
    }
  }

  /// Whether what comes of the stages is a share.
  private var isShare: Bool { isFunnel || quotient?.isShare == true }

  /// The share of the first step of a funnel that came to the last one, or the last quotient of a retention.
  private func outcome(_ values: [String: Value]) -> Double? {
    func amount(_ part: PartRole?) -> Double? { part.flatMap { values[$0.name]?.amount?.approximate } }
    guard isFunnel else { return amount(quotient) }
    guard let first = amount(stages.first), first > 0 else { return nil }
    return amount(stages.last).map { $0 / first }
  }

  private var outcome: Double? { observations.groupValues.first.flatMap { outcome($0.values) } }

  private func text(ofOutcome number: Double) -> String {
    isShare ? Wording.percent(number, of: 1) ?? "" : NumberForm.decimal.text(number)
  }

  private var lastStage: (String, String)? {
    guard !isAnyOrder, let outcome, let first = stages.first, let last = stages.last else { return nil }
    let note =
      switch quotient {
      case nil: "from “\(Wording.title(ofName: first.name))” to “\(Wording.title(ofName: last.name))”"
      case let role?: "\(isShare ? "came back on" : "added by") \(dayText(role))"
      }
    return (text(ofOutcome: outcome), note)
  }

  /// Groups by when they began come with the latest first, others with the greatest share.
  private var stageGroups: (String, String)? {
    let groups = observations.groupValues
    let count = (Counting.of(groups.count, "group"), "")
    guard !entry.hasPersonalGroups, !isAnyOrder else { return count }
    let isCohort = entry.planned.grouping.contains { if case .cohort = $0 { true } else { false } }
    let known = groups.compactMap { group, values in outcome(values).map { (group, $0) } }.sorted {
      isCohort ? $0.0 > $1.0 : ($0.1, $1.0) > ($1.1, $0.0)
    }
    guard !known.isEmpty else { return count }
    return listed(known.map { (GroupKey([entry.label($0.0)]), text(ofOutcome: $0.1)) })
  }

  /// Of the number, the median or the share; of the group that the card begins with.
  var change: ValueChange? {
    guard observations.earlierDay != nil, let part = entry.planned.parts.first else { return nil }
    if entry.isOfStages {
      guard !observations.hasGroups, !isAnyOrder, let new = outcome,
        let old = observations.earlier[GroupKey()].flatMap({ outcome($0) })
      else { return nil }
      return ValueChange(from: old, to: new, form: isShare ? .share : .decimal)
    }
    if let change = observations.change(of: part, to: data.at) { return change }
    guard !entry.hasPersonalGroups, let first = observations.ranked.first, let new = first.value.amount,
      let old = observations.earlier[first.group]?[""]?.amount
    else { return nil }
    return ValueChange(from: old.approximate, to: new.approximate, form: firstForm)
  }

  /// `+5 since 23 Jun`; of a group `phone: +5 since 23 Jun`.
  private var changeMarkup: HTML {
    guard let change, let day = observations.earlierDay else { return "" }
    let group = entry.isOfStages ? GroupKey() : observations.ranked.first?.group ?? GroupKey()
    let name = group.isEmpty ? "" : Wording.group(group).shortened(to: 24) + ": "
    return "<p class=\"change\">\(name)\(change.text) since \(Wording.shortDay(day))</p>"
  }

  /// The last weeks as a small line, with its least, its greatest and its last value.
  private var curve: HTML {
    let points = observations.points(of: "").suffix(90)
    let known = points.compactMap(\.value)
    guard known.count > 7, let low = known.min(), let high = known.max(), high > low,
      let first = points.first?.day, let last = points.last?.day
    else { return "" }
    let axis = Axis(known, observations.isShare("") ? .share : firstForm)
    let days = DayAxis(first: first, last: last)
    func y(_ value: Double) -> Double { 36 - (value - low) / (high - low) * 30 }
    let runs = points.split { $0.value == nil }.map { run in
      HTML.line(run.map { (days.x($0.day), y($0.value ?? 0)) })
    }
    let end = points.last { $0.value != nil }.map { point -> HTML in
      let value = point.value ?? 0
      let label = HTML.text("tick", "8", y(value) + 4, axis.label(value))
      return "\(HTML.dot(days.x(point.day), y(value), 3))\(HTML.fromRight(label))"
    }
    return """
      <svg class="spark" width="100%" height="42" role="img" aria-label="\(Wording.shortDay(first)) to \
      \(Wording.day(last)): \(axis.label(low)) to \(axis.label(high))">\
      \(HTML.text("tick", "-6", 10, axis.label(high), anchor: "end"))\
      \(HTML.text("tick", "-6", 40, axis.label(low), anchor: "end"))\
      \(HTML.stretched(height: 42, HTML(runs)))\(end)</svg>

      """
  }
}
