import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricTestSupport
import Testing

/// What an explanation says agrees with the rows of `eval`, for random libraries and datasets: values,
/// windows, attempts and returns; and the records that it names give the same value alone.
///
/// `METRICC_SEED=n` runs one case again; `METRICC_CASES=n` runs more of them.
@Suite struct ExplanationAgreementTests {
  static let shards = 4
  static let casesPerShard = Int(environment("METRICC_CASES") ?? "").map { $0 / shards } ?? 6

  @Test(arguments: 0..<shards)
  func explanationsAgreeWithRows(shard: Int) throws {
    var comparable = 0
    for seed in seeds(Self.casesPerShard, from: UInt64(7000 + shard * Self.casesPerShard)) {
      var random = SeededGenerator(seed: seed)
      guard let agreement = try AgreementCase(using: &random) else { continue }
      comparable += 1
      if let difference = try agreement.difference(using: &random) {
        Issue.record("\(random.replay)\n\(difference)")
        return
      }
    }
    #expect(environment("METRICC_SEED") != nil || comparable * 2 > Self.casesPerShard)
  }

  /// 7029: `at least 3 users` over a sum without a value, of which the reason alone is told.
  @Test(arguments: [7029] as [UInt64])
  func onceDisagreed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let agreement = try #require(try AgreementCase(using: &random))
    let difference = try agreement.difference(using: &random)
    #expect(difference == nil, "\(difference ?? "")")
  }
}

/// One random library with a random dataset and a reference day.
private struct AgreementCase {
  let source: String
  let library: MetricLibrary
  let dataset: ReferenceDataset
  let loaded: LoadedDataset
  let day: DayKey
  let rows: [ResultRow]

  /// Nil where the library is none, or its evaluation an error.
  init?(using random: inout SeededGenerator) throws {
    source = RandomLibrary.source(.all, metrics: 8, using: &random)
    library = MetricLibrary(unsearched: source)
    dataset = RandomDataset.make(for: library.plan, DatasetOptions(), using: &random)
    day = RandomDataset.firstDay.advanced(by: random.int(5...40))
    // What the checklist rejects is computed like anything else.
    guard library.findings.allSatisfy({ $0.severity != .error || $0.code.id.hasPrefix("C") }) else {
      return nil
    }
    loaded = Self.load(dataset, library)
    guard let rows = try? loaded.evaluate(at: [day]) else { return nil }
    self.rows = rows
  }

  private static func load(_ dataset: ReferenceDataset, _ library: MetricLibrary) -> LoadedDataset {
    var loaded = LoadedDataset(library)
    for (record, rows) in dataset.rows.sorted(by: { $0.key < $1.key }) {
      for row in rows { loaded.append(row, to: record) }
    }
    return loaded
  }

  func difference(using random: inout SeededGenerator) throws -> String? {
    for metric in library.plan.metrics.indices {
      let plan = library.plan.metrics[metric]
      let own = rows.filter { $0.metric == plan.name }
      let found: String? =
        switch plan.kind {
        case .funnel: try tallyFunnel(metric, own)
        case .retention: try tallyRetention(metric, own)
        case .completion, .streak, .momentum, .progress, .measure, .level:
          try compare(metric, own, using: &random)
        }
      if let found { return "\(plan.name): \(found)\nat \(day)\n\(source)" }
    }
    return nil
  }

  private func explain(_ metric: MetricID, _ subject: String, _ group: GroupKey?) throws -> Explanation {
    try #require(
      try library.explain(
        library.plan.metrics[metric].name, subject: subject, group: group, at: day, tables: loaded.tables,
        pool: loaded.pool))
  }

  // MARK: Metrics of one subject

  private func compare(
    _ metric: MetricID, _ rows: [ResultRow], using random: inout SeededGenerator
  ) throws -> String? {
    guard !rows.isEmpty else { return nil }
    for row in [random.pick(rows), random.pick(rows)] {
      let explanation = try explain(metric, row.subject, row.group)
      let own = rows.filter { $0.subject == row.subject && $0.group == row.group }
      let place = "\(row.subject)/\(row.group)"
      guard explanation.parts.map(\.value) == own.map(\.value) else {
        return "\(place): explained \(explanation.parts), is \(own.map(\.value))"
      }
      if isWithheld(explanation, metric) {
        if tells(explanation) { return "\(place): without a value it tells \(explanation)" }
        continue
      }
      if let wrong = story(explanation, own.map(\.value), metric) { return "\(place): \(wrong)" }
      if let wrong = try alone(explanation, row.subject, row.group, metric) { return "\(place): \(wrong)" }
    }
    return nil
  }

  /// Whether there is no value and `at least` is written: then nothing may tell how few stand behind it,
  /// whatever the reason is.
  private func isWithheld(_ explanation: Explanation, _ metric: MetricID) -> Bool {
    library.plan.metrics[metric].body.atLeast != nil
      && explanation.parts.contains { $0.value == Value.none }
  }

  /// Whether anything is told besides the reason.
  private func tells(_ explanation: Explanation) -> Bool {
    explanation.absence == nil || !explanation.clauses.isEmpty || !explanation.records.isEmpty
      || explanation.recordCount > 0 || !explanation.reads.isEmpty || !explanation.links.isEmpty
  }

  /// What the trees and windows say beside the value.
  private func story(_ explanation: Explanation, _ values: [Value], _ metric: MetricID) -> String? {
    let clauses = explanation.clauses
    let counted = explanation.windows?.windows.filter { $0.counts && $0.state == .complete } ?? []
    switch library.plan.metrics[metric].body {
    case .completion:
      let isComplete = explanation.windows?.windows.first?.state == .complete
      return values == [.bool(isComplete)] ? nil : "window 0 is complete: \(isComplete), is \(values)"
    case .windows(let metric):
      guard case .halfLife = metric.reading else {
        return values.first == .int(Int64(counted.count)) ? nil : "counted \(counted.count), is \(values)"
      }
      let strength = counted.compactMap(\.weight).reduce(0, +)
      let value = Value.decimal(FixedDecimal(millionths: HalfLife.millionths(strength)))
      return values == [value] ? nil : "weighed \(value), is \(values)"
    // `nearest N` rounds the row, not what it is computed from (PRIV-15).
    case .measure where library.plan.metrics[metric].nearest != nil: return nil
    case .measure:
      let told = clauses.map(\.expression.value)
      return Array(values.prefix(told.count)) == told ? nil : "clauses \(told), is \(values)"
    case .level:
      let reached = explanation.thresholds.count(where: \.isReached)
      let days = values.count > 1 ? explanation.thresholds.map { $0.on.map(Value.day) ?? .none } : []
      return values == [.int(Int64(reached))] + days ? nil : "reached \(reached) \(days), is \(values)"
    case .funnel, .retention: return nil
    }
  }

  /// The value with the entities, the links, the consents and the named facts only.
  private func alone(
    _ explanation: Explanation, _ subject: String, _ group: GroupKey, _ metric: MetricID
  ) throws -> String? {
    guard isPlain(metric) else { return nil }
    var named: [String: Set<Int>] = [:]
    collect(explanation, &named)
    var fewer = dataset
    for (record, rows) in dataset.rows {
      let plan = library.plan.records[record]
      guard plan.kind == .fact, plan.name != "Consent" else { continue }
      let kept = named[plan.name] ?? []
      fewer.rows[record] = rows.enumerated().filter { kept.contains($0.offset) }.map(\.element)
    }
    let name = library.plan.metrics[metric].name
    guard let rows = try? Self.load(fewer, library).evaluate([name], at: [day]) else { return nil }
    let values = rows.filter { $0.subject == subject && $0.group == group }.map(\.value)
    // Without a fact nothing may tell of the subject or the group any more.
    if values.isEmpty || values == explanation.parts.map(\.value) { return nil }
    return "alone \(values), is \(explanation.parts.map(\.value)), with \(named)"
  }

  private func collect(_ explanation: Explanation, _ named: inout [String: Set<Int>]) {
    for record in explanation.records { named[record.record, default: []].insert(record.row) }
    for read in explanation.reads { collect(read, &named) }
  }

  /// Whether a number rests on the facts that it looks at and on nothing that other facts may change:
  /// neither on which subjects exist, nor on the best of several runs.
  private func isPlain(_ id: MetricID) -> Bool {
    let metric = library.plan.metrics[id]
    switch metric.body {
    case .completion(let completion):
      return [completion.when, completion.rest].compactMap { $0 }.allSatisfy { isPlain($0, reads: false) }
    case .windows(let metric):
      return (metric.reading == .current || metric.reading.kind == .momentum) && isPlain(metric.completion)
    case .measure: return metric.body.expressions.allSatisfy { isPlain($0, reads: true) }
    case .level(let level): return isPlain(level.metric)
    case .funnel, .retention: return false
    }
  }

  private func isPlain(_ expression: Expression, reads: Bool) -> Bool {
    var isPlain = true
    expression.visit { part in
      switch part {
      case .subjects, .completions: isPlain = false
      case .metric(let reference):
        // Of days as rows the days are told, and not what is behind each.
        isPlain = isPlain && reads && reference.days == nil && self.isPlain(reference.metric)
      default: break
      }
    }
    return isPlain
  }

  // MARK: Metrics of many subjects

  /// All ids of an entity that the dataset speaks of.
  private func subjects(of entity: RecordID?) -> [String] {
    guard let entity else { return [""] }
    var ids: Set<String> = []
    for (record, rows) in dataset.rows {
      for (index, field) in library.plan.records[record].fields.enumerated()
      where field.type == .reference(entity) || (record == entity && field.type == .id) {
        for row in rows { if case .text(let id)? = row.values[index] { ids.insert(id) } }
      }
    }
    return ids.sorted()
  }

  /// The explanation of a subject under its own id; nil for another name of a person.
  private func tellOnce(_ metric: MetricID, _ subject: String) throws -> Explanation? {
    let explanation = try explain(metric, subject, nil)
    return explanation.subject.hasSameBytes(as: subject) ? explanation : nil
  }

  private func tallyFunnel(_ metric: MetricID, _ rows: [ResultRow]) throws -> String? {
    guard case .funnel(let funnel) = library.plan.metrics[metric].body, funnel.atLeast == nil else {
      return nil
    }
    let names = funnel.order == .any ? funnel.steps.indices.map { "any\($0 + 1)" } : funnel.steps.map(\.name)
    var tally: [GroupKey: [Int64]] = [:]
    for subject in subjects(of: library.plan.metrics[metric].subject.entity) {
      guard let story = try tellOnce(metric, subject)?.journey, story.reached > 0 else { continue }
      for step in 0..<story.reached {
        tally[story.group, default: names.map { _ in 0 }][step] += 1
      }
    }
    let days = library.plan.metrics[metric].parts.filter(\.role.isStepDays).map(\.name)
    for row in rows where !days.contains(row.part) {
      let index = try #require(names.firstIndex(of: row.part))
      let told = tally[row.group]?[index] ?? 0
      if row.value != published(told, metric) {
        return "\(row.group) \(row.part): told \(told), is \(row.value)"
      }
    }
    return nil
  }

  /// `nearest N` rounds what a row shows of the people who are told one by one (PRIV-15).
  private func published(_ count: Int64, _ metric: MetricID) -> Value {
    guard let nearest = library.plan.metrics[metric].nearest else { return .int(count) }
    let step = nearest.millionths / FixedDecimal.scale
    return .int((2 * count + step) / (2 * step) * step)
  }

  private func tallyRetention(_ metric: MetricID, _ rows: [ResultRow]) throws -> String? {
    guard case .retention(let retention) = library.plan.metrics[metric].body, retention.atLeast == nil else {
      return nil
    }
    var tally: [[UInt8]: Int64] = [:]
    var worths: [[UInt8]: Int64] = [:]
    for subject in subjects(of: library.plan.metrics[metric].subject.entity) {
      for start in try tellOnce(metric, subject)?.returning?.starts ?? [] {
        for check in start.checks {
          let name = "\(start.group) \(check.name)"
          if check.isEligible { tally[Array("\(name).eligible".utf8), default: 0] += 1 }
          if check.hasReturned { tally[Array("\(name).returned".utf8), default: 0] += 1 }
          if check.isEligible, let worth = check.worth?.millionths {
            worths[Array("\(name).value".utf8), default: 0] += worth
          }
        }
      }
    }
    for row in rows where !row.part.hasSuffix(".rate") && !row.part.hasSuffix(".mean") {
      if row.part.hasSuffix(".value") {
        let told = worths[Array("\(row.group) \(row.part)".utf8)] ?? 0
        guard library.plan.metrics[metric].nearest == nil, row.value.millionths != told else { continue }
        return "\(row.group) \(row.part): told \(told), is \(row.value)"
      }
      let told = tally[Array("\(row.group) \(row.part)".utf8)] ?? 0
      if row.value != published(told, metric) {
        return "\(row.group) \(row.part): told \(told), is \(row.value)"
      }
    }
    return nil
  }
}
