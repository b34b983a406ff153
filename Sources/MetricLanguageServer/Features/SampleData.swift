/// A folder `Sample` beside definitions: `HabitEntry.csv`, `Habit.ndjson` …
package struct SampleData {
  static let name = "Sample"

  let workspace: Workspace
  let folder: String

  /// The nearest folder `Sample` beside a file or above it, up to a folder.
  init?(for path: String, upTo top: String, in workspace: Workspace) {
    guard path.hasPrefix("/") else { return nil }
    let folders = Path.folders(around: path, upTo: top)
    let holder = folders.first { folder in
      workspace.files.entries(of: folder).contains { $0.isFolder && $0.name == SampleData.name }
    }
    guard let holder else { return nil }
    self.workspace = workspace
    folder = Path.join(holder, SampleData.name)
  }

  /// The rows of a metric on the last day of the data.
  func rows(
    of metric: String, in library: MetricLibrary
  ) throws(ResponseError) -> (day: DayKey, rows: [ResultRow]) {
    let pool = StringPool()
    var tables: [String: Table] = [:]
    var lastDay: DayKey?
    let schemas = Dictionary(library.schemas(for: [metric]).map { ($0.record, $0) }) { first, _ in first }
    for (record, file) in dataFiles(library).sorted(by: { $0.key < $1.key }) {
      if let schema = schemas[record] { tables[record] = try read(file, schema, pool) }
      guard let dayKey = library.dayKeySchema(ofFact: record), let column = dayKey.columns.first?.name
      else { continue }
      let days = if let table = tables[record] { table } else { try read(file, dayKey, pool) }
      if let last = days.lastDay(in: column) { lastDay = max(last, lastDay ?? last) }
    }
    guard let day = lastDay else { throw .failed("there is no fact in `\(folder)`") }
    do throws(EvaluationError) {
      let rows = try library.evaluate(
        metrics: [metric], subjects: [], days: [day], tables: tables, pool: pool, threads: 1, progress: nil)
      return (day, rows)
    } catch {
      throw .failed(error.message)
    }
  }

  private typealias File = (path: String, format: DataFormat)

  /// By record name.
  private func dataFiles(_ library: MetricLibrary) -> [String: File] {
    let records = Set(library.recordNames)
    var files: [String: File] = [:]
    for entry in workspace.files.entries(of: folder) where !entry.isFolder {
      guard let dot = entry.name.lastIndex(of: "."),
        let format = DataFormat(fileExtension: String(entry.name[entry.name.index(after: dot)...])),
        records.contains(String(entry.name[..<dot]))
      else { continue }
      files[String(entry.name[..<dot])] = (Path.join(folder, entry.name), format)
    }
    return files
  }

  private func read(_ file: File, _ schema: TableSchema, _ pool: StringPool) throws(ResponseError) -> Table {
    guard let bytes = workspace.files.contents(of: file.path) else {
      throw .failed("cannot read `\(file.path)`")
    }
    let result = bytes.withUnsafeBytes { bytes in
      readTable(bytes, format: file.format, schema: schema, path: file.path, pool: pool, rejects: nil)
    }
    if let finding = result.findings.first {
      throw .failed(String(finding.rendered(in: [], color: false).prefix { $0 != "\n" }))
    }
    return result.table
  }
}
