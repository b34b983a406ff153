import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage

extension Harness {
  /// Whatever the dataset holds: the rows depend neither on the number of threads, nor on the parts that the
  /// files are read in, nor on whether records are folded.
  func evaluation(_ bytes: [UInt8]) -> String? {
    let pieces = bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
    guard pieces.count > 1 else { return nil }
    let library = MetricLibrary(sources: [SourceFile(path: "fuzz.metric", bytes: pieces[0])])
    guard library.isAccepted, let day = DayKey("2026-01-31") else { return nil }
    let world = FuzzedWorld(library: library, files: pieces.dropFirst().compactMap(FuzzedFile.init))
    let series = [day.advanced(by: -40), day.advanced(by: -1), day]
    for days in [[day], series] {
      let first = world.rows(at: days, threads: 1, folds: false)
      guard world.rows(at: days, threads: 3, folds: true) == first else {
        return "three threads and folded records give other rows"
      }
    }
    let all = world.rows(at: series, threads: 1, folds: false)
    let last = all.map { $0.filter { $0.at == day } }
    return last == world.rows(at: [day], threads: 1, folds: false) || all == nil
      ? nil : "a series has another last day than the day alone"
  }
}

/// A file of a dataset as an input holds it: `HabitEntry.csv`, a line end, and the bytes.
struct FuzzedFile {
  var record: String
  var format: DataFormat
  var bytes: [UInt8]
}

extension FuzzedFile {
  init?(_ piece: [UInt8]) {
    let parts = piece.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(decoding: parts[0], as: UTF8.self).split(separator: ".")
    guard parts.count == 2, name.count == 2, let format = DataFormat(fileExtension: String(name[1])) else {
      return nil
    }
    self.init(record: String(name[0]), format: format, bytes: Array(parts[1]))
  }
}

/// A library and the files of a dataset.
struct FuzzedWorld {
  var library: MetricLibrary
  var files: [FuzzedFile]

  /// The rows; nil where a number leaves its range, or bundles are wrong. Malformed records are left out.
  func rows(at days: [DayKey], threads: Int, folds: Bool) -> [ResultRow]? {
    let asked = days.count == 1 ? AskedDays.one(days[0]) : .several(from: days.first, through: days.last)
    let plan = library.loadPlan(for: [], days: asked)
    let pool = StringPool()
    var tables: [String: Table] = [:]
    for schema in plan.schemas {
      guard let file = files.first(where: { $0.record == schema.record }) else { continue }
      var options = ReadOptions(threads: threads)
      options.bytesPerThread = 64
      if folds { plan.prepare(&options, for: schema.record) }
      tables[schema.record] =
        file.bytes.withUnsafeBytes {
          readTable($0, format: file.format, schema: schema, path: "fuzz", pool: pool, options: options)
        }.table
    }
    return try? library.evaluate(
      metrics: [], subjects: [], days: days, tables: tables, pool: pool, threads: threads, progress: nil)
  }
}
