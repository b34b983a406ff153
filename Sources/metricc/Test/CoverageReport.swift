/// What the tests did not exercise.
struct CoverageReport {
  let coverage: Coverage
  let library: MetricLibrary

  /// What tests can reach, and for each whether they did.
  private var counts: [(name: String, reached: [Bool])] {
    let clauses = coverage.metrics.flatMap(\.clauses)
    return [
      ("metrics", coverage.metrics.map(\.isReached)), ("clauses", clauses.map(\.isReached)),
      ("outcomes", clauses.flatMap(\.conditions).flatMap { [$0.wasTrue, $0.wasFalse] }),
    ]
  }

  /// A line for each thing that no test reached, in the order of the sources, then the summary.
  var text: String {
    let found = coverage.metrics.flatMap(gaps).enumerated().compactMap {
      index, gap -> (file: Int, line: Int, index: Int, text: String)? in
      guard let span = library.span(of: gap.word, in: gap.metric) else { return nil }
      let place = Place(.source(span), in: library.sources)
      let text = printable("\(place?.text ?? ""): not tested: `\(gap.metric)`: \(gap.problem)")
      return (span.file, place?.start?.line ?? 1, index, text)
    }
    let lines = found.sorted { ($0.file, $0.line, $0.index) < ($1.file, $1.line, $1.index) }.map(\.text)
    let summary = counts.map { name, reached in
      "\(Counting.grouped(reached.count { $0 })) of \(Counting.grouped(reached.count)) \(name)"
    }.joined(separator: ", ")
    let all = (lines.isEmpty ? [] : [""] + lines + [""]) + ["coverage: \(summary) of conditions"]
    return all.map { $0 + "\n" }.joined()
  }

  /// What is missing, with the clause that it is in.
  private func gaps(_ metric: Coverage.Metric) -> [(metric: String, word: String, problem: String)] {
    guard metric.isReached else { return [(metric.name, "", "no expectation reaches it")] }
    return metric.clauses.flatMap { clause in
      let problems =
        clause.isReached ? clause.conditions.compactMap(gap) : ["`\(clause.word)` was never evaluated"]
      return problems.map { (metric.name, clause.word, $0) }
    }
  }

  /// A stage is a sentence with names in backticks (`` `30` is reached ``), any other condition is code.
  private func gap(_ condition: Coverage.Condition) -> String? {
    let text = condition.text
    let isSentence = text.contains("`")
    return switch (condition.wasTrue, condition.wasFalse) {
    case (true, true): nil
    case (true, false): isSentence ? "\(text) in every test" : "`\(text)` was never false"
    case (false, true): isSentence ? "\(text) in no test" : "`\(text)` was never true"
    case (false, false): isSentence ? "\(text): never tried" : "`\(text)` was never decided"
    }
  }

  var json: JSONText {
    let summary = counts.map { name, reached in
      (name, JSONText.object(["reached": reached.count { $0 }, "all": reached.count]))
    }
    return .object(["metrics": coverage.metrics.map(json), "summary": JSONText.object(summary)])
  }

  private func json(_ metric: Coverage.Metric) -> JSONText {
    let clauses = metric.clauses.map { clause in
      let span = library.span(of: clause.word, in: metric.name)
      let place = span.flatMap { Place(.source($0), in: library.sources) }
      return JSONText.object([
        "clause": clause.word, "path": place?.path, "line": place?.start?.line, "reached": clause.isReached,
        "conditions": clause.conditions.map {
          JSONText.object(["text": $0.text, "true": $0.wasTrue, "false": $0.wasFalse])
        },
      ])
    }
    return .object(["name": metric.name, "reached": metric.isReached, "clauses": clauses])
  }
}
