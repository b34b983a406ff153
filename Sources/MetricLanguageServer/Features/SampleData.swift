import MetricData
import MetricEvaluate
import MetricLanguage

/// The rows of a metric on the sample data that is next to the definitions.
package struct SampleValue {
  package var metric: String
  /// The last DayKey of the data.
  package var day: DayKey
  package var rows: [ResultRow]
}

/// A folder `Sample` beside definitions: `HabitEntry.csv`, `Habit.ndjson` …
package struct SampleData {
  static let name = "Sample"

  let workspace: Workspace
  let folder: String

  /// The nearest folder `Sample` beside a file or above it, up to a folder.
  init?(for path: String, upTo top: String, in workspace: Workspace) {
    guard path.hasPrefix("/") else { return nil }
    var place = Path.folder(of: path)
    while true {
      if workspace.files.entries(of: place).contains(where: { $0.isFolder && $0.name == SampleData.name }) {
        self.workspace = workspace
        folder = Path.join(place, SampleData.name)
        return
      }
      if place == top || place == "/" || !Path.lies(place, in: top) { return nil }
      place = Path.folder(of: place)
    }
  }

  /// Evaluates a metric on the last day of the data.
  func value(of metric: String, in library: MetricLibrary) throws(ResponseError) -> SampleValue {
    let files = dataFiles(library)
    let pool = StringPool()
    var tables: [String: Table] = [:]
    var lastDay: DayKey?
    let schemas = Dictionary(library.schemas(for: [metric]).map { ($0.record, $0) }) { first, _ in first }
    for (record, file) in files.sorted(by: { $0.key < $1.key }) {
      let dayKey = library.dayKeySchema(ofFact: record)
      if let schema = schemas[record] { tables[record] = try read(file, schema, pool) }
      guard let dayKey, let column = dayKey.columns.first?.name else { continue }
      let days = if let table = tables[record] { table } else { try read(file, dayKey, pool) }
      if let last = lastDayKey(days, column) { lastDay = max(last, lastDay ?? last) }
    }
    guard let day = lastDay else { throw .failed("there is no fact in `\(folder)`") }
    do throws(EvaluationError) {
      let rows = try library.evaluate(
        metrics: [metric], subjects: [], days: [day], tables: tables, pool: pool, threads: 1, progress: nil)
      return SampleValue(metric: metric, day: day, rows: rows)
    } catch {
      throw .failed(error.message)
    }
  }

  private struct File {
    var path: String
    var format: DataFormat
  }

  /// By record name.
  private func dataFiles(_ library: MetricLibrary) -> [String: File] {
    let records = Set(library.recordNames)
    var files: [String: File] = [:]
    for entry in workspace.files.entries(of: folder) where !entry.isFolder {
      guard let dot = entry.name.lastIndex(of: "."),
        let format = DataFormat(fileExtension: String(entry.name[entry.name.index(after: dot)...])),
        records.contains(String(entry.name[..<dot]))
      else { continue }
      files[String(entry.name[..<dot])] = File(path: Path.join(folder, entry.name), format: format)
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
      throw .failed(
        finding.rendered(in: [], color: false).split(separator: "\n").first.map(String.init) ?? "")
    }
    return result.table
  }

  private func lastDayKey(_ table: Table, _ column: String) -> DayKey? {
    guard case .narrow(let cells)? = table.column(named: column), let last = cells.max(),
      last != Column.missingNarrow
    else { return nil }
    return DayKey(number: last)
  }
}
