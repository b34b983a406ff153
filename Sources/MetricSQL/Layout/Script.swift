import MetricPlan

/// A script: a table for each relation that several results read, then one statement for each metric, whose rows one
/// after the other are those of the evaluator.
package func sqlScript(
  _ request: SQLRequest, of library: Library, in dialect: SQLDialect
) throws(SQLUnsupported) -> String {
  let translation = Translation(library: library, request: request)
  let results = translation.rowsByMetric(isOrdered: true)
  let queries = results.map { (result: $0.metric, query: $0.rows) }
  let pruned = Pruning.pruned(translation.definitions, for: queries.map(\.query))
  let placement = Placement(pruned, for: queries, splitsReaders: true)
  let spelling = dialect.dialect
  let renderer = Renderer(dialect: spelling)
  var statements = [spelling.sessionSettings]
  for table in placement.tables {
    let all = SQLRelation(path: [table.name], alias: table.name)
    let rows = renderer.text(
      .query(
        placement.relations(of: .table(table.name)), .select(SQLSelect(columns: [], from: all))))
    let name = spelling.identifier(table.name)
    statements += [spelling.creation(of: name) + "\n" + rows, spelling.behindCreation(of: name)]
  }
  for (metric, query) in queries {
    statements.append(renderer.text(.query(placement.relations(of: .result(metric)), query)))
  }
  statements += placement.tables.map { spelling.removal(of: spelling.identifier($0.name)) }
  let text = statements.filter { !$0.isEmpty }.joined(separator: "\n")
  try SupportCheck(dialect: dialect).check(text)
  return text
}
