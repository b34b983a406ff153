extension ResultTable {
  /// A row a step: how many reached it, the share of the first step and of the step before.
  ///
  ///     first_lesson  users                        of opened  of the step before
  ///     opened        1,204  ████████████████████       100%
  ///     added           640  ██████████▋               53.2%               53.2%
  func funnelGrid(_ metric: MetricRows) -> Grid {
    let steps = metric.parts.filter { metric.roles[$0]?.isStepDays != true }
    let percentiles = metric.percentiles
    let first = steps.first ?? ""
    let rows = metric.rowsByPart
    let cells = zip(steps, [nil] + steps).map { part, before in
      let value = rows[part]?.value ?? .none
      let whole = rows[first]?.value.millionths
      return [
        Cell(part), value.cell, Percent.bar(value.millionths, of: whole, width: 20),
        Percent.cell(value.millionths, of: whole),
        before.map { Percent.cell(value.millionths, of: rows[$0]?.value.millionths) } ?? .empty,
      ] + percentiles.map { rows[PartRole.stepDays(part, percentile: $0).name]?.value.cell ?? .empty }
        + earlierCells(rows[part], metric)
    }
    return Grid(
      keys: [metric.name],
      [
        .init(Counting.plural(metric.subject), .number), .init(""), .init("of \(first)", .right),
        .init("of the step before", .right),
      ] + percentiles.map { .init("days\($0)", .right) } + earlierHeadings(.number), rows: cells)
  }

  /// A row for each N: who could return, who did or what they add up to, and the quotient.
  func retentionGrid(_ metric: MetricRows) -> Grid {
    let rows = metric.rowsByPart
    let quotients = metric.parts.compactMap { metric.roles[$0] }.filter { $0.quotient != nil }
    let isShare = quotients.first?.isShare ?? true
    let own: [Grid.Heading] =
      isShare
      ? [.init("returned", .number), .init("rate", .right), .init("")]
      : [.init("value", .number), .init("mean", .number)]
    func value(_ role: PartRole) -> Value { rows[role.name]?.value ?? .none }
    let cells = quotients.compactMap { role -> [Cell]? in
      guard let (days, dividend) = role.quotient else { return nil }
      let rate = value(role)
      return [Cell(days.name), value(.eligible(days)).cell, value(dividend).cell]
        + (isShare
          ? [Percent.cell(rate), Percent.bar(rate.millionths, of: Percent.one, width: 20)] : [rate.cell])
        + earlierCells(rows[role.name], metric)
    }
    return Grid(
      keys: [metric.name], [.init("eligible", .number)] + own + earlierHeadings(.right), rows: cells)
  }
}

extension MetricRows {
  /// Those of the days to each step, in their order.
  fileprivate var percentiles: [Int] {
    let all = parts.compactMap { part -> Int? in
      if case .stepDays(_, let percentile) = roles[part] { percentile } else { nil }
    }
    return all.once(by: \.self)
  }

  fileprivate var rowsByPart: [String: ResultRow] {
    Dictionary(rows.map { ($0.part, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
