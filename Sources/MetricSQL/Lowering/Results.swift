import MetricPlan
import MetricValues

/// The result table: rows of all metrics, as texts.
extension Translation {
  /// The statement's last query; its relations are in `definitions`.
  func results() -> SQLQuery {
    var queries = metricsByName.enumerated().flatMap { place, id in rows(of: id, place: place) }
    queries += failures
    let all = define(
      "result_rows", "All rows; `metric_place` and `part_place` order metrics and parts.",
      queries.isEmpty ? noRows : .union(queries, isDistinct: false))
    return results(from: all, ["metric_place", "subject", "group", "part_place", "r"], isOrdered: true)
  }

  private func results(from relation: String, _ order: [String], isOrdered: Bool) -> SQLQuery {
    func own(_ name: String) -> SQLExpression { .column(relation: "all_rows", name: name) }
    var columns = ["metric", "subject", "group", "part", "at", "value"].map { SQLColumn(own($0), $0) }
    if case .list(let days, isLastOpen: true) = request.days, let last = days.last {
      let isLast = own("at").equals(.text(last.description))
      columns.append(SQLColumn(.text("true").when(isLast, otherwise: .text("false")), "open"))
    }
    return .select(
      SQLSelect(
        columns: columns, from: SQLRelation(path: [relation], alias: "all_rows"),
        order: isOrdered ? order.map { SQLOrder(own($0)) } : []))
  }

  /// Rows that are not there unless the data are broken; then they are errors of the engine.
  private var failures: [SQLQuery] {
    broken.map { relation in
      let builder = SelectBuilder(from: relation, as: "b")
      let texts = ["metric", "subject", "group", "part", "at"].map { SQLColumn(.text(""), $0) }
      let places = ["metric_place", "part_place", "r"].map { SQLColumn(.integer(0), $0) }
      let error = SQLExpression.operation(.fail, [builder.column("problem", of: "b")])
      return builder.select(places + texts + [SQLColumn(error, "value")])
    }
  }

  /// A query for each metric: its rows without an order.
  func rowsByMetric(isOrdered: Bool = false) -> [(metric: MetricID, rows: SQLQuery)] {
    metricsByName.map { id in
      let all = define(
        "\(library.metrics[id].name)_rows", .union(rows(of: id, place: 0) + failures, isDistinct: false))
      return (id, results(from: all, ["subject", "group", "part_place", "r"], isOrdered: isOrdered))
    }
  }

  private var metricsByName: [MetricID] {
    Set(request.metrics).sorted {
      Array(library.metrics[$0].name.utf8).lexicographicallyPrecedes(Array(library.metrics[$1].name.utf8))
    }
  }

  /// What a library without a metric gives.
  private var noRows: SQLQuery {
    let texts = ["metric", "subject", "group", "part", "at", "value"].map { SQLColumn(.text(""), $0) }
    let places = ["metric_place", "part_place", "r"].map { SQLColumn(.integer(0), $0) }
    return .select(SQLSelect(columns: places + texts, conditions: [.bool(false)]))
  }

  private func rows(of id: MetricID, place: Int) -> [SQLQuery] {
    let metric = library.metrics[id]
    let entity = isWhole(id) ? nil : metric.subject.entity
    let relation = self.metric(id, isTeam: false, anchors(entity, days: days()))
    return metric.parts.enumerated().map { index, part in
      let builder = SelectBuilder(from: relation, as: "m")
      let subject = builder.column("subject", of: "m")
      if let entity {
        let own = subjects(entity, readBy: id, isTeam: metric.audience == .team)
        // The anchors are those of all subjects; a metric may speak of fewer.
        if own != allSubjects(entity) {
          builder.join(.inner, own, as: "s") { [.column(relation: $0, name: "subject").equals(subject)] }
        }
      }
      if !request.subjects.isEmpty {
        builder.conditions.append(isAsked(subject, entity, builder))
      }
      let day = builder.column("r", of: "m")
      let group = isGrouped(id) ? builder.column("grp", of: "m") : .text("")
      let value = builder.column(Translation.column(ofPart: part.name), of: "m")
      return builder.select([
        SQLColumn(.integer(place), "metric_place"), SQLColumn(.integer(index), "part_place"),
        SQLColumn(day, "r"), SQLColumn(.text(metric.name), "metric"), SQLColumn(subject, "subject"),
        SQLColumn(group, "group"), SQLColumn(.text(part.name), "part"),
        SQLColumn(.operation(.dayText, [day]), "at"),
        SQLColumn(text(of: inRange(value, part.type), part.type), "value"),
      ])
    }
  }

  /// A result that does not fit is an error.
  func inRange(_ value: SQLExpression, _ type: ValueType) -> SQLExpression {
    switch type {
    case .int: .operation(.checked(FixedDecimal.intLimit), [value])
    case .decimal: .operation(.checked(FixedDecimal.limit), [value])
    case .bool, .dayKey, .text, .instant: value
    }
  }
}
