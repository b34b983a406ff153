/// From tree to text. Names and constants go through the dialect, so that nothing in a definition or a
/// command line can become SQL.
struct Renderer {
  let dialect: any Dialect
  /// Whether the text is a template of dbt.
  var isTemplate = false
  /// What stands for a relation instead of its name: a template's reference.
  var references: [[String]: String] = [:]

  /// The rows of a query, which reads some relations.
  func statement(_ definitions: [SQLDefinition], _ query: SQLQuery) -> String {
    with(inSteps(definitions)) + text(query, indent: "") + "\(dialect.traits.settings);\n"
  }

  /// A table of the database.
  func table(_ path: [String], _ fields: [SQLField]) -> String {
    let columns = fields.map { field in
      "  \(identifier(field.name)) \(dialect.declaration(of: field.type, isRequired: field.isRequired))"
    }.joined(separator: ",\n")
    return "CREATE TABLE \(text(path: path)) (\n\(columns)\n)\(dialect.traits.tableEnd);\n"
  }

  /// A temporary table that holds some rows: a text for each field, nil if it has no value.
  func table(_ name: String, _ fields: [SQLField], of rows: [[String?]]) -> String {
    func values(_ row: [String?]) -> String {
      zip(fields, row).map { field, value in
        "CAST(\(value.map(literal) ?? "NULL") AS \(dialect.name(of: field.type)))"
      }.joined(separator: ", ")
    }
    let names = fields.map { identifier($0.name) }.joined(separator: ", ")
    let given =
      rows.isEmpty ? "SELECT \(values(fields.map { _ in nil })) WHERE 1 = 0" : dialect.rows(rows.map(values))
    return "CREATE \(dialect.traits.temporaryTable) \(identifier(name)) AS\n"
      + "WITH given_rows (\(names)) AS (\n  \(given)\n)\nSELECT * FROM given_rows;\n"
  }

  /// The relations, those whose expressions are too deep for the engine's parser in steps.
  private func inSteps(_ definitions: [SQLDefinition]) -> [SQLDefinition] {
    guard let limit = dialect.traits.deepestExpression else { return definitions }
    let depth = ExpressionDepth(self)
    return definitions.flatMap { definition -> [SQLDefinition] in
      var steps = Steps(name: definition.name) { depth($0) > limit }
      var definition = definition
      definition.query = definition.query.mappingSelects { select in
        steps.needsSteps(select) ? steps.query(select) : select
      }
      return steps.definitions + [definition]
    }
  }

  private func with(_ definitions: [SQLDefinition]) -> String {
    guard !definitions.isEmpty else { return "" }
    let kept = keptRelations(definitions)
    let texts = definitions.map { text($0, isKept: kept.contains($0.name)) }
    return dialect.traits.withKeyword + "\n" + texts.joined(separator: ",\n") + "\n"
  }

  /// The relations that have to be marked so that they are computed once.
  private func keptRelations(_ definitions: [SQLDefinition]) -> Set<String> {
    // How often each is computed where nothing is kept: what only renames columns is part of its readers.
    var uses: [String: Int] = [:]
    for definition in definitions.reversed() {
      let own = definition.query.isRenaming ? uses[definition.name, default: 0] : 1
      for name in definition.query.relations { uses[name, default: 0] += own }
    }
    let kept = definitions.filter { definition in
      definition.isKept
        || dialect.traits.marksShared && uses[definition.name, default: 0] > 1 && !definition.query.isRenaming
    }
    return Set(kept.map(\.name))
  }

  private func text(_ definition: SQLDefinition, isKept: Bool) -> String {
    let comment = definition.comment?.split(whereSeparator: \.isNewline).map { "-- \($0)\n" }.joined() ?? ""
    let columns = definition.columns.map { "(\($0.map(identifier).joined(separator: ", ")))" } ?? ""
    let name = identifier(definition.name)
    let body = body(definition, name)
    return "\(comment)\(name)\(columns) AS \(isKept ? "MATERIALIZED " : "")(\n\(body)\n)"
  }

  private func body(_ definition: SQLDefinition, _ name: String) -> String {
    guard case .series(let bound) = definition.query else { return text(definition.query, indent: "  ") }
    let column = identifier(definition.columns?.first ?? "n")
    var series: String?
    if case .subquery(let query) = bound {
      series = dialect.series(throughRowOf: text(query, indent: ""), column: column)
    }
    return "  " + (series ?? dialect.series(through: text(bound), relation: name, column: column))
  }

  func text(_ query: SQLQuery, indent: String) -> String {
    switch query {
    case .select(let select): return text(select, indent: indent)
    case .union(let queries, let isDistinct):
      return queries.map { text($0, indent: indent) }
        .joined(separator: "\n\(indent)UNION\(isDistinct ? "" : " ALL")\n")
    case .values(let rows):
      return indent + dialect.rows(rows.map { $0.map { text($0) }.joined(separator: ", ") })
    case .series: return ""
    case .chainEnds(let links): return indent + (dialect.chainEnds(of: identifier(links)) ?? "")
    }
  }

  private func text(_ select: SQLSelect, indent: String) -> String {
    let columns = select.columns.map { column in
      let expression = text(column.expression)
      if case .column(_, column.name) = column.expression, !dialect.traits.namesEveryColumn {
        return expression
      }
      return "\(expression) AS \(identifier(column.name))"
    }.joined(separator: ",\n\(indent)  ")
    var lines = ["SELECT \(select.isDistinct ? "DISTINCT " : "")\(columns.isEmpty ? "*" : columns)"]
    if let from = select.from { lines.append("FROM \(text(from))") }
    lines += select.joins.map(text)
    if !select.conditions.isEmpty { lines.append("WHERE \(conjunction(select.conditions))") }
    if !select.groups.isEmpty {
      lines.append("GROUP BY " + select.groups.map { text($0) }.joined(separator: ", "))
    }
    if !select.order.isEmpty { lines.append("ORDER BY \(text(select.order))") }
    return lines.map { indent + $0 }.joined(separator: "\n")
  }

  private func text(_ join: SQLJoin) -> String {
    if join.on.isEmpty { return "CROSS JOIN \(text(join.relation))" }
    return "\(join.kind.rawValue) \(text(join.relation)) ON \(conjunction(join.on))"
  }

  private func conjunction(_ conditions: [SQLExpression]) -> String {
    conditions.map { operand($0) }.joined(separator: " AND ")
  }

  private func text(_ relation: SQLRelation) -> String {
    let reference = references[relation.path]
    let name = reference ?? text(path: relation.path)
    let isNamed = reference == nil && relation.path == [relation.alias]
    return isNamed ? name : "\(name) AS \(identifier(relation.alias))"
  }

  private func identifier(_ name: String) -> String { escaped(dialect.identifier(name)) }
  private func literal(_ text: String) -> String { escaped(dialect.literal(text)) }
  private func escaped(_ text: String) -> String { isTemplate ? Jinja.escaped(text) : text }

  private func text(path: [String]) -> String { path.map(identifier).joined(separator: ".") }

  private func text(_ order: [SQLOrder]) -> String {
    let nulls = dialect.traits.ordersNulls ? ("", "") : (" NULLS FIRST", " NULLS LAST")
    return order.map { item in
      text(item.expression) + (item.isDescending ? " DESC\(nulls.1)" : nulls.0)
    }.joined(separator: ", ")
  }

  func text(_ expression: SQLExpression) -> String {
    switch expression {
    case .column(let relation, let name): return text(path: [relation, name])
    case .stored(let relation, let name, let type):
      return dialect.reading(text(path: [relation, name]), as: type)
    case .integer(let value): return String(value)
    case .number(let value): return dialect.literal(value)
    case .text(let text): return literal(text)
    case .bool(let value): return value ? "TRUE" : "FALSE"
    case .null(let type): return dialect.null(type)
    // `dbt run --vars '{at: 2026-06-30}'`
    case .parameter(let day):
      return isTemplate ? "'{{ var(\"\(day.rawValue)\") }}'" : dialect.traits.dayParameter
    case .infix(let infix, let left, let right):
      return "\(operand(left, of: infix)) \(infix.rawValue) \(operand(right))"
    case .isNull(.stored(let relation, let name, let type), let negated):
      let presence = dialect.presence(of: text(path: [relation, name]), type)
      return "\(presence) IS \(negated ? "NOT " : "")NULL"
    case .not(let inner): return "NOT \(operand(inner))"
    case .negated(let inner): return "-\(operand(inner))"
    case .isNull(let inner, let negated): return "\(operand(inner)) IS \(negated ? "NOT " : "")NULL"
    case .oneOf(let inner, let list, let negated):
      let items = list.map { text($0) }.joined(separator: ", ")
      return "\(operand(inner)) \(negated ? "NOT " : "")IN (\(items))"
    case .conditional(let branches, let otherwise):
      let whens = branches.map { "WHEN \(text($0.condition)) THEN \(text($0.value))" }
      let end = otherwise.map { " ELSE \(text($0))" } ?? ""
      return "CASE \(whens.joined(separator: " "))\(end) END"
    case .coalesce(let items): return "COALESCE(\(items.map { text($0) }.joined(separator: ", ")))"
    case .operation(let operation, let arguments):
      return dialect.call(operation, arguments.map { operand($0) })
    case .aggregate(let aggregate, let argument):
      return dialect.call(aggregate, argument.map { text($0) } ?? "*")
    case .window(let function, let argument, let window):
      var taken = argument.map { text($0) } ?? (function == .count ? "*" : "")
      if function == .lead || function == .lag { taken = dialect.neighbour(taken) }
      let value = "\(function.rawValue)(\(taken)) OVER (\(text(window)))"
      return function.isCount ? dialect.signed(value) : value
    case .subquery(let query): return "(\(text(query, indent: "")))"
    case .exists(let query): return "EXISTS (\(text(query, indent: "")))"
    }
  }

  /// In parentheses where something around it could take it apart.
  private func operand(_ expression: SQLExpression, of outer: SQLInfix? = nil) -> String {
    switch expression {
    case .infix(let inner, _, _):
      // A chain of one associative operator reads better without parentheses.
      let isChain = inner == outer && [.add, .and, .or, .concatenate].contains(inner)
      return isChain ? text(expression) : "(\(text(expression)))"
    case .not, .negated, .isNull, .oneOf, .conditional: return "(\(text(expression)))"
    case .integer(let value) where value < 0: return "(\(value))"
    case .column, .stored, .integer, .number, .text, .bool, .null, .parameter, .coalesce, .operation,
      .aggregate, .window, .subquery, .exists:
      return text(expression)
    }
  }

  private func text(_ window: SQLWindow) -> String {
    let partition = window.partition.filter { !$0.isConstant }.map { text($0) }
    let parts = [
      partition.isEmpty ? "" : "PARTITION BY " + partition.joined(separator: ", "),
      window.order.isEmpty ? "" : "ORDER BY \(text(window.order))", window.frame.rawValue,
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}
