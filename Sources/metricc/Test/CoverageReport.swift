/// What the tests did not exercise.
struct CoverageReport {
  let coverage: Coverage
  let library: MetricLibrary

  private struct Count {
    var reached = 0
    var all = 0

    mutating func add(_ isReached: Bool) {
      all += 1
      if isReached { reached += 1 }
    }

    var text: String { "\(Counting.grouped(reached)) of \(Counting.grouped(all))" }
    var json: JSONText { .object(["reached": reached, "all": all]) }
  }

  private var counts: (metrics: Count, clauses: Count, outcomes: Count) {
    var counts = (metrics: Count(), clauses: Count(), outcomes: Count())
    for metric in coverage.metrics {
      counts.metrics.add(metric.isReached)
      for clause in metric.clauses {
        counts.clauses.add(clause.isReached)
        for condition in clause.conditions {
          counts.outcomes.add(condition.wasTrue)
          counts.outcomes.add(condition.wasFalse)
        }
      }
    }
    return counts
  }

  /// A line for each thing that no test reached, in the order of the sources, then the summary.
  var text: String {
    let all = coverage.metrics.flatMap { metric in gaps(metric).map { (metric.name, $0.0, $0.1) } }
    let found = all.enumerated().compactMap {
      index, gap -> (file: Int, line: Int, index: Int, text: String)? in
      let (metric, word, problem) = gap
      guard let span = library.span(of: word, in: metric) else { return nil }
      let place = Place(.source(span), in: library.sources)
      let text = printable("\(place?.text ?? ""): not tested: `\(metric)`: \(problem)")
      return (span.file, place?.start?.line ?? 1, index, text)
    }
    let lines = found.sorted { ($0.file, $0.line, $0.index) < ($1.file, $1.line, $1.index) }.map(\.text)
    let counts = counts
    let summary =
      "coverage: \(counts.metrics.text) metrics, \(counts.clauses.text) clauses, \(counts.outcomes.text) outcomes of conditions"
    return (lines.isEmpty ? [] : [""] + lines).map { $0 + "\n" }.joined() + (lines.isEmpty ? "" : "\n")
      + summary + "\n"
  }

  /// What is missing, with the clause that it is in.
  private func gaps(_ metric: Coverage.Metric) -> [(String, String)] {
    guard metric.isReached else { return [("", "no expectation reaches it")] }
    return metric.clauses.flatMap { clause -> [(String, String)] in
      guard clause.isReached else { return [(clause.word, "`\(clause.word)` was never evaluated")] }
      return clause.conditions.compactMap { condition in gap(condition).map { (clause.word, $0) } }
    }
  }

  /// A stage is a sentence with names in backticks (`` `30` is reached ``), any other condition is code.
  private func gap(_ condition: Coverage.Condition) -> String? {
    let text = condition.text
    let isSentence = text.contains("`")
    switch (condition.wasTrue, condition.wasFalse) {
    case (true, true): return nil
    case (true, false): return isSentence ? "\(text) in every test" : "`\(text)` was never false"
    case (false, true): return isSentence ? "\(text) in no test" : "`\(text)` was never true"
    case (false, false): return isSentence ? "\(text): never tried" : "`\(text)` was never decided"
    }
  }

  var json: JSONText {
    let counts = counts
    return .object([
      "metrics": coverage.metrics.map(json),
      "summary": JSONText.object([
        "metrics": counts.metrics.json, "clauses": counts.clauses.json, "outcomes": counts.outcomes.json,
      ]),
    ])
  }

  private func json(_ metric: Coverage.Metric) -> JSONText {
    .object([
      "name": metric.name, "reached": metric.isReached,
      "clauses": metric.clauses.map { json($0, metric.name) },
    ])
  }

  private func json(_ clause: Coverage.Clause, _ metric: String) -> JSONText {
    let span = library.span(of: clause.word, in: metric)
    let place = span.flatMap { Place(.source($0), in: library.sources) }
    return .object([
      "clause": clause.word, "path": place?.path, "line": place?.start?.line, "reached": clause.isReached,
      "conditions": clause.conditions.map {
        JSONText.object(["text": $0.text, "true": $0.wasTrue, "false": $0.wasFalse])
      },
    ])
  }
}
