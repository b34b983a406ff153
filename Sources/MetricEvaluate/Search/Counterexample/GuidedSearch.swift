/// Looks for a fall by coming nearer, step by step, to the conditions under which one can be seen.
///
/// A candidate is a small dataset. The best ones of each goal are changed a little, and every change is
/// tried with some facts more; so each round costs one evaluation of some hundred datasets.
struct GuidedSearch {
  private static let attempts = 10
  private static let rounds = 8
  /// The same where a goal is reached, and it takes the right fact to lose it.
  private static let roundsThere = 16
  private static let groupsPerRound = 20
  private static let goalsPerAttempt = 6
  private static let kept = 4
  /// Where many datasets give errors, each run of the evaluator holds few of them.
  private static let mostRuns = 200
  /// Rounds that bring nothing nearer, after which another day is tried.
  private static let mostIdle = 4

  private struct Group {
    var rows: [TestRow]
    var additions: [TestRow]
  }

  private struct Candidate {
    var rows: [TestRow]
    var distance: Double
    var values: [Value]
  }

  /// A dataset in which the metric has a value, before and after a fact.
  struct Trial {
    var rows: [TestRow]
    var added: TestRow?
    var before: [ResultRow]
    var after: [ResultRow]
    /// How far it is from the nearest goal.
    var distance: Double
  }

  private let guide: Guide
  private let world: SmallWorld
  private var batch: WorldBatch
  private var random: SplitMix
  /// The goals that are followed now, and the nearest datasets to each.
  private var goals: [Int] = []
  private var best: [[Candidate]] = []
  /// Whether the last round came nearer to some goal.
  private var isNearer = false

  init(guide: Guide, world: SmallWorld, pool: StringPool, random: SplitMix) {
    (self.guide, self.world, self.random) = (guide, world, random)
    batch = WorldBatch(library: guide.library, pool: pool)
  }

  /// Runs until `judge` finds what it looks for in a trial.
  mutating func run(_ judge: (Trial) -> Counterexample?) -> Counterexample? {
    for attempt in 0..<GuidedSearch.attempts {
      let day = world.referenceDay(attempt, &random)
      let first = attempt * GuidedSearch.goalsPerAttempt
      goals = (0..<min(GuidedSearch.goalsPerAttempt, guide.goalCount)).map { ($0 + first) % guide.goalCount }
      best = Array(repeating: [], count: goals.count)
      var idle = 0
      for round in 0..<GuidedSearch.roundsThere where batch.runs < GuidedSearch.mostRuns {
        let isThere = best.contains { $0.first?.distance ?? .infinity <= Guide.reach }
        // What is there already can still be lost in many ways.
        idle = isNearer || isThere ? 0 : idle + 1
        isNearer = false
        if idle > GuidedSearch.mostIdle || !isThere && round >= GuidedSearch.rounds { break }
        let groups = (0..<GuidedSearch.groupsPerRound).map { _ in group(at: day, isFirst: round == 0) }
        if let found = evaluate(groups, at: day, judge) { return found }
      }
    }
    return nil
  }

  private mutating func group(at day: DayKey, isFirst: Bool) -> Group {
    let goal = random.int(0...goals.count - 1)
    guard !isFirst, !best[goal].isEmpty, !random.chance(10) else {
      let rows = world.frame(settings: { _ in 1 }, &random)
      let more = additions(random.int(0...5), at: day, [])
      return Group(rows: rows + more, additions: additions(3, at: day, []))
    }
    let parent = random.pick(best[goal])
    let hints = guide.numbers(for: goals[goal], parent.values)
    var rows = parent.rows
    let isThere = parent.distance <= Guide.reach
    for _ in 0..<(isThere && random.chance(60) ? 0 : random.pick([1, 1, 2, 3])) {
      world.change(&rows, day: day, hints: hints, &random)
    }
    return Group(rows: rows, additions: additions(isThere ? 5 : 3, at: day, hints))
  }

  /// None if the metric reads settings alone.
  private mutating func additions(_ count: Int, at day: DayKey, _ hints: [Int64]) -> [TestRow] {
    world.facts.isEmpty ? [] : (0..<count).map { _ in world.fact(before: day, hints: hints, &random) }
  }

  private mutating func evaluate(
    _ groups: [Group], at day: DayKey, _ judge: (Trial) -> Counterexample?
  ) -> Counterexample? {
    let worlds = groups.flatMap { group in [group.rows] + group.additions.map { group.rows + [$0] } }
    // The last day of the period before.
    let earlier =
      guide.looksBack && guide.over != .allTime
      ? DayKey(number: guide.over.days(at: day.number).lowerBound - 1) : day
    let days = earlier < day ? [earlier, day] : [day]
    let results = batch.evaluate(worlds[...], [world.metric] + guide.probes(of: goals), days)
    let name = guide.library.metrics[world.metric].name
    var index = 0
    for group in groups {
      let base = index
      for (offset, added) in ([nil] + group.additions.map { $0 }).enumerated() {
        defer { index += 1 }
        guard let before = results[base], let after = results[base + offset] else { continue }
        let own = after.filter { $0.metric == name }
        let distance = keep(worlds[index], after, isThere: !own.isEmpty, earlier, day)
        let trial = Trial(
          rows: group.rows, added: added, before: before.filter { $0.metric == name }, after: own,
          distance: distance)
        if let found = judge(trial) { return found }
      }
    }
    return nil
  }

  /// Remembers a dataset where it is among the nearest to a goal; gives how near it is to any.
  private mutating func keep(
    _ rows: [TestRow], _ results: [ResultRow], isThere: Bool, _ earlier: DayKey, _ day: DayKey
  ) -> Double {
    var nearest = Double.infinity
    let now = guide.values(in: results, of: world.subject, at: day)
    let before = guide.looksBack ? guide.values(in: results, of: world.subject, at: earlier) : now
    for goal in best.indices {
      let distance = guide.distance(to: goals[goal], now: now, before: before) + (isThere ? 0 : 5)
      nearest = min(nearest, distance)
      if let worst = best[goal].last, best[goal].count == GuidedSearch.kept,
        (worst.distance, worst.rows.count) < (distance, rows.count)
      {
        continue
      }
      if best[goal].contains(where: { $0.distance == distance && $0.rows == rows }) { continue }
      if distance < best[goal].first?.distance ?? .infinity { isNearer = true }
      let place = best[goal].firstIndex { ($0.distance, $0.rows.count) >= (distance, rows.count) }
      best[goal].insert(
        Candidate(rows: rows, distance: distance, values: now), at: place ?? best[goal].count)
      if best[goal].count > GuidedSearch.kept { best[goal].removeLast() }
    }
    return nearest
  }
}
