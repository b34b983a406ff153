import MetricData
import MetricPlan

/// Expressions, operator by operator (LANGUAGE, Expressions; Numbers, text, none).
extension ReferenceEvaluator {
  func evaluate(_ expression: Expression, _ scope: ReferenceScope) throws -> ReferenceValue {
    switch expression {
    case .literal(let literal):
      return ReferenceValue(literal)
    case .field(let path):
      return try evaluate(path, scope)
    case .day:
      return .day(scope.day)
    case .metric(let reference):
      return try evaluate(reference, scope)
    case .aggregate(let aggregate):
      return try evaluate(aggregate, scope)
    case .completions(let aggregate):
      return try evaluate(aggregate, scope)
    case .subjects(let aggregate):
      return try evaluate(aggregate, scope)
    case .arithmetic(let operation, let left, let right):
      let (left, right) = (try evaluate(left, scope), try evaluate(right, scope))
      return try ReferenceNumber.arithmetic(operation, left, right)
    case .negated(let operand):
      return negated(try evaluate(operand, scope))
    case .comparison(let operation, let left, let right):
      return compare(operation, try evaluate(left, scope), try evaluate(right, scope))
    case .membership(let operand, let list, let isNegated):
      // "None in, none out: … `in` … with none [is] none."
      let value = try evaluate(operand, scope)
      return value.isNone ? .none : .bool(list.map { ReferenceValue($0) }.contains(value) != isNegated)
    case .isNone(let operand, let isNegated):
      return .bool(try evaluate(operand, scope).isNone != isNegated)
    case .and, .or, .not:
      return try evaluateLogic(expression, scope)
    case .conditional(let condition, let then, let otherwise):
      // "`if` take[s] none as false"; only the chosen branch is evaluated.
      return try evaluate(try evaluate(condition, scope).isTrue ? then : otherwise, scope)
    case .function(let function, let operands):
      return call(function, try operands.map { try evaluate($0, scope) })
    case .widened(let operand):
      guard case .int(let value) = try evaluate(operand, scope) else { return .none }
      return try ReferenceNumber.decimal(value * ReferenceNumber.scale)
    }
  }

  /// "`and or not` as in SQL": false wins over none in `and`, true in `or`; from left to right, and
  /// no further than needed.
  private func evaluateLogic(_ expression: Expression, _ scope: ReferenceScope) throws -> ReferenceValue {
    switch expression {
    case .and(let left, let right):
      let first = try evaluate(left, scope)
      if first == .bool(false) { return first }
      let second = try evaluate(right, scope)
      if second == .bool(false) { return second }
      return first.isNone || second.isNone ? .none : .bool(true)
    case .or(let left, let right):
      let first = try evaluate(left, scope)
      if first == .bool(true) { return first }
      let second = try evaluate(right, scope)
      if second == .bool(true) { return second }
      return first.isNone || second.isNone ? .none : .bool(false)
    case .not(let operand):
      guard case .bool(let value) = try evaluate(operand, scope) else { return .none }
      return .bool(!value)
    default:
      preconditionFailure("no logic in \(expression)")
    }
  }

  private func negated(_ value: ReferenceValue) -> ReferenceValue {
    switch value {
    case .int(let number): .int(-number)
    case .decimal(let number): .decimal(-number)
    case .none, .bool, .text, .day: .none
    }
  }

  /// "None in, none out: … comparison … with none [is] none."
  private func compare(
    _ operation: ComparisonOperator, _ left: ReferenceValue, _ right: ReferenceValue
  ) -> ReferenceValue {
    guard !left.isNone, !right.isNone else { return .none }
    let result =
      switch operation {
      case .equal: left == right
      case .notEqual: left != right
      case .less: left.precedes(right)
      case .lessOrEqual: !right.precedes(left)
      case .greater: right.precedes(left)
      case .greaterOrEqual: !left.precedes(right)
      }
    return .bool(result)
  }

  /// "Functions: `least(a,b)`, `greatest(a,b)`, `floor(a)`, `weekday(DAYKEY)`"; "DayKey − DayKey is an
  /// Int"; none of none.
  private func call(_ function: ScalarFunction, _ operands: [ReferenceValue]) -> ReferenceValue {
    guard !operands.contains(.none) else { return .none }
    switch function {
    case .least:
      return operands[1].precedes(operands[0]) ? operands[1] : operands[0]
    case .greatest:
      return operands[0].precedes(operands[1]) ? operands[1] : operands[0]
    case .floor:
      guard case .decimal(let value) = operands[0] else { return operands[0] }
      let scale = ReferenceNumber.scale
      return .int(value >= 0 ? value / scale : -((-value + scale - 1) / scale))
    case .weekday:
      guard case .day(let day) = operands[0] else { return .none }
      return .text(ByteText(day.weekday.name))
    case .daysBetween:
      guard case .day(let left) = operands[0], case .day(let right) = operands[1] else { return .none }
      return .int(Int128(left.number) - Int128(right.number))
    }
  }

  // MARK: Names

  /// A field of the subject or of the record at hand, along references.
  func evaluate(_ path: FieldPath, _ scope: ReferenceScope) throws -> ReferenceValue {
    var row: ReferenceRow?
    switch path.root {
    case .row: row = scope.row?.row
    case .subject: row = library.metrics[scope.metric].subject.entity.flatMap { entity($0, scope.subject) }
    }
    for reference in path.references {
      guard case .text(let id) = try value(reference, row), let target = target(of: reference) else {
        return .none
      }
      row = entity(target, id)
    }
    return try value(path.field, row)
  }

  /// "of its values on those days of the period on which it has one"; "all time begins with the first fact that it reads".
  private func evaluate(
    _ reference: MetricReference, _ days: DayAggregate, _ scope: ReferenceScope
  ) throws -> ReferenceValue {
    let span = days.period.map { DaySpan($0, at: scope.day) } ?? scope.span
    let subject = try subject(reference.root, scope)
    let facts = try factsBehind(reference.metric, for: subject, asksConsent: scope.asksConsent)
    var values: [ReferenceValue] = []
    var day = span.first ?? facts.map(self.day).min() ?? span.last.advanced(by: 1)
    while day <= span.last {
      values.append(
        try value(
          of: reference.metric, part: reference.part, for: subject, in: [""], at: day,
          asksConsent: scope.asksConsent))
      day = day.advanced(by: 1)
    }
    values.removeAll { $0.isNone }
    switch days.function {
    case .first: return values.first ?? .none
    case .last: return values.last ?? .none
    default: return try combine(days.function, values, type: reference.type)
    }
  }

  /// "A metric may use another of the same subject by name, a part of it, and either shifted (a month
  /// is clamped to its last day)."
  private func evaluate(_ reference: MetricReference, _ scope: ReferenceScope) throws -> ReferenceValue {
    if let days = reference.days { return try evaluate(reference, days, scope) }
    let subject = try subject(reference.root, scope)
    let fields = library.metrics[reference.metric].grouping
    return try value(
      of: reference.metric, part: reference.part, for: subject, in: scope.group?.texts(of: fields) ?? [""],
      at: day(of: reference, scope), asksConsent: scope.asksConsent)
  }

  func rows(of reference: MetricReference, _ scope: ReferenceScope) throws -> [GroupRow] {
    let subject = try subject(reference.root, scope)
    return try table(
      reference.metric, subject, at: day(of: reference, scope), asksConsent: scope.asksConsent)
  }

  private func day(of reference: MetricReference, _ scope: ReferenceScope) -> DayKey {
    switch reference.offset {
    case nil: scope.day
    case .days(let days): scope.day.advanced(by: -days)
    case .months(let months): scope.day.advanced(byMonths: -months)
    }
  }

  /// Whose metric is read: the metric's own subject's, or that of the subject counted at hand.
  func subject(_ root: PathRoot, _ scope: ReferenceScope) throws -> ByteText {
    switch root {
    case .subject: return scope.subject
    case .row:
      guard let id = scope.row?.id else { preconditionFailure("a metric of a fact") }
      return id
    }
  }
}
