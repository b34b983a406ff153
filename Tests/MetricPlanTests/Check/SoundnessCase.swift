import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricTestSupport

@testable import MetricPlan

/// One random library and a few random datasets that grow fact by fact.
struct SoundnessCase {
  /// Datasets for each library: more of them find more witnesses.
  static let datasets = Int(environment("METRICC_DATASETS") ?? "") ?? 2

  /// In each so-manieth library the checker looks for counterexamples, which takes most of the time; in none where
  /// it is 0.
  static let searchEvery = Int(environment("METRICC_WITNESSES") ?? "") ?? 20
  private let searches: Bool

  private let declared: [RandomUserLibrary.Declared]
  private let source: String
  private let library: MetricLibrary
  private let replay: String
  /// By metric name: whether it is accepted with all that it reads.
  private var accepted: Set<String> = []
  /// By metric name: the records of which a fact can end a window.
  private var limited: [String: Set<RecordID>] = [:]
  /// Rejected for itself, and not only for what it reads.
  private var rejected: Set<String> = []
  private var witnessed: Set<String> = []
  /// By a streak or momentum: the rejected completion that it counts, whose harm it shows.
  private var countedBy: [String: String] = [:]
  private var figures = SoundnessFigures()

  private struct Key: Hashable {
    var metric, subject: String
    var group: GroupKey
    var part: String
    var day: DayKey
  }

  init(searches: Bool, using random: inout SeededGenerator) {
    self.searches = searches
    replay = random.replay
    declared = RandomUserLibrary.make(metrics: 9, using: &random)
    source = RandomUserLibrary.source(declared)
    library =
      searches
      ? MetricLibrary(sources: [SourceFile(path: "random.metric", text: source)])
      : MetricLibrary(unsearched: source)
    judge()
  }

  /// What is accepted, and what is rejected by the direction rules alone.
  private mutating func judge() {
    let plan = library.plan
    let errors = library.findings.filter { $0.severity == .error }
    let faulty = Set(errors.compactMap(\.metric))
    let directed = Set(errors.filter { ["C401", "C405", "C406"].contains($0.code.id) }.compactMap(\.metric))
    var unsound: Set<MetricID> = []
    for (id, metric) in plan.metrics.enumerated() {
      if !unsound.isDisjoint(with: plan.reads(metric)) {
        unsound.insert(id)
        for read in plan.reads(metric) where metric.kind == .streak || metric.kind == .momentum {
          countedBy[metric.name] = plan.metrics[read].name
        }
      } else if faulty.contains(metric.name) {
        unsound.insert(id)
        if directed.contains(metric.name) { rejected.insert(metric.name) }
      } else if metric.readingReason == nil {
        // The promise does not speak of readings.
        accepted.insert(metric.name)
        limited[metric.name] = plan.limitedRecords(behind: id)
      }
    }
  }

  mutating func run(using random: inout SeededGenerator) -> SoundnessFigures {
    figures.libraries = 1
    let others = library.findings.filter { $0.severity == .error && !"C".contains($0.code.id.prefix(1)) }
    if !others.isEmpty {
      figures.broken = 1
      if environment("METRICC_UNWITNESSED") != nil {
        figures.unwitnessed = others.map { "\(replay): \($0.code.id) \($0.message)" }
      }
      return figures
    }
    figures.accepted = accepted.count
    figures.rejected = searches ? rejected.count : 0
    // The checker's own search comes first; what it misses the random datasets may still show.
    witnessed = rejected.intersection(
      library.findings.filter { $0.counterexample != nil }.compactMap(\.metric))
    figures.searched = witnessed.count
    for _ in 0..<Self.datasets where figures.breaches.isEmpty { grow(using: &random) }
    guard searches else { return figures }
    figures.witnessed = witnessed.count
    figures.unwitnessed = rejected.subtracting(witnessed).sorted().map { name in
      let codes = library.findings.filter { $0.metric == name && $0.severity == .error }.map(\.code.id)
      return "\(replay) \(codes) \(text(of: name))"
    }
    return figures
  }

  /// A definition, and below it those that it names.
  private func text(of name: String) -> String {
    var needed: Set<String> = [name]
    var texts: [String] = []
    for metric in declared.reversed() where needed.contains(metric.name) {
      texts.append(metric.text)
      needed.formUnion(metric.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    }
    return texts.joined()
  }

  /// A dataset of entities, links and settings, to which facts are added one by one.
  private mutating func grow(using random: inout SeededGenerator) {
    var options = DatasetOptions()
    options.facts = random.pick([3, 6, 10])
    options.days = random.pick([3, 8, 8, 20])
    // Few subjects with many facts each show more than many with few.
    options.entities = random.chance(70) ? 2...2 : 2...5
    let dataset = RandomDataset.make(for: library.plan, options, using: &random)
    let first = RandomDataset.firstDay.advanced(by: random.int(-1...options.days))
    let days = [0, 1, 2, 5, 7].map { first.advanced(by: $0) }
    var loaded = LoadedDataset(library)
    var facts: [(record: RecordID, row: ReferenceRow)] = []
    for (record, rows) in dataset.rows.sorted(by: { $0.key < $1.key }) where loaded.reads(record) {
      let plan = library.plan.records[record]
      for row in rows {
        if plan.kind == .fact, !plan.isSetting {
          facts.append((record, row))
        } else {
          loaded.append(row, to: record)
        }
      }
    }
    facts.shuffle(using: &random)
    var before = values(loaded, days)
    var history: [String] = []
    for fact in facts {
      loaded.append(fact.row, to: fact.record)
      let after = values(loaded, days)
      history.append("\(library.plan.records[fact.record].name) \(text(fact.row, fact.record))")
      if let before, let after { compare(before, after, fact.record, days, history, dataset) }
      before = after
      if !figures.breaches.isEmpty { return }
    }
  }

  /// Nil where a number does not fit.
  private func values(_ loaded: LoadedDataset, _ days: [DayKey]) -> [Key: Value]? {
    guard let rows = try? loaded.evaluate(at: days) else { return nil }
    return Dictionary(
      rows.map {
        (Key(metric: $0.metric, subject: $0.subject, group: $0.group, part: $0.part, day: $0.at), $0.value)
      }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func compare(
    _ before: [Key: Value], _ after: [Key: Value], _ added: RecordID, _ days: [DayKey],
    _ history: [String], _ dataset: ReferenceDataset
  ) {
    figures.pairs += accepted.count
    for (key, old) in before where limited[key.metric]?.contains(added) != true {
      judge(key, old, after[key] ?? .none, "after the last fact", history, dataset)
    }
    for (key, value) in after {
      judge(key, Self.zero(value), value, "below 0", history, dataset)
      guard levels.contains(key.metric) else { continue }
      var next = key
      next.day = key.day.advanced(by: 1)
      if days.contains(next.day) {
        judge(key, value, after[next] ?? .none, "a day later", history, dataset)
      }
    }
  }

  private mutating func judge(
    _ key: Key, _ old: Value, _ new: Value, _ what: String, _ history: [String], _ dataset: ReferenceDataset
  ) {
    guard Self.falls(old, new) || (levels.contains(key.metric) && Self.isLater(old, new)) else { return }
    let blamed = countedBy[key.metric] ?? key.metric
    if rejected.contains(blamed) { witnessed.insert(blamed) }
    guard accepted.contains(key.metric), figures.breaches.isEmpty else { return }
    let tables = library.plan.records.indices.filter { record in
      let plan = library.plan.records[record]
      return dataset.rows[record] != nil && (plan.kind != .fact || plan.isSetting)
        && !plan.name.hasPrefix("Cons")
    }.map { library.plan.records[$0].name + ":\n" + dataset.text(of: $0, in: library.plan, as: .csv) }
    figures.breaches.append(
      """
      \(replay): \(key.metric) \(key.part) of \(key.subject) group '\(key.group)' at \(key.day): \
      \(old) then \(new) \(what)
      \(source)
      \(tables.joined())
      \(history.joined(separator: "\n"))
      """)
  }

  private var levels: Set<String> { Set(library.plan.metrics.filter { $0.kind == .level }.map(\.name)) }

  /// The day on which a threshold was first reached stays, or becomes an earlier one (LAW-03).
  private static func isLater(_ old: Value, _ new: Value) -> Bool {
    guard case .day(let old) = old else { return false }
    return if case .day(let new) = new { new > old } else { true }
  }

  private static func zero(_ value: Value) -> Value {
    switch value {
    case .int: .int(0)
    case .decimal: .decimal(FixedDecimal(millionths: 0))
    case .none, .bool, .day, .text: .none
    }
  }

  /// No value lies below every number; for Bool it is false. Days and texts are no score.
  private static func falls(_ old: Value, _ new: Value) -> Bool {
    switch (old, new) {
    case (.none, _), (.day, _), (.text, _): false
    case (.bool(let old), .bool(let new)): old && !new
    case (.bool(let old), _): old
    case (.int(let old), .int(let new)): new < old
    case (.decimal(let old), .decimal(let new)): new.millionths < old.millionths
    case (.int, _), (.decimal, _): true
    }
  }

  private func text(_ row: ReferenceRow, _ record: RecordID) -> String {
    let fields = library.plan.records[record].fields
    return row.values.sorted { $0.key < $1.key }
      .map { "\(fields[$0.key].name): \($0.value.resultText)" }.joined(separator: ", ")
  }
}
