/// A rest belongs to a window: it asks for its day or for facts.
enum RestForSome: SingleFindingRule {
  static let page = Page.checklist("C415")
  static let audience: Audience? = .user

  static func finding(of metric: Metric, _: MetricID, in scope: CheckScope) -> Diagnostic? {
    guard case .completion(let completion) = metric.body, let rest = completion.rest,
      let part = alternatives(rest).first(where: { isOfNoWindow($0) })
    else { return nil }
    return metric.error(
      page.code, "`\(scope.library.text(of: part))` lets every window of `\(metric.name)` rest, or none",
      at: "rest when",
      notes: [
        "it reads who the person is, and nothing of the window",
        "ask for `day`, or for a fact or setting with a date, such as a pause",
      ])
  }

  private static func alternatives(_ rest: Expression) -> [Expression] {
    guard case .or(let left, let right) = rest else { return [rest] }
    return alternatives(left) + alternatives(right)
  }

  private static func isOfNoWindow(_ expression: Expression) -> Bool {
    let parts = expression.parts
    return parts.contains { $0.path != nil }
      && parts.allSatisfy { part in
        switch part {
        case .day, .metric, .aggregate, .completions, .subjects: false
        case .literal, .field, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
          .conditional, .function, .widened:
          true
        }
      }
  }
}
