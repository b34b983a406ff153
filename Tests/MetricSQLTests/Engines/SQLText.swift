import MetricSQL

/// Statements that fill the tables of a test.
enum SQLText {
  /// An `INSERT` of rows whose values are all texts, nil where missing; nil where there is no row.
  static func insert(_ rows: [[String?]], into table: String, _ dialect: SQLDialect) -> String? {
    guard !rows.isEmpty else { return nil }
    let lines = rows.map { row in "(" + row.map { constant($0, dialect) }.joined(separator: ", ") + ")" }
    let quote = dialect == .spark ? "`" : "\""
    return "INSERT INTO \(quote)\(table)\(quote) VALUES\n\(lines.joined(separator: ",\n"));"
  }

  private static func constant(_ text: String?, _ dialect: SQLDialect) -> String {
    guard let text else { return "NULL" }
    let escapes: [Character: String] =
      [.spark, .clickhouse].contains(dialect) ? ["'": "\\'", "\\": "\\\\"] : ["'": "''"]
    return "'" + text.map { escapes[$0] ?? String($0) }.joined() + "'"
  }
}
