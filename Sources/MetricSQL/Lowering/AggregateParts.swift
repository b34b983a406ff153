import MetricPlan

extension Aggregate {
  /// Whether it takes the value of one fact by its rank.
  var needsOrder: Bool { function.rank != nil || function.traits.form == .picks }
}

extension Translation {
  /// Day, Instant and id bytes order facts, then the value itself; what is missing comes first.
  func order(of row: Row, then value: SQLExpression, isDescending: Bool) -> [SQLOrder] {
    let record = library.records[row.record]
    let columns = [record.dayKeyField, record.orderField, record.idField].compactMap {
      column(row.record, $0, of: row.alias)
    }
    return (columns + [value]).map { SQLOrder($0, isDescending: isDescending) }
  }

  /// The first row of each partition.
  func first(
    of rows: SelectBuilder, partition: [SQLExpression], order: [SQLOrder], _ columns: [SQLColumn],
    named name: String, _ comment: String? = nil
  ) -> String {
    let place = SQLExpression.window(.rowNumber, SQLWindow(partition: partition, order: order))
    let ranked = define("\(name)_ranked", rows.select(columns + [SQLColumn(place, "place")]))
    let builder = SelectBuilder(from: ranked, as: "k")
    builder.conditions.append(builder["place"].isOne)
    return define(name, comment, builder.select(columns.map { SQLColumn(builder[$0.name], $0.name) }))
  }

  /// The one row of each key that `first`, `last` or `percentile` names.
  func pick(
    _ function: AggregateFunction, of value: SQLExpression, by order: [SQLOrder], keys: [SQLColumn],
    from rows: SelectBuilder, named name: String
  ) -> String {
    rows.conditions.append(value.isPresent)
    let partition = keys.map(\.expression)
    let place = SQLExpression.window(.rowNumber, SQLWindow(partition: partition, order: order))
    let count = SQLExpression.window(.aggregate(.count, nil), of: partition)
    let ranked = define(
      of: name, "ranked", "values with their ranks.",
      rows.select(keys + [SQLColumn(value, "value"), SQLColumn(place, "place"), SQLColumn(count, "n")]))
    let builder = SelectBuilder(from: ranked, as: "k")
    var wanted = SQLExpression.integer(1)
    if case .percentile(let percent) = function {
      wanted = (builder["n"] * .integer(percent) + 99).divided(by: 100)
    }
    builder.conditions.append(builder["place"].equals(wanted))
    let names = keys.map(\.name) + ["value"]
    return define("\(name)_picked", builder.select(builder.columns(names)))
  }

  /// `subject`, `member`: the subjects that refer to each subject of a metric; all of them for `app`.
  func members(_ aggregate: SubjectAggregate, _ metric: MetricID) -> String {
    let name = library.metrics[metric].name
    let counted = library.records[aggregate.entity].subjectName
    return relation(
      .members(metric, aggregate.entity, aggregate.relation),
      named: "\(name)_\(counted)_members",
      "\(name): each \(counted) that may be counted."
    ) {
      let builder = SelectBuilder(from: subjects(aggregate.entity, readBy: metric), as: "s")
      let member = builder["subject"]
      var subject = SQLExpression.text("")
      if !aggregate.relation.isEmpty, let row = row(of: aggregate.entity, id: member, builder) {
        subject = follow(aggregate.relation, from: row, builder)
        builder.conditions.append(subject.isPresent)
      }
      return builder.select([SQLColumn(subject, "subject"), SQLColumn(member, "member")])
    }
  }

  /// The group of a fact, an event on a day or a counted subject, as one text; a missing value is an empty text.
  ///
  /// - Parameter scope: that of a counted subject, whose metrics may be its group.
  func group(
    of fact: Row?, on day: SQLExpression? = nil, _ grouping: [GroupField], _ builder: SelectBuilder,
    in scope: Scope? = nil
  ) -> SQLExpression? {
    GroupText.joined(
      grouping.map { field in
        switch field {
        case .cohort(let unit): return day.map { .operation(.dayText, [unit.start(after: $0)]) } ?? ""
        case .field(_, let paths, let type):
          guard let fact, let path = paths[fact.record] else { return "" }
          return .coalesce([text(of: value(path, from: fact, builder), type), ""])
        case .metric(_, let reference, _):
          guard let value = scope.map({ expression(.metric(reference), $0) }) else { return "" }
          return .coalesce([text(of: inRange(value, reference.type), reference.type), ""])
        }
      })
  }
}
