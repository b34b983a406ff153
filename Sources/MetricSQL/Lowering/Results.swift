/// The result table: rows of all metrics, as texts.
extension Translation {
  /// The statement's last query; its relations are in `definitions`.
  func results() -> SQLQuery {
    results(
      of: Array(metricsByName.enumerated()), named: "result_rows",
      "All rows; `metric_place` and `part_place` order metrics and parts.",
      ["metric_place", "subject", "group", "part_place", "r"])
  }

  /// A query for each metric: its rows.
  func rowsByMetric(isOrdered: Bool = false) -> [(metric: MetricID, rows: SQLQuery)] {
    metricsByName.map { id in
      let order = isOrdered ? ["subject", "group", "part_place", "r"] : []
      return (id, results(of: [(0, id)], named: "\(library.metrics[id].name)_rows", nil, order))
    }
  }

  /// The same with a column for each field, where there are several.
  func rowsByField() -> [(metric: MetricID, rows: SQLQuery)] {
    rowsByMetric().map { id, rows in
      let fields = fieldColumns(id)
      guard fields.count > 1, case .select(var select) = rows else { return (id, rows) }
      let texts = GroupText.fields(of: Translation.rows["grp"], count: fields.count)
      let place = select.columns.firstIndex { $0.name == "group" } ?? 0
      select.columns.replaceSubrange(place...place, with: zip(texts, fields).map { SQLColumn($0, $1) })
      return (id, .select(select))
    }
  }

  /// The columns of a metric's groups in a table of its rows.
  func fieldColumns(_ id: MetricID) -> [String] {
    let fields = library.grouping(of: library.metrics[id]).map(\.name)
    guard fields.count > 1 else { return ["group"] }
    var names: Set = ["metric", "subject", "part", "at", "value", "open"]
    return fields.map { names.takeIn($0.replacing(".", with: "_")) }
  }

  /// Values become texts in the last query, so that it says how once.
  private func results(
    of metrics: [(offset: Int, element: MetricID)], named name: String, _ comment: String?, _ order: [String]
  ) -> SQLQuery {
    let groups = cellGroups(metrics)
    // What people read is another column where there are several fields: theirs is one that orders the groups.
    let groupName = metrics.contains { fieldCount($0.element) > 1 } ? "grp" : "group"
    let queries = groups.flatMap { rows($0, groupName) } + failures
    let cells = groups.flatMap(\.cells)
    let forms = Set(cells.map(\.form) + (failures.isEmpty && !cells.isEmpty ? [] : [.text]))
    let all = SQLQuery.rows(of: queries.isEmpty ? [noRows] : queries, isDistinct: false)
    let relation = define(name, comment, all)
    let builder = SelectBuilder(from: relation, as: Translation.rows.name)
    var values = forms.sorted { $0.rawValue < $1.rawValue }.map { form in
      SQLBranch(condition: builder["form"].equals(.integer(form.rawValue)), value: text(form))
    }
    let last = values.removeLast().value
    let value = values.isEmpty ? last : .conditional(values, otherwise: last)
    var columns = builder.columns(
      ["metric", "subject"],
      [
        "group": record(metrics.map(\.element)), "part": builder["part"],
        "at": .operation(.dayText, [builder["r"]]), "value": value,
      ])
    if case .list(let days, isLastOpen: true) = request.days, let last = days.last {
      let isLast = builder["r"].equals(.day(last))
      columns += builder.columns(["open": .cases([isLast: "true"], otherwise: "false")])
    }
    return builder.select(columns, order: order.map { SQLOrder(builder[$0 == "group" ? groupName : $0]) })
  }

  private func fieldCount(_ id: MetricID) -> Int { library.grouping(of: library.metrics[id]).count }

  private static let rows: Alias = "all_rows"

  private func record(_ metrics: [MetricID]) -> SQLExpression {
    let rows = Translation.rows
    let counts = Dictionary(grouping: metrics, by: fieldCount).sorted { $0.key > $1.key }
    let branches = counts.filter { $0.key > 1 }.map { count, ids in
      SQLBranch(
        condition: .oneOf(rows["metric"], ids.map { .text(library.metrics[$0].name) }, negated: false),
        value: GroupText.record(of: rows["grp"], count: count))
    }
    if counts.count == 1, let only = branches.first { return only.value }
    return branches.isEmpty ? rows["group"] : .conditional(branches, otherwise: rows["grp"])
  }

  private enum Form: Int {
    case text, number, millionths, day, checkedNumber, checkedMillionths

    init(_ part: Part, of metric: Metric) {
      self =
        switch part.type {
        case .int: metric.isBounded ? .number : .checkedNumber
        case .decimal: metric.isBounded ? .millionths : .checkedMillionths
        case .instant: .number
        case .dayKey: .day
        case .bool, .text: .text
        }
    }
  }

  private func text(_ form: Form) -> SQLExpression {
    let number = Translation.rows["number"]
    return switch form {
    case .text: Translation.rows["text"]
    case .number: text(of: number, .int)
    case .millionths: text(of: number, .decimal)
    case .day: text(of: number, .dayKey)
    case .checkedNumber: text(of: inRange(number, .int), .int)
    case .checkedMillionths: text(of: inRange(number, .decimal), .decimal)
    }
  }

  /// Rows that are not there unless the data are broken; then they are errors of the engine.
  private var failures: [SQLQuery] {
    broken.map { relation in
      let builder = SelectBuilder(from: relation, as: "b")
      return builder.select(noCells + builder.columns(["text": .operation(.fail, [builder["problem"]])]))
    }
  }

  private var metricsByName: [MetricID] {
    Set(request.metrics).sorted {
      Array(library.metrics[$0].name.utf8).lexicographicallyPrecedes(Array(library.metrics[$1].name.utf8))
    }
  }

  /// What a library without a metric gives.
  private var noRows: SQLQuery {
    .select(SQLSelect(columns: noCells + [SQLColumn(.null(.text), "text")], conditions: [.bool(false)]))
  }

  /// The columns of `rows` but the last, in their order: a union takes columns by place.
  private var noCells: [SQLColumn] {
    ["metric_place", "part_place", "form", "r"].map { SQLColumn(0, $0) }
      + ["metric", "part", "subject", "group"].map { SQLColumn("", $0) }
      + [SQLColumn(.null(.int), "number")]
  }

  /// A part of a metric as a column of a relation `m`.
  private struct Cell {
    var metric: MetricID
    var part: Part
    var form: Form
    var value: SQLExpression
    /// Whether the subject has a row.
    var isShown: SQLExpression?
    var constants: [SQLColumn]
  }

  /// Metrics whose parts are columns of one relation.
  private struct CellGroup {
    /// Those that share the relation; nil for a metric that stands alone.
    var anchors: Anchors?
    var relation: String
    var cells: [Cell]
    var subjects: String?
  }

  private func cellGroups(_ metrics: [(offset: Int, element: MetricID)]) -> [CellGroup] {
    var groups: [CellGroup] = []
    for (place, id) in metrics {
      let metric = library.metrics[id]
      let anchors = self.anchors(entity(of: id), days: days())
      let values = self.metric(id, anchors)
      let isShown = values.shared.flatMap { self.isShown(id, in: $0) }
      let cells = metric.parts.enumerated().map { index, part in
        let form = Form(part, of: metric)
        return Cell(
          metric: id, part: part, form: form, value: Alias("m")[values.columns[part.name] ?? ""],
          isShown: isShown,
          constants: [
            SQLColumn(.integer(place), "metric_place"), SQLColumn(.integer(index), "part_place"),
            SQLColumn(.integer(form.rawValue), "form"), SQLColumn(.text(metric.name), "metric"),
            SQLColumn(.text(part.name), "part"),
          ])
      }
      if values.shared == nil {
        groups.append(CellGroup(relation: values.relation, cells: cells, subjects: fewerSubjects(id)))
      } else if let known = groups.firstIndex(where: { $0.anchors == anchors }) {
        groups[known].cells += cells
      } else {
        groups.append(CellGroup(anchors: anchors, relation: "", cells: cells))
      }
    }
    for index in groups.indices {
      if let anchors = groups[index].anchors { groups[index].relation = allValues(at: anchors) }
    }
    return groups
  }

  /// A query of the relation, called `m`, of a group.
  private func builder(_ group: CellGroup) -> SelectBuilder {
    let builder = SelectBuilder(from: group.relation, as: "m")
    if !request.subjects.isEmpty {
      builder.where(isAsked(builder["subject"], entity(of: group.cells[0].metric), builder))
    }
    if let subjects = group.subjects { builder.join(.inner, subjects, as: "s", same: ["subject"]) }
    return builder
  }

  /// A table for each subject, with a column of its own type for each of its metrics, and one for each metric that has
  /// groups or is about all; the day is the last column.
  func tables() -> [(name: String, query: SQLQuery)] {
    cellGroups(Array(metricsByName.enumerated())).map { group -> (name: String, query: SQLQuery) in
      let metric = library.metrics[group.cells[0].metric]
      let builder = self.builder(group)
      var columns: [SQLColumn] = []
      var names: Set<String> = ["at"]
      func add(_ value: SQLExpression, _ name: String) {
        columns.append(SQLColumn(value, names.takeIn(name.replacing(".", with: "_"))))
      }
      let entity = entity(of: group.cells[0].metric)
      if entity != nil { add(builder["subject"], "subject") }
      let fields = library.grouping(of: metric).map(\.name)
      let texts = GroupText.fields(of: builder["grp"], count: fields.count)
      for (text, field) in zip(texts, fields) { add(text, fields.count > 1 ? field : "group") }
      for cell in group.cells {
        let metric = library.metrics[cell.metric]
        let checked = metric.isBounded ? cell.value : inRange(cell.value, cell.part.type)
        let value = cell.isShown.map { checked.when($0) } ?? checked
        let name = cell.part.name.isEmpty ? metric.name : "\(metric.name)_\(cell.part.name)"
        add(typed(value, cell.part.type), name)
      }
      let shown = group.cells.compactMap(\.isShown)
      if shown.count == group.cells.count, let isShown = SQLExpression.any(shown.withoutRepeats) {
        builder.where(isShown)
      }
      columns.append(SQLColumn(typed(builder["r"], .dayKey), "at"))
      let subject = entity.map(relationName) ?? "app"
      let name = group.anchors == nil ? "\(metric.name)_table" : "\(subject)_metrics"
      return (freeName(name), builder.select(columns))
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

  /// The rows of a group: each row of a shared relation becomes as many as it has columns of metrics.
  private func rows(_ group: CellGroup, _ groupName: String) -> [SQLQuery] {
    let parts = group.anchors == nil ? group.cells.map { [$0] } : [group.cells]
    return parts.map { cells in
      let builder = self.builder(group)
      var constants = cells[0].constants
      func value(_ place: SQLExpression?, isText: Bool) -> SQLExpression {
        let own = cells.enumerated().filter { ($0.element.form == .text) == isText }.map { place, cell in
          // One type for all: some engines have no number that holds those with and without a sign.
          (place, isText ? text(of: cell.value, cell.part.type) : .operation(.cast(.int), [cell.value]))
        }
        guard let first = own.first else { return .null(isText ? .text : .int) }
        return place.map { pick($0, own[...]) } ?? first.1
      }
      var place: SQLExpression?
      var isShown = cells[0].isShown
      if cells.count > 1 {
        let names = ["n"] + constants.map(\.name)
        let rows = SQLQuery.values(
          cells.enumerated().map { [.integer($0.offset)] + $0.element.constants.map(\.expression) })
        let parts = define(
          "\(group.relation)_parts", columns: names, "What \(group.relation) has columns of.", rows)
        let alias = builder.join(.inner, parts, as: "p") { _ in [] }
        constants = names.dropFirst().map { SQLColumn(alias[$0], $0) }
        place = alias["n"]
        isShown = place.flatMap { self.isShown(cells, $0) }
      }
      if let isShown { builder.where(isShown) }
      // In the order of `noCells`.
      return builder.select(
        constants.prefix(3) + builder.columns(["r"]) + constants.suffix(2)
          + builder.columns(
            ["subject"],
            [
              groupName: isGrouped(cells[0].metric) ? builder["grp"] : "",
              "number": value(place, isText: false), "text": value(place, isText: true),
            ]))
    }
  }

  /// The value of a number, found in a few comparisons; null at those that have none.
  private func pick(
    _ number: SQLExpression, _ values: ArraySlice<(Int, SQLExpression)>
  ) -> SQLExpression {
    let size = 8
    guard values.count > size else {
      let branches = values.map { SQLBranch(condition: number.equals(.integer($0)), value: $1) }
      return .conditional(branches, otherwise: nil)
    }
    let width = (values.count + size - 1) / size
    let branches = stride(from: values.startIndex, to: values.endIndex, by: width).map { start in
      let part = values[start...].prefix(width)
      let last = part.last?.0 ?? 0
      return SQLBranch(condition: number.isAtMost(.integer(last)), value: pick(number, part))
    }
    return .conditional(branches, otherwise: nil)
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

  /// Whether a subject has rows of a metric; nil if all have.
  private func isShown(_ id: MetricID, in shared: OpenRelation) -> SQLExpression? {
    let builder = shared.builder
    var conditions = subjectCondition(id, builder).map { [$0] } ?? []
    if let own = fewerSubjects(id) {
      conditions.append(builder.join(.left, own, as: "s", same: ["subject"])["subject"].isPresent)
    }
    return SQLExpression.all(conditions).map { condition in
      let name = columnNames.takeIn("\(library.metrics[id].name)_is_shown")
      return Alias("m")[shared.add(condition, named: name)]
    }
  }

  /// The subjects that a metric is about; nil if these are all. The anchors are those of all subjects.
  private func fewerSubjects(_ id: MetricID) -> String? {
    guard let entity = entity(of: id) else { return nil }
    let own = subjects(entity, readBy: id)
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
    case .measure: false
    case .completion, .windows, .level, .funnel, .retention: true
    }
  }
}
