import MetricPlan

/// Files that hold the records of a type, where an engine reads them.
public struct SQLFile: Hashable, Sendable {
  /// How the file stores the records.
  public enum Format: String, CaseIterable, Codable, Sendable {
    case csv, ndjson, json, parquet
  }

  public var record: String
  /// A path, a pattern or an address, as the engine takes it.
  public var path: String
  public var format: Format

  /// The files of a folder that holds Parquet, perhaps in partitions.
  var pattern: String {
    let isFolder = format == .parquet && !path.lowercased().hasSuffix(".parquet") && !path.contains("*")
    return isFolder ? "\(path)/**/*.parquet" : path
  }

  public init(record: String, path: String, format: Format) {
    self.record = record
    self.path = path
    self.format = format
  }
}

/// What is in place of the tables that a statement reads: views of files, and empty tables of the records that
/// neither a file nor the database has.
package struct SQLSources: Sendable {
  package var statements: [String] = []
  /// Files that the engine opens by other means than a statement, with the columns that are read from them.
  package var opened: [(file: SQLFile, columns: [(name: String, type: String)])] = []
}

package func sqlSources(
  _ files: [SQLFile], records: [RecordID], _ request: SQLRequest, of library: Library, in dialect: SQLDialect
) -> SQLSources {
  let spelling = dialect.dialect
  let renderer = Renderer(dialect: spelling)
  var sources = SQLSources()
  for record in records where request.tables[record] == nil {
    let name = library.records[record].name
    let fields = request.fields(of: record, in: library)
    guard let file = files.first(where: { $0.record == name }) else {
      sources.statements.append(renderer.text(.given(table: name, fields: fields, rows: [])))
      continue
    }
    if let query = spelling.query(of: file, fields) {
      sources.statements.append("CREATE TEMPORARY VIEW \(spelling.identifier(name)) AS\n\(query);\n")
    } else {
      let columns = fields.map { field -> (name: String, type: String) in
        let type: SQLStoredType = field.type == .decimal ? .decimal : .text
        return (field.name, spelling.name(of: type))
      }
      sources.opened.append((file, columns))
    }
  }
  return sources
}

/// A statement whose one value is the last DayKey of some facts as a text; null where there is none.
package func sqlLastDay(
  of records: [RecordID], _ request: SQLRequest, of library: Library, in dialect: SQLDialect
) -> String {
  let translation = Translation(library: library, request: request, in: dialect.dialect)
  let last = translation.lastDay(of: records)
  let builder = SelectBuilder(from: last, as: "d")
  let text = SQLExpression.operation(.dayText, [builder.column("r", of: "d")])
  return Renderer(dialect: dialect.dialect).text(
    .query(translation.definitions, builder.select([SQLColumn(text, "day")])))
}
