/// What conditions say of one aggregate is known of others too, which look at more facts or at fewer.
extension ExpressionAnalysis {
  var order: Pointwise { Pointwise(scope: self) }

  func narrowed(_ behaviour: Behaviour, of aggregate: Aggregate) -> Behaviour {
    var behaviour = behaviour
    for (expression, bound) in refinement.bounds {
      guard case .aggregate(let known) = expression, known != aggregate else { continue }
      if isEmpty(known, bound), leavesNothing(known, aggregate) { return .constant(behaviour.onNoData) }
      guard known.type.isNumber, aggregate.type.isNumber,
        known.function.isNeverNone || bound.isPresent
          || !aggregate.function.isNeverNone && leavesNothing(known, aggregate)
      else { continue }
      if bound.high < behaviour.values.high, order.isNeverAbove(aggregate, known) {
        behaviour.values.high = bound.high
      }
      if bound.low > behaviour.values.low, order.isNeverAbove(known, aggregate) {
        behaviour.values.low = bound.low
      }
    }
    if behaviour.values.low > behaviour.values.high { behaviour.values.mayBePresent = false }
    return behaviour
  }

  /// Where some aggregate of an expression has a fact, those that look at the facts of all have one.
  func knownOfFacts(in expression: Expression) -> Refinement {
    var refinement = Refinement()
    let aggregates = expression.parts.compactMap(\.aggregate)
    for one in aggregates where aggregates.allSatisfy({ order.isWithin($0, one) }) {
      let taken = elements(one)
      guard !taken.mayBeNone else { continue }
      switch one.function.traits.form {
      case .counts: refinement.know(.aggregate(one), low: Values.one)
      case .adds where one.function == .sum && taken.low > 0:
        refinement.know(.aggregate(one), low: taken.low)
      case .adds, .least, .greatest, .mixes, .picks: break
      }
    }
    return refinement
  }

  /// Whether an aggregate has nothing to look at: no fact, or none with a value where it takes one.
  private func isEmpty(_ known: Aggregate, _ bound: Refinement.Bounds) -> Bool {
    switch known.function.traits.form {
    case .counts: bound.high < Values.one
    case .adds:
      known.function == .sum && bound.high < elements(known).low && elements(known).low > 0
    case .least, .greatest, .mixes, .picks: bound.isNone
    }
  }

  /// Whether another has nothing either, where an aggregate has nothing to look at.
  private func leavesNothing(_ known: Aggregate, _ other: Aggregate) -> Bool {
    guard order.isWithin(other, known) else { return false }
    return known.argument == nil || known.argument == other.argument || !elements(known).mayBeNone
  }
}
