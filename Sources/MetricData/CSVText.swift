/// Writes CSV (RFC 4180, with `\n`).
package enum CSVText {
  /// Cells as a line with its end; a cell has quotes where it needs them.
  package static func line(_ cells: [String]) -> String {
    // A line of one empty cell would be an empty line.
    cells == [""] ? "\"\"\n" : cells.map(cell).joined(separator: ",") + "\n"
  }

  private static func cell(_ text: String) -> String {
    let needsQuotes = text.utf8.contains {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n")
        || $0 == UInt8(ascii: "\r")
    }
    return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }
}
