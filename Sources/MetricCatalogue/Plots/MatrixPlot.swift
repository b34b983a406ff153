/// Shares in rows and columns, the darkest the greatest of them: cohorts and days of a retention, groups and steps
/// of a funnel. A cell without a share stays empty, which makes the triangle of a retention.
struct MatrixPlot {
  struct Row {
    var label: String
    /// How many the shares are of.
    var size: String
    /// From 0 to 1.
    var shares: [Double?]
    /// What is in the cells, where it is not the shares in percent.
    var texts: [String]?

    func text(_ column: Int) -> String? {
      shares[column].flatMap { share in texts?[column] ?? Wording.percent(share, of: 1) }
    }
  }

  /// What the rows are, what their sizes count, then a heading for each column.
  var rowHeading: String
  var sizeHeading: String
  var columns: [String]
  var rows: [Row]

  private static let labelWidth = 112.0
  private static let sizeWidth = 52.0
  private static let cell = 62.0
  private static let pitch = 28.0

  private var width: Double { start + Double(columns.count) * Self.cell + (hasLabelsAtEnd ? 96 : 2) }

  /// A place, in pixels where the drawing is as narrow as can be.
  private func x(_ pixels: Double) -> HTML { .across(pixels / width) }

  /// Where the cells start.
  private var start: Double { Self.labelWidth + (rows.contains { !$0.size.isEmpty } ? Self.sizeWidth : 0) }

  /// A phone shows only the last columns, with the labels at the right.
  private var hasLabelsAtEnd: Bool { columns.count > 6 }

  func figure(_ title: String, _ summary: String) -> Figure? {
    guard !rows.isEmpty, !columns.isEmpty else { return nil }
    var shapes: [HTML] = [
      .text("tick", "0", 16, rowHeading), .text("tick", x(start - 12), 16, sizeHeading, anchor: "end"), "\n",
    ]
    shapes += columns.enumerated().map { index, column -> HTML in
      let place = x(start + (Double(index) + 0.5) * Self.cell)
      return "\(HTML.text("tick", place, 16, column.shortened(to: 9), anchor: "middle"))\n"
    }
    let most = rows.flatMap { $0.shares.compactMap { $0 } }.max() ?? 1
    shapes += rows.enumerated().map { drawing($1, y: 26 + Double($0) * Self.pitch, most: most) }
    return Figure(
      title: title, summary: summary, width: width, height: 28 + Double(rows.count) * Self.pitch,
      drawing: HTML(shapes), headings: [rowHeading, sizeHeading] + columns,
      rows: rows.map { row in
        [row.label, row.size] + row.shares.indices.map { row.text($0) ?? "no value" }
      })
  }

  private func drawing(_ row: Row, y: Double, most: Double) -> HTML {
    let cells = row.shares.enumerated().map { index, share -> HTML in
      guard let share else { return "" }
      let left = start + Double(index) * Self.cell
      let step = Self.step(share / most)
      let text = row.text(index) ?? ""
      return """
        <rect class="heat h\(step)" x="\(x(left + 1))" y="\(y)" width="\(x(Self.cell - 2))" height="24" rx="3">\
        <title>\(row.label), \(columns[index]): \(text)</title></rect>\
        \(HTML.text("cell c\(step)", x(left + Self.cell / 2), y + 16, text, anchor: "middle"))
        """
    }
    let ends = [0] + (hasLabelsAtEnd ? [start + Double(columns.count) * Self.cell + 8] : [])
    let labels = ends.map { HTML.text("label", x($0), y + 16, row.label.shortened(to: $0 > 0 ? 11 : 15)) }
    return "\(labels)\(HTML.text("tick", x(start - 12), y + 16, row.size, anchor: "end"))\(cells)\n"
  }

  /// One of five steps of colour.
  static func step(_ share: Double) -> Int { share > 0 ? min(4, Int((share * 4).rounded(.up))) : 0 }
}
