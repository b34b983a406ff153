import Testing

@testable import MetricData

@Suite struct TableTests {
  @Test func cellsAreNarrowOrWideAndMayBeMissing() {
    var table = Table(schema: .sample)
    table.append([0, -1, 2_500_000, Int64(1) << 40, nil, 1, nil])
    table.append([1, nil, nil, nil, 3, 0, -5])
    #expect(table.rowCount == 2)
    #expect(table.column(named: "day")?[0] == -1)
    #expect(table.column(named: "day")?[1] == nil)
    #expect(table.column(named: "page")?[0] == 1 << 40)
    #expect(table.column(named: "at")?[1] == -5)
    #expect(table.column(named: "mood")?[0] == nil)
    #expect(table.column(named: "other") == nil)
  }

  @Test func formatsFollowTheExtension() {
    #expect(DataFormat(fileExtension: "csv") == .csv)
    #expect(DataFormat(fileExtension: "NDJSON") == .ndjson)
    #expect(DataFormat(fileExtension: "json") == .json)
    #expect(DataFormat(fileExtension: "txt") == nil)
  }
}
