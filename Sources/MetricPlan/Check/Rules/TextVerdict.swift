/// A text or a day that a person sees comes from a record; one that a condition selects is a score in words.
enum TextVerdict: SingleFindingRule {
  static let page = Page.checklist("C408")
  static let audience: Audience? = .user

  static func finding(of metric: Metric, _: MetricID, in scope: CheckScope) -> Diagnostic? {
    guard case .measure(let measure) = metric.body else { return nil }
    let inner = scope.directions.scope(over: measure.over)
    let (word, shown) = shown(measure)
    guard let verdict = shown.lazy.compactMap({ verdict($0, inner) }).first else { return nil }
    let text = scope.library.text(of: verdict)
    return metric.error(
      page.code,
      verdict.isLiteral
        ? "`\(metric.name)` can be `\(text)`, a verdict written in the definition, not in a record"
        : "what was done decides `\(text)`, which selects the value of `\(metric.name)`", at: word,
      notes: ["show the condition itself as a Bool, or the number; a text is read from a record"])
  }

  /// The clause that shows a text or a day: the value, or the computed fields by which facts are grouped.
  private static func shown(_ measure: Measure) -> (word: String, expressions: [Expression]) {
    if measure.value.type == .text || measure.value.type == .dayKey { return ("value", [measure.value]) }
    let fields = measure.grouping.filter { $0.type == .text }
    return ("by", fields.flatMap { $0.paths.values.prefix(1) }.map { .field($0) })
  }

  /// The literal that is shown, or the condition that selects.
  private static func verdict(_ expression: Expression, _ scope: ExpressionAnalysis) -> Expression? {
    switch expression {
    case .literal(.none): nil
    case .literal: expression
    case .conditional(let condition, let then, let otherwise):
      verdict(then, scope) ?? verdict(otherwise, scope)
        ?? (selects(condition, then, otherwise, scope) ? condition : nil)
    case .field(let path) where scope.library.records[path.field.record].kind == .fact:
      // A formula asks what was logged.
      scope.library[path.field].computed.flatMap { $0.type == .text ? verdict($0, scope) : nil }
    case .aggregate(let aggregate): aggregate.argument.flatMap { verdict($0, scope) }
    case .field, .day, .metric, .completions, .subjects, .arithmetic, .negated, .comparison, .membership,
      .isNone, .and, .or, .not, .function, .widened:
      nil
    }
  }

  /// Whether what was done decides between two texts; a text that is there or not praises and never blames.
  private static func selects(
    _ condition: Expression, _ then: Expression, _ otherwise: Expression, _ scope: ExpressionAnalysis
  ) -> Bool {
    let behaviour = scope.behaviour(of: condition)
    if behaviour.added.contains(.falls) { return true }
    let mayBeNothing = [then, otherwise].contains { if case .literal(.none) = $0 { true } else { false } }
    return !mayBeNothing && !behaviour.added.union(behaviour.passing).isEmpty
  }
}
