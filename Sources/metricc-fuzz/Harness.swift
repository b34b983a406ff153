import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage

/// What is fuzzed: arbitrary bytes go into one part of the program, and something must hold of what comes out.
///
/// A harness returns nil where all is well, else what is wrong; a crash or a hang needs no words.
enum Harness: String, CaseIterable {
  /// Parse, resolve, check; format twice; run the tests.
  case definitions
  /// Read a file of records both ways, with and without `--rejects`.
  case csv, ndjson, json
  /// Definitions, a NUL byte, and a CSV file of entries to evaluate them on.
  case evaluation

  func complaint(_ bytes: [UInt8]) -> String? {
    switch self {
    case .definitions: definitions(bytes)
    case .csv: records(bytes, .csv)
    case .ndjson: records(bytes, .ndjson)
    case .json: records(bytes, .json)
    case .evaluation: evaluation(bytes)
    }
  }
}

// MARK: Definitions

extension Harness {
  private func definitions(_ bytes: [UInt8]) -> String? {
    let source = SourceFile(path: "fuzz.metric", bytes: bytes)
    let library = MetricLibrary(sources: [source])
    _ = library.findings.map { $0.rendered(in: library.sources) }
    if library.isAccepted { _ = library.runTests(filter: nil) }
    switch formatted(source) {
    case .unchanged, .rejected: return nil
    case .failed(let why): return "the formatter would change the meaning: \(why)"
    case .changed(let text):
      guard case .unchanged = formatted(SourceFile(path: "fuzz.metric", text: text)) else {
        return "formatting is not idempotent"
      }
      return nil
    }
  }
}

// MARK: Data

extension Harness {
  /// A record with a field of every type.
  private static let sample = MetricLibrary(sources: [
    SourceFile(
      path: "sample.metric",
      text: """
        fact Sample {
          id        : ID
          day       : DayKey
          value     : Decimal? min 0
          page      : Int?
          mood      : "calm" | "tired" | "odd, \\"q\\"" ?
          done      : Bool?
          at        : Instant?
          deletedAt : Instant? tombstone
        }
        """)
  ]).fullSchema(of: "Sample")

  private func records(_ bytes: [UInt8], _ format: DataFormat) -> String? {
    guard let schema = Self.sample else { return "there is no sample record" }
    var rejected = 0
    let plain = read(bytes, format, schema, rejects: nil)
    let rejecting = read(bytes, format, schema) { _ in rejected += 1 }
    guard plain.table.rowCount == rejecting.table.rowCount else { return "the two ways read different rows" }
    guard plain.isFatal == rejecting.isFatal else { return "one way gives up and the other does not" }
    guard rejected == rejecting.rejectedCount, plain.rejectedCount == rejected else {
      return "rejected records are counted differently"
    }
    guard plain.findings.count == min(20, plain.findingCount) else { return "findings are missing" }
    let isClean = plain.rejectedCount == 0 && !plain.isFatal
    return isClean == (plain.findingCount == 0) ? nil : "a record is left out without a finding"
  }

  private func read(
    _ bytes: [UInt8], _ format: DataFormat, _ schema: TableSchema, rejects: ((RejectedRecord) -> Void)?
  ) -> ReadResult {
    bytes.withUnsafeBytes {
      readTable($0, format: format, schema: schema, path: "fuzz", pool: StringPool(), rejects: rejects)
    }
  }
}

// MARK: Evaluation

extension Harness {
  private func evaluation(_ bytes: [UInt8]) -> String? {
    let pieces = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
    guard pieces.count == 2 else { return nil }
    let library = MetricLibrary(sources: [SourceFile(path: "fuzz.metric", bytes: pieces[0])])
    guard library.isAccepted, let day = DayKey("2026-01-31") else { return nil }
    let pool = StringPool()
    var tables: [String: Table] = [:]
    for schema in library.schemas(for: []) where schema.record == "HabitEntry" {
      tables[schema.record] =
        pieces[1].withUnsafeBytes {
          readTable($0, format: .csv, schema: schema, path: "fuzz", pool: pool, rejects: { _ in })
        }.table
    }
    let days = [day.advanced(by: -40), day]
    func rows(threads: Int) -> [ResultRow]? {
      try? library.evaluate(
        metrics: [], subjects: [], days: days, tables: tables, pool: pool, threads: threads, progress: nil)
    }
    return rows(threads: 1) == rows(threads: 3) ? nil : "the rows depend on the number of threads"
  }
}
