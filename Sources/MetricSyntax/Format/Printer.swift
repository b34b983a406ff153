struct Printer {
  let layout: Layout
  var output = ""
  var itemColumn = 0

  /// The text; a last line that is not empty ends with a line end.
  mutating func text() -> String {
    for place in layout.texts.indices { write(place) }
    if output.last == " " { output.removeLast() }
    if !output.isEmpty, !output.hasSuffix("\n") { output += "\n" }
    return output
  }

  private mutating func write(_ place: Int) {
    let gap = layout.gaps[place]
    let line = layout.lines[place]
    guard line != nil || gap.hasComments else {
      output += String(repeating: " ", count: layout.spaces[place]) + layout.texts[place]
      return
    }
    if let trailing = gap.trailing { output += "  " + trailing.text }
    // A token that starts a line only because a comment precedes it continues its item.
    let start = line ?? Layout.Line(column: itemColumn + Layout.continuation, isItem: false)
    if start.isItem { itemColumn = start.column }
    var isFirst = true
    for comment in gap.lines {
      let isAfterBlank = comment.isAfterBlank && start.isItem
      newline(isFirst ? shows(isAfterBlank, start, gap) : isAfterBlank)
      output += String(repeating: " ", count: start.commentColumn) + comment.text
      isFirst = false
    }
    guard !layout.texts[place].isEmpty else { return }
    let isAfterBlank = gap.isAfterBlank && start.isItem && !start.isClosing
    newline(isFirst ? !start.isClosing && shows(isAfterBlank, start, gap) : isAfterBlank)
    output += String(repeating: " ", count: start.column) + layout.texts[place]
  }

  /// Whether a blank line is above the first line of a gap. A doc comment after a token and one
  /// below it are one if nothing is between, so that what is there has to stay.
  private func shows(_ isAfterBlank: Bool, _ start: Layout.Line, _ gap: Gap) -> Bool {
    if gap.trailing?.isDoc == true { return isAfterBlank }
    switch start.blank {
    case .drop: return false
    case .keep: return isAfterBlank
    case .force: return true
    }
  }

  private mutating func newline(_ withBlank: Bool) {
    guard !output.isEmpty else { return }
    output += withBlank ? "\n\n" : "\n"
  }
}
