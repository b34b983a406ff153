import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricPlan
import MetricTestSupport
import Testing

@testable import MetricLanguage

/// `eval` folds facts while it reads them, `why` and `test` keep them: all must say the same.
@Suite struct StorageTests {
  /// Each expectation of the language's tests, from files: the value of one day and of a series through folds and
  /// through lists, and the value that `why` gives.
  @Test(arguments: DefinitionsTests.folders + ConformanceTests.files(in: "Tests/Conformance"))
  func testsGiveTheSameThroughFoldsAndLists(_ path: String) throws {
    let files = path.hasSuffix(".metric") ? [path] : ConformanceTests.files(in: path)
    let library = MetricLibrary(
      parsed: try files.enumerated().map { ParsedSource(try ConformanceTests.source($1), file: $0) },
      searchesCounterexamples: false)
    for test in library.plan.tests {
      var dataset = ReferenceDataset()
      for row in test.rows { dataset.add(row.record, row.values) }
      for expectation in test.expectations {
        try compare(expectation, of: test, library, dataset)
      }
    }
  }

  /// That there is something to compare: most tests of some subjects are folded.
  @Test func testsAreFolded() throws {
    let files = ConformanceTests.files(in: "Definitions/Habits")
    let library = MetricLibrary(sources: try files.map(ConformanceTests.source))
    let folded = library.metrics.map(\.name).filter {
      !library.loadPlan(for: [$0], days: .one(DayKey(number: 20_480)), storage: .folds).folds.isEmpty
    }
    #expect(folded.count > library.metrics.count / 2, "\(folded)")
    #expect(library.loadPlan(for: folded, days: .one(nil), storage: .lists).folds.isEmpty)
  }

  private func compare(
    _ expectation: MetricPlan.Expectation, of test: TestCase, _ library: MetricLibrary,
    _ dataset: ReferenceDataset
  ) throws {
    let day = expectation.day
    let days = (0...4).map { day.advanced(by: $0 - 2) }
    let name = library.plan.metrics[expectation.metric].name
    func rows(_ asked: AskedDays, _ days: [DayKey], _ storage: Storage) throws -> [ResultRow] {
      let plan = library.loadPlan(for: [name], days: asked, storage: storage)
      return try self.rows(name, plan, days, library, dataset)
    }
    let one = try rows(.one(day), [day], .folds)
    #expect(one == (try rows(.one(day), [day], .lists)), "\(test.name): \(name) at \(day)")
    let series = AskedDays.several(from: days.first, through: days.last)
    #expect(
      try rows(series, days, .folds) == rows(series, days, .lists), "\(test.name): \(name) around \(day)")

    let pool = StringPool()
    let explanation = try Explainer(
      library: library.plan, tables: library.plan.tables(test.rows, pool: pool), pool: pool
    ).explain(
      expectation.metric, subject: expectation.subject,
      group: expectation.group.isEmpty ? nil : expectation.group, at: day)
    // `why` also answers for another name of a person, which has no row.
    guard let row = one.first(where: { $0.answers(expectation) }) else { return }
    let told = explanation.parts.first { $0.name == expectation.part }
    #expect(told?.value == row.value, "\(test.name): why \(name) at \(day)")
  }

  private func rows(
    _ metric: String, _ plan: LoadPlan, _ days: [DayKey], _ library: MetricLibrary,
    _ dataset: ReferenceDataset
  ) throws -> [ResultRow] {
    let pool = StringPool()
    var tables: [String: Table] = [:]
    for schema in plan.schemas {
      let record = try #require(library.plan.record(named: schema.record))
      var options = ReadOptions()
      plan.prepare(&options, for: schema.record)
      let text = Array(dataset.text(of: record, in: library.plan, as: .csv).utf8)
      let result = text.withUnsafeBytes {
        readTable($0, format: .csv, schema: schema, path: schema.record, pool: pool, options: options)
      }
      #expect(result.findings.isEmpty)
      tables[schema.record] = result.table
    }
    return try library.evaluate(
      metrics: [metric], subjects: [], days: days, tables: tables, pool: pool, threads: 1, progress: nil)
  }
}
