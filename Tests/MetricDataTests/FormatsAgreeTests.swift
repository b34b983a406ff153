import MetricTestSupport
import Testing

@testable import MetricData

/// The same records give the same table in every format.
@Suite struct FormatsAgreeTests {
  /// A record as the texts of its cells, missing ones empty.
  private func randomRecord(_ random: inout SeededGenerator) -> [String] {
    func maybe(_ text: String) -> String { Int.random(in: 0..<3, using: &random) == 0 ? "" : text }
    let id = ["é", "a\"b", "x,y", "line\nfeed", "tab\t", "\\", "😀", "plain", "17"]
    let day = DayKey(number: Int32.random(in: DayKey.first.number...DayKey.last.number, using: &random))
    let value = FixedDecimal(millionths: Int64.random(in: 0...50_000_000_000, using: &random))
    let instant = Instant(
      microseconds: Int64.random(in: -2_000_000_000_000_000...2_000_000_000_000_000, using: &random))
    return [
      id.randomElement(using: &random) ?? "", day.description, maybe(value.description),
      maybe(String(Int.random(in: -1000...1000, using: &random))),
      maybe(["calm", "tired", "odd, \"q\""].randomElement(using: &random) ?? ""),
      maybe(Bool.random(using: &random) ? "true" : "false"), maybe(instant.description),
    ]
  }

  private func csv(_ records: [[String]]) -> String {
    let lines = records.map { record in
      record.map { cell in
        let needsQuotes = cell.unicodeScalars.contains { ",\"\n".unicodeScalars.contains($0) }
        return needsQuotes
          ? "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            + "\"" : cell
      }.joined(separator: ",")
    }
    return (["id,day,value,page,mood,done,at"] + lines).joined(separator: "\n")
  }

  private func json(_ record: [String], _ random: inout SeededGenerator) -> String {
    let bare: Set = ["value", "page", "done"]
    var members: [String] = []
    for (column, cell) in zip(TableSchema.sample.columns, record) {
      if cell.isEmpty {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: members.append("\"\(column.name)\":null")
        case 1: members.append("\"\(column.name)\": \"\"")
        default: break
        }
      } else {
        let isBare = bare.contains(column.name) || cell == "17" && Bool.random(using: &random)
        members.append("\"\(column.name)\":\(isBare ? cell : "\"\(escaped(cell, &random))\"")")
      }
    }
    members.append("\"extra\":[{\"id\":1}]")
    return "{" + members.shuffled(using: &random).joined(separator: ",") + "}"
  }

  private func escaped(_ text: String, _ random: inout SeededGenerator) -> String {
    text.unicodeScalars.map { scalar in
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      guard mustEscape || Int.random(in: 0..<5, using: &random) == 0 else { return String(scalar) }
      return String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }.joined()
  }

  @Test func onRandomTables() {
    for seed in seeds(100) {
      var random = SeededGenerator(seed: seed)
      let records = (0..<Int.random(in: 0...30, using: &random)).map { _ in randomRecord(&random) }
      let objects = records.map { json($0, &random) }
      let fromCSV = read(csv(records))
      let fromLines = read(objects.joined(separator: "\n"), .ndjson)
      let fromArray = read("[" + objects.joined(separator: " ,\n") + "]", .json)
      for file in [fromCSV, fromLines, fromArray] {
        #expect(file.findings == [], "seed \(seed)")
        #expect(file.rows == records, "seed \(seed)")
      }
    }
  }
}
