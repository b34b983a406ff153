import MetricEvaluate

/// An expectation that was not met, or why it could not be examined.
public struct TestFailure: Hashable, Sendable {
  /// Where the expectation is.
  public var span: Span
  /// `expected daily_streak for read at 2026-01-05 to be 0, got 4`
  public var message: String
  /// What came out, and what was expected; `none` is written where there is no value.
  public var got: String?
  public var wanted: String?
  /// Why the value is what it is; nil if nothing could be evaluated.
  public var explanation: Explanation?
}

/// The result of one `test` block.
public struct TestResult: Hashable, Sendable {
  public var name: String
  /// Where the test's name stands.
  public var span: Span
  public var expectationCount: Int
  public var failures: [TestFailure]
  /// How long it took, where the caller measured that.
  public var seconds: Double?
  public var passed: Bool { failures.isEmpty }
}

extension MetricLibrary {
  /// Runs the `test` blocks whose name contains `filter` (all where nil), in the order of the sources.
  ///
  /// `seconds` says how long a test took that has just run; nothing here reads a clock.
  public func runTests(filter: String?, seconds: ((TestResult) -> Double)? = nil) -> [TestResult] {
    plan.tests.filter { filter.map($0.name.contains) ?? true }.map { test in
      var result = run(test)
      result.seconds = seconds?(result)
      return result
    }
  }

  /// Runs the `test` blocks whose name is at a chosen span, in the order of the sources.
  package func runTests(where isChosen: (Span) -> Bool) -> [TestResult] {
    plan.tests.filter { isChosen($0.span) }.map(run)
  }

  private func run(_ test: TestCase) -> TestResult {
    let pool = StringPool()
    let tables = plan.tables(test.rows, pool: pool)
    let failures = test.expectations.compactMap { failure(of: $0, tables, pool) }
    return TestResult(
      name: test.name, span: test.span, expectationCount: test.expectations.count, failures: failures)
  }

  /// Nil if the expectation is met.
  private func failure(
    of expectation: Expectation, _ tables: [String: Table], _ pool: StringPool
  ) -> TestFailure? {
    do throws(EvaluationError) {
      let (got, hasRow) = try answer(to: expectation, tables, pool)
      guard got != expectation.value.value else { return nil }
      return unmet(
        expectation, got.literalText, hasRow: hasRow, explanation(of: expectation, tables, pool))
    } catch {
      return unexamined(expectation, error.message)
    }
  }

  /// What the evaluator gives, and whether there is a row for it.
  func answer(
    to expectation: Expectation, _ tables: [String: Table], _ pool: StringPool
  ) throws(EvaluationError) -> (value: Value, hasRow: Bool) {
    let request = EvaluationRequest(
      metrics: [expectation.metric], subjects: [expectation.subject], days: [expectation.day])
    let row = try MetricEvaluate.evaluate(request, library: plan, tables: tables, pool: pool)
      .first { $0.answers(expectation) }
    return (row?.value ?? .none, row != nil)
  }

  func unexamined(_ expectation: Expectation, _ reason: String) -> TestFailure {
    TestFailure(span: expectation.span, message: "\(describe(expectation)): \(reason)")
  }

  func unmet(
    _ expectation: Expectation, _ got: String, hasRow: Bool, note: String = "", _ explanation: Explanation?
  ) -> TestFailure {
    let wanted = expectation.value.value.literalText
    let message = "expected \(describe(expectation)) to be \(wanted), got \(got)"
    return TestFailure(
      span: expectation.span, message: message + (hasRow ? "" : ", as there is no such row") + note, got: got,
      wanted: wanted, explanation: explanation)
  }

  func explanation(
    of expectation: Expectation, _ tables: [String: Table], _ pool: StringPool
  ) -> Explanation? {
    try? Explainer(library: plan, tables: tables, pool: pool).explain(
      expectation.metric, subject: expectation.subject,
      group: expectation.group.isEmpty ? nil : expectation.group, at: expectation.day)
  }

  /// What the `test` blocks whose name contains `filter` (all where nil) exercise of the metrics.
  package func coverage(filter: String?) -> Coverage {
    var recorder = CoverageRecorder(library: plan)
    for test in plan.tests where filter.map(test.name.contains) ?? true { recorder.record(test) }
    return recorder.coverage
  }

  /// Where a clause of a metric is, or else its name.
  package func span(of clause: String, in metric: String) -> Span? {
    guard let id = plan.metric(named: metric) else { return nil }
    let spans = plan.metrics[id].clauseSpans
    let head = String(clause.split(separator: " ").first ?? "")
    return spans[clause] ?? spans[head] ?? plan.metrics[id].span
  }

  /// `` `daily_streak` for `read` at 2026-01-05 ``
  func describe(_ expectation: Expectation) -> String {
    var text = "`\(plan.metrics[expectation.metric].name)`"
    if !expectation.subject.isEmpty { text += " for `\(expectation.subject)`" }
    if !expectation.group.isEmpty { text += " group `\(expectation.group)`" }
    if !expectation.part.isEmpty { text += " part `\(expectation.part)`" }
    return text + " at \(expectation.day)"
  }
}

extension ResultRow {
  /// Whether an expectation of the row's metric and day is about it. One for another name of a person does not.
  func answers(_ expectation: Expectation) -> Bool {
    subject.hasSameBytes(as: expectation.subject) && group == expectation.group
      && part == expectation.part
  }
}

extension EvaluationError {
  /// The error as a message: lower-case start, no full stop.
  public var message: String {
    switch self {
    case .overflow(let metric, let subject, let day):
      "a result of `\(metric)`\(subject.isEmpty ? "" : " for `\(subject)`")\(day.map { " at \($0)" } ?? "") is outside the range of numbers, ±9,000,000,000,000"
    case .bundleCycle(let ids):
      "the bundles \(ids.map { "`\($0)`" }.joined(separator: " → ")) contain each other in a circle"
    case .bundleTooDeep(let ids):
      "bundles nest at most 8 deep, found \(ids.map { "`\($0)`" }.joined(separator: " → "))"
    case .identityCycle(let ids):
      "`Identity` leads in a circle or over more than 16 links: \(ids.map { "`\($0)`" }.joined(separator: " → "))"
    case .identityTargets(let id, let targets):
      "`Identity` says that `\(id)` is \(targets.map { "`\($0)`" }.joined(separator: " and ")), which are two"
    case .unitMismatch(let link, let goal, let habit, let goalUnit, let habitUnit):
      "a `sum` \(link) joins the goal `\(goal)`, \(counted(in: goalUnit)), with the habit `\(habit)`, \(counted(in: habitUnit))"
    }
  }
  private func counted(in unit: String) -> String { unit.isEmpty ? "without a unit" : "counted in `\(unit)`" }
}
