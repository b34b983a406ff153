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

  /// Of each partition the row that comes first in an order, or at another place, which may depend on
  /// `others`. The relation of the rows with their places is called like `hint`, and `alias` in the query.
  func placed(
    _ columns: [SQLColumn], of rows: SelectBuilder, partition: [SQLExpression], order: [SQLOrder],
    named hint: String, _ comment: String? = nil, as alias: String = "k", others: [SQLColumn] = [],
    at place: (SelectBuilder) -> SQLExpression = { _ in 1 }
  ) -> SQLQuery {
    let own = SQLExpression.window(.rowNumber, nil, SQLWindow(partition: partition, order: order))
    let ranked = define(hint, comment, rows.select(columns + [SQLColumn(own, "place")] + others))
    let builder = SelectBuilder(from: ranked, as: alias)
    return builder.where(builder["place"].equals(place(builder))).select(columns.map(\.name))
  }

  /// The one row of each key that `first`, `last` or `percentile` names.
  func pick(
    _ function: AggregateFunction, of value: SQLExpression, by order: [SQLOrder], keys: [SQLColumn],
    from rows: SelectBuilder, named name: String
  ) -> String {
    rows.where(value.isPresent)
    let partition = keys.map(\.expression)
    let picked = placed(
      keys + [SQLColumn(value, "value")], of: rows, partition: partition, order: order,
      named: "\(name)_ranked", "\(name): values with their ranks.",
      others: [SQLColumn(.window(.count, of: partition), "n")]
    ) { builder in
      guard case .percentile(let percent) = function else { return 1 }
      return (builder["n"] * .integer(percent) + 99).divided(by: 100)
    }
    return define("\(name)_picked", picked)
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
        builder.where(subject.isPresent)
      }
      return builder.select(["subject": subject, "member": member])
    }
  }

  /// The group of a fact, an event on a day or a counted subject, as one text; a missing value is an empty
  /// text. `scope` is that of a counted subject, whose metrics may be its group.
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
