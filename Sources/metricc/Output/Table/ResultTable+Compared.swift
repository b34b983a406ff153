/// Values beside earlier ones, and the sums of those that are left out.
extension ResultTable {
  /// What follows a value's heading.
  func earlierHeadings(_ alignment: Grid.Alignment) -> [Grid.Heading] {
    earlier == nil ? [] : ["before", "change"].map { Grid.Heading($0, alignment) }
  }

  /// What follows the value of a row: the earlier one, and the difference.
  func earlierCells(_ row: ResultRow?, _ metric: MetricRows) -> [Cell] {
    guard let earlier else { return [] }
    guard let row else { return [.empty, .empty] }
    return earlierCells(row.value, earlier.values[row.place] ?? .none, metric, row.part)
  }

  func earlierCells(_ value: Value, _ before: Value, _ metric: MetricRows, _ part: String) -> [Cell] {
    let change = value.minus(before)
    var cell = metric.cell(change, part: part)
    if let amount = change.millionths, amount > 0 { cell.text = "+" + cell.text }
    return [metric.cell(before, part: part), change == .none ? .empty : cell]
  }

  /// The cells of a part in the last row: the sum of rows that are left out, `–` where they do not add up.
  func restCells(_ rows: [ResultRow], _ metric: MetricRows, part: String) -> [Cell] {
    let addsUp = choice.rest?(metric.name, part) == true
    func sum(_ values: [Value]) -> Value { addsUp ? .sum(values) : .none }
    let value = sum(rows.map(\.value))
    guard let earlier else { return [metric.cell(value, part: part)] }
    let before = sum(rows.map { earlier.values[$0.place] ?? .none })
    return [metric.cell(value, part: part)] + earlierCells(value, before, metric, part)
  }

  static func restCell(_ count: Int) -> Cell { Cell("the other \(Counting.grouped(count))", .dim) }
}
