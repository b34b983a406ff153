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
    let clauses = ClauseTable(of: nil, name, declaration.clauses, resolver: self)
    report.title = clauses[.title]?.content.text?.value
    if let every = clauses[.every], case .every(let window) = every.content {
      report.every = try? unit(window, at: every.span)
    }
    if case .metrics(let names) = clauses[.metrics]?.content { report.metrics = listed(names) }
    return report
  }

  /// What a series of the report has a value for.
  private func unit(_ syntax: WindowSyntax, at span: Span) throws -> CalendarUnit {
    switch try window(syntax) {
    case .rolling(1): .day
    case .calendar(let unit): unit
    case .rolling:
      throw fail(
        .badLength, "a report has a value for each day, or for each calendar week, month, quarter or year",
        at: span, notes: ["write `every day` or `every calendar week`"])
    }
  }

  /// The metrics that have a plan, each once.
  private func listed(_ names: [Name]) -> [Report.Listed] {
    var listed: [Report.Listed] = []
    for name in names where !name.isMissing {
      try? noteMetric(name)
      guard case .resolved(let id) = metricStates[name.text] else { continue }
      if listed.contains(where: { $0.metric == id }) {
        fail(.duplicateName, "`\(name.text)` is listed twice", at: name.span)
      } else {
        listed.append(Report.Listed(metric: id, span: name.span))
      }
    }
    return listed
  }
}
