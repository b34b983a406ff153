import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricTestSupport
import Testing

/// What must change nothing: the order of records, other Instants in the same order, metrics that nothing
/// reads, and evaluating again.
@Suite struct InvarianceTests {
  static let libraries = Int(environment("METRICC_CASES") ?? "") ?? 40

  @Test("LAW-06 LAW-07 LAW-08: rows stay the same")
  func rowsStayTheSame() throws {
    for seed in seeds(Self.libraries, from: 50_001) {
      var random = SeededGenerator(seed: seed)
      let declared = RandomUserLibrary.make(metrics: 8, using: &random)
      let library = Self.library(declared)
      var options = DatasetOptions()
      options.facts = 12
      options.days = 12
      let dataset = RandomDataset.make(for: library.plan, options, using: &random)
      let first = RandomDataset.firstDay.advanced(by: random.int(0...12))
      let days = [first, first.advanced(by: 3), first.advanced(by: 9)]
      guard let rows = try? Self.rows(library, dataset, days) else { continue }

      #expect(try Self.rows(library, dataset, days) == rows, "again, \(random.replay)")
      let permuted = Self.permuted(dataset, using: &random)
      #expect(try Self.rows(library, permuted, days) == rows, "permuted, \(random.replay)")
      let later = Self.withOtherInstants(dataset, library.plan)
      #expect(try Self.rows(library, later, days) == rows, "other Instants, \(random.replay)")
      let kept = Self.neededBy(random.pick(declared), declared)
      let names = Set(kept.map(\.name))
      #expect(
        try Self.rows(Self.library(kept), dataset, days) == rows.filter { names.contains($0.metric) },
        "without the other metrics, \(random.replay)")
    }
  }

  private static func library(_ declared: [RandomUserLibrary.Declared]) -> MetricLibrary {
    MetricLibrary(unsearched: RandomUserLibrary.source(declared))
  }

  private static func rows(_ library: MetricLibrary, _ dataset: ReferenceDataset, _ days: [DayKey]) throws
    -> [ResultRow]
  {
    var loaded = LoadedDataset(library)
    for (record, rows) in dataset.rows.sorted(by: { $0.key < $1.key }) {
      for row in rows { loaded.append(row, to: record) }
    }
    return try loaded.evaluate(at: days)
  }

  private static func permuted(_ dataset: ReferenceDataset, using random: inout SeededGenerator)
    -> ReferenceDataset
  {
    var permuted = dataset
    for record in dataset.rows.keys.sorted() { permuted.rows[record]?.shuffle(using: &random) }
    return permuted
  }

  /// Every Instant moved, and none past another.
  private static func withOtherInstants(_ dataset: ReferenceDataset, _ plan: Library) -> ReferenceDataset {
    var moved = dataset
    for (record, rows) in dataset.rows {
      let instants = plan.records[record].fields.indices.filter {
        plan.records[record].fields[$0].type == .instant
      }
      moved.rows[record] = rows.map { row in
        var row = row
        for field in instants {
          if case .int(let value)? = row.values[field] {
            row.values[field] = .int(value * 3 - 86_400_000_017)
          }
        }
        return row
      }
    }
    return moved
  }

  /// A metric, and those that it reads.
  private static func neededBy(
    _ metric: RandomUserLibrary.Declared, _ declared: [RandomUserLibrary.Declared]
  ) -> [RandomUserLibrary.Declared] {
    var names: Set<String> = [metric.name]
    for other in declared.reversed() where names.contains(other.name) {
      let words = other.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
      names.formUnion(declared.map(\.name).filter(words.contains))
    }
    return declared.filter { names.contains($0.name) }
  }
}
