import MetricDiagnostics
import MetricEvaluate
import MetricValues

extension ResultTable {
  /// A row a step: how many reached it, the share of the first step and of the step before.
  ///
  ///     first_lesson  users                        of opened  of the step before
  ///     opened        1,204  ████████████████████       100%
  ///     added           640  ██████████▋               53.2%               53.2%
  func funnelGrid(_ metric: MetricRows) -> Grid {
    let first = metric.parts.first ?? ""
    var grid = Grid(
      keyCount: 1,
      headings: [
        .init(metric.name), .init(Counting.plural(metric.subject), .number), .init(""),
        .init("of \(first)", .right), .init("of the step before", .right),
      ])
    let values = metric.valuesByPart
    var start: Value?
    var before: Value?
    for part in metric.parts {
      let value = values[part] ?? .none
      // `any1` … count steps in any order: a way of their own.
      if start == nil || part == "any1" { (start, before) = (value, nil) }
      let whole = start?.millionths
      grid.rows.append([
        Cell(part), value.cell, Percent.bar(value.millionths, of: whole, width: 20),
        Percent.cell(value.millionths, of: whole),
        before.map { Percent.cell(value.millionths, of: $0.millionths) } ?? .empty,
      ])
      before = value
    }
    return grid
  }

  /// A row for each N: who could return, who did, and the share.
  func retentionGrid(_ metric: MetricRows) -> Grid {
    let values = metric.valuesByPart
    var stages: [String] = []
    for part in metric.parts {
      let stage = String(part.prefix { $0 != "." })
      if !stages.contains(stage) { stages.append(stage) }
    }
    var grid = Grid(
      keyCount: 1,
      headings: [
        .init(metric.name), .init("eligible", .number), .init("returned", .number), .init("rate", .right),
        .init(""),
      ])
    let one = Int128(FixedDecimal.scale)
    for stage in stages {
      let rate = values["\(stage).rate"]?.millionths
      grid.rows.append([
        Cell(stage), (values["\(stage).eligible"] ?? .none).cell,
        (values["\(stage).returned"] ?? .none).cell, Percent.cell(rate, of: one),
        Percent.bar(rate, of: one, width: 20),
      ])
    }
    return grid
  }
}

extension MetricRows {
  fileprivate var valuesByPart: [String: Value] {
    Dictionary(rows.map { ($0.part, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}
