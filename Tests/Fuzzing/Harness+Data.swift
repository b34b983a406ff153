import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage

/// What a reading reported, for comparing two of them.
private struct Reading: Equatable {
  var rows: [[String]]
  var findings: [String]
  var findingCount: Int
  var rejectedCount: Int
  var isFatal: Bool
}

extension Harness {
  /// A record with a field of every type, and metrics that fold it.
  private static let library = MetricLibrary(sources: [
    SourceFile(
      path: "sample.metric",
      text: """
        entity Owner { id : ID }
        fact Sample {
          id        : ID
          ownerId   : Owner?
          day       : DayKey
          value     : Decimal? min 0
          page      : Int?
          mood      : "calm" | "tired" | "odd, \\"q\\"" ?
          done      : Bool?
          at        : Instant?
          deletedAt : Instant? tombstone
        }
        completion there { for owner  every day  when count(Sample) >= 1 }
        completion calm { for owner  every day  when count(Sample where mood == "calm" and page > 2) >= 1 }
        streak run { of there }
        streak best_run { of there  best }
        momentum pulse { of calm  over last 7 days }
        measure total { for owner  value sum(Sample.value)  over last 30 days }
        measure seen { for owner  value count(Sample where not (done)) }
        """)
  ])

  func records(_ bytes: [UInt8], _ format: DataFormat) -> String? {
    guard let schema = Self.library.fullSchema(of: "Sample") else { return "there is no sample record" }
    let plain = reading(bytes, format, schema)
    if let complaint = rejecting(bytes, format, schema, plain) { return complaint }
    guard plain.findings.count == min(20, plain.findingCount) else { return "findings are missing" }
    let isClean = plain.rejectedCount == 0 && !plain.isFatal
    guard isClean == (plain.findingCount == 0) else { return "a record is left out without a finding" }
    for (threads, part, block) in [(1, 1 << 20, 1 + bytes.count % 61), (3, 1 + bytes.count / 5, 1 << 18)] {
      let other = reading(bytes, format, schema, threads: threads, part: part, block: block)
      guard other == plain else {
        return """
          \(threads) threads, parts of \(part) and blocks of \(block) bytes read something else
          \(other)
          \(plain)
          """
      }
    }
    return folding(bytes, format)
  }

  /// With `--rejects` the same rows are read, and each bad record is reported once.
  private func rejecting(
    _ bytes: [UInt8], _ format: DataFormat, _ schema: TableSchema, _ plain: Reading
  ) -> String? {
    var rejected = 0
    let result = bytes.withUnsafeBytes {
      readTable($0, format: format, schema: schema, path: "fuzz", pool: StringPool()) { _ in rejected += 1 }
    }
    guard plain.rows.count == result.table.rowCount else { return "the two ways read different rows" }
    guard plain.isFatal == result.isFatal else { return "one way gives up and the other does not" }
    let isCounted = rejected == result.rejectedCount && plain.rejectedCount == rejected
    return isCounted ? nil : "rejected records are counted differently"
  }

  private func reading(
    _ bytes: [UInt8], _ format: DataFormat, _ schema: TableSchema, threads: Int = 1, part: Int = 1 << 20,
    block: Int = 1 << 18
  ) -> Reading {
    let pool = StringPool()
    var options = ReadOptions(threads: threads)
    options.bytesPerThread = part
    options.blockSize = block
    let result = bytes.withUnsafeBytes {
      readTable($0, format: format, schema: schema, path: "fuzz", pool: pool, options: options)
    }
    return Reading(
      rows: Self.rows(of: result.table, pool), findings: result.findings.map { $0.rendered(in: []) },
      findingCount: result.findingCount, rejectedCount: result.rejectedCount, isFatal: result.isFatal)
  }

  /// The cells as text, whatever numbers the pool gave.
  private static func rows(of table: Table, _ pool: StringPool) -> [[String]] {
    (0..<table.rowCount).map { row in
      zip(table.schema.columns, table.columns).map { schema, column in
        guard let cell = column[row] else { return "" }
        return schema.type == .text ? pool.string(Int32(cell)) : String(cell)
      }
    }
  }

  /// Records that are folded while they are read give the rows of kept ones.
  private func folding(_ bytes: [UInt8], _ format: DataFormat) -> String? {
    guard let day = DayKey("2026-01-31") else { return nil }
    let file = FuzzedFile(record: "Sample", format: format, bytes: bytes)
    let world = FuzzedWorld(library: Self.library, files: [file])
    for days in [[day], [day.advanced(by: -1), day]] {
      let kept = world.rows(at: days, threads: 1, folds: false)
      guard world.rows(at: days, threads: 2, folds: true) == kept else {
        return "folded records give other rows"
      }
    }
    return nil
  }

  /// Whether the sample's metrics fold it, so that the comparison is of two things.
  static var foldsSample: Bool {
    library.loadPlan(for: [], days: .one(nil)).folds["Sample"] != nil
  }
}
