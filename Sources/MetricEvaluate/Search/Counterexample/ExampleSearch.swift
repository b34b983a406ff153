/// A small dataset on which a metric has a value that says something: not none, false or 0.
extension CounterexampleSearch {
  private static let exampleAttempts = 240
  private static let mostUsers = 20

  /// The dataset with the value as both of its values; nil if none is found.
  package static func example(of metric: MetricID, in library: Library) -> Counterexample? {
    var search = CounterexampleSearch(library: library, metric: metric)
    search.random = SplitMix(seed: 20_260_701)
    return search.example()
  }

  private mutating func example() -> Counterexample? {
    guard !world.facts.isEmpty else { return nil }
    let lengths = [2] + library.metrics[metric].body.lengths
    // Below `at least K users` there is nothing to see.
    let users = min(library.metrics[metric].body.atLeast ?? 1, CounterexampleSearch.mostUsers)
    var best: Counterexample?
    for attempt in 0..<CounterexampleSearch.exampleAttempts {
      var rows = world.frame(&random)
      // Few facts first: who reads the test has to follow it.
      for _ in 0...(attempt / 60) {
        rows.append(world.fact(random.pick(world.facts), span: random.pick(lengths), &random))
      }
      // About others, too: `user-1b`, `user-1c`.
      rows = (0..<users).flatMap { number -> [TestRow] in
        let suffix = number == 0 ? "" : String(UnicodeScalar(UInt8(0x61 + number)))
        return rows.map { library.renamed($0) { $0 + suffix } }
      }
      guard let last = rows.compactMap(library.day).max(), let found = saying(rows, last, nil) else {
        continue
      }
      // The last step of a funnel shows more than the first.
      let isLast = found.part == library.metrics[metric].parts.last?.name
      if best == nil || isLast { best = found }
      if isLast { break }
    }
    let search = self
    let shrinker = Shrinker(library: library) { best, rows, _ in search.saying(rows, best.day, best) }
    return best.map(shrinker.shrunk)
  }

  /// The last number that says something: of a funnel that of the last step; or that at the place of another.
  private func saying(_ rows: [TestRow], _ day: DayKey, _ other: Counterexample?) -> Counterexample? {
    let row = table(rows, [day])?.last { row in
      row.value != .none && row.value != .bool(false) && row.value.millionths != 0
        && (other.map { ($0.subject, $0.group, $0.part) == (row.subject, row.group, row.part) } ?? true)
    }
    return row.map { counterexample(rows, nil, $0, $0.value, $0.value, from: day) }
  }
}
