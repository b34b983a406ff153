/// The first question: what is shown is measured; declared numbers and Bools are parameters (CHK-07).
enum DeclaredAsValue: Rule {
  static let page = Page.checklist("C102")
  static let teamPage = Page.checklist("W014")
  static let pages = [page, teamPage]

  static func findings(in scope: CheckScope) -> [Diagnostic] { scope.declaredAsValue }

  static func examine(_ scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    let analysis = BasisAnalysis(scope.directions)
    var rejected: Set<MetricID> = []
    var findings: [Diagnostic] = []
    for id in scope.ids {
      let metric = library.metrics[id]
      // A metric that is read has its own finding.
      if metric.audience == .user, !rejected.isDisjoint(with: library.reads(metric)) {
        rejected.insert(id)
        continue
      }
      // What its name calls derived is an error there (C103).
      let derived = scope.derivedFields
      let isDerived = !derived.isEmpty && !library.directReads(of: metric).leaves.isDisjoint(with: derived)
      if metric.audience == .team, isDerived { continue }
      guard var (word, expression) = shown(metric, id, analysis) else { continue }
      if let condition = metric.subject.condition, analysis.scope().basis(of: expression).source < .chosen {
        (word, expression) = ("for", condition)
      }
      if metric.audience == .user { rejected.insert(id) }
      findings.append(finding(metric, word, expression, isDerived: isDerived, analysis))
    }
    return findings
  }

  /// The clause and the expression that show a declared number; a `target` may be one.
  private static func shown(_ metric: Metric, _ id: MetricID, _ analysis: BasisAnalysis) -> (
    word: String, expression: Expression
  )? {
    func isShown(_ basis: Basis) -> Bool {
      // A Bool or number that follows from a text alone is a flag, too.
      basis.isDeclared || basis.isShown || basis.source == .chosen && metric.audience == .user
    }
    if case .level(let level) = metric.body {
      return isShown(analysis.parts[id][0]) ? ("of", level.number) : nil
    }
    guard let first = metric.body.clauses.first,
      first.expression.type.isNumber || first.expression.type == .bool
    else { return nil }
    let basis =
      metric.kind == .completion
      ? analysis.scope(isCondition: true).basis(of: first.expression) : analysis.parts[id][0]
    return isShown(basis) ? first : nil
  }

  private static func finding(
    _ metric: Metric, _ word: String, _ expression: Expression, isDerived: Bool, _ analysis: BasisAnalysis
  ) -> Diagnostic {
    let blame = DeclaredBlame(analysis: analysis, isCondition: word == "when")
    let (part, leaf) = blame.source(of: expression)
    let text = analysis.library.text(of: leaf ?? part)
    let through = leaf == part ? "" : ", through `\(analysis.library.text(of: part))`"
    let what = "shows `\(text)`, which is declared and not measured\(through)"
    let notes: [Note] = [
      "\(blame.reason(part)); a declared number may be compared with, scale or cap a measured one",
      isDerived
        ? "derive it from what happened, and mark the field `stored`"
        : "count what happened with facts, or make `\(text)` the `target` of a `progress`",
    ]
    return metric.audience == .user
      ? metric.error(page.code, "`\(metric.name)` \(what)", at: word, notes: notes)
      : metric.warning(
        teamPage.code, "`\(metric.name)` \(what)", at: word,
        notes: [notes[0], "if this is intended, write `allow \(teamPage.code.id) \"why\"`"])
  }
}

/// Which part of an expression shows a declared number.
private struct DeclaredBlame {
  let analysis: BasisAnalysis
  let isCondition: Bool

  private func basis(of expression: Expression) -> Basis {
    analysis.scope(isCondition: isCondition).basis(of: expression)
  }

  /// The smallest part that shows one, and the declared number in it.
  func source(of expression: Expression) -> (part: Expression, leaf: Expression?) {
    if case .widened(let operand) = expression { return source(of: operand) }
    if let inner = expression.operands.first(where: { basis(of: $0).isShown }) { return source(of: inner) }
    let operands = expression.operands
    let declared =
      operands.first { basis(of: $0).isDeclared } ?? operands.first { basis(of: $0).source == .chosen }
    guard let declared else { return (expression, operands.isEmpty ? expression : nil) }
    return (expression, leaf(of: declared))
  }

  private func leaf(of expression: Expression) -> Expression {
    expression.operands.first { basis(of: $0).isDeclared }.map(leaf) ?? expression
  }

  func reason(_ expression: Expression) -> String {
    switch expression {
    case .arithmetic(.add, _, _), .arithmetic(.subtract, _, _):
      "what is added or subtracted is part of the value"
    case .arithmetic: "it scales a number that is not 0 without any fact, or one that is only 0 or 1"
    case .function(.greatest, _): "a floor is shown wherever less was measured"
    case .function(.least, _): "it caps a number that is not 0 without any fact"
    case .conditional: "a branch is shown as it is"
    case .comparison, .and, .or, .not, .membership, .isNone: "it decides without any fact"
    case .subjects: "it comes from records that somebody wrote, not from facts"
    case .aggregate, .metric, .field, .completions, .literal, .day, .negated, .function, .widened:
      "it is the value itself"
    }
  }
}
