import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricTestSupport
import Testing

/// The fast evaluator against the reference evaluator: random libraries over random datasets, written
/// as CSV, NDJSON or JSON and read back, must give equal rows or the same error.
///
/// `METRICC_SEED=n` runs one case again. A long run: `METRICC_CASES=100000 swift test -c release
/// --filter DifferentialTests`.
@Suite struct DifferentialTests {
  /// The cases are split, so that they run beside each other.
  static let shards = 8
  static let casesPerShard = Int(environment("METRICC_CASES") ?? "").map { $0 / shards } ?? 32

  @Test(arguments: 0..<shards)
  func equalRows(shard: Int) {
    for seed in seeds(Self.casesPerShard, from: UInt64(1 + shard * Self.casesPerShard)) {
      var random = SeededGenerator(seed: seed)
      if let difference = DifferentialCase(using: &random).difference() {
        Issue.record("\(random.replay)\n\(difference)")
        return
      }
    }
  }

  /// Whole series, as `--from`, `--to` and `--every` ask for them: each of their days alike.
  @Test(arguments: 0..<4)
  func equalSeries(shard: Int) {
    for seed in seeds(Self.casesPerShard / 5, from: UInt64(2_000_000 + shard * Self.casesPerShard)) {
      var random = SeededGenerator(seed: seed)
      let first = RandomDataset.firstDay.advanced(by: random.int(-9...9))
      let step = random.pick([1, 1, 1, 3, 7])
      let days = (0..<random.int(15...30)).map { first.advanced(by: $0 * step) }
      if let difference = DifferentialCase(days: days, threads: 3, using: &random).difference() {
        Issue.record("\(random.replay)\n\(difference)")
        return
      }
    }
  }

  /// Numbers at the limit of the range, bundles in circles, units that differ: the same error or the
  /// same rows.
  @Test(arguments: 0..<4)
  func equalErrors(shard: Int) {
    var options = DatasetOptions()
    options.allowsHugeNumbers = true
    options.allowsBadBundles = true
    options.allowsBadUnits = true
    for seed in seeds(Self.casesPerShard / 2, from: UInt64(1_000_000 + shard * Self.casesPerShard)) {
      var random = SeededGenerator(seed: seed)
      let features = LibraryFeatures.all.union(.hugeNumbers)
      if let difference = DifferentialCase(features, options, using: &random).difference() {
        Issue.record("\(random.replay)\n\(difference)")
        return
      }
    }
  }
}

/// One random library with a random dataset and some days.
struct DifferentialCase {
  let source: String
  let library: MetricLibrary
  let dataset: ReferenceDataset
  let days: [DayKey]
  let format: DataFormat
  let threads: Int

  /// - Parameters:
  ///   - source: the library; nil takes a random one.
  ///   - days: rising; nil takes some.
  init(
    _ features: LibraryFeatures = .all, _ options: DatasetOptions = DatasetOptions(),
    source given: String? = nil, days: [DayKey]? = nil, threads: Int = 1, using random: inout SeededGenerator
  ) {
    self.threads = threads
    source = given ?? RandomLibrary.source(features, metrics: 8, using: &random)
    library = MetricLibrary(unsearched: source)
    dataset = RandomDataset.make(for: library.plan, options, using: &random)
    let first = RandomDataset.firstDay
    // One reference day lets the evaluator keep less than several do.
    let count = random.pick([1, 3])
    self.days = days ?? Set((0..<count).map { _ in first.advanced(by: random.int(-2...40)) }).sorted()
    format = random.pick(DataFormat.allCases)
  }

  private var asked: AskedDays {
    days.count == 1 ? .one(days[0]) : .several(from: days.first, through: days.last)
  }

  /// What differs, or nil.
  func difference() -> String? {
    // What the checklist rejects is computed like anything else.
    let errors = library.findings.filter { $0.severity == .error && !$0.code.id.hasPrefix("C") }
    // Some random values rest on metrics alone, which `at least` does not take.
    if errors.contains(where: { $0.code.id == "T024" }) { return nil }
    if !errors.isEmpty { return errors.map { $0.rendered(in: library.sources) }.joined() }
    let (fast, reference) = (fastRows(), referenceRows())
    if fast == reference { return Self.isError(fast) ? nil : foldedDifference(reference) }
    // Of several errors, which is met first depends on the order of work; and which windows and
    // conditions are looked at at all decides whether a number leaves the range there.
    if Self.isError(fast), Self.isError(reference) { return nil }
    if (fast + reference).contains(where: { $0.hasPrefix("error: overflow") }) { return nil }
    var lines = ["days \(days), \(format.rawValue)"]
    for (one, other) in zip(fast, reference) where one != other {
      lines.append("fast \(one)\nreference \(other)")
      break
    }
    if fast.count != reference.count {
      lines.append("\(fast.count) rows and \(reference.count) in the reference")
      lines += Set(fast).symmetricDifference(reference).sorted().prefix(6)
    }
    return (lines + [source, text]).joined(separator: "\n")
  }

  /// What differs where each metric is loaded for itself, so that records can be folded.
  private func foldedDifference(_ rows: [String]) -> String? {
    for metric in library.plan.metrics.map(\.name) {
      let plan = library.loadPlan(for: [metric], days: asked)
      let folded = fastRows([metric], plan)
      let expected = rows.filter { $0.hasPrefix(metric + ",") }
      if folded != expected, !Self.isError(folded) {
        let lines = zip(folded, expected).first { $0 != $1 }.map { "folded \($0)\nreference \($1)" }
        return ["\(metric), days \(days)", lines ?? "other rows", source, text].joined(separator: "\n")
      }
    }
    return nil
  }

  private func fastRows() -> [String] {
    fastRows([], library.loadPlan(for: [], days: asked))
  }

  private func fastRows(_ metrics: [String], _ plan: LoadPlan) -> [String] {
    let pool = StringPool()
    var tables: [String: Table] = [:]
    for schema in plan.schemas {
      var options = ReadOptions()
      plan.prepare(&options, for: schema.record)
      guard let record = library.plan.record(named: schema.record) else { continue }
      let text = Array(dataset.text(of: record, in: library.plan, as: format).utf8)
      let result = text.withUnsafeBytes { bytes in
        readTable(
          bytes, format: format, schema: schema,
          path: schema.record, pool: pool, options: options)
      }
      guard result.findings.isEmpty else { return result.findings.map(\.message) }
      tables[schema.record] = result.table
    }
    do throws(EvaluationError) {
      return try library.evaluate(
        metrics: metrics, subjects: [], days: days, tables: tables, pool: pool, threads: threads,
        progress: nil
      ).map { "\($0.metric),\($0.subject),\($0.group),\($0.part),\($0.at),\(Self.text($0.value))" }
    } catch {
      return [Self.name(error)]
    }
  }

  private func referenceRows() -> [String] {
    do throws(ReferenceError) {
      return try ReferenceEvaluator(library.plan, dataset).evaluate(at: days).map(\.description)
    } catch {
      return [Self.name(error)]
    }
  }

  private static func text(_ value: Value) -> String {
    let literal: Literal =
      switch value {
      case .none: .none(.int)
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .decimal(let value): .decimal(value)
      case .day(let value): .day(value)
      case .text(let value): .text(value)
      }
    return literal.resultText
  }

  private static func isError(_ rows: [String]) -> Bool {
    rows.count == 1 && rows[0].hasPrefix("error: ")
  }

  /// Which metric and subject overflow first depends on the order of work; that something does, not.
  private static func name(_ error: EvaluationError) -> String {
    switch error {
    case .overflow(let metric, _, _): "error: overflow of \(metric)"
    case .bundleCycle: "error: bundle cycle"
    case .bundleTooDeep: "error: bundle too deep"
    case .identityCycle, .identityTargets: "error: identity"
    case .unitMismatch: "error: unit mismatch"
    }
  }

  private static func name(_ error: ReferenceError) -> String {
    switch error {
    case .overflow(let metric, _): "error: overflow of \(metric)"
    case .bundleCycle: "error: bundle cycle"
    case .bundleTooDeep: "error: bundle too deep"
    case .unitMismatch: "error: unit mismatch"
    }
  }

  /// The dataset as it was given, for a failure's message.
  private var text: String {
    library.plan.records.indices.filter { dataset.rows[$0] != nil }.map { record in
      "\(library.plan.records[record].name):\n" + dataset.text(of: record, in: library.plan, as: .csv)
    }.joined()
  }
}
