import MetricEvaluate
import MetricSQL

/// What an engine is asked at once. Every statement of `setup` makes a temporary table or view.
package struct EngineQuestion: Hashable, Codable, Sendable {
  package var files: [OpenedSQLFile] = []
  /// Whether there may be many rows: settings for few are left alone.
  package var isLarge = false
  package var setup: [String]
  /// Statements as `metricc sql` writes them.
  package var queries: [SQLStep]
}

/// What an engine gave for a query.
package enum EngineAnswer: Hashable, Sendable {
  /// `metric`, `subject`, `group`, `part`, `at` and `value` of each row; nil or empty means no value.
  case rows([[String?]])
  /// What the engine says itself.
  case error(String)
}

/// A `test` block on its way through an engine.
package struct EngineTest: Sendable {
  package var question: EngineQuestion
  let test: TestCase
  /// By expectation: which query answers it, or why there is none.
  let places: [Result<Int, SQLUnsupported>]
  let dialect: SQLDialect
}

extension MetricLibrary {
  /// The `test` blocks whose name contains `filter` (all where nil) as questions to an engine, in their order.
  ///
  ///     for test in library.engineTests(filter: nil, dialect: .duckdb) {
  ///       let result = library.result(of: test, answers: ask(test.question))
  ///     }
  package func engineTests(filter: String?, dialect: SQLDialect) -> [EngineTest] {
    plan.tests.filter { filter.map($0.name.contains) ?? true }.map { engineTest($0, dialect) }
  }

  private func engineTest(_ test: TestCase, _ dialect: SQLDialect) -> EngineTest {
    let metrics = Set(test.expectations.map(\.metric)).sorted()
    var question = EngineQuestion(setup: [], queries: [])
    var known: [MetricID: [DayKey: Result<Int, SQLUnsupported>]] = [:]
    var places = test.expectations.map { expectation -> Result<Int, SQLUnsupported> in
      let (metric, day) = (expectation.metric, expectation.day)
      if let place = known[metric]?[day] { return place }
      let request = SQLRequest(metrics: [metric], days: .list([day]))
      let place = Result { () throws(SQLUnsupported) -> Int in
        question.queries += try MetricSQL.sqlSteps(request, of: plan, in: dialect)
        return question.queries.count - 1
      }
      known[metric, default: [:]][day] = place
      return place
    }
    do throws(SQLUnsupported) {
      let request = SQLRequest(metrics: metrics, days: .list([]))
      question.setup = try MetricSQL.sqlTables(of: test.rows, readBy: request, of: plan, in: dialect)
    } catch {
      question = EngineQuestion(setup: [], queries: [])
      places = places.map { _ in .failure(error) }
    }
    return EngineTest(question: question, test: test, places: places, dialect: dialect)
  }

  /// The result of a `test` block, by an answer to each query of its question.
  package func result(of test: EngineTest, answers: [EngineAnswer]) -> TestResult {
    let pool = StringPool()
    let tables = plan.tables(test.test.rows, pool: pool)
    let failures = zip(test.test.expectations, test.places).compactMap { expectation, place -> TestFailure? in
      switch place.map({ answers.indices.contains($0) ? answers[$0] : nil }) {
      case .failure(let unsupported): unexamined(expectation, "\(unsupported)")
      case .success(nil): unexamined(expectation, "no answer came")
      case .success(.error(let text)): unexamined(expectation, "\(test.dialect.rawValue) says: \(text)")
      case .success(.rows(let rows)): failure(of: expectation, rows, test.dialect, tables, pool)
      }
    }
    return TestResult(
      name: test.test.name, span: test.test.span, expectationCount: test.test.expectations.count,
      failures: failures)
  }

  /// Nil if the rows hold what is expected.
  private func failure(
    of expectation: Expectation, _ rows: [[String?]], _ dialect: SQLDialect, _ tables: [String: Table],
    _ pool: StringPool
  ) -> TestFailure? {
    let metric = plan.metrics[expectation.metric]
    let keys = [
      metric.name, expectation.subject, expectation.group.text, expectation.part, expectation.day.description,
    ]
    let row = rows.first { row in
      row.count == keys.count + 1 && zip(row, keys).allSatisfy { ($0 ?? "").hasSameBytes(as: $1) }
    }
    let text = (row?.last ?? nil) ?? ""
    guard !text.hasSameBytes(as: expectation.value.value.plainText) else { return nil }
    let isText = metric.parts.first { $0.name == expectation.part }?.type == .text
    let got = text.isEmpty ? "none" : isText ? text.asLiteral : text
    // The days explain the evaluator's value.
    let own = (try? answer(to: expectation, tables, pool))?.value
    let isSame = own?.plainText.hasSameBytes(as: text) ?? false
    let note =
      isSame ? "" : " on \(dialect.rawValue); metricc itself gives \(own?.literalText ?? "an error")"
    return unmet(
      expectation, got, hasRow: row != nil, note: note,
      isSame ? explanation(of: expectation, tables, pool) : nil)
  }
}
