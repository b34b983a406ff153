/// Room and colour for results that people read.
struct Layout: Hashable {
  /// How many columns a line may take.
  var width: Int
  var isColored: Bool

  /// The width in a file, which no terminal bounds.
  static let fileWidth = 100

  /// What the terminal has, where results go to standard output.
  static var terminal: Layout { Layout(width: Terminal.width, isColored: Terminal.isColored(.output)) }

  func bold(_ text: String) -> String { Grid.painted(Cell(text, .bold), self) }
  func dim(_ text: String) -> String { Grid.painted(Cell(text, .dim), self) }
}

/// A piece of text in a grid.
struct Cell: Hashable {
  /// By the codes of terminals (ECMA-48, SGR).
  enum Style: Int { case plain, bold, dim }

  var text: String
  var style: Style

  init(_ text: String, _ style: Style = .plain) {
    (self.text, self.style) = (printable(text), style)
  }

  static let empty = Cell("")
}

/// Columns of cells, aligned; one that is too wide for the line is folded into several below each
/// other, each with the key columns.
struct Grid {
  enum Alignment: Hashable {
    case left, right
    /// Right, with the decimal points below each other.
    case number
  }

  struct Heading: Hashable {
    var text: String
    var alignment: Alignment
    /// Is above the text, in as many lines as needed to be no wider.
    var title: String?

    init(_ text: String, _ alignment: Alignment = .left, title: String? = nil) {
      (self.text, self.alignment, self.title) = (text, alignment, title)
    }
  }

  /// How many columns, from the left, say what a row is about.
  var keyCount: Int
  var headings: [Heading]
  /// Each has a cell for every heading.
  var rows: [[Cell]] = []

  /// - Parameter keys: headings of the columns that say what a row is about.
  init(keys: [String], _ headings: [Heading] = [], rows: [[Cell]] = []) {
    keyCount = keys.count
    self.headings = keys.map { Heading($0) } + headings
    self.rows = rows
  }

  private static let gap = 2

  /// The lines of the grid, without spaces at their ends.
  func lines(_ layout: Layout) -> [String] {
    let columns = headings.indices.map { column(at: $0, layout) }
    let blocks = parts(columns.map(\.width), layout.width).map { part in
      let height = part.map { columns[$0].title.count }.max() ?? 0
      let stacks = part.map { columns[$0].stack(titleHeight: height) }
      return (0...height + rows.count).map { row in Grid.line(stacks.map { $0[row] }, layout) }
    }
    return Array(blocks.joined(separator: [""]))
  }

  /// The width that columns with these indices take, gaps included.
  func width(of indices: some Sequence<Int>, _ layout: Layout) -> Int {
    indices.reduce(0) { $0 + column(at: $1, layout).width + Grid.gap }
  }

  /// Which columns are beside each other.
  private func parts(_ widths: [Int], _ width: Int) -> [[Int]] {
    let keys = Array(0..<keyCount)
    let keyWidth = keys.reduce(0) { $0 + widths[$1] + Grid.gap }
    var parts = [keys]
    var used = keyWidth
    for index in headings.indices.dropFirst(keyCount) {
      let isFirst = parts[parts.count - 1].count == keyCount
      if !isFirst, used + widths[index] > width {
        parts.append(keys)
        used = keyWidth
      }
      parts[parts.count - 1].append(index)
      used += widths[index] + Grid.gap
    }
    return parts
  }

  private struct Column {
    /// The heading first, all of the same width.
    var cells: [Cell]
    var width: Int
    var title: [Cell]

    /// The last line of the title is right above the heading.
    func stack(titleHeight: Int) -> [Cell] {
      let blank = Grid.padded(Cell("", .dim), to: width, .left)
      return [Cell](repeating: blank, count: titleHeight - title.count) + title + cells
    }
  }

  private func column(at index: Int, _ layout: Layout) -> Column {
    let heading = headings[index]
    var cells = rows.map { $0[index] }
    if heading.alignment == .number { cells = Grid.alignedAtPoint(cells) }
    cells.insert(Cell(heading.text, .bold), at: 0)
    if index < keyCount {
      let limit = max(8, layout.width / 2)
      for row in cells.indices { cells[row].text = DisplayWidth.cut(cells[row].text, to: limit) }
    }
    let ownWidth = cells.map { DisplayWidth.of($0.text) }.max() ?? 0
    let title = Grid.wrapped(heading.title ?? "", to: ownWidth)
    let width = title.reduce(ownWidth) { max($0, DisplayWidth.of($1)) }
    return Column(
      cells: cells.map { Grid.padded($0, to: width, heading.alignment) }, width: width,
      title: title.map { Grid.padded(Cell($0, .dim), to: width, heading.alignment) })
  }

  /// The words in lines of at most `width` columns, but for a word that is wider.
  static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in printable(text).split(separator: " ") {
      if let last = lines.last, DisplayWidth.of(last) + 1 + DisplayWidth.of(String(word)) <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Fills the fractions of numbers with spaces to the longest one.
  private static func alignedAtPoint(_ cells: [Cell]) -> [Cell] {
    func fractionWidth(_ cell: Cell) -> Int {
      cell.text.firstIndex(of: ".").map { cell.text[$0...].count } ?? 0
    }
    let longest = cells.map(fractionWidth).max() ?? 0
    return cells.map { Cell($0.text + String(repeating: " ", count: longest - fractionWidth($0)), $0.style) }
  }

  private static func padded(_ cell: Cell, to width: Int, _ alignment: Alignment) -> Cell {
    let blank = String(repeating: " ", count: max(0, width - DisplayWidth.of(cell.text)))
    return Cell(alignment == .left ? cell.text + blank : blank + cell.text, cell.style)
  }

  /// The cells beside each other; what ends the line is shown without its blanks.
  private static func line(_ cells: [Cell], _ layout: Layout) -> String {
    var cells = cells
    while let last = cells.last, last.text.allSatisfy({ $0 == " " }) { cells.removeLast() }
    if let last = cells.indices.last { cells[last].text = cells[last].text.withoutBlankEnd }
    return cells.map { painted($0, layout) }.joined(separator: String(repeating: " ", count: gap))
  }

  /// The text with its style, where there is colour.
  fileprivate static func painted(_ cell: Cell, _ layout: Layout) -> String {
    guard layout.isColored, cell.style != .plain else { return cell.text }
    return "\u{1B}[\(cell.style.rawValue)m\(cell.text)\u{1B}[0m"
  }
}
