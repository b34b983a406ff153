import MetricData
import MetricPlan

/// Searches small datasets for one on which a metric falls, and shrinks what it finds.
///
/// The search is bounded: it costs some thousand evaluations of at most some hundred facts.
package struct CounterexampleSearch {
  /// The most facts that a found dataset can have.
  package static let mostFacts = 120
  private static let attempts = 600

  private let library: Library
  private let metric: MetricID
  private let world: SmallWorld
  private let pool = StringPool()
  private let made: String?
  private var random = SplitMix(seed: 20_260_101)

  /// What is looked for.
  private enum Harm {
    case logging
    case passing
  }

  /// A fact that is logged and lowers the metric, or takes its value away, or makes it negative.
  package static func whenLogged(_ metric: MetricID, in library: Library) -> Counterexample? {
    var search = CounterexampleSearch(library: library, metric: metric, made: nil)
    return search.run(.logging)
  }

  /// The same for a completion whose rest can end, seen through a streak or a momentum over it.
  package static func whenRestEnds(_ completion: MetricID, in library: Library) -> Counterexample? {
    let readings: [(word: String, body: Body)] = [
      ("streak", .streak(Streak(completion: completion, reading: .current))),
      ("momentum", .momentum(Momentum(completion: completion, reading: .last(windows: 5)))),
    ]
    for (word, body) in readings {
      var library = library
      var made = library.metrics[completion]
      made.name += "_\(word)"
      made.body = body
      made.parts = [Part(name: "", type: .int)]
      library.metrics.append(made)
      let clause = word == "streak" ? "" : "  over last 5 windows"
      let source = "\(word) \(made.name) { of \(library.metrics[completion].name)\(clause) }"
      var search = CounterexampleSearch(library: library, metric: library.metrics.count - 1, made: source)
      if let found = search.run(.logging) { return found }
    }
    return nil
  }

  /// Two days between which a level falls by itself.
  package static func whenDaysPass(_ metric: MetricID, in library: Library) -> Counterexample? {
    var search = CounterexampleSearch(library: library, metric: metric, made: nil)
    return search.run(.passing)
  }

  private init(library: Library, metric: MetricID, made: String?) {
    self.library = library
    self.metric = metric
    self.made = made
    world = SmallWorld(library: library, metric: metric)
  }

  private mutating func run(_ harm: Harm) -> Counterexample? {
    for attempt in 0..<CounterexampleSearch.attempts {
      if harm == .logging, !world.settings.isEmpty, attempt % 4 == 0, let found = settingsAlone() {
        return found
      }
      guard !world.facts.isEmpty else { continue }
      let found: Counterexample? =
        switch harm {
        case .logging:
          switch attempt % 4 {
          case 2: dailyFacts()
          case 3: repeatedFacts()
          default: growingFacts()
          }
        case .passing: passingDays()
        }
      if let found { return shrunk(found, harm) }
    }
    return nil
  }

  // MARK: Attempts

  private mutating func frame() -> [TestRow] {
    var rows = world.frame(&random)
    if !world.settings.isEmpty, random.chance(60) {
      for _ in 0..<random.int(1...2) {
        rows.append(world.fact(random.pick(world.settings), span: 5, &random))
      }
    }
    return rows
  }

  /// A few facts, one after the other.
  private mutating func growingFacts() -> Counterexample? {
    var rows = frame()
    let span = random.pick([0, 2, 4, 9, 30])
    let additions = (0..<random.int(1...6)).map { _ in
      world.fact(random.pick(world.facts), span: span, &random)
    }
    let days = referenceDays(rows + additions)
    guard var before = table(rows, days) else { return nil }
    for added in additions {
      guard let after = table(rows + [added], days) else { return nil }
      if let found = fall(before, after, rows, added) { return found }
      rows.append(added)
      before = after
    }
    return nil
  }

  /// As many facts of a kind as something is compared with, then one of another.
  private mutating func repeatedFacts() -> Counterexample? {
    let one = world.fact(random.pick(world.facts), span: 3, &random)
    let other = random.chance(40) ? one : world.fact(random.pick(world.facts), span: 3, &random)
    let count = random.pick(world.counts) + random.int(-1...1)
    guard count <= CounterexampleSearch.mostFacts else { return nil }
    let rows = frame() + Array(repeating: one, count: max(0, count))
    let days = referenceDays(rows + [other])
    guard let before = table(rows, days), let after = table(rows + [other], days) else { return nil }
    return fall(before, after, rows, other)
  }

  /// A fact on each of some days, perhaps but one, then another.
  private mutating func dailyFacts() -> Counterexample? {
    let count = random.pick([3, 5, 7, 8] + world.counts.filter { $0 <= 40 })
    let one = world.fact(random.pick(world.facts), span: 0, &random)
    guard let first = day(of: one) else { return nil }
    let gap = random.chance(50) ? random.int(0...count) : -1
    let rows = frame() + (0..<count).filter { $0 != gap }.map { moved(one, to: first.advanced(by: $0)) }
    let other = world.fact(random.pick(world.facts), span: 0, &random)
    let added = moved(other, to: first.advanced(by: random.int(0...count + 6)))
    let days = referenceDays(rows + [added])
    guard let before = table(rows, days), let after = table(rows + [added], days) else { return nil }
    return fall(before, after, rows, added)
  }

  private func moved(_ row: TestRow, to day: DayKey) -> TestRow {
    var row = row
    if let field = library.records[row.record].dayKeyField { row.values[field] = .day(day) }
    return row
  }

  /// Facts on a few days, or on each of many.
  private mutating func passingDays() -> Counterexample? {
    let frame = frame()
    if random.chance(50) {
      return fallByDays(
        frame + (0..<random.int(1...8)).map { _ in world.fact(random.pick(world.facts), span: 4, &random) })
    }
    let one = world.fact(random.pick(world.facts), span: 0, &random)
    guard let first = day(of: one) else { return nil }
    let count = random.pick([10, 40, CounterexampleSearch.mostFacts])
    return fallByDays(frame + (0..<count).map { moved(one, to: first.advanced(by: $0)) })
  }

  /// Settings alone, under which a number is below 0.
  private mutating func settingsAlone() -> Counterexample? {
    let rows = frame()
    guard let table = table(rows, referenceDays(rows)), let row = table.first(where: { $0.value.isNegative })
    else { return nil }
    return counterexample(rows, nil, row, row.value, row.value, from: row.at)
  }

  // MARK: Evaluation

  /// The last day of the facts, the day after it and a week later.
  private func referenceDays(_ rows: [TestRow]) -> [DayKey] {
    let last = rows.compactMap(day(of:)).max() ?? DayKey.first
    return [last, last.advanced(by: 1), last.advanced(by: 7)].filter { $0 <= DayKey.last }
  }

  private func day(of row: TestRow) -> DayKey? {
    guard library.records[row.record].kind == .fact, let field = library.records[row.record].dayKeyField,
      case .day(let day) = row.values[field]
    else { return nil }
    return day
  }

  /// The rows of the metric; nil where the dataset gives an error.
  private func table(_ rows: [TestRow], _ days: [DayKey]) -> [ResultRow]? {
    let request = EvaluationRequest(metrics: [metric], days: days)
    let tables = library.tables(rows, pool: pool)
    return try? MetricEvaluate.evaluate(request, library: library, tables: tables, pool: pool)
  }

  private func fall(
    _ before: [ResultRow], _ after: [ResultRow], _ rows: [TestRow], _ added: TestRow
  ) -> Counterexample? {
    for row in after where row.value.isNegative {
      let old = before.first { $0.isSamePlace(as: row) }?.value ?? Value.none
      return counterexample(rows, added, row, old, row.value, from: row.at)
    }
    for old in before {
      let new = after.first { $0.isSamePlace(as: old) }?.value ?? Value.none
      if new.isBelow(old.value) { return counterexample(rows, added, old, old.value, new, from: old.at) }
    }
    return nil
  }

  private func fallByDays(_ rows: [TestRow]) -> Counterexample? {
    let factDays = rows.compactMap(day(of:))
    guard let first = factDays.min(), let last = factDays.max() else { return nil }
    let days = (0...Int(last.number - first.number) + 40).map { first.advanced(by: $0) }
    guard let found = table(rows, days) else { return nil }
    for (one, next) in zip(found, found.dropFirst())
    where one.subject == next.subject && one.part == next.part && one.at < next.at
      && next.value.isBelow(one.value)
    {
      return counterexample(rows, nil, next, one.value, next.value, from: one.at)
    }
    return nil
  }

  private func counterexample(
    _ rows: [TestRow], _ added: TestRow?, _ place: ResultRow, _ before: Value, _ after: Value,
    from day: DayKey
  ) -> Counterexample {
    Counterexample(
      rows: rows, added: added, metric: place.metric, subject: place.subject, group: place.group,
      part: place.part, day: day, nextDay: place.at, before: before, after: after, made: made)
  }

  // MARK: Shrinking

  /// Leaves out rows and optional fields for as long as the harm stays.
  private func shrunk(_ found: Counterexample, _ harm: Harm) -> Counterexample {
    var best = found
    func harmful(_ rows: [TestRow], _ added: TestRow?) -> Counterexample? {
      guard let added else { return harm == .passing ? fallByDays(rows) : nil }
      let days = referenceDays(rows + [added])
      guard let before = table(rows, days), let after = table(rows + [added], days) else { return nil }
      return fall(before, after, rows, added)
    }
    var index = 0
    while index < best.rows.count {
      var fewer = best.rows
      fewer.remove(at: index)
      if let still = harmful(fewer, best.added) { best = still } else { index += 1 }
    }
    for index in best.rows.indices {
      for field in best.rows[index].values.keys.sorted() where isOptional(best.rows[index].record, field) {
        var rows = best.rows
        rows[index].values[field] = nil
        if let still = harmful(rows, best.added) { best = still }
      }
    }
    if var added = best.added {
      for field in added.values.keys.sorted() where isOptional(added.record, field) {
        var fewer = added
        fewer.values[field] = nil
        if let still = harmful(best.rows, fewer) { (best, added) = (still, fewer) }
      }
    }
    best.rows.sort { (day(of: $0) ?? .first, $0.record) < (day(of: $1) ?? .first, $1.record) }
    return best
  }

  private func isOptional(_ record: RecordID, _ field: Int) -> Bool {
    library.records[record].fields[field].isOptional
  }
}

extension ResultRow {
  /// Whether another row speaks of the same number at the same day.
  fileprivate func isSamePlace(as other: ResultRow) -> Bool {
    subject == other.subject && group == other.group && part == other.part && at == other.at
  }
}
