import MetricPlan

/// Which links led to the facts of an aggregate, and what each of them adds (LINK-01 to LINK-04).
extension Explainer {
  func links(
    _ aggregate: Aggregate, _ route: LinkRoute, _ scope: Prober.Scope, _ facts: [TracedFact]
  ) throws(EvaluationError) -> [LinkStory] {
    let amounts = try self.amounts(aggregate, scope, facts)
    let trace = try prober.trace(scope.metric, at: facts.last?.day ?? .last)
    func text(_ field: FieldReference?, _ row: Int) -> String? { field.flatMap { reader.text($0, row) } }
    let contribution = library.field("contribution", of: route.link)
    return try trace.links(aggregate, route, of: scope.subject ?? "", facts).map { link in
      var story = LinkStory(
        link: reader.reference(route.link, link.row), end: link.end,
        bundle: link.isBundled ? text(route.bundle, link.row) : nil,
        contribution: text(contribution, link.row) ?? "", counts: link.counts, factCount: link.facts.count)
      if aggregate.function == .contribution {
        let given = link.facts.map { link.isSum ? amounts[$0.row]?.millionths ?? 0 : FixedDecimal.scale }
        let sum = Int64(clamping: given.reduce(Int128(0)) { $0 + Int128($1) })
        story.amount =
          aggregate.type == .int
          ? .int(sum / FixedDecimal.scale) : .decimal(FixedDecimal(millionths: sum))
      }
      return story
    }
  }

  /// What each fact gives to a link that sums.
  private func amounts(
    _ aggregate: Aggregate, _ scope: Prober.Scope, _ facts: [TracedFact]
  ) throws(EvaluationError) -> [Int: Value] {
    guard aggregate.function == .contribution, let last = facts.last else { return [:] }
    var question = aggregate
    question.function = .sum
    let valued = try prober.facts(question, scope, at: last.day).facts
    return Dictionary(
      valued.compactMap { fact in fact.value.map { (fact.row, $0) } }, uniquingKeysWith: { one, _ in one })
  }
}
