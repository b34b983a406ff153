import MetricData

/// Rows of CSV as the command lines of engines write them (RFC 4180; lines end with `\n` or `\r\n`).
enum SeparatedRows {
  static func rows(_ bytes: [UInt8]) -> [[String]] {
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return [] }
      var scanner = CSVScanner(Input(base, end: buffer.count, start: 0))
      var rows: [[String]] = []
      var row: [String] = []
      while scanner.cursor < buffer.count || !row.isEmpty {
        let cell = scanner.nextCell()
        row.append(String(decoding: cell.bytes, as: UTF8.self))
        if cell.endsRow {
          rows.append(row)
          row = []
        }
      }
      return rows
    }
  }
}
