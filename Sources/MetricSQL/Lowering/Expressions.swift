/// What an expression of a definition sees where it becomes SQL.
struct Scope {
  var builder: SelectBuilder
  /// The subject's id, and its entity.
  var subject: SQLExpression?
  var entity: RecordID?
  var day: SQLExpression?
  var row: Row?
  /// Aggregates and metrics, where they may stand.
  var values: NamedValues?

  fileprivate var named: NamedValues { values ?? impossible("aggregates have no place in a record") }
}

/// Ends the run where a checked plan has what it cannot have: a number in its place would look like any other.
func impossible<Result>(_ what: String) -> Result { preconditionFailure(what) }

/// Expressions, operator by operator (EXP-01, NUM-08, NUM-09). The three-valued logic is SQL's own.
extension Translation {
  func expression(_ expression: Expression, _ scope: Scope) -> SQLExpression {
    func lower(_ inner: Expression) -> SQLExpression { self.expression(inner, scope) }
    switch expression {
    case .literal(let literal): return value(of: literal)
    case .field(let path): return field(path, scope)
    case .day: return scope.day ?? impossible("an expression without a day asks for it")
    case .metric(let reference): return scope.named.value(of: reference, scope)
    case .aggregate(let aggregate): return scope.named.value(of: aggregate, scope)
    case .completions(let aggregate): return scope.named.value(of: aggregate, scope)
    case .subjects(let aggregate): return scope.named.value(of: aggregate, scope)
    case .arithmetic(let arithmetic, let left, let right):
      let operation = operation(arithmetic, isDecimal: left.type == .decimal)
      return inRange(.operation(operation, [lower(left), lower(right)]), expression.type)
    case .negated(let inner): return .negated(lower(inner))
    case .comparison(let comparison, let left, let right):
      return .infix(infix(comparison), lower(left), lower(right))
    case .membership(let inner, let literals, let negated):
      return membership(lower(inner), of: inner.type, literals, negated: negated)
    case .isNone(let inner, let negated): return .isNull(lower(inner), negated: negated)
    case .and(let left, let right): return lower(left).and(lower(right))
    case .or(let left, let right): return lower(left).or(lower(right))
    case .not(let inner): return .not(lower(inner))
    case .conditional(let condition, let then, let otherwise):
      let branch = SQLBranch(condition: lower(condition), value: lower(then))
      let rest = lower(otherwise)
      // `if … else if …` is one choice of many branches.
      guard case .conditional(let branches, let last) = rest else {
        return .conditional([branch], otherwise: rest)
      }
      return .conditional([branch] + branches, otherwise: last)
    case .function(let function, let operands):
      return call(function, operands.map(lower), operands[0].type)
    case .widened(let inner): return .infix(.multiply, lower(inner), .number(FixedDecimal.scale))
    }
  }

  private func value(of literal: Literal) -> SQLExpression {
    switch literal {
    case .none(let type): .null(type.storedType)
    case .bool(let value): .bool(value)
    case .int(let value): .number(value)
    case .decimal(let value): .number(value.millionths)
    // An empty text is missing.
    case .text(let text): text.isEmpty ? .null(.text) : .text(text)
    case .day(let day): .day(day)
    }
  }

  private func field(_ path: FieldPath, _ scope: Scope) -> SQLExpression {
    switch path.root {
    case .row: return value(path, from: scope.row, scope.builder)
    case .subject:
      guard let entity = scope.entity, let subject = scope.subject else {
        return impossible("the whole dataset has no fields")
      }
      return value(path, from: row(of: entity, id: subject, scope.builder), scope.builder)
    }
  }

  private func operation(_ arithmetic: ArithmeticOperator, isDecimal: Bool) -> SQLOperation {
    switch arithmetic {
    case .add: .add
    case .subtract: .subtract
    case .multiply: isDecimal ? .multiplyMillionths : .multiply
    case .divide: .divideMillionths
    }
  }

  private func infix(_ comparison: ComparisonOperator) -> SQLInfix {
    switch comparison {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    }
  }

  private func membership(
    _ value: SQLExpression, of type: ValueType, _ literals: [Literal], negated: Bool
  ) -> SQLExpression {
    let items = literals.filter { $0.type == type && $0 != .none(type) && $0 != .text("") }
    // Of an empty list only a missing value is not false.
    guard !items.isEmpty else { return .bool(negated).when(value.isPresent, otherwise: .null(.bool)) }
    return .oneOf(value, items.map(self.value), negated: negated)
  }

  private func call(
    _ function: ScalarFunction, _ operands: [SQLExpression], _ type: ValueType
  ) -> SQLExpression {
    switch function {
    case .least: return .operation(.least, operands)
    case .greatest: return .operation(.greatest, operands)
    case .floor: return type == .decimal ? .operation(.floorMillionths, operands) : operands[0]
    case .daysBetween: return operands[0] - operands[1]
    case .weekday:
      let index = CalendarUnit.daysIntoWeek(operands[0], from: .monday)
      return .conditional(
        Weekday.allCases.map {
          SQLBranch(condition: index.equals(.integer($0.rawValue)), value: .text($0.name))
        }, otherwise: nil)
    }
  }

  /// A value as the result table and groups write it; null stays null.
  func text(of value: SQLExpression, _ type: ValueType) -> SQLExpression {
    switch type {
    case .int, .instant: .operation(.numberText, [value])
    case .decimal: .operation(.millionthsText, [value])
    case .dayKey: .operation(.dayText, [value])
    case .text: value
    case .bool: .cases([value: "true", .not(value): "false"])
    }
  }
}
