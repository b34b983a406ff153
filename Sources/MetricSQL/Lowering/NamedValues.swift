/// The aggregates and metrics that the expressions of one metric name, at its anchors: each is a relation
/// by subject and day, joined to the anchors when an expression first names it.
final class NamedValues: MetricRelations {
  /// Of which facts aggregates are computed together.
  struct Batch: Hashable {
    var record: RecordID
    var route: Route
    var stretch: Period
    var filter: Expression?
    var row: Row { Row(record: record, alias: "f") }

    /// - Parameter stretch: what it reads without a period of its own.
    init(_ aggregate: Aggregate, over stretch: Period) {
      (record, route, filter) = (aggregate.record, aggregate.route, aggregate.filter)
      self.stretch = aggregate.period ?? stretch
    }
  }

  typealias Place = (relation: String, column: String)

  let translation: Translation
  let id: MetricID
  let anchors: Anchors
  /// What an aggregate without a period of its own reads.
  let stretch: Period
  let grouping: [GroupField]
  /// The relation of aggregates that the anchors are taken from; nil if they come from elsewhere.
  private(set) var base: String?
  private var places: [Aggregate: Place] = [:]
  /// The aggregates over facts, each once, and their batches.
  private var aggregates: [Aggregate] = []
  private var sources: [Batch] = []
  private var subjectAggregates: [SubjectAggregate] = []
  /// Where the metrics of counted subjects are read, while expressions of an aggregate over them are lowered.
  var counting: (anchors: Anchors, subject: SQLExpression)?
  var subjectPlaces: [SubjectAggregate: String] = [:]

  /// Defines the relations of all aggregates over facts: one for each record, route, period and `where`.
  init(
    _ translation: Translation, _ id: MetricID, _ anchors: Anchors, _ stretch: Period,
    grouping: [GroupField] = [], expressions: [Expression]
  ) {
    (self.translation, self.id, self.anchors) = (translation, id, anchors)
    (self.stretch, self.grouping) = (stretch, grouping)
    for part in expressions.flatMap(\.parts) {
      if case .subjects(let aggregate) = part { subjectAggregates.append(aggregate) }
      if case .aggregate(let aggregate) = part { aggregates.append(aggregate) }
    }
    aggregates = aggregates.withoutRepeats
    sources = aggregates.map(batch).withoutRepeats
    for source in sources { define(source, aggregates.filter { batch(of: $0) == source }) }
  }

  /// The aggregates of a completion's `when`, where one relation of them holds every window that can be complete: it is
  /// the `base`. Nil if that is not so.
  convenience init?(
    _ translation: Translation, _ id: MetricID, _ kind: Anchors.Kind, _ stretch: Period,
    deciding when: Expression
  ) {
    guard let batch = when.onlyBatch(over: stretch), batch.stretch == stretch,
      batch.filter == nil || when.needsFact
    else { return nil }
    self.init(translation, id, Anchors(relation: "", kind: kind), stretch, expressions: [when])
    base = places.values.first?.relation
  }

  private func batch(of aggregate: Aggregate) -> Batch { Batch(aggregate, over: stretch) }

  private func define(_ batch: Batch, _ aggregates: [Aggregate]) {
    let plain = aggregates.filter { !needsOrder($0) && $0.function != .contribution }
    if countsByDay(batch, plain) {
      defineCounts(batch, plain)
    } else if !plain.isEmpty {
      definePlain(batch, plain)
    }
    for aggregate in aggregates where needsOrder(aggregate) { defineOrdered(batch, aggregate) }
    for aggregate in aggregates where aggregate.function == .contribution {
      defineContribution(batch, aggregate)
    }
  }

  private func needsOrder(_ aggregate: Aggregate) -> Bool {
    let isAggregate = aggregate.function.rank != nil && translation.dialect.traits.aggregatesPercentiles
    return aggregate.needsOrder && !isAggregate
  }

  /// The filtered facts of a batch, with the anchor's day and the group of each.
  private func facts(_ batch: Batch) -> (scope: Scope, keys: [SQLColumn]) {
    let (builder, scope) = translation.rows(of: source(batch), batch.record, for: id)
    let end = translation.spread(scope.day ?? 0, over: batch.stretch, to: anchors, builder)
    if let filter = batch.filter { builder.where(translation.expression(filter, scope)) }
    return (scope, keys(of: batch.row, at: end, builder))
  }

  /// The subject of a fact, the day of an anchor, and the fact's group.
  private func keys(of fact: Row, at end: SQLExpression, _ builder: SelectBuilder) -> [SQLColumn] {
    let group = translation.group(of: fact, grouping, builder).map { [SQLColumn($0, "grp")] } ?? []
    return builder.columns(["subject"], ["r": end]) + group
  }

  /// The relation of the aggregates of a batch's facts, and which of its rows are the batch's own.
  private func totals(_ batch: Batch) -> (relation: OpenRelation, scope: Scope, conditions: [SQLExpression]) {
    let facts = source(batch)
    let day = translation.day(of: batch.row) ?? 0
    let (relation, isOwn) = totals(of: facts, batch, day: day)
    let (_, scope) = translation.rows(of: facts, batch.record, for: id, in: relation.builder)
    let conditions = batch.filter.map { [translation.expression($0, scope)] } ?? []
    return (relation, scope, conditions + isOwn)
  }

  /// Adds aggregates to those of the same facts at the same pairs.
  private func definePlain(_ batch: Batch, _ aggregates: [Aggregate]) {
    let (relation, scope, conditions) = totals(batch)
    for aggregate in aggregates {
      let argument = aggregate.argument.map { translation.expression($0, scope) }
      let value = combined(aggregate.function, argument, aggregate.argument?.type ?? .int, day: scope.day)
      places[aggregate] = (relation.name, relation.add(value, where: conditions))
    }
  }

  /// The relation of aggregates of some rows, called `f`, at the anchors. Days that are listed are compared with all
  /// earlier facts; each aggregate counts its own, by the conditions beside the relation.
  private func totals(
    of source: String, _ batch: Batch, isGrouped: Bool = true, day: SQLExpression
  ) -> (relation: OpenRelation, isOwn: [SQLExpression]) {
    let stretch = comparesDays ? nil : batch.stretch
    let kind = anchors.isDays ? "at \(anchors.relation)" : "by subject and day"
    let relation = translation.openRelation(
      .aggregates(source, anchors, stretch, grouping), named: "\(source)_totals",
      "What is counted of \(source), \(kind)."
    ) {
      let builder = SelectBuilder(from: source, as: "f")
      let end = translation.spread(day, over: stretch ?? .allTime, to: anchors, builder)
      return (builder, keys(of: batch.row, at: end, builder), isGrouped)
    }
    guard comparesDays else { return (relation, []) }
    return (relation, translation.narrowed(day, to: batch.stretch, relation.keys[1].expression))
  }

  /// Whether all earlier facts are compared with each of a few days.
  private var comparesDays: Bool { anchors.isDays && translation.request.days.areFew }

  private func source(_ batch: Batch) -> String {
    translation.facts(batch.record, batch.route, for: id, over: batch.stretch, at: anchors)
  }

  /// Whether aggregates are computed from the facts' days with a count each. That is less work where all facts
  /// are read anyway, and where another metric has the days already.
  private func countsByDay(_ batch: Batch, _ aggregates: [Aggregate]) -> Bool {
    guard !aggregates.isEmpty, grouping.isEmpty,
      aggregates.allSatisfy({ $0.function == .count || $0.function == .days })
    else { return false }
    switch anchors.kind {
    case .ends, .chain: return batch.stretch != .allTime
    case .days:
      let key = translation.factDaysKey(batch.record, batch.route, for: id, filter: batch.filter)
      return translation.isDefined(key)
        || batch.stretch == .allTime && aggregates.contains { $0.function == .days }
    case .pairs: return false
    }
  }

  private func defineCounts(_ batch: Batch, _ aggregates: [Aggregate]) {
    let source = translation.factDays(batch.record, batch.route, for: id, filter: batch.filter)
    // A window of one day holds one row.
    let isSingle = anchors.kind == .ends && batch.stretch == .lastDays(1)
    let (day, count) = (Alias("f")["day"], Alias("f")["n"])
    let (relation, conditions) = totals(of: source, batch, isGrouped: !isSingle, day: day)
    for aggregate in aggregates {
      let (one, all): (SQLExpression, SQLExpression) =
        aggregate.function == .days ? (1, .aggregate(.count, nil)) : (count, .aggregate(.sum, count))
      places[aggregate] = (relation.name, relation.add(isSingle ? one : all, where: conditions))
    }
  }

  /// An aggregate of the values of an argument; missing ones are skipped. Facts have a day.
  func combined(
    _ function: AggregateFunction, _ argument: SQLExpression?, _ type: ValueType, day: SQLExpression? = nil
  ) -> SQLExpression {
    switch function {
    case .sum: .aggregate(.sum(of: type), argument)
    case .min: .aggregate(.min, argument)
    case .max: .aggregate(.max, argument)
    case .distinct: .aggregate(.countDistinct, argument)
    case .average, .stddev:
      .aggregate(function == .average ? .averageMillionths : .deviationMillionths, argument?.millionths(type))
    case .count: .aggregate(.count, nil)
    case .days: .aggregate(.countDistinct, day ?? impossible("only facts have days"))
    case .percentile(let percent): .aggregate(.percentile(percent), argument)
    case .first, .last, .contribution: impossible("\(function.word) has a relation of its own")
    }
  }

  /// `first`, `last` and `percentile`: the value of one rank.
  private func defineOrdered(_ batch: Batch, _ aggregate: Aggregate) {
    let (scope, keys) = facts(batch)
    let value =
      aggregate.argument.map { translation.expression($0, scope) } ?? scope.day
      ?? impossible("a fact has a day")
    let isLast = aggregate.function == .last
    let order =
      isLast || aggregate.function == .first
      ? translation.order(of: batch.row, then: value, isDescending: isLast) : [SQLOrder(value)]
    let picked = translation.pick(
      aggregate.function, of: value, by: order, keys: keys, from: scope.builder, named: name)
    places[aggregate] = (picked, "value")
  }

  private func defineContribution(_ batch: Batch, _ aggregate: Aggregate) {
    guard case .link(let link) = batch.route else { return }
    let (scope, keys) = facts(batch)
    translation.checkUnits(link)
    let end = translation.follow(link.fromFact, from: batch.row, scope.builder)
    let pairs = scope.builder.join(
      .inner, translation.linkPairs(link), as: "p", on: ["subject": keys[0].expression, "end_id": end])
    let isSum = pairs["is_sum"].isOne
    let argument = aggregate.argument.map { translation.expression($0, scope) } ?? .null(.int)
    let one = SQLExpression.number(aggregate.type == .decimal ? 1_000_000 : 1)
    let value = combined(.sum, argument.when(isSum, otherwise: one), aggregate.type)
    let comment = "\(library.text(of: .aggregate(aggregate))), by subject and day."
    let relation = define("contributions", comment, scope.builder.grouped(["v1": value], by: keys))
    places[aggregate] = (relation, "v1")
  }

  /// `subject`, `r`, `grp`: the groups of the facts that pass an aggregate, and of the subjects that are counted.
  func groups() -> String {
    let groups = sources.map { batch -> SQLQuery in
      let (relation, _, conditions) = totals(batch)
      let count = relation.add(.aggregate(.count, nil), where: conditions)
      let builder = SelectBuilder(from: relation.name, as: "f")
      return builder.where(builder[count].isAbove(0)).select(["subject", "r", "grp"])
    }
    let members = subjectAggregates.map(counted).map { $0.scope.builder.select($0.keys, isDistinct: true) }
    counting = nil
    return define(
      "groups", "the groups there are.", .rows(of: groups + members + readGroups(), isDistinct: true))
  }

  /// The groups of metrics that are read in the same ones.
  private func readGroups() -> [SQLQuery] {
    guard case .measure(let measure) = metric.body else { return [] }
    return library.groupSources(of: measure).map { reference in
      let builder = SelectBuilder(from: anchors.relation, as: "a")
      let alias = join(reference, subject: builder["subject"], .inner, builder)
      let places = library.grouping(of: library.metrics[reference.metric]).places(of: grouping)
      let group = GroupText.picked(places, of: alias["grp"], count: places.count)
      return builder.select(["subject", "r"], ["grp": group], isDistinct: true)
    }
  }

  /// For each aggregate whose facts or subjects lead to users, a column by `subject`, `r`, `grp`?: how many are behind
  /// it, of a percentile on the side of it that has fewer.
  func userCounts(of supporters: Supporters) -> [Place] {
    let facts = aggregates.filter { library.leadsToUser($0.record) }.map { aggregate -> Place in
      let supporting = batch(of: aggregate.supporting(supporters))
      if aggregate.function.rank != nil, let place = places[aggregate] {
        return userCount(self.facts(supporting), aggregate.record, aggregate.argument, middle: place)
      }
      let (relation, scope, conditions) = totals(supporting)
      let users = ways(aggregate.record, scope).map(\.expression)
      return (relation.name, relation.add(translation.fewest([nil], users), where: conditions))
    }
    return facts
      + subjectAggregates.filter { library.leadsToUser($0.entity) }.map { aggregate in
        let middle = aggregate.function.rank.flatMap { _ in subjectPlaces[aggregate].map { ($0, "value") } }
        let supporting = counted(aggregate.supporting(supporters))
        return userCount(supporting, aggregate.entity, aggregate.argument, middle: middle)
      }
  }

  /// The users to whom facts or counted subjects lead, which may be the subjects themselves.
  private func ways(_ record: RecordID, _ scope: Scope) -> [SQLColumn] {
    let users = library.userPaths(of: record).map { path in
      path.isEmpty
        ? Alias("m")["member"]
        : scope.row.map { translation.follow(path, from: $0, scope.builder) } ?? .null(.text)
    }
    return translation.ways(users, count: users.count)
  }

  /// - Parameter middle: where the value of a percentile stands.
  private func userCount(
    _ rows: (scope: Scope, keys: [SQLColumn]), _ record: RecordID, _ argument: Expression?, middle: Place?
  ) -> Place {
    let (scope, keys) = rows
    defer { counting = nil }
    let ways = ways(record, scope)
    let value = middle == nil ? nil : argument.map { SQLColumn(translation.expression($0, scope), "value") }
    let users = define(
      "users", "the users behind an aggregate.",
      scope.builder.select(keys + ways + [value].compactMap { $0 }, isDistinct: true))
    let builder = SelectBuilder(from: users, as: "u")
    let names = keys.map(\.name)
    var sides: [SQLExpression?] = [nil]
    if let middle {
      let place = builder.join(.inner, middle.relation, as: "p", same: names)
      let (value, limit) = (builder["value"], place[middle.column])
      sides = [value.isAtMost(limit), value.isAtLeast(limit)]
    }
    let count = translation.fewest(sides, ways.map { builder[$0.name] })
    let counts = define("user_counts", builder.grouped(["users": count], by: builder.columns(names)))
    return (counts, "users")
  }

  func join(_ relation: String, _ scope: Scope, hint: String) -> Alias {
    if relation == base { return "a" }
    let names = ["subject", "r"] + (grouping.isEmpty ? [] : ["grp"])
    return scope.builder.join(.left, relation, as: hint, same: names)
  }

  func value(of aggregate: Aggregate, _ scope: Scope) -> SQLExpression {
    guard let place = places[aggregate] else { return impossible("an aggregate that was not defined") }
    let alias = join(place.relation, scope, hint: "f")
    let value = alias[place.column]
    let result = aggregate.function.isNeverNone ? value.or(0) : value
    return aggregate.function.traits.form == .adds ? translation.inRange(result, aggregate.type) : result
  }

  /// Another metric of the same subject, or of the subject that is counted at hand.
  func value(of reference: MetricReference, _ scope: Scope) -> SQLExpression {
    if let days = reference.days { return value(of: reference, over: days, scope) }
    let (metric, there) = read(reference)
    let column = metric.columns[reference.part] ?? ""
    if metric.shared != nil, scope.builder.anchors == there { return Alias("a")[column] }
    let subject = reference.root == .row ? counting?.subject : scope.subject
    return join(reference, subject: subject, .left, scope.builder)[column]
  }

  private func read(_ reference: MetricReference) -> (place: MetricPlace, anchors: Anchors) {
    let place = reference.root == .row ? counting?.anchors ?? anchors : anchors
    let entity = translation.entity(of: reference.metric)
    let there = translation.anchors(place, for: entity, reference.offset)
    return (translation.metric(reference.metric, there), there)
  }

  /// Joins the values of a metric to anchors `a`, in a left join those of their group (GRP-03).
  private func join(
    _ reference: MetricReference, subject: SQLExpression?, _ kind: SQLJoin.Kind, _ builder: SelectBuilder
  ) -> Alias {
    let fields = library.grouping(of: library.metrics[reference.metric])
    let places = kind == .left ? grouping.places(of: fields) : []
    let group = GroupText.picked(places, of: Alias("a")["grp"], count: grouping.count)
    let own = translation.entity(of: reference.metric).flatMap { _ in subject }
    let shifted = translation.shifted(Alias("a")["r"], reference.offset)
    return builder.join(
      kind, read(reference).place.relation, as: "m", on: ["subject": own ?? "", "r": shifted]
    ) { alias in
      places.isEmpty ? [] : [alias["grp"].equals(group)]
    }
  }

  /// `first(c)`, `last(c)`, `count(c)`.
  func value(of aggregate: CompletionAggregate, _ scope: Scope) -> SQLExpression {
    let own = aggregate.root == .row ? counting : nil
    let plan = library.metrics[aggregate.completion]
    let there = translation.anchors(own?.anchors ?? anchors, for: plan.subject.entity, nil)
    let number = translation.number(aggregate, there)
    let subject = aggregate.root == .row ? own?.subject : scope.subject
    let day = Alias("a")["r"]
    let alias = scope.builder.join(.left, number.relation, as: "n", on: ["subject": subject ?? "", "r": day])
    let value = alias[number.column]
    return aggregate.function == .count ? value.or(0) : value
  }
}
