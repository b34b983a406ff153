import MetricSyntax

/// Reports: metrics that people look at together. Nothing reads one.
extension Resolver {
  /// All reports, in the order of the sources.
  func resolveReports() -> [Report] {
    var first: [String: Name] = [:]
    var reports: [Report] = []
    for case .report(let declaration) in trees.flatMap(\.declarations) where !declaration.name.isMissing {
      if let known = first[declaration.name.text] {
        fail(
          .duplicateName, "the report `\(declaration.name.text)` is declared twice",
          at: declaration.name.span, notes: [Note("first declared here", at: .source(known.span))])
        continue
      }
      first[declaration.name.text] = declaration.name
      reports.append(report(declaration))
    }
    return reports
  }

  private func report(_ declaration: ReportDeclaration) -> Report {
    let name = declaration.name
    var report = Report(name: name.text, doc: declaration.doc, span: name.span)
    var seen: [ClauseWord: Clause] = [:]
    for clause in declaration.clauses {
      if case .forbidden(let word, _) = clause.content { _ = reportAntiPattern(word) }
      guard let word = clause.word else { continue }
      guard ClauseWord.ofReports.contains(word) else {
        fail(
          .misplacedClause, "a report has no `\(word.rawValue)` clause", at: clause.keyword,
          notes: ["a report takes \(quoted(ClauseWord.ofReports.map(\.rawValue)))"])
        continue
      }
      if let first = seen.updateValue(clause, forKey: word) {
        fail(
          .repeatedClause, "the `\(word.rawValue)` clause is repeated", at: clause.keyword,
          notes: [Note("it is already here", at: .source(first.keyword))])
        continue
      }
      switch clause.content {
      case .text(let title): report.title = title.value
      case .every(let window): report.every = unit(window, at: clause.span)
      case .metrics(let names): report.metrics = listed(names)
      default: break
      }
    }
    let isBroken = declaration.clauses.contains { if case .unexpected = $0.content { true } else { false } }
    if seen[.metrics] == nil, !isBroken {
      fail(
        .missingClause, "the report `\(name.text)` has no `metrics` clause", at: name.span,
        notes: ["for example `\(ClauseWord.metrics.traits.example)`"])
    }
    return report
  }

  /// What a series of the report has a value for.
  private func unit(_ syntax: WindowSyntax, at span: Span) -> CalendarUnit? {
    switch window(syntax) {
    case nil: nil
    case .rolling(1): .day
    case .calendar(let unit): unit
    case .rolling:
      fail(
        .badLength, "a report has a value for each day, or for each calendar week, month, quarter or year",
        at: span, notes: ["write `every day` or `every calendar week`"])
    }
  }

  /// The metrics that have a plan, each once.
  private func listed(_ names: [Name]) -> [Report.Listed] {
    var listed: [Report.Listed] = []
    for name in names where !name.isMissing {
      guard noteMetric(name), case .resolved(let id) = metricStates[name.text] else { continue }
      if listed.contains(where: { $0.metric == id }) {
        fail(.duplicateName, "`\(name.text)` is listed twice", at: name.span)
      } else {
        listed.append(Report.Listed(metric: id, span: name.span))
      }
    }
    return listed
  }
}
