/// What an expression rests on, operator by operator.
struct ExpressionBasis {
  let analysis: BasisAnalysis
  /// Whether it decides something and is not a value: there a declared flag may be beside a measured one.
  let isCondition: Bool
  /// Whether it is over the fields of one fact, so that it has no value without one.
  var isOfFact = false

  private var directions: ExpressionAnalysis { analysis.directions.scope(over: .allTime, budget: 10_000) }
  private var library: Library { analysis.library }
  private var condition: ExpressionBasis { analysis.scope(isCondition: true) }

  func basis(of expression: Expression) -> Basis {
    switch expression {
    case .literal(.none), .literal(.bool(false)): Basis(source: .constant, isZero: true)
    case .literal(let literal):
      Basis(
        source: .constant, isZero: literal.millionths == 0,
        sign: literal.millionths.map { $0 < 0 ? .unknown : $0 == 0 ? .notNegative : .positive } ?? .unknown)
    case .day: Basis(source: .constant)
    case .field(let path): field(path)
    case .metric(let reference):
      days(reference.days, analysis.basis(of: reference.metric, part: reference.part))
    case .aggregate(let aggregate): self.aggregate(aggregate)
    case .completions: .measured(zero: true)
    case .subjects(let aggregate): subjects(aggregate)
    case .arithmetic(let operation, let left, let right): arithmetic(operation, left, right)
    case .widened(let operand): basis(of: operand)
    case .negated(let operand): operation(expression, [basis(of: operand)])
    case .function(let function, let operands): scalar(function, operands, expression)
    case .comparison(let operation, let left, let right): comparison(operation, left, right, expression)
    case .membership(let operand, _, _), .not(let operand): operation(expression, [basis(of: operand)])
    case .isNone(let operand, _): presence(basis(of: operand), expression)
    case .and(let left, let right): conjunction(basis(of: left), basis(of: right))
    case .or(let left, let right): disjunction([basis(of: left), basis(of: right)], expression)
    case .conditional(let condition, let then, let otherwise):
      conditional(condition, then, otherwise)
    }
  }

  private func field(_ path: FieldPath) -> Basis {
    let field = library[path.field]
    if let computed = field.computed { return basis(of: computed) }
    let record = library.records[path.field.record]
    if record.kind == .fact, !record.isSetting { return .measured(zero: true) }
    return parameter(path.type)
  }

  /// A field of an entity, a link or a setting.
  private func parameter(_ type: ValueType) -> Basis {
    type.isNumber || type == .bool ? Basis(source: .declared, sign: .positive) : Basis(source: .chosen)
  }

  private func aggregate(_ aggregate: Aggregate) -> Basis {
    guard !library.records[aggregate.record].isSetting else { return setting(aggregate) }
    guard let argument = aggregate.argument, !aggregate.function.isNeverNone else {
      return .measured(zero: true)
    }
    // One of the values is the result.
    var scope = self
    scope.isOfFact = true
    let own = scope.basis(of: argument)
    return own.isDeclared || own.isShown ? own : .measured(zero: true)
  }

  /// Declared as a number, and where a declared number is part of a text or selects the setting.
  private func setting(_ aggregate: Aggregate) -> Basis {
    let own = aggregate.argument.map(basis(of:)) ?? Basis(source: .chosen, sign: .positive)
    let asked = aggregate.filter.map { condition.basis(of: $0) } ?? own
    return Basis(
      source: min(max(parameter(aggregate.type).source, own.source, asked.source), .declared),
      sign: own.sign.aggregated(by: aggregate.function), isSteady: own.isSteady && aggregate.filter == nil)
  }

  private func subjects(_ aggregate: SubjectAggregate) -> Basis {
    let chosen = aggregate.filter.map { condition.basis(of: $0).asCondition } ?? Basis(source: .constant)
    let value = aggregate.argument.map { basis(of: $0).asCondition } ?? Basis(source: .constant)
    let isSteady = aggregate.function.isNeverNone || chosen.source < .declared
    if value.isDeclared || value.isShown {
      return Basis(
        source: .declared, sign: value.sign.aggregated(by: aggregate.function),
        isSteady: isSteady && value.isSteady)
    }
    if aggregate.function == .distinct {
      // A 0 is a value, and so is one more where a declared number decides that there is one.
      if !value.isSteady { return .shown }
    } else if value.isMeasured, value.isZero {
      return value.steady(isSteady)
    }
    // How many there are, or what each of them counts for.
    if chosen.isDeclared || chosen.isShown { return value.isMeasured ? .shown : Basis(source: .declared) }
    if value.source == .chosen, aggregate.function != .distinct { return value }
    return .measured(zero: chosen.isMeasured && chosen.isZero)
  }

  /// Days as rows: those on which there is no value are left out, which shows what decides that.
  private func days(_ aggregate: DayAggregate?, _ day: Basis) -> Basis {
    guard let aggregate else { return day }
    var found = day.asCondition
    found.sign = found.sign.aggregated(by: aggregate.function)
    return found
  }

  private func arithmetic(_ operation: ArithmeticOperator, _ left: Expression, _ right: Expression) -> Basis {
    let (x, y) = (basis(of: left), basis(of: right))
    switch operation {
    case .add, .subtract:
      let sign = operation == .add && min(x.sign, y.sign) > .unknown ? max(x.sign, y.sign) : .unknown
      return joined([x, y], isZero: x.isZero && y.isZero, sign: sign)
    case .multiply:
      if x.isMeasured, y.isDeclared { return scaled(x, isSwitch: isSwitch(left)).steady(y.isSteady) }
      if y.isMeasured, x.isDeclared { return scaled(y, isSwitch: isSwitch(right)).steady(x.isSteady) }
      // Two numbers below 1 may be so small that their product is rounded to 0.
      let isRoundedUp = isAtLeastOne(left) || isAtLeastOne(right)
      let sign = min(x.sign, y.sign, isRoundedUp ? .positive : .notNegative)
      return joined([x, y], isZero: x.isZero || y.isZero, sign: sign)
    case .divide:
      return ExpressionBasis.quotient(
        x, y, isSwitch: isSwitch(left), isRoundedUp: isRoundedUp(left, over: right))
    }
  }

  /// Of what is above 0: whether it is at least 1.
  private func isAtLeastOne(_ expression: Expression) -> Bool {
    switch expression {
    case .widened(let operand): isAtLeastOne(operand)
    case .literal(let literal): literal.millionths.map { $0 >= Values.one } ?? false
    // Nothing else has a fraction that its type does not tell.
    default: expression.type == .int
    }
  }

  /// Whether the least dividend above 0, 1 or a millionth, is not rounded to 0 when it is divided.
  private func isRoundedUp(_ dividend: Expression, over divisor: Expression) -> Bool {
    if case .widened(let operand) = divisor { return isRoundedUp(dividend, over: operand) }
    guard case .literal(let literal) = divisor, let divisor = literal.millionths else { return false }
    return divisor <= 2 * Values.one * (isAtLeastOne(dividend) ? FixedDecimal.scale : 1)
  }

  static func quotient(_ x: Basis, _ y: Basis, isSwitch: Bool, isRoundedUp: Bool = false) -> Basis {
    let isSteady = x.isSteady && y.isSteady && (!y.isDeclared || y.sign == .positive)
    if x.isMeasured, y.isDeclared { return x.isZero && !isSwitch ? x.steady(isSteady) : .shown }
    if x.isDeclared && y.isMeasured || x.isShown || y.isShown { return .shown }
    return Basis(
      source: max(x.source, y.source), isZero: x.isZero,
      sign: min(x.sign, y.sign, isRoundedUp ? .positive : .notNegative), isSteady: isSteady)
  }

  /// A measured number by a declared one: without facts it is 0.
  private func scaled(_ measured: Basis, isSwitch: Bool) -> Basis {
    measured.isZero && !isSwitch ? measured : .shown
  }

  /// A whole number that is 0 or 1 does not scale what it multiplies: it shows it or not.
  private func isSwitch(_ expression: Expression) -> Bool {
    let number = expression.withoutWidening
    return number.type == .int && directions.values(of: number).high <= Values.one
  }

  private func scalar(_ function: ScalarFunction, _ operands: [Expression], _ whole: Expression) -> Basis {
    let found = operands.map(basis(of:))
    switch function {
    case .least:
      if let measured = found.first(where: \.isMeasured), let cap = found.first(where: \.isDeclared) {
        return measured.isZero && cap.sign >= .notNegative ? measured.steady(cap.isSteady) : .shown
      }
      return operation(whole, found, sign: found.map(\.sign).min() ?? .unknown)
    case .greatest: return operation(whole, found, sign: found.map(\.sign).max() ?? .unknown)
    case .floor, .weekday, .daysBetween: return operation(whole, found)
    }
  }

  private func comparison(
    _ operation: ComparisonOperator, _ left: Expression, _ right: Expression, _ whole: Expression
  ) -> Basis {
    let (x, y) = (basis(of: left), basis(of: right))
    guard let measured = [x, y].first(where: \.isMeasured), let bound = [x, y].first(where: \.isDeclared)
    else { return self.operation(whole, [x, y]) }
    let asked = x.isMeasured ? operation : operation.flipped
    // 0 has not reached anything above 0, and is not above anything from 0 on.
    let least: Basis.Sign = [.greater, .lessOrEqual].contains(asked) ? .notNegative : .positive
    guard left.type.isNumber, measured.isZero, bound.sign >= least else { return .shown }
    return .measured(zero: [.greater, .greaterOrEqual, .equal].contains(asked))
      .steady(measured.isSteady && bound.isSteady)
  }

  private func conjunction(_ x: Basis, _ y: Basis) -> Basis {
    if isCondition, [x, y].contains(where: \.isDeclared), let measured = [x, y].first(where: \.isMeasured) {
      return measured.isZero ? measured.steady(false) : .shown
    }
    return joined([x, y], isZero: x.isZero || y.isZero).steady(max(x.source, y.source) < .declared)
  }

  private func disjunction(_ sides: [Basis], _ whole: Expression) -> Basis {
    operation(whole, sides).steady(!sides.contains { $0.isDeclared || $0.isShown })
  }

  /// Whether it is none: something shown where declared numbers decide it.
  private func presence(_ operand: Basis, _ whole: Expression) -> Basis {
    operand.isMeasured && !operand.isSteady ? .shown : operation(whole, [operand]).steady(true)
  }

  private func conditional(
    _ condition: Expression, _ then: Expression, _ otherwise: Expression
  ) -> Basis {
    let asked = self.condition.basis(of: condition).asCondition
    let branches = [basis(of: then), basis(of: otherwise)]
    if then == otherwise { return branches[0] }
    let isZero = branches.allSatisfy(\.isZero)
    let isSteady =
      branches.allSatisfy(\.isSteady)
      && (asked.source < .declared || asked.isMeasured || areThere([then, otherwise]))
    guard branches.contains(where: \.isMeasured) || asked.isMeasured else {
      return joined([asked] + branches, isZero: isZero, sign: branches.map(\.sign).min() ?? .unknown)
        .steady(isSteady)
    }
    if branches.contains(where: { $0.isDeclared || $0.isShown }) { return .shown }
    if asked.isDeclared || asked.isShown { return isZero ? .measured(zero: true).steady(isSteady) : .shown }
    // Without facts the condition decides between the branches.
    let start = directions.behaviour(of: condition).onNoData
    return .measured(zero: start.certainty.map { branches[$0 ? 0 : 1].isZero } ?? isZero).steady(isSteady)
  }

  /// Whether none of some expressions can be none.
  private func areThere(_ expressions: [Expression]) -> Bool {
    let scope = directions
    return expressions.allSatisfy { !scope.values(of: $0).mayBeNone }
  }

  /// A measured operand beside a declared one shows it; otherwise the whole is measured if an operand is.
  private func joined(_ operands: [Basis], isZero: Bool, sign: Basis.Sign = .unknown) -> Basis {
    if operands.contains(where: \.isMeasured), operands.contains(where: \.isDeclared) { return .shown }
    let source = operands.map(\.source).max() ?? .constant
    let isZero = isZero || (isOfFact && source == .measured)
    return Basis(source: source, isZero: isZero, sign: sign, isSteady: operands.allSatisfy(\.isSteady))
  }

  private func operation(_ whole: Expression, _ operands: [Basis], sign: Basis.Sign = .unknown) -> Basis {
    var found = joined(operands, isZero: false, sign: sign)
    found.isZero = found.isZero || (found.source < .shown && isNothing(whole))
    return found
  }

  /// Whether it is certainly 0, false or none without facts, as the fourth question's analysis knows it.
  private func isNothing(_ expression: Expression) -> Bool {
    let start = directions.behaviour(of: expression).onNoData
    let isBounded = expression.type.isNumber || expression.type == .bool
    return !start.mayBePresent || (isBounded && start.low == 0 && start.high == 0)
  }
}
