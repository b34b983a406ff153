import MetricEvaluate

/// A counterexample in words and as `test` blocks of the language.
struct CounterexampleText {
  let library: Library
  let example: Counterexample

  /// `with Sleep (hours: 8) on 2026-01-03 alone: 8 — after logging Sleep (hours: 2) on 2026-01-03: 5`
  var summary: String {
    if let change = example.change { return drift(change) }
    guard let added = example.added else {
      if example.day == example.nextDay { return "\(given): \(text(example.after))" }
      return
        "\(given): \(text(example.before)) at \(example.day) — \(text(example.after)) at \(example.nextDay)"
    }
    let subject = example.part.isEmpty ? "" : "`\(example.part)` "
    return
      "\(given): \(subject)\(text(example.before)) — after logging \(described(added)): \(text(example.after))"
  }

  /// `with no facts: 3 where `Habit.streak` is 3, 5 where it is 5`
  private func drift(_ change: Counterexample.Change) -> String {
    let field = library[change.field]
    let name = library.name(of: change.field)
    let before = change.before.map { "is \(text(of: $0, field))" } ?? "is missing"
    return
      "\(given): \(text(example.before)) where `\(name)` \(before), \(text(example.after)) where it is \(text(of: change.after, field))"
  }

  private var given: String {
    let facts = example.rows.filter { library.records[$0.record].kind == .fact }
    let days = facts.map(day(of:))
    switch days.count {
    case 0: return "with no facts"
    case 1: return "with \(described(facts[0])) alone"
    case 2...4: return "with \(facts.map(described).joined(separator: ", "))"
    case _ where Set(days).count == 1: return "with \(days.count) facts on \(days[0])"
    default: return "with \(days.count) facts from \(days.min() ?? "") to \(days.max() ?? "")"
    }
  }

  /// `Sleep (hours: 8) on 2026-01-03`
  private func described(_ row: TestRow) -> String {
    let record = library.records[row.record]
    let values = values(of: row) { $0 != record.dayKeyField && record.fields[$0].isMeasured }
    return "\(record.name)\(values.isEmpty ? "" : " (\(values))") on \(day(of: row))"
  }

  private func day(of row: TestRow) -> String { library.day(of: row)?.description ?? "" }

  private func text(_ value: Value) -> String { value == .none ? "no value" : value.literalText }

  /// Two tests: the dataset before, and after the fact was logged or the day has passed.
  var tests: String {
    var text = example.made.map { $0 + "\n" } ?? ""
    if example.added != nil || example.change != nil || example.day != example.nextDay {
      text += test("before", example.rows, at: example.day, example.before)
    }
    let after = example.change?.rows ?? example.rows + [example.added].compactMap { $0 }
    return text + test("after", after, at: example.nextDay, example.after)
  }

  private func test(_ when: String, _ rows: [TestRow], at day: DayKey, _ value: Value) -> String {
    library.test(
      when, rows.map(given), example.metric, subject: example.subject, group: example.group,
      part: example.part, at: day, value)
  }

  /// An Instant is held in microseconds.
  private func text(of value: Literal, _ field: Field) -> String {
    guard field.type == .instant, case .int(let microseconds) = value else { return library.text(of: value) }
    return library.text(of: .text(Instant(microseconds: microseconds).description))
  }

  private func given(_ row: TestRow) -> String {
    "given \(library.records[row.record].name) { \(values(of: row) { _ in true }) }"
  }

  /// `hours: 8, good: true`
  private func values(of row: TestRow, where isShown: (_ field: Int) -> Bool) -> String {
    row.values.filter { isShown($0.key) }.sorted { $0.key < $1.key }.map { index, value in
      let field = library.records[row.record].fields[index]
      return "\(field.name): \(text(of: value, field))"
    }.joined(separator: ", ")
  }
}

extension Field {
  /// Whether it says something besides which record it is and whose.
  fileprivate var isMeasured: Bool {
    switch type {
    case .int, .decimal, .bool, .text, .choice, .dayKey, .instant: true
    case .id, .reference: false
    }
  }
}

extension Library {
  /// A `test` block with lines of `given` and one expectation; empty texts are left out.
  func test(
    _ when: String, _ given: [String], _ metric: String, subject: String, group: GroupKey, part: String,
    at day: DayKey, _ value: Value
  ) -> String {
    var expect = "expect \(metric)"
    for (word, texts) in [("for", [subject]), ("group", group.fields), ("part", [part])] where texts != [""] {
      expect += " \(word) \(texts.map { text(of: .text($0)) }.joined(separator: ", "))"
    }
    let lines = given + ["\(expect) at \(day) = \(value.literalText)"]
    return "test \"\(metric), \(when)\" {\n\(lines.map { "  \($0)\n" }.joined())}\n"
  }
}

extension MetricLibrary {
  /// A `test` with a small dataset on which a metric has a value that says something; nil if none is found.
  package func exampleTest(of metric: String) -> String? {
    guard let id = plan.metric(named: metric), let example = CounterexampleSearch.example(of: id, in: plan)
    else { return nil }
    return CounterexampleText(library: plan, example: example).tests
      .replacing("\(metric), after\"", with: "\(metric), on a small dataset\"")
  }

  /// Codes of findings that a counterexample can be searched for.
  package static let codesWithCounterexample: Set = ["C102", "C103", "C401", "C405", "C406", "C409"]

  /// A finding of the fourth question with the smallest dataset found that shows the harm; another one as it is.
  package func withCounterexample(_ finding: Diagnostic) -> Diagnostic {
    MetricLibrary.withCounterexample(finding, plan)
  }

  static func withCounterexample(_ finding: Diagnostic, _ library: Library) -> Diagnostic {
    guard codesWithCounterexample.contains(finding.code.id), let name = finding.metric,
      let metric = library.metric(named: name)
    else { return finding }
    let found =
      switch finding.code.id {
      case "C102": CounterexampleSearch.whenFieldsDiffer(library.declaredFields, metric, in: library)
      case "C103": CounterexampleSearch.whenFieldsDiffer(Set(library.derivedFields), metric, in: library)
      case "C406", "C409": CounterexampleSearch.whenDaysPass(metric, in: library)
      case _ where finding.isAboutRest(library.metrics[metric]):
        CounterexampleSearch.whenRestEnds(metric, in: library)
      case let code: CounterexampleSearch.whenLogged(metric, in: library, mustFall: code == "C401")
      }
    return finding.adding(found.map { CounterexampleText(library: library, example: $0) })
  }
}

extension Diagnostic {
  /// Whether it is about a completion's `rest when`.
  fileprivate func isAboutRest(_ metric: Metric) -> Bool {
    guard case .completion = metric.body, let rest = metric.clauseSpans["rest when"] else { return false }
    return location == .source(rest)
  }

  fileprivate func adding(_ text: CounterexampleText?) -> Diagnostic {
    var finding = self
    guard let text else {
      // The first question is answered by the definition alone.
      guard finding.code.id.hasPrefix("C4") else { return finding }
      finding.message = "not proved: \(finding.message)"
      finding.notes.append(
        Note("no counterexample was found with up to \(CounterexampleSearch.mostFacts) facts"))
      return finding
    }
    finding.notes.insert(Note(text.summary), at: 0)
    finding.counterexample = .init(
      summary: text.summary, test: text.tests, before: text.example.before.literalText,
      after: text.example.after.literalText)
    return finding
  }
}
