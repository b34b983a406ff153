/// Expressions that are equal by proof, made one.
///
/// `and`, `or` and `not` are three-valued (NUM-09), so De Morgan's laws hold whatever is none. A comparison may be
/// turned round under `not`, and the branches of an `if` exchanged, only where nothing in the condition can be none
/// (NUM-10).
extension NormalForm {
  func canonical(_ expression: Expression) -> Expression {
    let made = expression.mapOperands(canonical)
    switch made {
    case .not(let operand): return negated(operand)
    case .comparison(let operation, let left, let right): return comparison(operation, left, right)
    case .conditional(let condition, let then, let otherwise): return conditional(condition, then, otherwise)
    case .metric(let reference): return inlined(reference) ?? made
    case .literal, .field, .day, .aggregate, .completions, .subjects, .arithmetic, .negated, .membership,
      .isNone, .and, .or, .function, .widened:
      return made
    }
  }

  /// `not E` of a canonical expression.
  private func negated(_ operand: Expression) -> Expression {
    switch operand {
    case .not(let twice): twice
    case .and(let left, let right): .or(negated(left), negated(right))
    case .or(let left, let right): .and(negated(left), negated(right))
    case .isNone(let inner, let isNegated): .isNone(inner, negated: !isNegated)
    case .membership(let inner, let literals, let isNegated):
      .membership(inner, literals, negated: !isNegated)
    case .comparison(.equal, let left, let right): .comparison(.notEqual, left, right)
    case .comparison(.notEqual, let left, let right): .comparison(.equal, left, right)
    case .comparison(let operation, let left, let right) where isNeverNone(left) && isNeverNone(right):
      comparison(operation.negation, left, right)
    // What has no opposite of its own.
    default: .not(operand)
    }
  }

  /// Over whole numbers `n <= x` is `n - 1 < x`, and `2.5 < x` is `2 < x`; what counts is never below 0.
  private func comparison(_ operation: ComparisonOperator, _ left: Expression, _ right: Expression)
    -> Expression
  {
    switch (operation, left, right) {
    case (.greater, _, _): return comparison(.less, right, left)
    case (.greaterOrEqual, _, _): return comparison(.lessOrEqual, right, left)
    case (.less, .literal(let bound), _), (.lessOrEqual, .literal(let bound), _):
      guard let whole = right.asWhole, let number = bound.inMillionths else { break }
      let low = FixedDecimal.floor(operation == .less ? number : number - 1)
      return .comparison(.less, .literal(.int(low)), whole)
    case (.less, _, .literal(let bound)), (.lessOrEqual, _, .literal(let bound)):
      guard let whole = left.asWhole, let number = bound.inMillionths else { break }
      let high = -FixedDecimal.floor(operation == .less ? -number : -number - 1)
      return .comparison(.less, whole, .literal(.int(high)))
    case (.equal, .literal(.int(0)), _) where right.isCount,
      (.notEqual, .literal(.int(0)), _) where right.isCount:
      return comparison(operation, right, left)
    case (.equal, _, .literal(.int(0))) where left.isCount: return .comparison(.less, left, .literal(.int(1)))
    case (.notEqual, _, .literal(.int(0))) where left.isCount:
      return .comparison(.less, .literal(.int(0)), left)
    default: break
    }
    return .comparison(operation, left, right)
  }

  /// Of an `if` with one outcome the outcome, of one that only repeats its condition the condition, of two that share a
  /// branch one; else the condition whose text comes first.
  private func conditional(_ condition: Expression, _ then: Expression, _ otherwise: Expression) -> Expression
  {
    if then == otherwise, !keepsAggregates || !condition.parts.contains(where: \.isAggregate) { return then }
    if case .conditional(let inner, let innerThen, let innerElse) = then, innerElse == otherwise {
      return conditional(.and(condition, inner), innerThen, otherwise)
    }
    if case .conditional(let inner, let innerThen, let innerElse) = otherwise, innerThen == then {
      return conditional(.or(condition, inner), then, innerElse)
    }
    guard isNeverNone(condition) else {
      return .conditional(condition: condition, then: then, else: otherwise)
    }
    let opposite = negated(condition)
    let (yes, no) = (Expression.literal(.bool(true)), Expression.literal(.bool(false)))
    if (then, otherwise) == (yes, no) { return condition }
    if (then, otherwise) == (no, yes) { return opposite }
    return written(opposite) < written(condition)
      ? .conditional(condition: opposite, then: otherwise, else: then)
      : .conditional(condition: condition, then: then, else: otherwise)
  }

  /// The value of a measure in its place: both are read at one day, of one subject. Not inside a completion, whose
  /// windows have more facts where it reads a metric (CMP-02).
  private func inlined(_ reference: MetricReference) -> Expression? {
    guard reference.root == .subject, reference.offset == nil, reference.days == nil, reference.part.isEmpty
    else { return nil }
    return values[reference.metric]
  }

  /// What may stand in place of each measure that is read, as far as it is not too long.
  static func values(of library: Library) -> [MetricID: Expression] {
    // A metric comes after those it reads.
    library.metrics.indices.reduce(into: [:]) { $0[$1] = value(of: $1, in: library, $0) }
  }

  /// The same of one metric, where that of those that it reads is known. A metric for the team counts its own subjects
  /// where consent is asked (PRIV-14).
  static func value(of id: MetricID, in library: Library, _ values: [MetricID: Expression]) -> Expression? {
    let metric = library.metrics[id]
    guard metric.subject.condition == nil, metric.nearest == nil,
      !(metric.audience == .team && library.asksConsent),
      metric.kind == .measure, case .measure(let measure) = metric.body, measure.grouping.isEmpty,
      measure.atLeast == nil
    else { return nil }
    let form = NormalForm(
      library: library, values: values, recordName: { "\($0)" }, reference: { "\($0)" })
    let value = form.canonical(measure.value).over(measure.over)
    var size = 0
    value.visit { _ in size += 1 }
    return size <= longestInlined ? value : nil
  }

  private static let longestInlined = 100

  /// Whether an expression has a value for every subject on every dataset.
  func isNeverNone(_ expression: Expression) -> Bool {
    switch expression {
    case .literal(.none): return false
    case .literal, .day, .isNone: return true
    case .field(let path):
      // The record that a reference names may be missing, and so may that of a subject, also one that is counted.
      let field = library[path.field]
      return path.root == .row && path.references.isEmpty && !field.isOptional && field.computed == nil
        && library.records[path.field.record].kind != .entity
    case .metric(let reference):
      if let days = reference.days { return days.function.isNeverNone }
      let metric = library.metrics[reference.metric]
      // What is hidden for its size is none.
      guard metric.subject.condition == nil, reference.part.isEmpty, metric.grouping.isEmpty,
        metric.body.atLeast == nil, metric.kind != .level, !metric.kind.countsSubjects
      else { return false }
      return metric.body.over == nil || isNeverNone(metric.body.expressions[0])
    case .aggregate(let aggregate): return aggregate.function.isNeverNone
    case .completions(let aggregate): return aggregate.function == .count
    case .subjects(let aggregate): return aggregate.function.isNeverNone
    case .arithmetic(.divide, _, _): return false
    case .arithmetic, .negated, .comparison, .membership, .and, .or, .not, .function, .widened:
      return expression.operands.allSatisfy(isNeverNone)
    case .conditional(_, let then, let otherwise): return isNeverNone(then) && isNeverNone(otherwise)
    }
  }
}

extension Expression {
  /// The whole number that it is, also as a Decimal.
  fileprivate var asWhole: Expression? {
    if case .widened(let inner) = self { inner.asWhole } else { type == .int ? self : nil }
  }

  fileprivate var isAggregate: Bool {
    switch self {
    case .aggregate, .completions, .subjects, .metric: true
    case .literal, .field, .day, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
      .conditional, .function, .widened:
      false
    }
  }

  /// A whole number that is never below 0.
  fileprivate var isCount: Bool {
    switch self {
    case .aggregate(let aggregate): aggregate.function.traits.form == .counts
    case .completions(let aggregate): aggregate.function == .count
    case .subjects(let aggregate): aggregate.function.traits.form == .counts
    case .literal, .field, .day, .metric, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or,
      .not, .conditional, .function, .widened:
      false
    }
  }

  /// The same where aggregates without a period of their own look at this one.
  fileprivate func over(_ period: Period) -> Expression {
    switch self {
    case .aggregate(var aggregate):
      aggregate.period = aggregate.period ?? period
      return .aggregate(aggregate)
    case .metric(var reference):
      if let own = reference.days { reference.days?.period = own.period ?? period }
      return .metric(reference)
    case .literal, .field, .day, .completions, .subjects, .arithmetic, .negated, .comparison, .membership,
      .isNone, .and, .or, .not, .conditional, .function, .widened:
      return mapOperands { $0.over(period) }
    }
  }
}
