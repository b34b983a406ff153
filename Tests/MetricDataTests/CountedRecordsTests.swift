import MetricTestSupport
import Testing

@testable import MetricData

/// Records that count nowhere are not kept, and what is known of all of them does not depend on the parts of a file.
@Suite struct CountedRecordsTests {
  private static let schema = TableSchema(
    record: "Entry",
    columns: [
      ColumnSchema(name: "id", type: .text, isRequired: true),
      ColumnSchema(name: "day", type: .dayKey, isRequired: true),
      ColumnSchema(name: "value", type: .decimal, isRequired: false),
      ColumnSchema(name: "deletedAt", type: .instant, isRequired: false),
    ])

  private static let text = """
    id,day,value,deletedAt
    a,2026-01-01,1,
    b,2026-01-05,2,
    c,2026-01-05,3,2026-01-06T00:00:00Z
    d,2026-01-06,0.5,
    "e",2026-01-07,4,
    f,2026-01-09,5,

    """

  private func read(_ counted: CountedRecords, threads: Int = 1) -> (
    rows: [String], table: Table, pool: StringPool
  ) {
    let pool = StringPool()
    var options = ReadOptions(threads: threads)
    options.counted = counted
    options.bytesPerThread = 24
    let result = Array(Self.text.utf8).withUnsafeBytes {
      readTable($0, format: .csv, schema: Self.schema, path: "entries", pool: pool, options: options)
    }
    #expect(result.findings.isEmpty)
    let table = result.table
    let rows = (0..<table.rowCount).map { row in
      let id = table.columns[0][row].map { pool.string(Int32($0)) } ?? ""
      return "\(id) \(table.columns[2][row].map { FixedDecimal(millionths: $0).description } ?? "")"
    }
    return (rows, table, pool)
  }

  private func days(_ first: String, _ last: String) throws -> ClosedRange<Int32> {
    try #require(DayKey(first)).number...#require(DayKey(last)).number
  }

  @Test(arguments: 1...5) func onlyRecordsThatCountAreKept(threads: Int) throws {
    let one = Literal.decimal(FixedDecimal(millionths: 1_000_000))
    let atLeastOne = RowExpression.comparison(.greaterOrEqual, .column(2), .literal(one))
    let counted = CountedRecords(
      day: 1, days: try days("2026-01-05", "2026-01-08"), condition: atLeastOne, tombstones: [3],
      dropped: [1, 3],
      noted: [0])
    let (rows, table, pool) = read(counted, threads: threads)
    #expect(rows == ["b 2", "e 4"])
    #expect(table.lastDay(in: "day") == DayKey("2026-01-09"))
    let noted = try #require(table.sieve?.noted[0]).map { pool.string($0) }
    #expect(noted.sorted() == ["a", "b", "d", "e", "f"], "whom a live record names exists")
    #expect(table.sieve?.noted[1] == nil)
  }

  @Test func withoutBoundsOnlyDeletedRecordsAreLeftOut() {
    let counted = CountedRecords(
      day: nil, days: .min...(.max), condition: nil, tombstones: [3], dropped: [3], noted: [])
    #expect(read(counted).rows == ["a 1", "b 2", "d 0.5", "e 4", "f 5"])
  }

  /// Rows are much shorter than where the file was looked at for how many there may be.
  @Test func rowsThatAreShorterThanExpectedFindRoom() {
    let long = String(repeating: "n", count: (1 << 14) + 40)
    let short = (0..<8_000).map { "s\($0),2026-01-01,1,\n" }.joined()
    let text = "id,day,value,deletedAt\n" + String(repeating: "\(long),2026-01-01,1,\n\(short)", count: 16)
    for threads in [1, 3] {
      let result = Array(text.utf8).withUnsafeBytes {
        readTable(
          $0, format: .csv, schema: Self.schema, path: "entries", pool: StringPool(),
          options: ReadOptions(threads: threads))
      }
      #expect(result.table.rowCount == 16 * 8_001)
      #expect(result.findings.isEmpty)
    }
  }
}
