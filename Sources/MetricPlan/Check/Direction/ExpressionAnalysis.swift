/// The behaviour of expressions in one place, under what conditions around them say.
struct ExpressionAnalysis {
  let analysis: DirectionAnalysis
  /// The period of aggregates without one of their own; nil is a completion's window.
  let over: Period?
  var refinement = Refinement() { didSet { memo = Memo() } }
  /// Facts that do not exist here, nor after one is added.
  var absent: WindowPresence? { didSet { memo = Memo() } }
  /// What moves as a day passes.
  let passing: Passing
  /// How many sides of `and` and `or` are examined under the other one, around this place.
  var nested = 0 { didSet { memo = Memo() } }
  /// In how many branches of `if` this place is.
  var conditionals = 0 { didSet { memo = Memo() } }
  private var memo: Memo

  var library: Library { analysis.library }

  /// What was found at one place. A rule asks about an expression, and then about each of its parts.
  final class Memo {
    fileprivate var known: [Expression: Behaviour] = [:]
  }

  init(_ analysis: DirectionAnalysis, over: Period?, passing: Passing = .everything) {
    self.analysis = analysis
    self.over = over
    self.passing = passing
    memo = passing == .everything ? analysis.memo(over: over) : Memo()
  }

  /// What is known there where a condition comes out so.
  func knowing(_ condition: Expression, _ outcome: ConditionOutcome) -> ExpressionAnalysis {
    var inner = self
    inner.refinement.add(condition, outcome, self)
    return inner
  }

  func behaviour(of expression: Expression) -> Behaviour {
    if let known = memo.known[expression] { return known }
    analysis.budget -= 1
    guard analysis.budget > 0 else { return .unknown }
    let behaviour = compute(expression)
    if analysis.budget > 0 { memo.known[expression] = behaviour }
    return behaviour
  }

  private func compute(_ expression: Expression) -> Behaviour {
    var behaviour = unrefined(expression)
    behaviour.values = refinement.narrowed(behaviour.values, of: expression)
    let isBool = expression.type == .bool
    // A value that never falls and is there from the start stays at or above its start. A setting may
    // lower it: no data has none of them either, and the promise does not cover adding one.
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
    if let test = expression.truthTest { return behaviour(of: test) }
    var behaviour = byForm(expression)
    guard passing != .everything else { return behaviour }
    switch expression {
    case .metric(let reference):
      let moves = analysis.moves(of: reference.metric, passing)
      behaviour.passing = reference.days.map { self.moves(of: $0, taking: moves) } ?? moves
    case .aggregate(let aggregate): behaviour.passing = passing.moves(of: aggregate, analysis)
    case .completions: behaviour.passing = []
    case .subjects(let aggregate): if passing != .day { behaviour.passing = passing.moves(of: aggregate) }
    case .day: if passing != .day { behaviour.passing = [] }
    // A share of what there is falls when there is more of it.
    case .arithmetic(.divide, let part, _) where passing == .records:
      behaviour.passing = self.behaviour(of: part).passing
    case .literal, .field, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
      .conditional, .function, .widened:
      break
    }
    return behaviour
  }

  private func byForm(_ expression: Expression) -> Behaviour {
    switch expression {
    case .literal(.none): .constant(.none)
    case .literal(let literal):
      .constant(literal.millionths.map { .exactly($0) } ?? .range(-Values.limit, Values.limit))
    case .field(let path): field(path)
    case .day:
      Behaviour(
        values: .range(-Values.limit, Values.limit), onNoData: .range(-Values.limit, Values.limit), added: [],
        passing: .rises)
    case .metric(let reference): metric(reference)
    case .aggregate(let aggregate): self.aggregate(aggregate)
    case .completions(let aggregate): analysis.completions(aggregate)
    case .subjects(let aggregate): behaviour(of: aggregate)
    case .arithmetic(let operation, let left, let right): arithmetic(operation, left, right)
    case .negated(let operand): Operators.difference(.constant(.exactly(0)), behaviour(of: operand))
    case .comparison(let operation, let left, let right):
      Operators.comparison(
        ordered(operation, left, right), behaviour(of: left), behaviour(of: right),
        isNumber: left.type.isNumber,
        truth: truth(operation, left, right))
    case .membership(let operand, let members, let negated):
      negated ? negation(membership(operand, members)) : membership(operand, members)
    case .isNone(let operand, let negated): isNone(operand, negated: negated)
    case .and(let left, let right):
      JunctionRule(outer: self, isAnd: true).behaviour(left, right)
    case .or(let left, let right):
      JunctionRule(outer: self, isAnd: false).behaviour(left, right)
    case .not(let operand): negation(behaviour(of: operand))
    case .conditional(let condition, let then, let otherwise):
      ConditionalRule(self).behaviour(condition, then, otherwise)
    case .function(.daysBetween, let days): daysBetween(days[0], days[1])
    case .function(let function, let operands): scalar(function, operands.map(behaviour))
    case .widened(let operand): behaviour(of: operand)
    }
  }

  /// A field of a subject or of the current record: entities do not change when a fact is added. A
  /// subject that no record names has no fields.
  private func field(_ path: FieldPath) -> Behaviour {
    let field = library[path.field]
    if let computed = field.computed {
      var inner = ExpressionAnalysis(analysis, over: over)
      if formula(of: path) != nil { inner.refinement = refinement }
      var values = inner.values(of: computed)
      values.mayBeNone = true
      return .constant(values)
    }
    let isOwn = path.root == .row && path.references.isEmpty
    let mayBeNone = field.isOptional || !isOwn
    if field.type == .bool { return .constant(.range(0, Values.one, mayBeNone: mayBeNone)) }
    return .constant(.range(field.minimum?.millionths ?? -Values.limit, Values.limit, mayBeNone: mayBeNone))
  }

  /// The expression of a computed field of the current record.
  func formula(of path: FieldPath) -> Expression? {
    path.root == .row && path.references.isEmpty ? library[path.field].computed : nil
  }

  private func aggregate(_ aggregate: Aggregate) -> Behaviour {
    let behaviour = self.behaviour(of: aggregate)
    if let absent, absent.covers(aggregate) { return .constant(behaviour.onNoData) }
    return refinement.isEmpty ? behaviour : narrowed(behaviour, of: aggregate)
  }

  private func metric(_ reference: MetricReference) -> Behaviour {
    var behaviour = analysis.behaviour(of: reference.metric, part: reference.part)
    // Its own `for … where` may leave the subject out; entities decide, so nothing moves.
    if library.metrics[reference.metric].subject.condition != nil {
      behaviour.values.mayBeNone = true
      behaviour.onNoData.mayBeNone = true
    }
    return reference.days.map { self.behaviour(of: $0, taking: behaviour) } ?? behaviour
  }

  private func arithmetic(_ operation: ArithmeticOperator, _ left: Expression, _ right: Expression)
    -> Behaviour
  {
    let (one, other) = (behaviour(of: left), behaviour(of: right))
    switch operation {
    case .add: return terms(Operators.sum(one, other), .arithmetic(operation, left, right))
    case .subtract: return terms(Operators.difference(one, other), .arithmetic(operation, left, right))
    case .multiply: return Operators.product(one, other)
    case .divide:
      var quotient = Operators.quotient(one, other, step: right.step)
      // With 0 <= x <= y and y > 0, x / y does not fall where y rises by no more than x does.
      if one.values.low >= 0, other.values.low > 0, one.added.isDisjoint(with: [.falls, .vanishes]),
        isAtMost(left, right), isHeld(right, by: left)
      {
        quotient.added.remove(.falls)
      }
      // Rounding is monotone, and keeps 1.
      if one.values.low >= 0, isAtMost(left, right) {
        quotient.values.high = min(Values.one, quotient.values.high)
      }
      if other.values.low >= 0, isAtMost(right, left) {
        quotient.values.low = max(Values.one, quotient.values.low)
      }
      return quotient
    }
  }

  /// The added and the subtracted terms together.
  private func terms(_ behaviour: Behaviour, _ expression: Expression) -> Behaviour {
    guard let terms = TermsRule(expression, self) else { return behaviour }
    var behaviour = behaviour
    behaviour.values = terms.narrowed(behaviour.values)
    if behaviour.added.contains(.falls), terms.neverFalls { behaviour.added.remove(.falls) }
    return behaviour
  }

  private func isAtMost(_ left: Expression, _ right: Expression) -> Bool {
    order.isAtMost(left, right)
  }

  /// Whether a comparison is decided by the form of its sides wherever both are present.
  private func truth(_ operation: ComparisonOperator, _ left: Expression, _ right: Expression) -> Bool? {
    if let known = operation.holds(left, right) { return known }
    return switch operation {
    case .greater, .lessOrEqual: isAtMost(left, right) ? operation == .lessOrEqual : nil
    case .less, .greaterOrEqual: isAtMost(right, left) ? operation == .greaterOrEqual : nil
    case .equal, .notEqual: neverMeet(left, right) ? operation == .notEqual : nil
    }
  }

  /// An equality is an order if one side is never above the other.
  private func ordered(
    _ operation: ComparisonOperator, _ left: Expression, _ right: Expression
  ) -> ComparisonOperator {
    guard operation == .equal || operation == .notEqual, left.type.isNumber else { return operation }
    let isEqual = operation == .equal
    if isAtMost(left, right) { return isEqual ? .greaterOrEqual : .less }
    if isAtMost(right, left) { return isEqual ? .lessOrEqual : .greater }
    return operation
  }

  /// Whether two numbers are never the same: no count is 2.5.
  private func neverMeet(_ left: Expression, _ right: Expression) -> Bool {
    guard left.type.isNumber else { return false }
    func misses(_ one: Expression, _ other: Expression) -> Bool {
      let values = values(of: other)
      return values.mayBePresent && values.low == values.high && !canBe(one, values.low)
    }
    return misses(left, right) || misses(right, left)
  }

  /// Whether a number is whole where an expression is, and not below the smallest element of a sum.
  func canBe(_ expression: Expression, _ number: Int64) -> Bool {
    let expression = expression.withoutWidening
    if let sum = expression.aggregate, sum.function == .sum, number > 0,
      number < elements(sum).low
    {
      return false
    }
    return number.isMultiple(of: expression.step)
  }

  private func isNone(_ operand: Expression, negated: Bool) -> Behaviour {
    switch operand {
    case .comparison(_, let left, let right):
      // None if either side is, and only there.
      let either = Expression.or(.isNone(left, negated: false), .isNone(right, negated: false))
      return negated ? negation(behaviour(of: either)) : behaviour(of: either)
    case .membership(let inner, _, _), .not(let inner): return isNone(inner, negated: negated)
    case .metric(let reference) where library.metrics[reference.metric].kind == .completion:
      // It is true or false; who is left out by `for … where` is decided by entities.
      let isThere = !behaviour(of: operand).values.mayBeNone
      let values = Values.range(0, isThere ? 0 : Values.one)
      return .constant(negated ? values.not : values)
    case .aggregate(let aggregate) where operand.type == .bool:
      // Which of them is read may change, but while a fact is there one is read.
      var present = behaviour(of: operand)
      if !library.records[aggregate.record].isSetting { present.added = [.rises, .falls, .appears] }
      present.passing = .all
      return Operators.isNone(present, isBool: false, negated: negated)
    case .and(let left, let right):
      // What is false decides; else none on either side.
      return isNone(left, decidedBy: .not(right), right, decidedBy: .not(left), negated: negated)
    case .or(let left, let right):
      return isNone(left, decidedBy: right, right, decidedBy: left, negated: negated)
    case .conditional(let condition, let then, let otherwise):
      let chosen = Expression.conditional(
        condition: condition, then: .isNone(then, negated: negated),
        else: .isNone(otherwise, negated: negated))
      return behaviour(of: chosen)
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .negated, .isNone,
      .function, .widened:
      return Operators.isNone(behaviour(of: operand), isBool: operand.type == .bool, negated: negated)
    }
  }

  /// One is none if the other does not decide, or the other way round.
  private func isNone(
    _ left: Expression, decidedBy first: Expression, _ right: Expression, decidedBy second: Expression,
    negated: Bool
  ) -> Behaviour {
    func open(_ side: Expression, _ decision: Expression) -> Expression {
      .conditional(condition: decision, then: .literal(.bool(false)), else: .isNone(side, negated: false))
    }
    let either = behaviour(of: .or(open(left, first), open(right, second)))
    return negated ? negation(either) : either
  }

  private func negation(_ operand: Behaviour) -> Behaviour {
    operand.mapped(\.not, moves: \.ofNegation)
  }

  private func scalar(_ function: ScalarFunction, _ operands: [Behaviour]) -> Behaviour {
    switch function {
    case .least: Operators.least(operands[0], operands[1])
    case .greatest: Operators.greatest(operands[0], operands[1])
    case .floor: operands[0].mapped(\.floored) { $0 }
    case .weekday:
      operands[0].mapped(
        { $0 }, moves: { $0.isDisjoint(with: [.rises, .falls]) ? $0 : $0.union([.rises, .falls]) })
    case .daysBetween: Operators.difference(operands[0], operands[1])
    }
  }

  /// Days are held without bounds, so their difference has none but the order of the two.
  private func daysBetween(_ late: Expression, _ early: Expression) -> Behaviour {
    var difference = Operators.difference(behaviour(of: late), behaviour(of: early))
    (difference.values.low, difference.values.high) = (-Values.limit, Values.limit)
    (difference.onNoData.low, difference.onNoData.high) = (-Values.limit, Values.limit)
    // Neither lies after the day itself, so one reaches at most as far beyond the other as that one lies back.
    if isAtMostDay(late), let days = daysBack(early) {
      difference.values.high = Int64(days) * Values.one
    }
    if isAtMostDay(early), let days = daysBack(late) {
      difference.values.low = -Int64(days) * Values.one
    }
    if isAtMost(early, late) { difference.values.low = max(0, difference.values.low) }
    return difference
  }
}
