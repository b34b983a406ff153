import MetricPlan
import MetricValues

/// The result table: rows of all metrics, as texts.
extension Translation {
  /// The statement's last query; its relations are in `definitions`.
  func results() -> SQLQuery {
    let queries = rows(of: Array(metricsByName.enumerated())) + failures
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
        "\(library.metrics[id].name)_rows", .union(rows(of: [(0, id)]) + failures, isDistinct: false))
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

  /// A part of a metric as a column of a relation `m`.
  private struct Cell {
    var metric: MetricID
    var part: Part
    var constants: [SQLColumn]
    var value: SQLExpression
    /// Whether the subject has a row.
    var isShown: SQLExpression?
  }

  /// Metrics whose parts are columns of one relation.
  private struct CellGroup {
    /// Those that share the relation; nil for a metric that stands alone.
    var anchors: Anchors?
    var relation: String
    var cells: [Cell]
    var isGrouped = false
    var subjects: String?
  }

  private func cellGroups(_ metrics: [(offset: Int, element: MetricID)]) -> [CellGroup] {
    var groups: [CellGroup] = []
    for (place, id) in metrics {
      let metric = library.metrics[id]
      let anchors = self.anchors(isWhole(id) ? nil : metric.subject.entity, days: days())
      let values = self.metric(id, isTeam: false, anchors)
      let isShown = values.shared.flatMap { self.isShown(id, in: $0) }
      let cells = metric.parts.enumerated().map { index, part in
        let column = SQLExpression.column(relation: "m", name: values.columns[part.name] ?? "")
        return Cell(
          metric: id, part: part,
          constants: [
            SQLColumn(.integer(place), "metric_place"), SQLColumn(.integer(index), "part_place"),
            SQLColumn(.text(metric.name), "metric"), SQLColumn(.text(part.name), "part"),
          ], value: metric.isBounded ? column : inRange(column, part.type), isShown: isShown)
      }
      if values.shared == nil {
        groups.append(
          CellGroup(
            relation: values.relation, cells: cells, isGrouped: isGrouped(id), subjects: fewerSubjects(id)))
      } else if let known = groups.firstIndex(where: { $0.anchors == anchors }) {
        groups[known].cells += cells
      } else {
        groups.append(CellGroup(anchors: anchors, relation: "", cells: cells))
      }
    }
    return groups.map { group in
      var group = group
      if let anchors = group.anchors { group.relation = allValues(at: anchors) }
      return group
    }
  }

  /// The rows of some metrics: those that share a relation are columns of it, of which each row becomes many.
  private func rows(of metrics: [(offset: Int, element: MetricID)]) -> [SQLQuery] {
    cellGroups(metrics).flatMap { group -> [SQLQuery] in
      if group.anchors != nil { return [rows(group)] }
      return group.cells.map { cell in
        var single = group
        single.cells = [cell]
        return rows(single)
      }
    }
  }

  /// A query of the relation, called `m`, of a group.
  private func builder(_ group: CellGroup) -> SelectBuilder {
    let builder = SelectBuilder(from: group.relation, as: "m")
    let subject = builder.column("subject", of: "m")
    if !request.subjects.isEmpty {
      let id = group.cells[0].metric
      let entity = isWhole(id) ? nil : library.metrics[id].subject.entity
      builder.conditions.append(isAsked(subject, entity, builder))
    }
    if let subjects = group.subjects {
      builder.join(.inner, subjects, as: "s") { [.column(relation: $0, name: "subject").equals(subject)] }
    }
    return builder
  }

  // MARK: Tables

  /// A table for each subject, with a column of its own type for each of its metrics, and one for each metric that has
  /// groups or is about all; the day is the last column.
  func tables() -> [(name: String, query: SQLQuery)] {
    cellGroups(Array(metricsByName.enumerated())).map { group -> (name: String, query: SQLQuery) in
      let metric = library.metrics[group.cells[0].metric]
      let builder = self.builder(group)
      var columns: [SQLColumn] = []
      var names: Set<String> = ["at"]
      func add(_ value: SQLExpression, _ name: String) {
        var name = name.replacing(".", with: "_")
        while !names.insert(name.lowercased()).inserted { name += "_" }
        columns.append(SQLColumn(value, name))
      }
      let entity = isWhole(group.cells[0].metric) ? nil : metric.subject.entity
      if entity != nil { add(builder.column("subject", of: "m"), "subject") }
      if group.isGrouped { add(builder.column("grp", of: "m"), "group") }
      for cell in group.cells {
        let value = cell.isShown.map { cell.value.when($0) } ?? cell.value
        let name = library.metrics[cell.metric].name
        add(typed(value, cell.part.type), cell.part.name.isEmpty ? name : "\(name)_\(cell.part.name)")
      }
      let shown = group.cells.compactMap(\.isShown)
      if shown.count == group.cells.count, let isShown = SQLExpression.any(shown.withoutRepeats) {
        builder.conditions.append(isShown)
      }
      let day = SQLExpression.operation(.dayText, [builder.column("r", of: "m")])
      columns.append(SQLColumn(.operation(.cast(.day), [day]), "at"))
      let subject = entity.map { relationName($0) } ?? "app"
      return (
        freeName(group.anchors == nil ? "\(metric.name)_table" : "\(subject)_metrics"),
        builder.select(columns)
      )
    }
  }

  /// A value of the type that the engine has for it.
  private func typed(_ value: SQLExpression, _ type: ValueType) -> SQLExpression {
    switch type {
    case .decimal: .operation(.cast(.decimal), [text(of: value, type)])
    case .dayKey: .operation(.cast(.day), [text(of: value, type)])
    case .int, .bool, .text, .instant: value
    }
  }

  // MARK: Rows

  private func rows(_ group: CellGroup) -> SQLQuery {
    let (cells, builder) = (group.cells, self.builder(group))
    let (subject, day) = (builder.column("subject", of: "m"), builder.column("r", of: "m"))
    let texts = cells.map { text(of: $0.value, $0.part.type) }
    var constants = cells[0].constants
    var (value, isShown) = (texts[0], cells[0].isShown)
    if cells.count > 1 {
      let names = ["n"] + constants.map(\.name)
      let values = SQLQuery.values(
        cells.enumerated().map { [.integer($0.offset)] + $0.element.constants.map(\.expression) })
      let parts = define(
        "\(group.relation)_parts", columns: names, "What \(group.relation) has columns of.", values)
      let alias = builder.join(.cross, parts, as: "p") { _ in [] }
      constants = names.dropFirst().map { SQLColumn(builder.column($0, of: alias), $0) }
      let number = builder.column("n", of: alias)
      value = pick(number, texts)
      isShown = self.isShown(cells, number)
    }
    if let isShown { builder.conditions.append(isShown) }
    // In the order of `failures`: a union takes columns by place.
    return builder.select([
      constants[0], constants[1], SQLColumn(day, "r"), constants[2], SQLColumn(subject, "subject"),
      SQLColumn(group.isGrouped ? builder.column("grp", of: "m") : .text(""), "group"), constants[3],
      SQLColumn(.operation(.dayText, [day]), "at"), SQLColumn(value, "value"),
    ])
  }

  /// The value of a number, found in a few comparisons.
  private func pick(_ number: SQLExpression, _ values: [SQLExpression], from first: Int = 0) -> SQLExpression
  {
    let size = 8
    let starts = Array(stride(from: 0, to: values.count, by: values.count > size ? size : 1))
    guard starts.count > 1 else { return values[0] }
    let branches = starts.map { start -> SQLBranch in
      let part = Array(values[start..<min(start + (values.count > size ? size : 1), values.count)])
      let end = first + start + part.count
      return SQLBranch(
        condition: part.count > 1 || values.count > size
          ? number.isBelow(.integer(end)) : number.equals(.integer(end - 1)),
        value: pick(number, part, from: first + start))
    }
    return .conditional(Array(branches.dropLast()), otherwise: branches.last?.value)
  }

  /// Whether a subject has the row of a number: a metric may be for fewer than there are.
  private func isShown(_ cells: [Cell], _ number: SQLExpression) -> SQLExpression? {
    let conditions = cells.compactMap(\.isShown)
    guard !conditions.isEmpty else { return nil }
    let branches = conditions.withoutRepeats.map { condition in
      let places = cells.indices.filter { cells[$0].isShown == condition }.map { SQLExpression.integer($0) }
      return SQLBranch(condition: .oneOf(number, places, negated: false), value: condition)
    }
    return .conditional(branches, otherwise: .bool(true))
  }

  /// Whether a subject has rows of a metric; nil where all have.
  private func isShown(_ id: MetricID, in shared: OpenRelation) -> SQLExpression? {
    let builder = shared.builder
    let subject = builder.column("subject", of: "a")
    var conditions = subjectCondition(id, subject, builder).map { [$0] } ?? []
    if let own = fewerSubjects(id) {
      let alias = builder.join(.left, own, as: "s") {
        [.column(relation: $0, name: "subject").equals(subject)]
      }
      conditions.append(builder.column("subject", of: alias).isPresent)
    }
    return SQLExpression.all(conditions).map {
      .column(relation: "m", name: shared.add($0, named: columnName("\(library.metrics[id].name)_is_shown")))
    }
  }

  /// The subjects that a metric is about; nil where these are all. The anchors are those of all subjects.
  private func fewerSubjects(_ id: MetricID) -> String? {
    let metric = library.metrics[id]
    guard !isWhole(id), let entity = metric.subject.entity else { return nil }
    let own = subjects(entity, readBy: id, isTeam: metric.audience == .team)
    return own == allSubjects(entity) ? nil : own
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

extension Metric {
  /// Whether its values are counts and shares, which are never out of range.
  fileprivate var isBounded: Bool {
    switch body {
    case .measure, .progress: false
    case .completion, .streak, .momentum, .level, .funnel, .retention: true
    }
  }
}

extension [SQLExpression] {
  fileprivate var withoutRepeats: [SQLExpression] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
