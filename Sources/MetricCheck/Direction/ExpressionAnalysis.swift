import MetricData
import MetricPlan

/// The behaviour of expressions in one place, under what conditions around them say.
struct ExpressionAnalysis {
  let analysis: DirectionAnalysis
  /// The period of aggregates without one of their own; nil is a completion's window.
  let over: Period?
  var refinement = Refinement()

  var library: Library { analysis.library }

  init(_ analysis: DirectionAnalysis, over: Period?) {
    self.analysis = analysis
    self.over = over
  }

  func behaviour(of expression: Expression) -> Behaviour {
    analysis.budget -= 1
    guard analysis.budget > 0 else { return .unknown }
    var behaviour = unrefined(expression)
    behaviour.values = refinement.narrowed(behaviour.values, of: expression)
    let isBool = expression.type == .bool
    // A value that never falls and is there from the start stays at or above its start. A setting may
    // lower it: no data has none of them either, and the promise does not speak of adding one.
    if !isBool, refinement.isEmpty, !behaviour.onNoData.mayBeNone,
      behaviour.added.isDisjoint(with: [.falls, .vanishes]), !analysis.restsOnSettings(expression)
    {
      behaviour.values.mayBeNone = false
      behaviour.values.low = max(behaviour.values.low, behaviour.onNoData.low)
    }
    return behaviour.tidied(isBool: isBool)
  }

  func values(of expression: Expression) -> Values { behaviour(of: expression).values }

  private func unrefined(_ expression: Expression) -> Behaviour {
    switch expression {
    case .literal(let literal): literalBehaviour(literal)
    case .field(let path): field(path)
    case .day:
      Behaviour(
        values: .range(-Values.limit, Values.limit), onNoData: .range(-Values.limit, Values.limit), added: [],
        passing: .rises)
    case .metric(let reference): metric(reference)
    case .aggregate(let aggregate): AggregateRules(self).behaviour(of: aggregate)
    case .completions(let aggregate): analysis.completions(aggregate)
    case .subjects(let aggregate): AggregateRules(self).behaviour(of: aggregate)
    case .arithmetic(let operation, let left, let right): arithmetic(operation, left, right)
    case .negated(let operand): Operators.difference(.constant(.exactly(0)), behaviour(of: operand))
    case .comparison(let operation, let left, let right):
      Operators.comparison(operation, behaviour(of: left), behaviour(of: right), isNumber: left.type.isNumber)
    case .membership(let operand, _, _): membership(behaviour(of: operand))
    case .isNone(let operand, let negated): isNone(operand, negated: negated)
    case .and(let left, let right):
      Operators.combine(
        behaviour(of: left), behaviour(of: right), values: { $0.and($1) }, moves: { $0.union($1) })
    case .or(let left, let right):
      Operators.combine(
        behaviour(of: left), behaviour(of: right), values: { $0.or($1) }, moves: { $0.union($1) })
    case .not(let operand): negation(behaviour(of: operand))
    case .conditional(let condition, let then, let otherwise):
      ConditionalRule(self).behaviour(condition, then, otherwise)
    case .function(.daysBetween, let days): daysBetween(days[0], days[1])
    case .function(let function, let operands): scalar(function, operands.map(behaviour))
    case .widened(let operand): behaviour(of: operand)
    }
  }

  // MARK: Leaves

  private func literalBehaviour(_ literal: Literal) -> Behaviour {
    if case .none = literal { return .constant(.none) }
    return .constant(literal.millionths.map { .exactly($0) } ?? .range(-Values.limit, Values.limit))
  }

  /// A field of a subject or of the record at hand: entities do not change when a fact is added. A
  /// subject that no record names has no fields.
  private func field(_ path: FieldPath) -> Behaviour {
    let field = library[path.field]
    if let computed = field.computed {
      var inner = ExpressionAnalysis(analysis, over: over)
      if path.references.isEmpty, path.root == .row { inner.refinement = refinement }
      var values = inner.values(of: computed)
      values.mayBeNone = true
      return .constant(values)
    }
    let isOwn = path.root == .row && path.references.isEmpty
    let mayBeNone = field.isOptional || !isOwn
    switch field.type {
    case .bool: return .constant(.range(0, Values.one, mayBeNone: mayBeNone))
    default:
      return .constant(.range(field.minimum?.millionths ?? -Values.limit, Values.limit, mayBeNone: mayBeNone))
    }
  }

  private func metric(_ reference: MetricReference) -> Behaviour {
    var behaviour = analysis.behaviour(of: reference.metric, part: reference.part)
    // Its own `for … where` may leave the subject out; entities decide, so nothing moves.
    if library.metrics[reference.metric].subject.condition != nil {
      behaviour.values.mayBeNone = true
      behaviour.onNoData.mayBeNone = true
    }
    return behaviour
  }

  // MARK: Operators

  private func arithmetic(_ operation: ArithmeticOperator, _ left: Expression, _ right: Expression)
    -> Behaviour
  {
    let (one, other) = (behaviour(of: left), behaviour(of: right))
    switch operation {
    case .add: return Operators.sum(one, other)
    case .subtract:
      var difference = Operators.difference(one, other)
      if Pointwise(self).isAtMost(right, left) {
        difference.values.low = max(0, difference.values.low)
      }
      return difference
    case .multiply: return Operators.product(one, other, isDecimal: left.type == .decimal)
    case .divide: return Operators.quotient(one, other, step: right.step)
    }
  }

  private func membership(_ operand: Behaviour) -> Behaviour {
    func moves(_ moves: Moves) -> Moves { moves.isEmpty ? [] : .all }
    func test(_ values: Values) -> Values {
      Values(mayBeNone: values.mayBeNone, mayBePresent: values.mayBePresent, low: 0, high: Values.one)
    }
    return Behaviour(
      values: test(operand.values), onNoData: test(operand.onNoData), added: moves(operand.added),
      passing: moves(operand.passing))
  }

  private func isNone(_ operand: Expression, negated: Bool) -> Behaviour {
    switch operand {
    case .comparison(_, let left, let right):
      // None where either side is, and only there.
      let either = Expression.or(.isNone(left, negated: false), .isNone(right, negated: false))
      return negated ? negation(behaviour(of: either)) : behaviour(of: either)
    case .membership(let inner, _, _), .not(let inner): return isNone(inner, negated: negated)
    default: return Operators.isNone(behaviour(of: operand), isBool: operand.type == .bool, negated: negated)
    }
  }

  private func negation(_ operand: Behaviour) -> Behaviour {
    Behaviour(
      values: operand.values.not, onNoData: operand.onNoData.not, added: operand.added.ofNegation,
      passing: operand.passing.ofNegation)
  }

  private func scalar(_ function: ScalarFunction, _ operands: [Behaviour]) -> Behaviour {
    switch function {
    case .least:
      return Operators.combine(operands[0], operands[1], values: { $0.least($1) }, moves: { $0.union($1) })
    case .greatest:
      return Operators.combine(operands[0], operands[1], values: { $0.greatest($1) }, moves: { $0.union($1) })
    case .floor:
      return Behaviour(
        values: operands[0].values.floored, onNoData: operands[0].onNoData.floored, added: operands[0].added,
        passing: operands[0].passing)
    case .weekday:
      func moves(_ moves: Moves) -> Moves {
        moves.isDisjoint(with: [.rises, .falls]) ? moves : moves.union([.rises, .falls])
      }
      return Behaviour(
        values: operands[0].values, onNoData: operands[0].onNoData, added: moves(operands[0].added),
        passing: moves(operands[0].passing))
    case .daysBetween: return Operators.difference(operands[0], operands[1])
    }
  }

  /// Days are held without bounds, so their difference has none but the order of the two.
  private func daysBetween(_ late: Expression, _ early: Expression) -> Behaviour {
    var difference = Operators.difference(behaviour(of: late), behaviour(of: early))
    (difference.values.low, difference.values.high) = (-Values.limit, Values.limit)
    (difference.onNoData.low, difference.onNoData.high) = (-Values.limit, Values.limit)
    if Pointwise(self).isAtMost(early, late) { difference.values.low = 0 }
    return difference
  }
}
