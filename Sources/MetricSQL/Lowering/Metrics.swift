import MetricPlan

/// Where the values of a metric are.
struct MetricPlace {
  var relation: String
  /// By part.
  var columns: [String: String] = [:]
  /// The relation while it gets columns, where metrics share it.
  var shared: OpenRelation?
}

/// One relation for each metric: `subject`, `r`, `grp` where it has groups, and a column for each part.
extension Translation {
  static func column(ofPart part: String) -> String { part.isEmpty ? "value" : part }

  /// Whether a metric has groups, itself or through the one it is a level of.
  func isGrouped(_ id: MetricID) -> Bool { !library.grouping(of: library.metrics[id]).isEmpty }

  /// Whether a metric is about all subjects at once: funnels, retentions and levels of them.
  func isWhole(_ id: MetricID) -> Bool {
    let metric = library.metrics[id]
    if case .level(let level) = metric.body { return isWhole(level.metric) }
    return metric.kind.countsSubjects || metric.subject.entity == nil
  }

  /// Whether a metric has rows of its own: of groups, of all subjects, or some that are hidden.
  private func standsAlone(_ id: MetricID) -> Bool {
    let metric = library.metrics[id]
    if case .level(let level) = metric.body { return standsAlone(level.metric) }
    return metric.kind.countsSubjects || !metric.grouping.isEmpty || metric.body.atLeast != nil
      || metric.nearest != nil
  }

  /// Where the values of a metric at some anchors are.
  func metric(_ id: MetricID, _ anchors: Anchors) -> MetricPlace {
    let key = RelationKey.metric(id, anchors)
    if let place = metricPlaces[key] { return place }
    let place =
      standsAlone(id)
      ? ownPlace(of: id, key, anchors) : sharedPlace(of: id, anchors)
    metricPlaces[key] = place
    return place
  }

  private func ownPlace(
    of id: MetricID, _ key: RelationKey, _ anchors: Anchors
  ) -> MetricPlace {
    let metric = library.metrics[id]
    let name = relation(key, named: metric.name, comment(id)) {
      switch metric.body {
      case .measure(let measure): return rounded(query(measure, id, anchors), metric)
      case .level(let level): return query(level, id, anchors)
      case .funnel(let funnel): return rounded(query(funnel, id, anchors), metric)
      case .retention(let retention): return rounded(query(retention, id, anchors), metric)
      case .completion, .windows, .progress: return impossible("they share a relation")
      }
    }
    let columns = metric.parts.map { ($0.name, Translation.column(ofPart: $0.name)) }
    return MetricPlace(relation: name, columns: Dictionary(uniqueKeysWithValues: columns))
  }

  /// Columns of the relation that all metrics of a level share; null for subjects that the metric is not for.
  private func sharedPlace(of id: MetricID, _ anchors: Anchors) -> MetricPlace {
    let metric = library.metrics[id]
    let relation = values(at: anchors, level: level(of: id))
    let builder = relation.builder
    let subject = builder["subject"]
    let scope = Scope(builder: builder, subject: subject, entity: metric.subject.entity, day: builder["r"])
    let condition = subjectCondition(id, subject, builder)
    let values: [SQLExpression] =
      switch metric.body {
      case .completion(let completion): [value(completion, id, anchors, scope)]
      case .windows(let metric): values(metric, id, anchors, builder)
      case .progress(let progress): values(progress, id, anchors, scope)
      case .measure(let measure): [value(measure, id, anchors, scope)]
      case .level(let level): values(level, id, anchors, builder)
      case .funnel, .retention: impossible("they have relations of their own")
      }
    var place = MetricPlace(relation: relation.name, shared: relation)
    for (part, value) in zip(metric.parts, values) {
      let name = columnName(part.name.isEmpty ? metric.name : "\(metric.name)_\(part.name)")
      place.columns[part.name] = relation.add(value, where: condition.map { [$0] } ?? [], named: name)
    }
    return place
  }

  /// `daily_streak, a streak for habit: Days in a row.`
  func comment(_ id: MetricID) -> String {
    let metric = library.metrics[id]
    let subject = metric.subject.entity.map { library.records[$0].subjectName } ?? "app"
    let doc = metric.doc.map { ": " + $0.split(whereSeparator: \.isNewline).joined(separator: " ") } ?? "."
    return "\(metric.name), a \(metric.kind.rawValue) for \(subject)\(doc)"
  }

  // MARK: Subjects

  /// A query from anchors, of the subjects that the metric is for.
  func anchored(_ id: MetricID, _ anchors: Anchors) -> (builder: SelectBuilder, scope: Scope) {
    let builder = SelectBuilder(from: anchors.relation, as: "a")
    let subject = builder["subject"]
    let entity = library.metrics[id].subject.entity
    if let condition = subjectCondition(id, subject, builder) { builder.conditions.append(condition) }
    let scope = Scope(builder: builder, subject: subject, entity: entity, day: builder["r"])
    return (builder, scope)
  }

  /// `for S where E`, over the subject's own row.
  func subjectCondition(_ id: MetricID, _ subject: SQLExpression, _ builder: SelectBuilder) -> SQLExpression?
  {
    let plan = library.metrics[id].subject
    guard let entity = plan.entity, let condition = plan.condition else { return nil }
    let row = row(of: entity, id: subject, builder)
    return expression(condition, Scope(builder: builder, subject: nil, row: row))
  }

  // MARK: Progress and levels

  private func values(
    _ progress: Progress, _ id: MetricID, _ anchors: Anchors, _ scope: Scope
  ) -> [SQLExpression] {
    var scope = scope
    scope.values = NamedValues(
      self, id, anchors, progress.over,
      expressions: [progress.value, progress.target].compactMap { $0 })
    let value = expression(progress.value, scope)
    guard let target = progress.target else { return [value] }
    let goal = expression(target, scope)
    func millionths(_ value: SQLExpression, _ type: ValueType) -> SQLExpression {
      type == .int ? .infix(.multiply, value, .number(1_000_000)) : value
    }
    let fraction = SQLExpression.operation(
      .divideMillionths, [millionths(value, progress.value.type), millionths(goal, target.type)])
    return [value, goal, fraction]
  }

  /// How many thresholds are reached (none by no value), and since when.
  private func values(
    _ level: Level, _ id: MetricID, _ anchors: Anchors, _ builder: SelectBuilder
  ) -> [SQLExpression] {
    let place = metric(level.metric, anchors)
    let value = builder[place.columns[level.part] ?? ""]
    let reached = areReached(level, value).map { $0.asNumber }
    guard level.hasDays else { return [.sum(reached)] }
    let names = ["subject"] + (isGrouped(level.metric) ? ["grp"] : [])
    let firsts = builder.join(.left, firstDays(level, id, names), as: "l", same: names)
    let days = library.metrics[id].parts.dropFirst().map { part in
      let first = firsts[part.name]
      return first.when(first.isAtMost(builder["r"]))
    }
    return [.sum(reached)] + days
  }

  private func areReached(_ level: Level, _ column: SQLExpression) -> [SQLExpression] {
    let part = library.metrics[level.metric].parts.first { $0.name == level.part }
    let value = part?.type == .int ? .infix(.multiply, column, .number(1_000_000)) : column
    return level.thresholds.map { value.isAtLeast(.number($0.millionths)) }
  }

  /// `subject`, `grp`?, `on1`…: the first day since the first fact on which each threshold is reached.
  private func firstDays(_ level: Level, _ id: MetricID, _ keys: [String]) -> String {
    let metric = library.metrics[id]
    let place = self.metric(
      level.metric, daysSinceFirstFact(of: level.metric))
    let builder = SelectBuilder(from: place.relation, as: "a")
    let reached = areReached(level, builder[place.columns[level.part] ?? ""])
    let day = builder["r"]
    let columns = zip(metric.parts.dropFirst(), reached).map { part, isReached in
      SQLColumn(.aggregate(.min, day.when(isReached)), part.name)
    }
    return define(
      of: metric.name, "first_days", "the first day on which each threshold is reached.",
      builder.select(builder.columns(keys) + columns, groupedBy: keys.map { builder[$0] }))
  }

  /// Groups are kept.
  private func query(_ level: Level, _ id: MetricID, _ anchors: Anchors) -> SQLQuery {
    let place = metric(level.metric, anchors)
    let builder = SelectBuilder(from: place.relation, as: "a")
    let names = ["subject", "r"] + (isGrouped(level.metric) ? ["grp"] : [])
    let values = values(level, id, anchors, builder)
    let columns = zip(library.metrics[id].parts, values).map {
      SQLColumn($1, Translation.column(ofPart: $0.name))
    }
    return builder.select(builder.columns(names) + columns)
  }

  // MARK: Measures

  private func value(
    _ measure: Measure, _ id: MetricID, _ anchors: Anchors, _ scope: Scope
  ) -> SQLExpression {
    var scope = scope
    scope.values = NamedValues(
      self, id, anchors, measure.over, expressions: [measure.value])
    return expression(measure.value, scope)
  }

  private func query(_ measure: Measure, _ id: MetricID, _ anchors: Anchors) -> SQLQuery {
    let values = NamedValues(
      self, id, anchors, measure.over, grouping: measure.grouping,
      expressions: [measure.value])
    let isGrouped = !measure.grouping.isEmpty
    let place = isGrouped ? Anchors(relation: values.groups(), kind: anchors.kind) : anchors
    var (builder, scope) = anchored(id, place)
    scope.values = values
    let names = ["subject", "r"] + (isGrouped ? ["grp"] : [])
    let value = expression(measure.value, scope)
    /// How many users are behind the aggregate that has the fewest.
    func users(
      _ values: NamedValues, _ line: SQLExpression?, _ supporters: Supporters
    ) -> SQLExpression? {
      let counts = values.userCounts(of: supporters).map { place -> SQLExpression in
        let counted = builder.join(.left, place.relation, as: "u", same: ["subject", "r"]) { alias in
          line.map { [alias["grp"].equals($0)] } ?? []
        }
        return counted[place.column].or(0)
      }
      return counts.first.map { counts.dropFirst().reduce($0) { .operation(.lower, [$0, $1]) } }
    }
    let open = builder.columns(names) + [SQLColumn(value, "value")]
    guard let atLeast = measure.atLeast else { return builder.select(open) }
    let sets = library.metrics[id].peopleSets
    let deciding = sets.compactMap { set -> (supporters: Supporters, column: String)? in
      guard case .behind(let supporters) = set.people else { return nil }
      return (supporters, supporters == .adding ? "users" : "valued")
    }
    let group = isGrouped ? builder["grp"] : nil
    let counts = deciding.compactMap { set in
      users(values, group, set.supporters).map { SQLColumn($0, set.column) }
    }
    guard let fewest = counts.last?.expression else { return builder.select(open) }
    let lines = lines(of: measure.grouping).flatMap { line -> [SQLColumn] in
      let values = NamedValues(
        self, id, anchors, measure.over, grouping: line.fields, expressions: [measure.value])
      let text = line.text(of: builder["grp"])
      return [SQLColumn(text, line.name)]
        + deciding.map { SQLColumn(users(values, text, $0.supporters) ?? fewest, line.column($0.column)) }
    }
    let relation = define("\(library.metrics[id].name)_open", builder.select(open + counts + lines))
    return hiding(relation, keys: names, users: deciding.map(\.column), atLeast: atLeast, id)
  }

  // MARK: Hiding

  /// `nearest N` (PRIV-15): the nearest multiples, of two the one farther from 0; a rate is that of rounded numbers.
  private func rounded(_ query: SQLQuery, _ metric: Metric) -> SQLQuery {
    guard let nearest = metric.nearest else { return query }
    let builder = SelectBuilder(
      from: define(of: metric.name, "exact", "before it is rounded.", query), as: "a")
    var values: [SQLExpression] = []
    for part in metric.parts {
      guard let step = part.step(nearest) else {
        let (dividend, number) = (values[values.count - 1], values[values.count - 2])
        values.append(quotient(dividend, number, metric.parts[values.count - 1].type))
        continue
      }
      let value = builder[Translation.column(ofPart: part.name)]
      let half = SQLExpression.number(step / 2)
      let away = (value - half).when(value.isBelow(.integer(0)), otherwise: value + half)
      values.append(.infix(.multiply, away.divided(by: .number(step)), .number(step)))
    }
    let hasGroups = !metric.grouping.isEmpty || metric.kind != .measure
    return builder.select(
      builder.columns(["subject", "r"] + (hasGroups ? ["grp"] : []))
        + zip(metric.parts, values).map { SQLColumn($1, Translation.column(ofPart: $0.name)) })
  }

  /// The groups of a table that have the same first fields, such as all of a country.
  struct Line {
    var fields: [GroupField]
    /// The column that has their text.
    var name: String { "line_\(fields.count)" }

    /// The column of the users behind the line, which are a part's or an aggregate's.
    func column(_ users: String) -> String { "\(users)_by_\(fields.count)" }

    fileprivate var count: Int
    func text(of group: SQLExpression) -> SQLExpression {
      GroupText.picked(Array(fields.indices), of: group, count: count)
    }
  }

  /// The lines by one field, by two, and so on, but for those by all, which are the groups.
  func lines(of grouping: [GroupField]) -> [Line] {
    (1..<max(1, grouping.count)).map { Line(fields: Array(grouping.prefix($0)), count: grouping.count) }
  }

  /// `at least K users`: a line with fewer shows nothing; where there is one, the shown one of the fewest users beside it
  /// shows nothing either.
  ///
  /// - Parameters:
  ///   - open: has the columns of the lines, too.
  ///   - names: `subject`, `r` and, where there are groups, `grp`.
  ///   - users: the columns of the metric's sets of people.
  func hiding(
    _ open: String, keys names: [String], users: [String], atLeast: Int, _ id: MetricID
  ) -> SQLQuery {
    let metric = library.metrics[id]
    let parts = metric.parts.map { Translation.column(ofPart: $0.name) }
    let levels = lines(of: metric.grouping).map(Optional.some) + [nil]
    var builder = SelectBuilder(from: open, as: "a")
    let group = ["subject", "r"].map { builder[$0] }
    var columns = builder.columns(names + parts + users)
    for (line, outer) in zip(levels, [nil] + levels) {
      let group = group + (outer.flatMap { $0 }.map { [builder[$0.name]] } ?? [])
      for count in users.map({ line?.column($0) ?? $0 }) {
        let own = builder[count]
        let few = own.isBelow(.integer(atLeast)).asNumber
        let order = ([own] + (line.map { [$0.name] } ?? names.dropFirst(2)).map { builder[$0] })
        // All groups of a line have one rank.
        let place = SQLWindow(partition: group + [few], order: order.map { SQLOrder($0) })
        columns += [
          SQLColumn(few, "\(count)_few"),
          SQLColumn(.window(.aggregate(.sum, few), of: group), "\(count)_hidden"),
          SQLColumn(.window(.rank, place), "\(count)_place"),
        ]
      }
    }
    let ranked = define(
      of: metric.name, "by_users", "which values speak of too few users.",
      builder.select(columns))
    builder = SelectBuilder(from: ranked, as: "a")
    func isHidden(_ users: String) -> SQLExpression {
      let all = levels.map { line -> SQLExpression in
        func own(_ suffix: String) -> SQLExpression {
          builder["\(line?.column(users) ?? users)_\(suffix)"]
        }
        return own("few").isOne.or(own("hidden").isAtLeast(.integer(1)).and(own("place").isOne))
      }
      return all.dropFirst().reduce(all[0]) { $0.or($1) }
    }
    var hidden: [SQLExpression] = []
    let shown = zip(metric.peopleSets, users).flatMap { set, users -> [SQLColumn] in
      let own = isHidden(users)
      hidden.append(set.behind.map { hidden[$0].or(own) } ?? own)
      return parts[set.parts].map { [isHidden = hidden[hidden.count - 1]] in
        SQLColumn(builder[$0].when(.not(isHidden)), $0)
      }
    }
    return builder.select(builder.columns(names) + shown)
  }
}
