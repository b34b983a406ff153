import MetricEvaluate
import MetricPlan

extension Expression {
  /// The expression with other fields and metrics in place of its own.
  func replacing(
    field: (FieldPath) -> Expression, metric: (MetricReference) -> Expression,
    completions: (CompletionAggregate) -> Expression
  ) -> Expression {
    func inner(_ expression: Expression) -> Expression {
      expression.replacing(field: field, metric: metric, completions: completions)
    }
    switch self {
    case .field(let path): return field(path)
    case .metric(let reference): return metric(reference)
    case .completions(let aggregate): return completions(aggregate)
    case .literal, .day, .aggregate, .subjects: return self
    case .arithmetic(let operation, let left, let right):
      return .arithmetic(operation, inner(left), inner(right))
    case .negated(let operand): return .negated(inner(operand))
    case .comparison(let operation, let left, let right):
      return .comparison(operation, inner(left), inner(right))
    case .membership(let operand, let literals, let negated):
      return .membership(inner(operand), literals, negated: negated)
    case .isNone(let operand, let negated): return .isNone(inner(operand), negated: negated)
    case .and(let left, let right): return .and(inner(left), inner(right))
    case .or(let left, let right): return .or(inner(left), inner(right))
    case .not(let operand): return .not(inner(operand))
    case .conditional(let condition, let then, let otherwise):
      return .conditional(condition: inner(condition), then: inner(then), else: inner(otherwise))
    case .function(let function, let operands): return .function(function, operands.map(inner))
    case .widened(let operand): return .widened(inner(operand))
    }
  }

  /// What holds for a row, asked about the subject that the row is: `cadence` becomes `habit.cadence`.
  /// What speaks of the subject outside becomes its value there.
  func onSubject(outside: (Expression) -> Literal) -> Expression {
    replacing(
      field: { path in
        guard path.root == .row else { return .literal(outside(.field(path))) }
        var path = path
        path.root = .subject
        return .field(path)
      },
      metric: { reference in
        guard reference.root == .row else { return .literal(outside(.metric(reference))) }
        var reference = reference
        reference.root = .subject
        return .metric(reference)
      },
      completions: { aggregate in
        guard aggregate.root == .row else { return .literal(outside(.completions(aggregate))) }
        var aggregate = aggregate
        aggregate.root = .subject
        return .completions(aggregate)
      })
  }

  /// A condition of `for … where`, which speaks of nothing outside.
  var onSubject: Expression { onSubject { .none($0.type) } }

  /// Those parts of the expression that speak of the subject outside.
  var outsideOperands: [Expression] {
    var found: [Expression] = []
    visit { part in
      switch part {
      case .field(let path) where path.root == .subject: found.append(part)
      case .metric(let reference) where reference.root == .subject: found.append(part)
      case .completions(let aggregate) where aggregate.root == .subject: found.append(part)
      default: break
      }
    }
    return found
  }
}

extension Literal {
  /// A value of the results as a literal of the plan.
  init(_ value: Value, type: ValueType) {
    self =
      switch value {
      case .none: .none(type)
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .decimal(let value): .decimal(value)
      case .day(let value): .day(value)
      case .text(let value): .text(value)
      }
  }
}
