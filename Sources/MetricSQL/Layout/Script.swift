import MetricPlan

/// A script: a table for each relation that several results read, then a statement for each result. These are the
/// metrics, whose rows one after the other are those of the evaluator.
///
/// - Parameter makesTables: instead, tables with a column for each metric, one for each subject.
package func sqlScript(
  _ request: SQLRequest, of library: Library, in dialect: SQLDialect, makesTables: Bool = false
) throws(SQLUnsupported) -> String {
  let translation = Translation(library: library, request: request)
  let spelling = dialect.dialect
  let queries: [(result: String, query: SQLQuery)] =
    makesTables
    ? translation.tables().map { table in
      ("CREATE TABLE \(spelling.identifier(table.name))\(spelling.resultTableEnd) AS\n", table.query)
    } : translation.rowsByMetric(isOrdered: true).map { ("", $0.rows) }
  let pruned = Pruning.pruned(translation.definitions, for: queries.map(\.query))
  let placement = Placement(
    pruned, for: queries.enumerated().map { ($0.offset, $0.element.query) }, splitsReaders: true)
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
  for (index, (creation, query)) in queries.enumerated() {
    statements.append(creation + renderer.text(.query(placement.relations(of: .result(index)), query)))
  }
  statements += placement.tables.map { spelling.removal(of: spelling.identifier($0.name)) }
  let text = statements.filter { !$0.isEmpty }.joined(separator: "\n")
  try SupportCheck(dialect: dialect).check(text)
  return text
}
