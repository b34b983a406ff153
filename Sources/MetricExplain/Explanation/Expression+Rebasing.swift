import MetricEvaluate
import MetricPlan

extension Expression {
  /// What holds for a row, asked about the subject that the row is: `cadence` becomes `habit.cadence`.
  /// What refers to the outer subject becomes its value there.
  func onSubject(outside: (Expression) -> Literal) -> Expression {
    switch self {
    case .field(var path):
      guard path.root == .row else { return .literal(outside(self)) }
      path.root = .subject
      return .field(path)
    case .metric(var reference):
      guard reference.root == .row else { return .literal(outside(self)) }
      reference.root = .subject
      return .metric(reference)
    case .completions(var aggregate):
      guard aggregate.root == .row else { return .literal(outside(self)) }
      aggregate.root = .subject
      return .completions(aggregate)
    case .literal, .day, .aggregate, .subjects, .arithmetic, .negated, .comparison, .membership, .isNone,
      .and, .or, .not, .conditional, .function, .widened:
      return mapOperands { $0.onSubject(outside: outside) }
    }
  }

  /// A condition of `for … where`, which refers to nothing outside.
  var onSubject: Expression { onSubject { .none($0.type) } }

  /// Those parts of the expression that refer to the outer subject.
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
