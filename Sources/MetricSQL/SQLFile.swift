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
    (self.record, self.path, self.format) = (record, path, format)
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

/// What is in place of the tables that a statement reads: statements for views of files, and for empty tables of the
/// records that neither a file nor the database has; and the files that the engine opens by other means.
package func sqlSources(
  _ files: [SQLFile], records: [RecordID], _ request: SQLRequest, of library: Library, in dialect: SQLDialect
) -> (statements: [String], opened: [OpenedSQLFile]) {
  let spelling = dialect.dialect
  let renderer = Renderer(dialect: spelling)
  var (statements, opened): ([String], [OpenedSQLFile]) = ([], [])
  for record in records where request.tables[record] == nil {
    let name = library.records[record].name
    let fields = request.fields(of: record, in: library)
    let file = files.first { $0.record == name }
    if let file, let query = spelling.query(of: file, fields) {
      statements.append("CREATE TEMPORARY VIEW \(spelling.identifier(name)) AS\n\(query);\n")
    } else if let file {
      let columns = fields.map {
        OpenedSQLFile.Column(name: $0.name, type: spelling.name(of: $0.typeInFiles))
      }
      opened.append(OpenedSQLFile(record: name, path: file.path, format: file.format, columns: columns))
    } else {
      statements.append(renderer.table(name, fields, of: []))
    }
  }
  return (statements, opened)
}

/// A statement whose one value is the last DayKey of some facts as a text; null where there is none.
package func sqlLastDay(
  of records: [RecordID], _ request: SQLRequest, of library: Library, in dialect: SQLDialect
) -> SQLStep {
  let translation = Translation(library: library, request: request, in: dialect.dialect)
  let builder = SelectBuilder(from: translation.lastDay(of: records), as: "d")
  let query = builder.select(["day": .operation(.dayText, [builder["r"]])])
  return SQLStep(query: Renderer(dialect: dialect.dialect).statement(translation.definitions, query))
}
