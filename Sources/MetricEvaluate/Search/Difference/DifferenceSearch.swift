/// A dataset on which a metric is not what it was.
package struct DifferenceWitness: Sendable {
  package var rows: [NamedRow]
  package var subject: String
  package var group: GroupKey
  package var part: String
  package var day: DayKey
  package var old: Value
  package var new: Value

  fileprivate var valueCount: Int { rows.reduce(0) { $0 + $1.values.count } }
}

/// Searches small datasets for one on which the old and the new plan of a metric differ, and leaves out
/// of what it finds all that can be left out.
///
/// The datasets of both libraries' `test` blocks are tried first, then random ones around the literals
/// of both plans. Bounded: some thousand evaluations of at most `mostFacts` facts.
package struct DifferenceSearch {
  package static let mostFacts = 60
  private static let attempts = 600
  private static let mostFound = 4

  private let sides: [SmallWorld]
  private let pool = StringPool()
  private var random = SplitMix(seed: 20_260_701)

  package static func witness(
    old: (library: Library, metric: MetricID), new: (library: Library, metric: MetricID)
  ) -> DifferenceWitness? {
    var search = DifferenceSearch(
      sides: [old, new].map { SmallWorld(library: $0.library, metric: $0.metric) })
    return search.run()
  }

  /// Of the first few that are found, the smallest.
  private mutating func run() -> DifferenceWitness? {
    var found: [DifferenceWitness] = []
    if let witness = inTests() { found.append(shrunk(witness)) }
    for attempt in 0..<DifferenceSearch.attempts where found.count < DifferenceSearch.mostFound {
      let rows = dataset(attempt)
      if let witness = difference(rows, referenceDays(rows)) { found.append(shrunk(witness)) }
    }
    return found.min { ($0.rows.count, $0.valueCount) < ($1.rows.count, $1.valueCount) }
  }

  private func inTests() -> DifferenceWitness? {
    for side in sides {
      for test in side.library.tests where test.rows.count <= DifferenceSearch.mostFacts {
        let rows = test.rows.map { NamedRow($0, in: side.library) }
        let days = Set(test.expectations.map(\.day)).union(referenceDays(rows))
        if let witness = difference(rows, days.sorted()) { return witness }
      }
    }
    return nil
  }

  private mutating func dataset(_ attempt: Int) -> [NamedRow] {
    let side = sides[attempt % 2]
    var rows = side.frame(settings: { $0.int(1...2) }, &random)
    guard !side.facts.isEmpty else { return rows.map { NamedRow($0, in: side.library) } }
    switch attempt / 2 % 4 {
    case 0:
      let span = random.pick([0, 2, 4, 9, 30])
      rows += (0..<random.int(0...8)).map { _ in side.fact(random.pick(side.facts), span: span, &random) }
    case 1:
      let one = side.fact(random.pick(side.facts), span: 3, &random)
      let count = min(random.pick(side.counts) + random.int(-1...1), DifferenceSearch.mostFacts)
      rows += Array(repeating: one, count: max(0, count))
    case 2: rows += daily(side)
    default: rows += spaced(side)
    }
    return rows.map { NamedRow($0, in: side.library) }
  }

  /// A fact on each of some days, but for one or two of them.
  private mutating func daily(_ side: SmallWorld) -> [TestRow] {
    let one = side.fact(random.pick(side.facts), span: 0, &random)
    guard let first = side.library.day(of: one) else { return [] }
    let count = random.pick([3, 5, 8, 15] + side.counts.filter { $0 <= DifferenceSearch.mostFacts })
    let gaps = Set((0..<random.int(0...2)).map { _ in random.int(0...count) })
    return (0..<count).filter { !gaps.contains($0) }
      .map { side.library.moved(one, to: first.advanced(by: $0)) }
  }

  /// A few facts, as many days apart as something is compared with.
  private mutating func spaced(_ side: SmallWorld) -> [TestRow] {
    // Those that the plan itself counts: `within`, `after`.
    let lengths = side.library.metrics[side.metric].body.lengths
    var rows: [TestRow] = []
    for _ in 0..<random.int(2...3) {
      var row = side.fact(random.pick(side.facts), span: 0, &random)
      if let last = rows.last.flatMap(side.library.day) {
        let known = !lengths.isEmpty && random.chance(60) ? lengths : side.counts
        row = side.library.moved(row, to: last.advanced(by: random.pick(known) + random.int(-1...1)))
      }
      rows.append(row)
    }
    return rows
  }

  private func referenceDays(_ rows: [NamedRow]) -> [DayKey] {
    let last = rows.compactMap(day(of:)).max() ?? DayKey(number: 20_454)
    return [-1, 0, 1, 2, 7, 30].map { last.advanced(by: $0) }.filter(DayKey.all.contains)
  }

  private func day(of row: NamedRow) -> DayKey? {
    for side in sides {
      guard let id = side.library.record(named: row.record) else { continue }
      let record = side.library.records[id]
      guard record.kind == .fact, let field = record.dayKeyField else { return nil }
      if case .day(let day)? = row.values[record.fields[field].name] { return day }
    }
    return nil
  }

  /// The first place where the two differ; nil also where one of them refuses the records.
  private func difference(_ rows: [NamedRow], _ days: [DayKey]) -> DifferenceWitness? {
    guard let old = table(rows, days, sides[0]), let new = table(rows, days, sides[1]) else { return nil }
    return (old + new).first { old.value(at: $0) != new.value(at: $0) }.map {
      DifferenceWitness(
        rows: rows, subject: $0.subject, group: $0.group, part: $0.part, day: $0.at, old: old.value(at: $0),
        new: new.value(at: $0))
    }
  }

  private func table(_ rows: [NamedRow], _ days: [DayKey], _ side: SmallWorld) -> [ResultRow]? {
    var known: [TestRow] = []
    for row in rows {
      switch row.reading(in: side.library) {
      case .row(let row): known.append(row)
      case .unknown: continue
      case .refused: return nil
      }
    }
    let request = EvaluationRequest(metrics: [side.metric], days: days)
    return try? evaluate(
      request, library: side.library, tables: side.library.tables(known, pool: pool), pool: pool)
  }

  /// Leaves out records and values for as long as there is a difference.
  private func shrunk(_ found: DifferenceWitness) -> DifferenceWitness {
    var best = found
    func attempt(_ rows: [NamedRow]) -> Bool {
      let smaller = difference(rows, Set(referenceDays(rows) + [best.day]).sorted())
      best = smaller ?? best
      return smaller != nil
    }
    let halves = sequence(first: max(1, best.rows.count / 2)) { $0 > 1 ? $0 / 2 : nil }
    _ = best.rows.thinned(by: halves, attempt)
    for index in best.rows.indices {
      for field in best.rows[index].values.keys.sorted() {
        var rows = best.rows
        rows[index].values[field] = nil
        _ = attempt(rows)
      }
    }
    let days = best.rows.map { day(of: $0) ?? .first }
    best.rows = days.indices.sorted { (days[$0], $0) < (days[$1], $1) }.map { best.rows[$0] }
    return best
  }
}
