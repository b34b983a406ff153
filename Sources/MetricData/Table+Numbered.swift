extension Table {
  /// The table with a column of the rows' numbers, from 0.
  package func numbered(_ name: String) -> Table {
    let column = ColumnSchema(name: name, type: .int, isRequired: true)
    return Table(
      schema: TableSchema(record: schema.record, columns: schema.columns + [column]), rowCount: rowCount,
      columns: columns + [.wide((0..<Int64(rowCount)).map { $0 })])
  }

  /// The table with other cells.
  package func replacing(_ columns: [Column]) -> Table {
    Table(schema: schema, rowCount: rowCount, columns: columns)
  }
}
