/// The plots of what people go through: funnels and retentions.
extension MetricFigures {
  /// The steps of a funnel, the parts of a retention.
  var stages: [PartRole] { entry.planned.parts.map(\.role).filter { !$0.isStepDays } }
  private var day: String { "On \(Wording.day(data.at))" }

  var funnelFigure: Figure? {
    guard !observations.hasGroups else { return entry.hasPersonalGroups ? nil : funnelMatrix }
    guard let values = observations.groupValues.first?.values else { return nil }
    let steps = stages.map(\.name)
    let numbers = steps.map { values[$0]?.amount }
    let first = numbers.first.flatMap { $0?.approximate } ?? 0
    let bars = steps.indices.map { index -> BarPlot.Bar in
      let number = numbers[index]
      let share = number.map { first > 0 ? $0.approximate / first : 0 }
      var details: [String] = []
      if index > 0, let number, let percent = Wording.percent(number.approximate, of: first) {
        details.append("\(percent) of “\(Wording.title(ofName: steps[0]))”")
      }
      if index > 1, let number, let before = numbers[index - 1],
        let percent = Wording.percent(number.approximate, of: before.approximate)
      {
        details.append("\(percent) of the step before")
      }
      for case .stepDays(steps[index], let percentile) in entry.planned.parts.map(\.role) {
        let days = values[PartRole.stepDays(steps[index], percentile: percentile).name]?.amount
        if let days { details.append("\(percentile)% within \(Counting.of(Int(days.approximate), "day"))") }
      }
      return BarPlot.Bar(
        label: Wording.title(ofName: steps[index]), share: share,
        number: number.map(Wording.number) ?? "no value",
        detail: details.joined(separator: ", "))
    }
    return BarPlot(bars: bars, headings: ["Step", nouns.capitalizedFirst, "Share"])
      .figure(
        stages[0].isAnySteps ? "\(title), in any order" : title,
        "\(day), how many \(nouns) reached each step")
  }

  private var funnelMatrix: Figure? {
    guard let first = stages.first?.name else { return nil }
    let steps = stages.dropFirst().map(\.name)
    let whole = Wording.title(ofName: first)
    return MatrixPlot(
      rowHeading: "Group", sizeHeading: whole,
      columns: steps.map { Wording.title(ofName: $0) },
      rows: shown.map { group, values in
        let size = values[first]?.amount?.approximate ?? 0
        return MatrixPlot.Row(
          label: entry.label(group), size: values[first]?.amount.map(Wording.number) ?? "–",
          shares: steps.map { step in
            size > 0 ? values[step]?.amount.map { $0.approximate / size } : nil
          })
      }
    ).figure("\(title), by group", "\(day), the share of those at “\(whole)” who reached each step")
  }

  private var quotients: [PartRole] { stages.filter { $0.quotient != nil } }
  private var hasRates: Bool { quotients.allSatisfy(\.isShare) }

  var retentionFigure: Figure? {
    guard !observations.hasGroups else { return entry.hasPersonalGroups ? nil : triangle }
    guard let values = observations.groupValues.first?.values else { return nil }
    func amount(_ role: PartRole) -> FixedDecimal? { values[role.name]?.amount }
    let form = hasRates ? NumberForm.share : .decimal
    let most = hasRates ? 1 : quotients.compactMap { amount($0)?.approximate }.max() ?? 1
    let bars = quotients.compactMap { role -> BarPlot.Bar? in
      guard let (days, dividend) = role.quotient else { return nil }
      let part = amount(dividend).map(Wording.number)
      let eligible = amount(.eligible(days)).map(Wording.number)
      let detail = part.flatMap { part in eligible.map { "\(part) of \($0)" } }
      return BarPlot.Bar(
        label: dayText(role), share: amount(role).map { most > 0 ? $0.approximate / most : 0 },
        number: amount(role).map(form.text) ?? "no value", detail: detail ?? "")
    }
    return BarPlot(bars: bars, headings: ["Day", hasRates ? "Rate" : "Mean", nouns.capitalizedFirst])
      .figure(title, "\(day), \(hasRates ? "the share that came back" : "what each has added")")
  }

  private var triangle: Figure? {
    MatrixPlot(
      rowHeading: "Group", sizeHeading: nouns, columns: quotients.map(dayText),
      rows: shown.map { group, values in
        func eligible(_ role: PartRole) -> FixedDecimal? {
          role.quotient.flatMap { values[PartRole.eligible($0.days).name]?.amount }
        }
        let amounts = quotients.map { role in
          (eligible(role)?.millionths ?? 0) > 0 ? values[role.name]?.amount : nil
        }
        return MatrixPlot.Row(
          label: entry.label(group),
          size: quotients.compactMap(eligible).max().map(Wording.number) ?? "–",
          shares: amounts.map { $0?.approximate },
          texts: hasRates ? nil : amounts.map { $0.map(Wording.number) ?? "" })
      }
    ).figure(
      "\(title), by group",
      "\(day), \(hasRates ? "the share of each group that came back" : "what each of a group has added"), by day"
    )
  }

  /// `day 7`, `days 1 to 7`
  func dayText(_ role: PartRole) -> String {
    role.quotient.map { "day\($0.days.from == nil ? "" : "s") \($0.days.asWritten)" } ?? ""
  }

  /// The last forty groups: cohorts come in the order of their days.
  private var shown: ArraySlice<GroupValues> { observations.groupValues.suffix(40) }
}
