import MetricEvaluate
import MetricPlan

/// A small dataset on which a metric has a value that says something: not none, false or 0.
extension CounterexampleSearch {
  private static let exampleAttempts = 160

  /// The dataset with the value as both of its values; nil where none is found.
  package static func example(of metric: MetricID, in library: Library) -> Counterexample? {
    var search = CounterexampleSearch(library: library, metric: metric)
    search.random = SplitMix(seed: 20_260_701)
    return search.example()
  }

  private mutating func example() -> Counterexample? {
    guard !world.facts.isEmpty else { return nil }
    for attempt in 0..<CounterexampleSearch.exampleAttempts {
      var rows = world.frame(&random)
      // Few facts first: who reads the test has to follow it.
      for _ in 0...(attempt / 40) { rows.append(world.fact(random.pick(world.facts), span: 2, &random)) }
      guard let last = rows.compactMap(library.day).max(),
        let row = table(rows, [last])?.first(where: { $0.value.saysSomething })
      else { continue }
      return counterexample(rows, nil, row, row.value, row.value, from: last)
    }
    return nil
  }
}

extension Value {
  fileprivate var saysSomething: Bool { self != .none && self != .bool(false) && millionths != 0 }
}
