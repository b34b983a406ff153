/// Rows of CSV as the command lines of engines write them (RFC 4180; lines end with `\n` or `\r\n`).
enum SeparatedRows {
  static func rows(_ bytes: [UInt8]) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    // Behind a quote that ended a cell, or is the first of two.
    var wasQuote = false
    func text() -> String { String(decoding: cell, as: UTF8.self) }
    for byte in bytes {
      if isQuoted, byte != UInt8(ascii: "\"") {
        cell.append(byte)
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        if wasQuote { cell.append(byte) }
        wasQuote = isQuoted
        isQuoted.toggle()
        continue
      case UInt8(ascii: ","):
        row.append(text())
        cell = []
      case UInt8(ascii: "\n"):
        // Outside of quotes a carriage return belongs to the line's end.
        if cell.last == UInt8(ascii: "\r"), !wasQuote { cell.removeLast() }
        rows.append(row + [text()])
        (row, cell) = ([], [])
      case UInt8(ascii: "\r") where wasQuote: continue
      default: cell.append(byte)
      }
      wasQuote = false
    }
    if !cell.isEmpty || !row.isEmpty { rows.append(row + [text()]) }
    return rows
  }
}
