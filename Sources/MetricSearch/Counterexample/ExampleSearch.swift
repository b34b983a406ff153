import MetricData
import MetricEvaluate
import MetricPlan
import MetricValues

/// Searches a small dataset on which a metric has a value that says something: not none, false or 0.
package struct ExampleSearch {
  private static let attempts = 160

  /// The dataset with the value as both of its values; nil where none is found.
  package static func example(of metric: MetricID, in library: Library) -> Counterexample? {
    let world = SmallWorld(library: library, metric: metric)
    let pool = StringPool()
    var random = SplitMix(seed: 20_260_701)
    guard !world.facts.isEmpty else { return nil }
    for attempt in 0..<attempts {
      var rows = world.frame(&random)
      // Few facts first: who reads the test has to follow it.
      for _ in 0...(attempt / 40) { rows.append(world.fact(random.pick(world.facts), span: 2, &random)) }
      let days = rows.compactMap { row -> DayKey? in
        guard let field = library.records[row.record].dayKeyField, case .day(let day)? = row.values[field]
        else {
          return nil
        }
        return day
      }
      guard let last = days.max() else { continue }
      let request = EvaluationRequest(metrics: [metric], days: [last])
      let found = try? evaluate(
        request, library: library, tables: library.tables(rows, pool: pool), pool: pool)
      guard let row = found?.first(where: { $0.value.saysSomething }) else { continue }
      return Counterexample(
        rows: rows, added: nil, metric: row.metric, subject: row.subject, group: row.group, part: row.part,
        day: last, nextDay: last, before: row.value, after: row.value)
    }
    return nil
  }
}

extension Value {
  fileprivate var saysSomething: Bool {
    switch self {
    case .none: false
    case .bool(let value): value
    case .int(let value): value != 0
    case .decimal(let value): value.description != "0"
    case .day, .text: true
    }
  }
}
