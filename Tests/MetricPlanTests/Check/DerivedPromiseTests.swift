import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricTestSupport
import MetricValues
import Testing

/// The promise that no stored state comes in, searched for a breach: of two datasets with the same facts that differ
/// only in fields derived by name, an accepted user metric has the same rows on both.
///
/// `METRICC_SEED=n` runs one library again, `METRICC_CASES=n` that many.
@Suite struct DerivedPromiseTests {
  private static let libraries = Int(environment("METRICC_CASES") ?? "") ?? 100

  /// What the fields of the random schema are called instead, so that their names say that they are derived.
  private static let names = [
    ("size", "currentStreak"), ("room", "progress"), ("startDay", "completedOn"),
    ("pages", "pagesRead_total"),
    ("uphill", "isComplete"), ("perWeek", "score"), ("change", "momentum"), ("calm", "done"),
  ]

  @Test("LAW-11: what is derived by name changes no row") func derivedFieldsChangeNothing() throws {
    var (pairs, rejected, moved) = (0, 0, 0)
    for seed in seeds(Self.libraries, from: 81_001) {
      var random = SeededGenerator(seed: seed)
      let declared = RandomUserLibrary.make(metrics: 8, using: &random)
      var source = RandomUserLibrary.source(declared)
      for (name, derived) in Self.names where random.chance(50) {
        source = source.replacing(try Regex("\\b\(name)\\b"), with: derived)
      }
      let library = MetricLibrary(unsearched: source)
      let faulty = Self.faulty(library)
      rejected += library.findings.count { ["C102", "C103"].contains($0.code.id) }
      let dataset = RandomDataset.make(for: library.plan, DatasetOptions(), using: &random)
      let days = [0, 4, 9].map { RandomDataset.firstDay.advanced(by: $0) }
      let other = Self.withOtherDerived(dataset, library.plan, &random)
      guard let one = Self.values(library, dataset, days), let second = Self.values(library, other, days)
      else { continue }
      for row in Set(one.keys).union(second.keys) {
        guard !faulty.contains(row.metric) else {
          moved += one[row] == second[row] ? 0 : 1
          continue
        }
        pairs += 1
        #expect(one[row] == second[row], "\(random.replay): \(row) in\n\(source)")
      }
    }
    print(
      "derived: \(Self.libraries) libraries, \(rejected) rejected, \(pairs) pairs equal, \(moved) rejected rows moved"
    )
    guard environment("METRICC_SEED") == nil else { return }
    #expect(pairs > 20 * Self.libraries)
    #expect(rejected > Self.libraries / 2)
    #expect(moved > Self.libraries / 10)
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

  private static func withOtherDerived(
    _ dataset: ReferenceDataset, _ plan: Library, _ random: inout SeededGenerator
  ) -> ReferenceDataset {
    var other = dataset
    for field in plan.derivedFields {
      other.rows[field.record] = other.rows[field.record]?.map { row in
        var row = row
        row.values[field.field] = another(plan[field].type, &random) ?? row.values[field.field]
        return row
      }
    }
    return other
  }

  private static func another(_ type: FieldType, _ random: inout SeededGenerator) -> Literal? {
    switch type {
    case .int: .int(Int64(random.int(1...12)))
    case .decimal: .decimal(FixedDecimal(millionths: Int64(random.int(0...24)) * 500_000))
    case .bool: .bool(random.chance(50))
    case .dayKey: .day(RandomDataset.firstDay.advanced(by: random.int(-5...9)))
    case .choice(let texts): .text(random.pick(texts))
    case .id, .text, .instant, .reference: nil
    }
  }

  private static func values(
    _ library: MetricLibrary, _ dataset: ReferenceDataset, _ days: [DayKey]
  ) -> [Row: Value]? {
    var loaded = LoadedDataset(library)
    for (record, rows) in dataset.rows.sorted(by: { $0.key < $1.key }) where loaded.reads(record) {
      for row in rows { loaded.append(row, to: record) }
    }
    guard let rows = try? loaded.evaluate(at: days) else { return nil }
    return Dictionary(
      rows.map {
        (Row(metric: $0.metric, subject: $0.subject, group: $0.group, part: $0.part, day: $0.at), $0.value)
      }, uniquingKeysWith: { first, _ in first })
  }
}
