/// Searches small datasets for one on which a metric falls, and shrinks what it finds.
///
/// First come random datasets, then those that are led to the conditions where a fall can be seen (`GuidedSearch`),
/// then more random ones. All of it is bounded: some ten thousand small datasets.
package struct CounterexampleSearch {
  /// The most facts that a found dataset can have.
  package static let mostFacts = 120
  private static let mostLevels = 100
  private static let firstAttempts = 60
  private static let attempts = 200
  /// A month that no fact follows, and a grace of some windows.
  private static let daysToPass = 130

  let library: Library
  let metric: MetricID
  let world: SmallWorld
  private let pool = StringPool()
  private let made: String?
  var random = SplitMix(seed: 20_260_101)

  private enum Harm {
    case logging
    /// The same, but for a number that is negative and did not fall.
    case lowering
    case passing
  }

  /// A fact that is logged and lowers the metric, or takes its value away, or makes it negative.
  ///
  /// - Parameter mustFall: whether a number that is negative without a fall shows the harm only where none is found.
  package static func whenLogged(
    _ metric: MetricID, in library: Library, mustFall: Bool = false
  ) -> Counterexample? {
    var search = CounterexampleSearch(library: library, metric: metric, made: nil)
    if mustFall {
      var first = search
      if let found = first.blind(.lowering, 0..<firstAttempts) { return first.shrunk(found, .lowering) }
    }
    return search.run(.logging)
  }

  /// The same for a completion whose rest can end, seen through a streak or a momentum over it.
  package static func whenRestEnds(_ completion: MetricID, in library: Library) -> Counterexample? {
    for reading in [WindowReading.current, .last(windows: 5)] {
      let word = reading.kind.rawValue
      var library = library
      var made = library.metrics[completion]
      made.name += "_\(word)"
      made.body = .windows(WindowMetric(completion: completion, reading: reading))
      made.parts = [Part(.value, type: .int)]
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

  init(library: Library, metric: MetricID, made: String? = nil) {
    self.library = library
    self.metric = metric
    self.made = made
    world = SmallWorld(library: library, metric: metric)
  }

  private mutating func run(_ harm: Harm) -> Counterexample? {
    let found =
      blind(harm, 0..<CounterexampleSearch.firstAttempts)
      ?? guided(harm) ?? blind(harm, CounterexampleSearch.firstAttempts..<CounterexampleSearch.attempts)
      ?? (harm == .logging ? withoutFacts(40) : nil)
    return found.map { shrunk($0, harm) }
  }

  private func shrunk(_ found: Counterexample, _ harm: Harm) -> Counterexample {
    Shrinker(library: library, again: again(harm)).shrunk(found)
  }

  private mutating func blind(_ harm: Harm, _ attempts: Range<Int>) -> Counterexample? {
    for attempt in attempts {
      if harm == .logging, !world.settings.isEmpty, attempt % 4 == 0, let found = withoutFacts(1) {
        return found
      }
      guard !world.facts.isEmpty else { continue }
      let found: Counterexample? =
        switch (harm, attempt % 4) {
        case (.passing, _): passingDays()
        case (_, 2): dailyFacts(harm)
        case (_, 3): repeatedFacts(harm)
        default: growingFacts(harm)
        }
      if let found { return found }
    }
    return nil
  }

  mutating func frame() -> [TestRow] { world.frame(settings: { $0.pick([1, 1, 2, 3]) }, &random) }

  /// A few facts, one after the other.
  private mutating func growingFacts(_ harm: Harm) -> Counterexample? {
    var rows = frame()
    let span = random.pick([0, 2, 4, 9, 30])
    let additions = (0..<random.int(1...6)).map { _ in
      world.fact(random.pick(world.facts), span: span, &random)
    }
    let days = referenceDays(rows + additions)
    guard var before = table(rows, days) else { return nil }
    for added in additions {
      guard let after = table(rows + [added], days) else { return nil }
      if let found = fall(before, after, rows, added, harm) { return found }
      rows.append(added)
      before = after
    }
    return nil
  }

  /// As many facts of a kind as something is compared with, then one of another.
  private mutating func repeatedFacts(_ harm: Harm) -> Counterexample? {
    let one = world.fact(random.pick(world.facts), span: 3, &random)
    let other = random.chance(40) ? one : world.fact(random.pick(world.facts), span: 3, &random)
    let count = random.pick(world.counts) + random.int(-1...1)
    guard count <= CounterexampleSearch.mostFacts else { return nil }
    let rows = frame() + Array(repeating: one, count: max(0, count))
    return fall(logging: other, on: rows, referenceDays(rows + [other]), harm)
  }

  /// A fact on each of some days, perhaps but one, then another.
  private mutating func dailyFacts(_ harm: Harm) -> Counterexample? {
    let count = random.pick([3, 5, 7, 8] + world.counts.filter { $0 <= 40 })
    let one = world.fact(random.pick(world.facts), span: 0, &random)
    guard let first = library.day(of: one) else { return nil }
    let gap = random.chance(50) ? random.int(0...count) : -1
    let rows =
      frame() + (0..<count).filter { $0 != gap }.map { library.moved(one, to: first.advanced(by: $0)) }
    let other = world.fact(random.pick(world.facts), span: 0, &random)
    let place = gap >= 0 && random.chance(50) ? gap : random.int(0...count + 6)
    let added = library.moved(other, to: first.advanced(by: place))
    return fall(logging: added, on: rows, referenceDays(rows + [added]), harm)
  }

  /// Facts on a few days, or on each of many.
  private mutating func passingDays() -> Counterexample? {
    let frame = frame()
    if random.chance(50) {
      return fallByDays(
        frame + (0..<random.int(1...8)).map { _ in world.fact(random.pick(world.facts), span: 4, &random) })
    }
    let one = world.fact(random.pick(world.facts), span: 0, &random)
    guard let first = library.day(of: one) else { return nil }
    let count = random.pick([10, 40, CounterexampleSearch.mostFacts])
    return fallByDays(frame + (0..<count).map { library.moved(one, to: first.advanced(by: $0)) })
  }

  /// Entities and settings alone that make a number fall below 0.
  private mutating func withoutFacts(_ attempts: Int) -> Counterexample? {
    for _ in 0..<attempts {
      let rows = frame()
      if let found = belowZero(table(rows, referenceDays(rows)), rows) { return found }
    }
    return nil
  }

  private func belowZero(_ found: [ResultRow]?, _ rows: [TestRow]) -> Counterexample? {
    found?.first { $0.value.isNegative }
      .map { counterexample(rows, nil, $0, $0.value, $0.value, from: $0.at) }
  }

  private mutating func guided(_ harm: Harm) -> Counterexample? {
    guard let guide = Guide(library: library, metric: metric), guide.goalCount > 0 else { return nil }
    var search = GuidedSearch(guide: guide, world: world, pool: pool, random: random)
    var levels = 0
    var highest: Int64 = 0
    return search.run { trial in
      switch harm {
      case .logging, .lowering:
        guard let added = trial.added else {
          // A fact that is logged shows more, where there is one.
          return world.facts.isEmpty ? belowZero(trial.after, trial.rows) : nil
        }
        // The datasets of a batch are side by side under names of their own; what is shown is evaluated once more, as
        // its test is.
        return fall(trial.before, trial.after, trial.rows, added, harm)
          .flatMap { again(harm)($0, $0.rows, $0.added) }
      case .passing:
        // A level that is reached may be lost; each look costs as much as many datasets.
        guard levels < CounterexampleSearch.mostLevels, trial.distance <= Guide.reach else {
          return nil
        }
        let rows = trial.rows + [trial.added].compactMap { $0 }
        let steps = [1] + world.vocabulary.spans.sorted()
        levels += 1
        // The thresholds that are reached.
        let height = trial.after.compactMap(\.value.millionths).max() ?? 0
        if levels > 6, height <= highest {
          return fallByDays(repeated(rows, every: steps[levels % steps.count], levels % 4))
        }
        highest = max(highest, height)
        // The first ones, and those that reach higher, in every way.
        for step in steps {
          for length in 0...3 {
            if let found = fallByDays(repeated(rows, every: step, length)) { return found }
          }
        }
        return nil
      }
    }
  }

  /// The same facts again and again, so that what they reach goes on for some time.
  private func repeated(_ rows: [TestRow], every step: Int, _ length: Int) -> [TestRow] {
    let facts = rows.filter { library.day(of: $0) != nil }
    guard length > 0, !facts.isEmpty else { return rows }
    let times = min([0, 4, 12, 100][length], CounterexampleSearch.mostFacts / facts.count)
    return rows
      + (1..<max(1, times)).flatMap { time in
        facts.compactMap { fact in
          library.day(of: fact).map { library.moved(fact, to: $0.advanced(by: time * step)) }
        }
      }
  }

  private func again(_ harm: Harm) -> (Counterexample, [TestRow], TestRow?) -> Counterexample? {
    { found, rows, added in
      if harm == .passing { return fallByDays(rows) }
      guard let added else { return belowZero(table(rows, [found.day]), rows) }
      return fall(logging: added, on: rows, [found.day], harm)
    }
  }

  func referenceDays(_ rows: [TestRow]) -> [DayKey] {
    let last = rows.compactMap(library.day).max() ?? DayKey.first
    return [last, last.advanced(by: 1), last.advanced(by: 7)].filter { $0 <= DayKey.last }
  }

  /// The rows of the metric; nil if the dataset gives an error.
  func table(_ rows: [TestRow], _ days: [DayKey]) -> [ResultRow]? {
    let request = EvaluationRequest(metrics: [metric], days: days)
    let tables = library.tables(rows.enumerated().map { library.identified($1, $0) }, pool: pool)
    return try? MetricEvaluate.evaluate(request, library: library, tables: tables, pool: pool)
  }

  private func fall(
    logging added: TestRow, on rows: [TestRow], _ days: [DayKey], _ harm: Harm
  ) -> Counterexample? {
    guard let before = table(rows, days), let after = table(rows + [added], days) else { return nil }
    return fall(before, after, rows, added, harm)
  }

  private func fall(
    _ before: [ResultRow], _ after: [ResultRow], _ rows: [TestRow], _ added: TestRow, _ harm: Harm
  ) -> Counterexample? {
    // What a limit names may end a window.
    if library.limitedRecords(behind: metric).contains(added.record) { return nil }
    let negative = harm == .logging ? after.first(where: \.value.isNegative) : nil
    return (negative ?? before.first { after.value(at: $0).isBelow($0.value) }).map {
      counterexample(rows, added, $0, before.value(at: $0), after.value(at: $0), from: $0.at)
    }
  }

  private func fallByDays(_ rows: [TestRow]) -> Counterexample? {
    let factDays = rows.compactMap(library.day)
    guard let first = factDays.min(), let last = factDays.max() else { return nil }
    let count = Int(last.number - first.number) + CounterexampleSearch.daysToPass
    let days = (0...count).map { first.advanced(by: $0) }.filter { $0 <= DayKey.last }
    guard let found = table(rows, days), let end = days.last else { return nil }
    for (index, one) in found.enumerated() where one.at < end {
      // The next row is the same number a day later, or there is none.
      let next = found.indices.contains(index + 1) ? found[index + 1] : one
      let isThere = next.isSameNumber(as: one) && next.at == one.at.advanced(by: 1)
      let value = isThere ? next.value : Value.none
      guard value.isBelow(one.value) else { continue }
      var place = one
      place.at = one.at.advanced(by: 1)
      return counterexample(rows, nil, place, one.value, value, from: one.at)
    }
    return nil
  }

  func counterexample(
    _ rows: [TestRow], _ added: TestRow?, _ place: ResultRow, _ before: Value, _ after: Value,
    from day: DayKey
  ) -> Counterexample {
    Counterexample(
      rows: rows, added: added, metric: place.metric, subject: place.subject, group: place.group,
      part: place.part, day: day, nextDay: place.at, before: before, after: after, made: made)
  }
}

extension [ResultRow] {
  /// The value of the same number at the same day as another row's; none where there is no such row.
  func value(at row: ResultRow) -> Value {
    first { $0.at == row.at && $0.isSameNumber(as: row) }?.value ?? .none
  }
}

extension ResultRow {
  fileprivate func isSameNumber(as other: ResultRow) -> Bool {
    subject == other.subject && group == other.group && part == other.part
  }
}
