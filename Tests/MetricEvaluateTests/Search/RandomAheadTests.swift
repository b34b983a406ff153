import MetricData
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricTestSupport
import Testing

/// What keeps a number, of random libraries over random datasets: with the additions a fresh evaluation reaches what is
/// said, without one of them it does not, and where there are none no single fact of the dataset would have done it.
///
/// `METRICC_SEED=n` runs one case again; `METRICC_CASES=2000 swift test --filter RandomAheadTests` runs longer.
@Suite struct RandomAheadTests {
  private static let cases = Int(environment("METRICC_CASES") ?? "") ?? 30

  @Test func additionsAreEnoughAndNoMore() throws {
    var figures = AheadFigures()
    for seed in seeds(Self.cases, from: 12_000_000) {
      var random = SeededGenerator(seed: seed)
      guard let item = AheadCase(using: &random) else { continue }
      for _ in 0..<8 {
        if let breach = try item.breach(&figures, using: &random) {
          Issue.record("\(random.replay)\n\(breach)\n\(item.source)")
          return
        }
      }
    }
    print("ahead: \(figures)")
    #expect(figures.found > Self.cases / 4)
    // A field may be compared with another, which no form tells.
    #expect(figures.overlooked * 50 <= figures.found)
  }
}

private struct AheadFigures: CustomStringConvertible {
  var (found, nothing, kept, overlooked) = (0, 0, 0, 0)
  var description: String {
    "\(found) with additions, \(kept) without need, \(nothing) without a way, of which \(overlooked) had one"
  }
}

private struct AheadCase {
  let source: String
  let library: MetricLibrary
  let dataset: ReferenceDataset

  init?(using random: inout SeededGenerator) {
    source = RandomLibrary.source(.all, metrics: 8, using: &random)
    library = MetricLibrary(unsearched: source)
    guard library.isAccepted else { return nil }
    dataset = RandomDataset.make(for: library.plan, using: &random)
  }

  func breach(_ figures: inout AheadFigures, using random: inout SeededGenerator) throws -> String? {
    let plan = library.plan
    let metrics = plan.metrics.indices.filter { AheadQuestion.takes(plan.metrics[$0], in: plan) }
    guard !metrics.isEmpty else { return nil }
    let metric = random.pick(metrics)
    let day = RandomDataset.firstDay.advanced(by: random.int(0...40))
    let data = loaded([])
    guard let rows = try? value(metric, data, day),
      let place = rows.filter(\.part.isEmpty).randomElement(using: &random)
    else { return nil }
    func answer() throws -> Ahead {
      try AheadQuestion.answer(
        metric, for: place.subject, on: day, library: plan, tables: data.tables, pool: data.pool)
    }
    guard let ahead = try? answer() else { return nil }
    let name = "\(plan.metrics[metric].name) of \(place.subject) at \(day): \(ahead)"
    if try answer() != ahead { return "another answer the second time: \(name)" }
    if ahead.value != place.value { return "the value is \(place.value): \(name)" }
    guard let step = ahead.step else {
      guard !ahead.isKept else {
        figures.kept += 1
        return nil
      }
      figures.nothing += 1
      if overlooks(ahead, metric, place, day) { figures.overlooked += 1 }
      return nil
    }
    figures.found += 1
    guard let after = with(step.rows, metric, place, day) else {
      return "an error with the additions: \(name)"
    }
    if after != step.value { return "the additions make it \(after): \(name)" }
    if !ahead.reaches(after) { return "the additions do not reach it: \(name)" }
    if step.additions.reduce(0, { $0 + $1.count }) != step.rows.count {
      return "additions are uncounted: \(name)"
    }
    for index in step.rows.indices {
      var fewer = step.rows
      fewer.remove(at: index)
      if let less = with(fewer, metric, place, day), ahead.reaches(less) { return "one is too many: \(name)" }
    }
    return nil
  }

  /// Whether a fact of the dataset, moved to the day, does what no addition was found for.
  private func overlooks(_ ahead: Ahead, _ metric: MetricID, _ place: ResultRow, _ day: DayKey) -> Bool {
    dataset.rows.sorted { $0.key < $1.key }.contains { record, rows in
      guard library.plan.records[record].kind == .fact, !library.plan.records[record].isSetting else {
        return false
      }
      return rows.contains { row in
        let fact = TestRow(record: record, values: row.values, span: library.plan.records[record].span)
        return with([library.plan.moved(fact, to: day)], metric, place, day).map(ahead.reaches) ?? false
      }
    }
  }

  private func loaded(_ more: [TestRow]) -> LoadedDataset {
    var data = LoadedDataset(library)
    for (record, rows) in dataset.rows.sorted(by: { $0.key < $1.key }) {
      for row in rows { data.append(row, to: record) }
    }
    for (number, row) in more.enumerated() {
      var values = row.values
      if let id = library.plan.records[row.record].idField { values[id] = .text("more \(number)") }
      data.append(ReferenceRow(values: values, order: 0), to: row.record)
    }
    return data
  }

  private func value(_ metric: MetricID, _ data: LoadedDataset, _ day: DayKey) throws -> [ResultRow] {
    try data.evaluate([library.plan.metrics[metric].name], at: [day])
  }

  private func with(_ more: [TestRow], _ metric: MetricID, _ place: ResultRow, _ day: DayKey) -> Value? {
    (try? value(metric, loaded(more), day))?
      .first { $0.part.isEmpty && $0.subject == place.subject && $0.group == place.group }?.value
  }
}

extension Ahead {
  /// By the description of each goal alone.
  fileprivate func reaches(_ other: Value) -> Bool {
    func number(_ value: Value) -> Int64 { value.millionths ?? .min }
    switch (kind, isKept) {
    case ("completion", _): return other == .bool(true)
    case ("progress", false) where next != nil: return number(other) >= (next?.millionths ?? 0)
    case ("level", _), (_, true): return number(other) > number(value)
    default: return number(other) >= number(kept)
    }
  }
}
