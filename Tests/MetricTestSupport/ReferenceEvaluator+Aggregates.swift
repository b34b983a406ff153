import MetricData
import MetricPlan

/// Aggregates over facts and over subjects (LANGUAGE, Expressions).
extension ReferenceEvaluator {
  func evaluate(_ aggregate: Aggregate, _ scope: ReferenceScope) throws -> ReferenceValue {
    let facts = try passing(aggregate, scope)
    switch aggregate.function {
    case .contribution:
      return try contribution(aggregate, facts, scope)
    case .count:
      return try ReferenceNumber.int(Int128(facts.count))
    // "`days(F …)` different DayKeys"
    case .days:
      return try ReferenceNumber.int(Int128(Set(facts.map(day)).count))
    case .first, .last:
      return try firstOrLast(aggregate, facts, scope)
    case .sum, .min, .max, .average, .stddev, .distinct, .percentile:
      let values = try facts.map { try argument(aggregate, $0, scope) }
      return try combine(aggregate.function, values, type: aggregate.type)
    }
  }

  /// The facts that an aggregate sees: live, of the subject, in the period, in the group, and such
  /// that `where` holds.
  func passing(_ aggregate: Aggregate, _ scope: ReferenceScope) throws -> [ReferenceFact] {
    // "An own period ends at the window's last day, or at r." "Facts after r never count."
    let span = aggregate.period.map { DaySpan($0, at: scope.day) } ?? scope.span
    return try facts(aggregate.record, aggregate.route, of: scope.subject, asksConsent: scope.asksConsent)
      .filter { fact in
        guard span.contains(day(fact)), try isInGroup(fact, scope) else { return false }
        return try holds(aggregate.filter, fact, scope)
      }
  }

  /// "`where` … take[s] none as false."
  func holds(_ filter: Expression?, _ fact: ReferenceFact, _ scope: ReferenceScope) throws -> Bool {
    guard let filter else { return true }
    return try evaluate(filter, self.scope(of: fact, in: scope)).isTrue
  }

  /// "Inside `where`: the fact's own fields first, fields of entities it refers to, the subject's,
  /// `day` for the fact's DayKey."
  private func scope(of fact: ReferenceFact, in scope: ReferenceScope) -> ReferenceScope {
    var inner = scope
    inner.row = RowScope(record: fact.record, row: fact.row)
    inner.day = day(fact)
    return inner
  }

  private func isInGroup(_ fact: ReferenceFact, _ scope: ReferenceScope) throws -> Bool {
    guard let group = scope.group else { return true }
    return try groupTexts(fact, group.grouping, scope) == group.texts
  }

  /// "`by FIELD` is a field, or an entity's field along references", "or a metric of the counted subject: its value at
  /// r"; a record without one has none.
  func groupTexts(
    _ fact: ReferenceFact, _ grouping: [GroupField], _ scope: ReferenceScope
  ) throws -> ReferenceGroup {
    try texts(grouping, fact.record, self.scope(of: fact, in: scope))
  }

  func groupTexts(_ row: RowScope, _ grouping: [GroupField], _ scope: ReferenceScope) throws -> ReferenceGroup
  {
    var inner = scope
    inner.row = row
    return try texts(grouping, row.record, inner)
  }

  private func texts(
    _ grouping: [GroupField], _ record: RecordID, _ scope: ReferenceScope
  ) throws -> ReferenceGroup {
    try grouping.map { field in
      let value = try field.expression(of: record).map { try evaluate($0, scope) } ?? .none
      return ByteText(value.text)
    }
  }

  func argument(
    _ aggregate: Aggregate, _ fact: ReferenceFact, _ scope: ReferenceScope
  ) throws -> ReferenceValue {
    guard let argument = aggregate.argument else { return .none }
    return try evaluate(argument, self.scope(of: fact, in: scope))
  }

  /// "`contribution(F through Link)` per link: count or sum, as the link says"; "only `contribution`
  /// counts per (goal, habit, contribution)".
  private func contribution(
    _ aggregate: Aggregate, _ facts: [ReferenceFact], _ scope: ReferenceScope
  ) throws -> ReferenceValue {
    guard case .link(let route) = aggregate.route else {
      preconditionFailure("a contribution without a link")
    }
    var numbers: [ReferenceValue] = []
    for pair in contributions(route, to: scope.subject) {
      let own = facts.filter { follow(route.fromFact, $0.row) == pair.end }
      if pair.isSum {
        numbers += try own.map { try argument(aggregate, $0, scope) }.filter { !$0.isNone }
      } else {
        let count = Int128(own.count)
        numbers.append(aggregate.type == .int ? .int(count) : .decimal(count * ReferenceNumber.scale))
      }
    }
    return try ReferenceNumber.sum(numbers, type: aggregate.type)
  }

  /// "x of the earliest / latest fact that has one, by DayKey, then Instant, then id bytes; `first(F)`
  /// is its DayKey". A missing Instant or id comes before any; then the value itself decides.
  private func firstOrLast(
    _ aggregate: Aggregate, _ facts: [ReferenceFact], _ scope: ReferenceScope
  ) throws -> ReferenceValue {
    let valued = try facts.map { fact in
      (fact: fact, value: aggregate.argument == nil ? .day(day(fact)) : try argument(aggregate, fact, scope))
    }.filter { !$0.value.isNone }
    let ordered = valued.sorted { left, right in
      if let isEarlier = isEarlier(left.fact, right.fact) { return isEarlier }
      return left.value.precedes(right.value)
    }
    return (aggregate.function == .first ? ordered.first : ordered.last)?.value ?? .none
  }

  /// Whether a fact stands before another; nil where neither day, Instant nor id tells.
  func isEarlier(_ left: ReferenceFact, _ right: ReferenceFact) -> Bool? {
    if day(left) != day(right) { return day(left) < day(right) }
    let instants = (instant(left) ?? .min, instant(right) ?? .min)
    if instants.0 != instants.1 { return instants.0 < instants.1 }
    let ids = (id(left)?.bytes ?? [], id(right)?.bytes ?? [])
    if ids.0 != ids.1 { return ids.0.lexicographicallyPrecedes(ids.1) }
    return nil
  }

  /// "Missing values of the field are passed over."
  func combine(
    _ function: AggregateFunction, _ all: [ReferenceValue], type: ValueType
  ) throws -> ReferenceValue {
    let values = all.filter { !$0.isNone }
    // "`min max average percentile first last` of nothing, are `none`; `sum` and `count` of nothing are 0."
    switch function {
    case .count:
      return try ReferenceNumber.int(Int128(all.count))
    case .sum:
      return try ReferenceNumber.sum(values, type: type)
    case .distinct:
      return try ReferenceNumber.int(Int128(Set(values).count))
    case .min:
      return values.min { $0.precedes($1) } ?? .none
    case .max:
      return values.max { $0.precedes($1) } ?? .none
    case .average:
      guard !values.isEmpty else { return .none }
      let total = values.compactMap(\.millionths).reduce(0, +)
      return try ReferenceNumber.decimal(ReferenceNumber.rounded(total, over: Int128(values.count)))
    // "the root of the average square of the distances from the average": for each pair of values n² times that.
    case .stddev:
      guard !values.isEmpty else { return .none }
      let (all, n) = (values.compactMap(\.millionths), Int128(values.count))
      guard let squares = ReferenceNumber.sumOfSquares(all), squares <= ReferenceNumber.mostSquares else {
        throw NumberOverflow()
      }
      var pairs = Int128(0)
      for (place, one) in all.enumerated() {
        for other in all[..<place] { pairs += (one - other) * (one - other) }
      }
      // The first r with √pairs / n < r + ½.
      var (low, high) = (Int128(0), Int128(1) << 62)
      while low < high {
        let middle = (low + high) / 2
        let edge = ReferenceNumber.sumOfSquares([(2 * middle + 1) * n])
        let isBeyond = edge.map { $0 / 4 > pairs || $0 / 4 == pairs && $0 % 4 != 0 } ?? true
        if isBeyond { high = middle } else { low = middle + 1 }
      }
      return try ReferenceNumber.decimal(low)
    // "`percentile(F.x …, P)`: the value of rank (P·n+99) div 100"
    case .percentile(let percent):
      guard !values.isEmpty else { return .none }
      return values.sorted { $0.precedes($1) }[(percent * values.count + 99) / 100 - 1]
    case .days, .first, .last, .contribution:
      preconditionFailure("\(function) of subjects")
    }
  }

  // MARK: Subjects as rows

  /// "An aggregate may take subjects instead of facts: those subjects that refer to the metric's own
  /// (all in `for app`), with their fields and their metrics at the same reference day."
  func evaluate(_ aggregate: SubjectAggregate, _ scope: ReferenceScope) throws -> ReferenceValue {
    let rows = try counted(aggregate, scope)
    let values = try rows.map { row in
      var inner = scope
      inner.row = row
      return try aggregate.argument.map { try evaluate($0, inner) } ?? .none
    }
    return try combine(aggregate.function, values, type: aggregate.type)
  }

  /// The counted subjects for which `where` holds.
  func counted(_ aggregate: SubjectAggregate, _ scope: ReferenceScope) throws -> [RowScope] {
    try related(aggregate, to: scope.subject, readBy: scope.metric, asksConsent: scope.asksConsent).filter {
      var inner = scope
      inner.row = $0
      if scope.asksConsent, let id = $0.id,
        !agrees(id, of: aggregate.entity, readBy: scope.metric, on: scope.day)
      {
        return false
      }
      if let group = scope.group, try groupTexts($0, group.grouping, scope) != group.texts { return false }
      inner.group = nil
      return try aggregate.filter.map { try evaluate($0, inner).isTrue } ?? true
    }
  }

  /// The subjects that refer to the metric's own.
  func related(
    _ aggregate: SubjectAggregate, to subject: ByteText, readBy metric: MetricID, asksConsent: Bool
  ) -> [RowScope] {
    existing(aggregate.entity, readBy: metric, asksConsent: asksConsent).map { id in
      RowScope(record: aggregate.entity, row: entity(aggregate.entity, id), id: id)
    }.filter { row in
      guard !aggregate.relation.isEmpty else { return true }
      return row.row.flatMap { follow(aggregate.relation, $0) } == subject
    }
  }
}
