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

/// A file that the client opens under the name of its record, with the columns that it has or lacks.
package struct OpenedSQLFile: Hashable, Codable, Sendable {
  /// A column that is read, by its name and the engine's name of its type.
  package struct Column: Hashable, Codable, Sendable {
    package var name: String
    package var type: String
  }

  package var record: String
  package var path: String
  package var format: SQLFile.Format
  package var columns: [Column]
}

/// What is in place of the tables that a statement reads: views of files, and empty tables of the records that
/// neither a file nor the database has.
package struct SQLSources: Sendable {
  package var statements: [String] = []
  /// Files that the engine opens by other means than a statement.
  package var opened: [OpenedSQLFile] = []
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
      sources.statements.append(renderer.table(name, fields, of: []))
      continue
    }
    if let query = spelling.query(of: file, fields) {
      sources.statements.append("CREATE TEMPORARY VIEW \(spelling.identifier(name)) AS\n\(query);\n")
    } else {
      let columns = fields.map { field in
        OpenedSQLFile.Column(
          name: field.name, type: spelling.name(of: field.type == .decimal ? .decimal : .text))
      }
      sources.opened.append(
        OpenedSQLFile(record: file.record, path: file.path, format: file.format, columns: columns))
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
  let text = SQLExpression.operation(.dayText, [builder["r"]])
  return Renderer(dialect: dialect.dialect)
    .statement(translation.definitions, builder.select(["day": text]))
}
