/// The file and line of records. The files are read again for it.
struct RecordPlaces {
  struct Place: Hashable {
    var path: String
    /// Nil if the file could not be read twice (a pipe).
    var line: Int?

    /// `Export/HabitEntry.csv:13`
    var text: String { line.map { "\(path):\($0)" } ?? path }
  }

  private var places: [String: [Int: Int]] = [:]
  private var paths: [String: String] = [:]

  /// - Parameter schemas: what the files were read with.
  init(
    _ explanation: Explanation, files: [DataFile], _ schemas: [TableSchema], _ pool: StringPool
  ) throws(CommandFailure) {
    let rows = Dictionary(grouping: explanation.references, by: \.record).mapValues { Set($0.map(\.row)) }
    for file in files {
      guard let wanted = rows[file.record], let schema = schemas.first(where: { $0.record == file.record })
      else { continue }
      paths[file.record] = file.path
      guard FileStatus(path: file.path)?.kind == .file else { continue }
      let found = try OpenDataFile(file).places(of: wanted.map { ValueAddress(row: $0) }, schema, pool)
      places[file.record] = Dictionary(uniqueKeysWithValues: found.map { ($0.row, $1.line) })
    }
  }

  func place(of record: RecordReference) -> Place? {
    paths[record.record].map { Place(path: $0, line: places[record.record]?[record.row]) }
  }
}

extension Explanation {
  /// All records that are named.
  fileprivate var references: [RecordReference] {
    records + links.map(\.link) + clauses.flatMap(\.expression.references)
      + (journey?.steps ?? []).compactMap(\.record) + reads.flatMap(\.references)
  }
}

extension ExplainedExpression {
  fileprivate var references: [RecordReference] { records + operands.flatMap(\.references) }
}
