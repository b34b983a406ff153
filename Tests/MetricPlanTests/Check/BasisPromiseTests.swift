import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricTestSupport
import MetricValues
import Testing

/// The promise of the first question, searched for a breach: of two datasets without facts that differ only in
/// declared numbers (all above 0), an accepted user metric has the same value on both, or none on one.
///
/// `METRICC_SEED=n` runs one library again, `METRICC_FIRST=n` the libraries from there on, and
/// `METRICC_CASES=n` that many.
@Suite struct BasisPromiseTests {
  private static let first = UInt64(environment("METRICC_FIRST") ?? "") ?? 1
  private static let libraries = Int(environment("METRICC_CASES") ?? "") ?? 150

  @Test("LAW-10: declared numbers alone change no number") func declaredNumbersAreParameters() {
    var accepted = 0
    var rejected = 0
    var pairs = 0
    for seed in seeds(Self.libraries, from: Self.first) {
      var random = SeededGenerator(seed: seed)
      let declared = RandomUserLibrary.make(metrics: 9, using: &random)
      let source = RandomUserLibrary.source(declared)
      let library = MetricLibrary(unsearched: source)
      let faulty = Self.faulty(library)
      rejected += library.findings.count { $0.code.id == "C102" }
      accepted += library.plan.metrics.count - faulty.count
      var options = DatasetOptions()
      options.entities = 2...3
      let dataset = RandomDataset.make(for: library.plan, options, using: &random)
      let days = [-3, 0, 4].map { RandomDataset.firstDay.advanced(by: $0) }
      guard let one = Self.values(library, dataset, days, &random),
        let other = Self.values(library, dataset, days, &random)
      else { continue }
      for (row, value) in one where !faulty.contains(row.metric) && row.part.isEmpty {
        pairs += 1
        guard let second = other[row], value != .none, second != .none else { continue }
        #expect(value == second, "\(random.replay): \(row) in\n\(source)")
      }
    }
    print(
      "basis: \(Self.libraries) libraries from seed \(Self.first), \(accepted) metrics accepted, "
        + "\(rejected) rejected for C102, \(pairs) pairs of values compared")
    guard environment("METRICC_SEED") == nil else { return }
    #expect(pairs > 10 * Self.libraries)
    #expect(rejected > Self.libraries / 2)
  }

  private struct Row: Hashable {
    var metric, subject: String
    var group: GroupKey
    var part: String
    var day: DayKey
  }

  /// Metrics with an error, and those that read them.
  private static func faulty(_ library: MetricLibrary) -> Set<String> {
    var found = Set(library.findings.filter { $0.severity == .error }.compactMap(\.metric))
    for metric in library.plan.metrics
    where library.plan.reads(metric).contains(where: { found.contains(library.plan.metrics[$0].name) }) {
      found.insert(metric.name)
    }
    return found
  }

  /// The rows on a dataset without its facts, in which every declared number and Bool is drawn anew.
  private static func values(
    _ library: MetricLibrary, _ dataset: ReferenceDataset, _ days: [DayKey], _ random: inout SeededGenerator
  ) -> [Row: Value]? {
    var loaded = LoadedDataset(library)
    for (record, rows) in dataset.rows.sorted(by: { $0.key < $1.key }) where loaded.reads(record) {
      let plan = library.plan.records[record]
      guard plan.kind != .fact || plan.isSetting else { continue }
      for var row in rows {
        for field in row.values.keys.sorted() {
          switch plan.fields[field].type {
          case .int: row.values[field] = .int(Int64(random.int(1...12)))
          case .decimal:
            row.values[field] = .decimal(FixedDecimal(millionths: Int64(random.int(1...24)) * 500_000))
          case .bool: row.values[field] = .bool(random.chance(50))
          case .id, .text, .choice, .dayKey, .instant, .reference: break
          }
        }
        loaded.append(row, to: record)
      }
    }
    guard let rows = try? loaded.evaluate(at: days) else { return nil }
    return Dictionary(
      rows.map {
        (Row(metric: $0.metric, subject: $0.subject, group: $0.group, part: $0.part, day: $0.at), $0.value)
      }, uniquingKeysWith: { first, _ in first })
  }
}
