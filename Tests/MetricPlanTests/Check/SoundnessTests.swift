import MetricLanguage
import MetricTestSupport
import Testing

/// The promise of the fourth question, searched for a breach: for every accepted user metric, logging a
/// live fact never lowers it, no number is below 0, and a level never falls as days pass.
///
/// `METRICC_SEED=n` runs one library again, `METRICC_FIRST=n` the libraries from there on. A long run, of
/// millions of pairs: `METRICC_CASES=20000 METRICC_DATASETS=4 METRICC_WITNESSES=0 swift test -c release
/// -Xswiftc -enable-testing --filter SoundnessTests`, which leaves the search for counterexamples out;
/// `METRICC_WITNESSES=1` searches in each library and not in one of twenty.
/// `METRICC_DATASETS=40` grows more datasets for each library, so that more of the rejected metrics are seen
/// to break the promise; `METRICC_UNWITNESSED=1` prints those that are not.
@Suite struct SoundnessTests {
  /// The libraries are split, so that they run beside each other.
  static let shards = 4
  static let first = UInt64(environment("METRICC_FIRST") ?? "") ?? 1
  static let librariesPerShard = Int(environment("METRICC_CASES") ?? "").map { $0 / shards } ?? 30

  @Test("LAW-01 LAW-02 LAW-03: accepted metrics keep the promise")
  func acceptedMetricsKeepThePromise() async {
    let figures = await withTaskGroup(of: SoundnessFigures.self) { group in
      for shard in 0..<Self.shards { group.addTask { Self.run(shard) } }
      return await group.reduce(into: SoundnessFigures()) { $0.add($1) }
    }
    print(figures)
    for breach in figures.breaches { Issue.record("\(breach)") }
    guard environment("METRICC_SEED") == nil else { return }
    #expect(figures.pairs >= 50 * Self.librariesPerShard * Self.shards)
  }

  private static func run(_ shard: Int) -> SoundnessFigures {
    var figures = SoundnessFigures()
    for seed in seeds(librariesPerShard, from: first + UInt64(shard * librariesPerShard)) {
      var random = SeededGenerator(seed: seed)
      let searches = SoundnessCase.searchEvery > 0 && seed % UInt64(SoundnessCase.searchEvery) == 0
      var run = SoundnessCase(searches: searches || environment("METRICC_SEED") != nil, using: &random)
      figures.add(run.run(using: &random))
      if figures.breaches.count > 2 || environment("METRICC_SEED") != nil { break }
    }
    return figures
  }
}

/// What a run has seen.
struct SoundnessFigures: CustomStringConvertible {
  /// A metric over a dataset to which a fact was added.
  var pairs = 0
  var libraries = 0
  var broken = 0
  var accepted = 0
  var rejected = 0
  /// Rejected metrics for which the checker found a counterexample.
  var searched = 0
  /// The same, and those that a dataset of the run shows to break the promise.
  var witnessed = 0
  var breaches: [String] = []
  /// Rejected for C401, C405, C406 without a witness, as text.
  var unwitnessed: [String] = []

  mutating func add(_ other: SoundnessFigures) {
    pairs += other.pairs
    libraries += other.libraries
    broken += other.broken
    accepted += other.accepted
    rejected += other.rejected
    searched += other.searched
    witnessed += other.witnessed
    breaches += other.breaches
    unwitnessed += other.unwitnessed
  }

  var description: String {
    let share = rejected == 0 ? 100 : 100 * searched / rejected
    let shown = environment("METRICC_UNWITNESSED") == nil ? [] : unwitnessed
    return """
      soundness: \(libraries) libraries, \(accepted) metrics accepted, \(rejected) rejected and searched \
      (\(share)% of these with a counterexample, \(witnessed - searched) more seen to fall), \(pairs) definition-dataset pairs, \(breaches.count) breaches, \
      \(broken) ill-typed libraries
      """ + shown.map { "\n" + $0 }.joined()
  }
}
