import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricTestSupport
import MetricValues
import Testing

/// A program that knows every published number of a library, and whom each counts, tries to compute a number of fewer
/// than K users: the published numbers are a linear system over what each user did (Documentation/Privacy.md).
///
/// `METRICC_ATTACKS=500` makes more random libraries, `METRICC_SEED=n` one again.
@Suite struct LinearAttackTests {
  /// What it knows of a published number: the coefficients of the unknowns, modulo `Vectors.prime`. They are those of
  /// its value, or of an equation that holds for it: the sum less the average times the count is 0.
  typealias Equation = [Unknown: Int]

  /// What one user adds to a number. Numbers of one kind over one period share their unknowns.
  struct Unknown: Hashable {
    var user: Int
    var kind: String
  }

  /// Whether some combination of equations speaks of fewer than K users: it is 0 for all others.
  static func finds(_ equations: [Equation], fewerThan least: Int) -> Bool {
    var columns: [Unknown: [Int]] = [:]
    for (row, equation) in equations.enumerated() {
      for (unknown, factor) in equation {
        columns[unknown, default: Array(repeating: 0, count: equations.count)][row] = factor
      }
    }
    let ofUsers = Dictionary(
      grouping: columns.keys.sorted { ($0.user, $0.kind) < ($1.user, $1.kind) }, by: \.user)
    let spans = ofUsers.sorted { $0.key < $1.key }.map {
      Vectors(spanning: $0.value.compactMap { columns[$0] })
    }
    let all = Vectors(spanning: spans.flatMap(\.basis)).basis.count
    return groups(of: least - 1, spans.count).contains { group in
      var others = Vectors()
      for (user, span) in spans.enumerated() where !group.contains(user) {
        for vector in span.basis where others.basis.count < all { others.insert(vector) }
      }
      return others.basis.count < all
    }
  }

  /// All sets of some size, or of fewer where there are fewer.
  static func groups(of size: Int, _ count: Int) -> [[Int]] {
    var groups: [[Int]] = [[]]
    for _ in 0..<min(size, count) {
      groups = groups.flatMap { group in ((group.last ?? -1) + 1..<count).map { group + [$0] } }
    }
    return groups
  }

  struct Count {
    var (before, combined, after, series) = (0, 0, 0, 0)
    var (numbers, hidden, published) = (0, 0, 0)
  }

  @Test func theLinearSystemFindsNobody() throws {
    var count = Count()
    let runs = Self.runs
    for seed in seeds(runs) {
      var random = SeededGenerator(seed: seed)
      try Self.attack(Population(using: &random), PublishedMetric.library(using: &random), seed, &count)
    }
    // The first libraries of every run are the same, so this is no matter of luck.
    let isOne = environment("METRICC_SEED") != nil
    #expect(isOne || runs < 20 || count.before > 0)
    #expect(isOne || runs < 40 || count.combined > 0)
    #expect(count.numbers > 0)
    print(
      """
      attacker: \(runs) libraries; found \(count.before) before, \(count.combined) without W017, \(count.after) now; \
      \(count.series) in series; \(count.hidden) of \(count.numbers) numbers hidden
      """
    )
  }

  private static var runs: Int { Int(environment("METRICC_ATTACKS") ?? "") ?? 40 }

  /// Tables that share totals: those by the first fields are published together, the others are not.
  @Test func tablesOfSharedTotalsGiveNobodyAway() throws {
    var count = Count()
    for seed in seeds(Self.runs / 2) {
      var random = SeededGenerator(seed: seed)
      try Self.attack(Population(using: &random), PublishedMetric.tables(using: &random), seed, &count)
    }
    #expect(environment("METRICC_SEED") != nil || count.combined > Self.runs / 4)
    print(
      """
      attacker: \(Self.runs / 2) libraries of tables; found \(count.combined) without W017, \(count.after) now; \
      \(count.published) of \(count.numbers) numbers published and not hidden
      """)
  }

  /// A sum and its average give the number of facts, which a count beside them may hide.
  @Test func sumsBesideAveragesGiveNobodyAway() throws {
    var count = Count()
    for seed in seeds(Self.runs) {
      var random = SeededGenerator(seed: seed)
      try Self.attack(
        Population(using: &random), PublishedMetric.formsOfOneTable(using: &random), seed, &count)
    }
    print(
      "attacker: \(Self.runs) libraries of sums, averages and counts; found \(count.after); "
        + "\(count.published) of \(count.numbers) numbers published and not hidden")
    #expect(count.published > 0)
  }

  /// How many groups of a table are hidden beside its lines and total, and how many of these one could show in
  /// addition, one after the other, without giving anybody away.
  @Test func whatIsHiddenBeyondNeed() throws {
    var (groups, small, hidden, needless) = (0, 0, 0, 0)
    for seed in seeds(Self.runs / 2) {
      var random = SeededGenerator(seed: seed)
      let people = Population(using: &random)
      let metrics = ([nil] + PublishedMetric.chain.prefix(2).map(Optional.some)).enumerated().map {
        PublishedMetric(name: "m\($0)", form: .count, conditions: [], group: $1, over: "all time")
      }
      let library = MetricLibrary(unsearched: Population.schema + metrics.map(\.text).joined())
      let day = Population.days[3]
      var (known, secret): ([Equation], [Equation]) = ([], [])
      for row in try people.dataset(library).evaluate(at: [day]) {
        guard let metric = metrics.first(where: { $0.name == row.metric }) else { continue }
        let place = PublishedMetric.Place(group: row.group.text, part: "")
        let cell = metric.cells(people, metrics, at: day)[place] ?? []
        if row.value != .none { known += cell } else if metric.name == "m2" { secret += cell }
        if metric.name == "m2" { groups += 1 }
      }
      hidden += secret.count
      for cell in secret {
        let users = Set(cell.keys.map(\.user)).count
        if users < Population.least { small += 1 }
        if Self.finds(known + [cell], fewerThan: Population.least) { continue }
        known.append(cell)
        needless += 1
      }
    }
    print("\(groups) groups: \(small) small, \(hidden) hidden, \(needless) of them without need")
    #expect(small > 0 && needless < hidden - small && hidden < groups)
  }

  private static func attack(
    _ people: Population, _ metrics: [PublishedMetric], _ seed: UInt64, _ count: inout Count
  ) throws {
    let source = Population.schema + metrics.map(\.text).joined()
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: source)])
    try #require(library.isAccepted, "METRICC_SEED=\(seed)\n\(source)\n\(library.findings.map(\.message))")
    // They would not be published, nor what reads them.
    var reported = Set(library.findings.filter { $0.code.id == "W017" }.compactMap(\.metric))
    for metric in metrics where !reported.isDisjoint(with: metric.reads) { reported.insert(metric.name) }
    let days = Population.days.suffix(2)
    let rows = try people.dataset(library).evaluate(at: Array(days))
    var after: [Equation] = []
    var (before, combined, found) = (false, false, false)
    for day in days {
      var (known, all): ([String: [Equation]], [String: [Equation]]) = ([:], [:])
      var old: [Equation] = []
      for metric in metrics {
        let cells = metric.cells(people, metrics, at: day)
        old += PublishedMetric.shownBefore(cells)
        for row in rows where row.metric == metric.name && row.at == day {
          count.numbers += 1
          if row.value == .none { count.hidden += 1 }
          guard row.value != .none else { continue }
          let equations = cells[PublishedMetric.Place(group: row.group.text, part: row.part)] ?? []
          all[metric.over, default: []] += equations
          if !reported.contains(metric.name) { count.published += 1 }
          if !reported.contains(metric.name) { known[metric.over, default: []] += equations }
        }
      }
      before = before || finds(old, fewerThan: Population.least)
      // What is over several periods is a series, which the page excludes.
      combined = combined || all.values.contains { finds($0, fewerThan: Population.least) }
      found = found || known.values.contains { finds($0, fewerThan: Population.least) }
      after += known.values.flatMap { $0 }
    }
    if before { count.before += 1 }
    if combined { count.combined += 1 }
    if !found, finds(after, fewerThan: Population.least) { count.series += 1 }
    guard found else { return }
    count.after += 1
    Issue.record("METRICC_SEED=\(seed)\n\(source)")
  }

  /// The program itself finds what is there to find.
  @Test func theSystemIsSolved() {
    func sum(_ users: ClosedRange<Int>, _ factor: Int = 1) -> Equation {
      Dictionary(uniqueKeysWithValues: users.map { (Unknown(user: $0, kind: ""), factor) })
    }
    #expect(!Self.finds([sum(0...9), sum(0...4), sum(5...9)], fewerThan: 3))
    #expect(Self.finds([sum(0...9), sum(0...7)], fewerThan: 3))
    #expect(!Self.finds([sum(0...9), sum(0...6)], fewerThan: 3))
    #expect(Self.finds([sum(0...6, 2), sum(0...3), sum(5...6)], fewerThan: 2))
    #expect(Self.groups(of: 2, 3) == [[0, 1], [0, 2], [1, 2]])
  }
}

/// Linearly independent vectors, modulo a prime.
struct Vectors {
  static let prime = 1_000_003
  /// Each starts with a 1 where the others before it have a 0.
  private(set) var basis: [[Int]] = []
  private var pivots: [Int] = []

  init() {}

  init(spanning vectors: [[Int]]) {
    for vector in Set(vectors) { insert(vector) }
  }

  mutating func insert(_ vector: [Int]) {
    var rest = vector
    for (pivot, other) in zip(pivots, basis) where rest[pivot] != 0 {
      let factor = Vectors.prime - rest[pivot]
      for index in rest.indices where other[index] != 0 {
        rest[index] = (rest[index] + factor * other[index]) % Vectors.prime
      }
    }
    guard let pivot = rest.firstIndex(where: { $0 != 0 }) else { return }
    let factor = Vectors.inverse(rest[pivot])
    basis.append(rest.map { $0 * factor % Vectors.prime })
    pivots.append(pivot)
  }

  static func inverse(_ number: Int) -> Int {
    var (result, base, exponent) = (1, number, prime - 2)
    while exponent > 0 {
      if exponent & 1 == 1 { result = result * base % prime }
      base = base * base % prime
      exponent >>= 1
    }
    return result
  }
}
