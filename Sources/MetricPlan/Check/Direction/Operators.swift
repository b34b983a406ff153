/// The rows of the table for operators. Each holds on both axes.
enum Operators {
  /// Both axes by one rule.
  static func combine(
    _ left: Behaviour, _ right: Behaviour, values: (Values, Values) -> Values, moves: (Moves, Moves) -> Moves
  ) -> Behaviour {
    Behaviour(
      values: values(left.values, right.values), onNoData: values(left.onNoData, right.onNoData),
      added: moves(left.added, right.added), passing: moves(left.passing, right.passing))
  }

  static func sum(_ left: Behaviour, _ right: Behaviour) -> Behaviour {
    combine(left, right, values: { $0.adding($1) }, moves: { $0.union($1) })
  }

  /// What makes the right side smaller makes the difference greater.
  static func difference(_ left: Behaviour, _ right: Behaviour) -> Behaviour {
    combine(left, right, values: { $0.adding($1.negated) }, moves: { $0.union($1.mirrored) })
  }

  static func least(_ left: Behaviour, _ right: Behaviour) -> Behaviour {
    combine(
      left, right, values: { $0.least($1) },
      moves: { chosen($0, $1, left.values.high <= right.values.low, right.values.high <= left.values.low) })
  }

  static func greatest(_ left: Behaviour, _ right: Behaviour) -> Behaviour {
    combine(
      left, right, values: { $0.greatest($1) },
      moves: { chosen($0, $1, left.values.low >= right.values.high, right.values.low >= left.values.high) })
  }

  /// Where one side is always the one that is taken, the other only decides whether there is a value.
  private static func chosen(_ one: Moves, _ other: Moves, _ isOne: Bool, _ isOther: Bool) -> Moves {
    let presence: Moves = [.appears, .vanishes]
    if isOne { return one.union(other.intersection(presence)) }
    if isOther { return other.union(one.intersection(presence)) }
    return one.union(other)
  }

  static func product(_ left: Behaviour, _ right: Behaviour) -> Behaviour {
    func moves(_ one: Moves, _ other: Moves) -> Moves {
      scaled(one, by: right.values).union(scaled(other, by: left.values))
        .union(one.union(other).intersection([.appears, .vanishes]))
    }
    return combine(left, right, values: { $0.multiplied(by: $1) }, moves: moves)
  }

  /// Rising and falling of x in `x * y`: kept where y may be positive, exchanged where it may be negative.
  private static func scaled(_ moves: Moves, by factor: Values) -> Moves {
    let own = moves.intersection([.rises, .falls])
    return Moves(own, if: factor.mayBePositive).union(Moves(own.mirrored, if: factor.mayBeNegative))
  }

  /// - Parameter step: the smallest magnitude of a divisor that is not 0.
  static func quotient(_ left: Behaviour, _ right: Behaviour, step: Int64) -> Behaviour {
    func moves(_ one: Moves, _ other: Moves) -> Moves {
      var moves = scaled(one, by: right.values).union(one.union(other).intersection([.appears, .vanishes]))
      guard !other.isEmpty else { return moves }
      // A growing divisor draws a positive quotient down and a negative one up.
      moves.formUnion(scaled(other, by: left.values).mirrored)
      if right.values.mayBePositive, right.values.mayBeNegative { moves.formUnion([.rises, .falls]) }
      if right.values.mayBeZero {
        let (up, down) = (other.contains(.rises), other.contains(.falls))
        let (isAbove, isBelow) = (right.values.mayBePositive, right.values.mayBeNegative)
        if up && isAbove || down && isBelow { moves.insert(.appears) }
        if down && isAbove || up && isBelow { moves.insert(.vanishes) }
      }
      return moves
    }
    return combine(left, right, values: { $0.divided(by: $1, step: step) }, moves: moves)
  }

  /// - Parameter truth: what the form of the two sides says of the comparison where both are present.
  static func comparison(
    _ operation: ComparisonOperator, _ left: Behaviour, _ right: Behaviour, isNumber: Bool,
    truth: Bool? = nil
  ) -> Behaviour {
    func values(_ one: Values, _ other: Values) -> Values {
      // Texts and days have no bounds to decide by.
      var values = isNumber ? one.compared(operation, other) : one.with(other, 0, Values.one)
      if let truth { (values.low, values.high) = truth ? (Values.one, Values.one) : (0, 0) }
      return values
    }
    let known = values(left.values, right.values)
    return combine(left, right, values: values) { one, other in
      let moves = comparisonMoves(operation, one, other, left.values, right.values, isNumber: isNumber)
      return known.low == known.high ? moves.intersection(presence(one.union(other))) : moves
    }.tidied(isBool: true)
  }

  /// The moves of a comparison that has one value at most: only a side that appears or vanishes moves it.
  private static func presence(_ sides: Moves) -> Moves {
    Moves([.rises, .appears], if: sides.contains(.appears))
      .union(Moves([.falls, .vanishes], if: sides.contains(.vanishes)))
  }

  private static func comparisonMoves(
    _ operation: ComparisonOperator, _ left: Moves, _ right: Moves, _ leftValues: Values,
    _ rightValues: Values, isNumber: Bool
  ) -> Moves {
    if left.isEmpty, right.isEmpty { return [] }
    switch operation {
    case .greaterOrEqual, .greater: return atLeast(left, right)
    case .lessOrEqual, .less: return atLeast(right, left)
    case .equal:
      if isNumber, leftValues.low >= rightValues.high { return atLeast(right, left) }
      if isNumber, leftValues.high <= rightValues.low { return atLeast(left, right) }
      return .all
    case .notEqual:
      return comparisonMoves(.equal, left, right, leftValues, rightValues, isNumber: isNumber).ofNegation
    }
  }

  /// `x >= y` becomes true by x rising, y falling, or either appearing; the same bits, turned, make it false.
  private static func atLeast(_ left: Moves, _ right: Moves) -> Moves {
    let appears = left.union(right).contains(.appears)
    let vanishes = left.union(right).contains(.vanishes)
    let up = left.contains(.rises) || right.contains(.falls)
    let down = left.contains(.falls) || right.contains(.rises)
    return Moves(.rises, if: up || appears).union(Moves(.falls, if: down || vanishes))
      .union(Moves(.appears, if: down || appears)).union(Moves(.vanishes, if: up || vanishes))
  }

  /// `x is none`, a Bool that is never none itself.
  static func isNone(_ operand: Behaviour, isBool: Bool, negated: Bool) -> Behaviour {
    operand.mapped { values in
      let range = Values.range(values.mayBePresent ? 0 : Values.one, values.mayBeNone ? Values.one : 0)
      return negated ? range.not : range
    } moves: { moves in
      // A Bool becomes none by no longer being what it was.
      let becomesNone = isBool ? !moves.isDisjoint(with: [.falls, .vanishes]) : moves.contains(.vanishes)
      let becomesPresent = isBool ? !moves.isDisjoint(with: [.rises, .appears]) : moves.contains(.appears)
      let result = Moves([.rises, .vanishes], if: becomesNone)
        .union(Moves([.falls, .appears], if: becomesPresent))
      return negated ? result.ofNegation : result
    }.tidied(isBool: true)
  }
}
