/// The difference of two numbers of many people may be the number of one (PRIV-10).
enum ProtectedDifference: SingleFindingRule {
  static let page = Page.checklist("C412")
  static let audience: Audience? = .team

  static func finding(of metric: Metric, _ id: MetricID, in scope: CheckScope) -> Diagnostic? {
    let library = scope.library
    guard scope.thresholds[id] != nil else { return nil }
    var signs = SignedNumbers(library: library, thresholds: scope.thresholds)
    for expression in metric.body.expressions { _ = signs.signed(expression) }
    guard let (left, right) = signs.conflict else { return nil }
    return metric.error(
      page.code,
      "`\(library.text(of: left))` and `\(library.text(of: right))` may differ by a single person",
      at: "value", "when",
      notes: [
        "each covers enough users, but their difference may not",
        "count the difference with a `where` and its own `at least`, or divide instead of subtracting",
      ])
  }
}

/// With which sign the numbers of many people go into an expression.
private struct SignedNumbers {
  let library: Library
  let thresholds: [Int?]
  /// The first two numbers that are subtracted from each other.
  private(set) var conflict: (Expression, Expression)?

  struct Signs {
    var plus: Set<Expression> = []
    var minus: Set<Expression> = []
    var flipped: Signs { Signs(plus: minus, minus: plus) }
    var isEmpty: Bool { plus.isEmpty && minus.isEmpty }
  }

  mutating func signed(_ expression: Expression) -> Signs {
    switch expression {
    case .metric(let reference) where thresholds[reference.metric] != nil: Signs(plus: [expression])
    case .aggregate(let aggregate) where library.leadsToUser(aggregate.record): Signs(plus: [expression])
    case .subjects(let aggregate) where library.leadsToUser(aggregate.entity): Signs(plus: [expression])
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects: Signs()
    case .arithmetic(.multiply, let left, let right): product(left, right)
    case .arithmetic(.subtract, let left, let right), .comparison(_, let left, let right):
      joined(signed(left), signed(right).flipped)
    case .negated(let operand): signed(operand).flipped
    case .arithmetic, .membership, .isNone, .and, .or, .not, .conditional, .function, .widened:
      expression.operands.reduce(Signs()) { joined($0, signed($1)) }
    }
  }

  /// What a literal multiplies keeps its sign or turns it; of any other factor the sign is not known.
  private mutating func product(_ left: Expression, _ right: Expression) -> Signs {
    let signs = [signed(left), signed(right)]
    guard let known = signs.firstIndex(where: \.isEmpty) else { return joined(signs[0], signs[1]) }
    guard case .literal(let literal) = [left, right][known], literal.type.isNumber else {
      return joined(signs[1 - known], signs[1 - known].flipped)
    }
    return literal.inMillionths ?? 0 < 0 ? signs[1 - known].flipped : signs[1 - known]
  }

  private mutating func joined(_ left: Signs, _ right: Signs) -> Signs {
    let all = Signs(plus: left.plus.union(right.plus), minus: left.minus.union(right.minus))
    if conflict == nil {
      for added in all.plus {
        for taken in all.minus where mayCancel(added, taken) { conflict = (added, taken) }
      }
    }
    return all
  }

  /// Whether two numbers rest on some facts of one kind, and not on the very same ones.
  private func mayCancel(_ one: Expression, _ other: Expression) -> Bool {
    if one == other { return false }
    // One metric on two days is its series, which is shown anyway.
    if case .metric(let one) = one, case .metric(let other) = other {
      if (one.metric, one.part, one.root) == (other.metric, other.part, other.root) { return false }
    }
    if case .aggregate(let one) = one, case .aggregate(let other) = other, one.record == other.record {
      return (one.filter, one.period) != (other.filter, other.period) || one.route != other.route
    }
    return !records(one).isDisjoint(with: records(other))
  }

  private func records(_ expression: Expression) -> Set<RecordID> {
    switch expression {
    case .aggregate(let aggregate): [aggregate.record]
    case .subjects(let aggregate):
      aggregate.inner.flatMap(\.parts).reduce(into: [aggregate.entity]) { $0.formUnion(records($1)) }
    case .metric(let reference):
      // The facts that it reads, itself or through others, and the entities that it counts.
      library.withRead([reference.metric]).reduce(into: []) { found, id in
        let metric = library.metrics[id]
        found.formUnion(library.facts(of: metric))
        for case .subjects(let aggregate) in metric.body.parts { found.insert(aggregate.entity) }
      }
    case .literal, .field, .day, .completions, .arithmetic, .negated, .comparison, .membership, .isNone, .and,
      .or, .not, .conditional, .function, .widened:
      []
    }
  }
}
