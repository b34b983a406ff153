/// The rows of the table for aggregates.
extension ExpressionAnalysis {
  func behaviour(of aggregate: Aggregate) -> Behaviour {
    let period = aggregate.period ?? over
    let row = elements(aggregate)
    var behaviour = allTime(aggregate, row: row, period: period)
    // A setting is a decision: the fact that is added is never one.
    if library.records[aggregate.record].isSetting { behaviour.added = [] }
    if period != .allTime { behaviour.passing = .all }
    return behaviour
  }

  /// What `where` and the declaration say of the aggregated field; a fact that is counted is a 1.
  func elements(_ aggregate: Aggregate) -> Values {
    guard let argument = aggregate.argument else { return .exactly(Values.one) }
    let free = ExpressionAnalysis(analysis, over: nil)
    return (aggregate.filter.map { free.knowing($0, .isTrue) } ?? free).values(of: argument)
  }

  private func allTime(_ aggregate: Aggregate, row: Values, period: Period?) -> Behaviour {
    func numbers(_ values: Values, _ onNoData: Values, _ moves: Moves) -> Behaviour {
      Behaviour(values: values, onNoData: onNoData, added: moves, passing: moves)
    }
    let ofRow = present(aggregate.function, row)
    switch aggregate.function.traits.form {
    case .counts:
      let most = aggregate.function == .days ? period?.mostDays : nil
      return numbers(.range(0, most.map { Int64($0) * Values.one } ?? Values.limit), .exactly(0), .rises)
    case .adds:
      let taken = aggregate.function == .sum ? row : row.union(.exactly(Values.one))
      return numbers(taken.summed, .exactly(0), signs(taken))
    case .greatest: return numbers(ofRow, .none, [.rises, .appears])
    case .least: return numbers(ofRow, .none, [.falls, .appears])
    case .mixes: return numbers(ofRow, .none, [.rises, .falls, .appears])
    case .picks where aggregate.argument != nil:
      // Another fact's Bool may come instead: what was false need not stay false.
      return numbers(ofRow, .none, aggregate.type == .bool ? .all : [.rises, .falls, .appears])
    case .picks where aggregate.function == .first:
      // A later day brings no earlier fact.
      return Behaviour(values: .any, onNoData: .none, added: [.falls, .appears], passing: .appears)
    case .picks: return numbers(.any, .none, [.rises, .appears])
    }
  }

  /// What it can be where it is not none, and that it may be none.
  private func present(_ function: AggregateFunction, _ taken: Values) -> Values {
    let (low, high) = function.traits.liesWithin ? (taken.low, taken.high) : (0, Values.limit)
    return .range(low, high, mayBeNone: true)
  }

  /// For the app a fact may also make a subject exist that no entity's record names. Such a one has no fields,
  /// so it belongs to no other subject.
  func behaviour(of aggregate: SubjectAggregate) -> Behaviour {
    let scope = ExpressionAnalysis(analysis, over: .allTime, passing: passing)
    let filter = aggregate.filter.map(scope.behaviour) ?? .constant(.exactly(Values.one))
    let argument = aggregate.argument.map(scope.behaviour)
    func moves(_ axis: KeyPath<Behaviour, Moves>) -> Moves {
      var chosen = filter[keyPath: axis]
      // A new subject counts like one whose condition becomes true.
      if aggregate.relation.isEmpty { chosen.insert(.rises) }
      guard let argument else { return chosen.intersection([.rises, .falls]) }
      return self.moves(of: aggregate.function, chosen, argument[keyPath: axis], argument.values)
    }
    let none = present(aggregate.function, argument?.values ?? .range(0, Values.limit))
    let values: Values =
      switch aggregate.function.traits.form {
      case .counts: .range(0, Values.limit)
      case .adds: .range(argument.map { $0.values.mayBeNegative ? -Values.limit : 0 } ?? 0, Values.limit)
      case .greatest, .least, .mixes, .picks: none
      }
    var onNoData = values
    if aggregate.function == .count, filter.onNoData.certainty == false { onNoData = .exactly(0) }
    let isStill = passing == .day && filter.passing.isEmpty && argument?.passing.isEmpty ?? true
    return Behaviour(
      values: values, onNoData: onNoData, added: moves(\.added), passing: isStill ? [] : moves(\.passing))
  }

  /// Days as rows. With a fact more the days are the same, but that all time may begin earlier; and each has the value
  /// that the metric then has on it. As a day passes, days come into the period and leave it, and none changes.
  func behaviour(of aggregate: DayAggregate, taking day: Behaviour) -> Behaviour {
    let isAllTime = (aggregate.period ?? over) == .allTime
    let comes: Moves = isAllTime ? .rises : []
    let leaves: Moves = isAllTime ? .rises : [.rises, .falls]
    func values(_ taken: Values) -> Values {
      if aggregate.function == .sum {
        return taken.mayBePresent && taken != .exactly(0) ? taken.summed : .exactly(0)
      }
      guard taken.mayBePresent else { return .none }
      var values = present(aggregate.function, taken)
      values.mayBeNone = taken.mayBeNone || isAllTime
      return values
    }
    return Behaviour(
      values: values(day.values), onNoData: values(day.onNoData),
      added: moves(of: aggregate.function, comes, day.added, day.values),
      passing: moves(of: aggregate.function, leaves, [], day.values))
  }

  /// The same where only a part of what passes is looked at. What adds up days, and the greatest of them, lose one day's
  /// value when that leaves the period, as a period loses a fact, and nothing when a streak ends.
  func moves(of aggregate: DayAggregate, taking moves: Moves) -> Moves {
    let period = aggregate.period ?? over
    let losesDays = [.adds, .greatest].contains(aggregate.function.traits.form) && period != .lastDays(1)
    if losesDays, passing == .streaks || passing == .windows { return [] }
    return self.moves(of: aggregate.function, [], moves, .any)
  }

  /// The moves of an aggregate over subjects or days.
  ///
  /// - Parameters:
  ///   - chosen: those of the condition; `.rises` takes one more, `.falls` one less.
  ///   - own: those of what is taken of each.
  private func moves(
    of function: AggregateFunction, _ chosen: Moves, _ own: Moves, _ values: Values
  ) -> Moves {
    switch function.traits.form {
    case .adds: return sumMoves(chosen, own, values)
    case .greatest: return choiceMoves(.rises, chosen, own)
    case .least: return choiceMoves(.falls, chosen, own)
    // A greater one may be nearer to the others.
    case .mixes where !function.traits.liesWithin && !own.isEmpty: return .all
    case .mixes, .picks: return choiceMoves([.rises, .falls], chosen, own)
    case .counts: return .all
    }
  }

  private func sumMoves(_ chosen: Moves, _ own: Moves, _ values: Values) -> Moves {
    var moves = own.intersection([.rises, .falls])
    if chosen.contains(.rises) || own.contains(.appears) { moves.formUnion(signs(values)) }
    if chosen.contains(.falls) || own.contains(.vanishes) { moves.formUnion(signs(values).mirrored) }
    return moves
  }

  private func signs(_ values: Values) -> Moves {
    Moves(.rises, if: values.mayBePositive).union(Moves(.falls, if: values.mayBeNegative))
  }

  /// - Parameter gains: what one subject more can do. While none is lost, what is there stays there.
  private func choiceMoves(_ gains: Moves, _ chosen: Moves, _ own: Moves) -> Moves {
    if chosen.contains(.falls) || own.contains(.vanishes) { return .all }
    guard chosen.contains(.rises) || own.contains(.appears) else { return own }
    return gains.union(own.intersection([.rises, .falls])).union(.appears)
  }
}

extension Values {
  /// Those of a sum of some of these.
  fileprivate var summed: Values {
    .range(mayBeNegative ? -Values.limit : 0, mayBePositive ? Values.limit : 0)
  }
}
