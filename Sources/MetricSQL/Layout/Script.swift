/// A statement after the relations whose rows it and later ones read, each after those that it reads itself.
package struct SQLStep: Hashable, Codable, Sendable {
  package struct Relation: Hashable, Codable, Sendable {
    package var name: String
    /// What makes a table of the query after it.
    package var creation: String
    package var query: String
  }

  package var relations: [Relation] = []
  package var query: String
}

/// The statement whose rows are those of the evaluator. On Spark and ClickHouse, which plan a relation again for each
/// of its readers, what is shared comes before it.
package func sqlSteps(
  _ request: SQLRequest, of library: Library, in dialect: SQLDialect
) throws(SQLUnsupported) -> [SQLStep] {
  guard dialect == .spark || dialect == .clickhouse else {
    return [SQLStep(query: try sql(request, of: library, in: dialect))]
  }
  let translation = Translation(library: library, request: request, in: dialect.dialect)
  return steps(translation, [translation.results()])
}

private func steps(_ translation: Translation, _ queries: [SQLQuery]) -> [SQLStep] {
  let dialect = translation.dialect
  let placement = Placement(
    Pruning.pruned(translation.definitions, for: queries),
    for: zip(queries.indices, queries).map { ($0, $1) }, splitsReaders: true,
    scansTwice: dialect.traits.scansTwice)
  let renderer = Renderer(dialect: dialect)
  var steps = queries.enumerated().map { index, query in
    SQLStep(query: renderer.statement(placement.relations(of: .result(index)), query))
  }
  guard !steps.isEmpty else { return [] }
  steps[0].relations = placement.tables.map { table in
    let rows = renderer.statement(placement.relations(of: .table(table.name)), .all(of: table.name))
    let name = dialect.identifier(table.name)
    return SQLStep.Relation(name: name, creation: dialect.creation(of: name) + "\n", query: rows)
  }
  return steps
}

/// A script: a table for each relation that is read more than once, then a statement for each metric.
///
/// - Parameter makesTables: instead, tables with a column for each metric, one for each subject.
package func sqlScript(
  _ request: SQLRequest, of library: Library, in dialect: SQLDialect, makesTables: Bool = false
) throws(SQLUnsupported) -> String {
  let translation = Translation(library: library, request: request, in: dialect.dialect)
  let spelling = dialect.dialect
  let queries: [(creation: String, query: SQLQuery)] =
    makesTables
    ? translation.tables().map { table in
      ("CREATE TABLE \(spelling.identifier(table.name))\(spelling.traits.resultTableEnd) AS\n", table.query)
    } : translation.rowsByMetric(isOrdered: true).map { ("", $0.rows) }
  let steps = steps(translation, queries.map(\.query))
  let relations = steps.flatMap(\.relations)
  let statements =
    [spelling.traits.sessionSettings]
    + relations.flatMap { [$0.creation + $0.query, spelling.behindCreation(of: $0.name)] }
    + zip(queries, steps).map { $0.creation + $1.query } + relations.map { spelling.removal(of: $0.name) }
  return try SupportCheck.checked(
    statements.filter { !$0.isEmpty }.joined(separator: "\n"), for: dialect)
}
