/// Expressions that become metrics, and metrics that become expressions.
extension Analysis {
  func refactoring(in file: Int, from start: Int, to end: Int) -> CodeAction? {
    guard case .metric(let metric)? = declaration(in: file, at: start) else { return nil }
    let selection = trimmed(Span(file: file, start: start, end: end))
    guard let clause = metric.clauses.first(where: { $0.span.covers(selection) }),
      let path = clause.content.expressions.map({ $0.path(to: selection) }).first(where: { !$0.isEmpty })
    else { return nil }
    if start == end { return inlining(path, in: metric) }
    return path.first { $0.span == selection }.flatMap { extraction(of: $0, from: metric) }
  }

  /// The expression as a metric of its own: in a completion a completion, elsewhere a measure. Nothing else may change;
  /// a completion that reads another can have more windows, which its title says.
  private func extraction(of expression: ExpressionSyntax, from metric: MetricDeclaration) -> CodeAction? {
    let isCompletion = metric.kind == .completion
    let names = (1...).lazy.map { "\(metric.name.text)_part" + ($0 == 1 ? "" : "\($0)") }
    guard let subject = metric.clause(.subject).map({ text($0.span) }),
      isCompletion || metric.kind == .measure || metric.kind == .progress,
      let name = names.first(where: { metrics[$0] == nil })
    else { return nil }
    let kept = metric.clauses.filter { clause in
      clause.word == .audience || clause.word == (isCompletion ? .every : .over)
    }
    let lines =
      [subject] + kept.map { text($0.span) } + ["\(isCompletion ? "when" : "value") \(text(expression.span))"]
    let declared =
      "\n\n/// What does it say?\n\(isCompletion ? "completion" : "measure") \(name) {\n"
      + lines.map { "  \($0)\n" }.joined() + "}"
    let edits = [SourceEdit(expression.span, name), SourceEdit(behind: metric.span, declared)]
    let isProved = keepsMeaning(edits, of: metric.name.text)
    guard let isProved, isProved || isCompletion else { return nil }
    let caution = isProved ? "" : " (compare with `metricc diff`: its windows may differ)"
    return CodeAction(title: "Extract into `\(name)`\(caution)", kind: .extract, edits: edits)
  }

  private func trimmed(_ span: Span) -> Span {
    let bytes = trees[span.file].source.bytes
    func isBlank(_ offset: Int) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) }
    var (start, end) = (span.start, min(span.end, bytes.count))
    while start < end, isBlank(start) { start += 1 }
    while start < end, isBlank(end - 1) { end -= 1 }
    return Span(file: span.file, start: start, end: end)
  }

  /// The value of the measure at an offset in place of its name, where that is proved to be the same.
  private func inlining(_ path: [ExpressionSyntax], in metric: MetricDeclaration) -> CodeAction? {
    guard let place = path.last, case .path(let names) = place.kind, names.count == 1,
      let read = metrics[names[0].text], read.kind == .measure,
      let value = read.clause(.value)?.content.expression
    else { return nil }
    let period = read.clause(.over).map { text($0.span) }
    let edits = [SourceEdit(place.span, "(\(written(value, over: period)))")]
    guard keepsMeaning(edits, of: metric.name.text) == true else { return nil }
    return CodeAction(title: "Inline `\(names[0].text)`", kind: .inline, edits: edits)
  }

  /// An expression with a period for each aggregate that has none.
  private func written(_ expression: ExpressionSyntax, over period: String?) -> String {
    var text = text(expression.span)
    guard let period else { return text }
    var ends: [Int] = []
    expression.visit { part in
      if case .call(let function, let arguments) = part.kind, Functions.aggregates.contains(function.text),
        let first = arguments.first, first.over == nil
      {
        ends.append(first.span.end - expression.span.start)
      }
    }
    for end in ends.sorted(by: >) {
      text.insert(contentsOf: " \(period)", at: text.utf8.index(text.startIndex, offsetBy: end))
    }
    return text
  }

  /// Whether a metric means the same after some edits, by proof; nil if they bring an error.
  private func keepsMeaning(_ edits: [SourceEdit], of metric: String) -> Bool? {
    let edited = edited(edits)
    func errors(_ library: MetricLibrary) -> Int { library.findings.count { $0.severity == .error } }
    guard errors(edited.library) <= errors(library) else { return nil }
    let pairs = LibraryComparison(old: plan, new: edited.plan).pairs
    return pairs.contains { pair in
      pair.level == .equal && pair.new.map { edited.plan.metrics[$0].name == metric } == true
    }
  }

  /// The library after some edits that do not overlap.
  func edited(_ edits: [SourceEdit]) -> Analysis {
    Analysis(parsed.replacing(edits.map { ($0.span, $0.text) }), previous: self)
  }
}
