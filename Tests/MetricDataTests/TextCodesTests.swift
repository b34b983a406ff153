import MetricTestSupport
import Testing

@testable import MetricData

/// A column of few texts is kept in codes, one of many in cells; its values are the same, wherever parts begin and whatever
/// their own texts are.
@Suite struct TextCodesTests {
  /// The texts of a column of so many rows, and whether it has codes.
  private func read(_ texts: [String], threads: Int, bytesPerThread: Int = 1 << 12) -> (
    texts: [String?], isCoded: Bool
  ) {
    let pool = StringPool()
    // Numbers of the parts' pools differ.
    _ = pool.intern("before")
    var options = ReadOptions(threads: threads)
    options.bytesPerThread = bytesPerThread
    let rows = texts.enumerated().map { "id\($0 * 31 % max(1, texts.count)),\($1)\n" }.joined()
    let result = Array(("a,b\n" + rows).utf8).withUnsafeBytes {
      readTable($0, format: .csv, schema: .texts, path: "texts", pool: pool, options: options)
    }
    #expect(result.findings.isEmpty)
    let column = result.table.columns[1]
    let read = (0..<result.table.rowCount).map { row in column[row].map { pool.string(Int32($0)) } }
    #expect(column.narrowCells?.map { $0 < 0 ? nil : pool.string($0) } == read)
    return if case .coded = column { (read, true) } else { (read, false) }
  }

  private func check(
    _ texts: [String], isCoded: Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let wanted = texts.map { $0.isEmpty ? nil : $0 }
    for threads in 1...4 {
      let read = read(texts, threads: threads)
      #expect(read.texts == wanted, "\(threads) threads", sourceLocation: sourceLocation)
      #expect(read.isCoded == isCoded, "\(threads) threads", sourceLocation: sourceLocation)
    }
  }

  @Test func fewTexts() {
    check((0..<3_000).map { ["de", "fr", "", "br"][$0 % 4] }, isCoded: true)
    check(Array(repeating: "", count: 700), isCoded: true)
  }

  @Test func asManyAsThereAreCodes() {
    check((0..<5_000).map { "t\($0 % 255)" }, isCoded: true)
    check((0..<5_000).map { "t\($0 % 256)" }, isCoded: false)
  }

  /// The rows that have codes by then are decoded.
  @Test func manyTextsAfterAWhile() {
    check((0..<6_000).map { $0 < 2_500 ? "few\($0 % 3)" : "t\($0 % 900)" }, isCoded: false)
    check((0..<6_000).map { $0 < 5_900 ? "few\($0 % 3)" : "t\($0)" }, isCoded: true)
    check((0..<6_000).map { $0 < 5_700 ? "few\($0 % 3)" : "t\($0)" }, isCoded: false)
  }

  /// Each part has few, all of them have many.
  @Test func otherTextsInEachPart() {
    check((0..<6_000).map { "t\($0 / 1_000)-\($0 % 30)" }, isCoded: true)
    check((0..<6_000).map { "t\($0 / 1_000)-\($0 % 60)" }, isCoded: false)
    check((0..<6_000).map { $0 < 3_000 ? "t\($0)" : "few\($0 % 3)" }, isCoded: false)
  }

  @Test func withoutRowsThereAreNoCodes() { check([], isCoded: false) }

  @Test func appendedCellsAreCellsOfTheirOwn() {
    let texts = [7, 9] + Array(repeating: Column.missingNarrow, count: 254)
    var column = Column.coded([0, 1, 255], texts: texts)
    column.append(300)
    column.append(nil)
    #expect((0..<5).map { column[$0] } == [7, 9, nil, 300, nil])
  }
}
