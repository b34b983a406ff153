/// A drawing with a heading, a description for those who do not see it, and its numbers as a table. It is as wide as its
/// column: places across are shares of the width, so that texts keep their size.
struct Figure {
  /// What is beside the drawing: a scale at the left, or names at both sides.
  enum Margins: String { case none, scale, names }

  var title: String
  /// One sentence that says what the drawing shows.
  var summary: String
  /// The least width, and the height, in pixels.
  var width = 400.0
  var height: Double
  var margins = Margins.none
  var drawing: HTML
  var isTableByMonth = false
  var headings: [String]
  /// Each as long as the headings; the first cell is the row's heading.
  var rows: [[String]]

  /// A wide drawing is never smaller than its size and can be scrolled; another one fits a phone.
  private var isWide: Bool { width > 420 }

  /// The id tells the figure apart from the others of its page.
  func markup(id: String) -> HTML {
    let svg: HTML = """
      <svg class="\(margins.rawValue)" width="\(isWide ? "\(width)" : "100%" as HTML)" height="\(height)" role="img" \
      aria-labelledby="\(id)-t \(id)-d"><title id="\(id)-t">\(title)</title>\
      <desc id="\(id)-d">\(summary)</desc>
      \(drawing)</svg>
      """
    let shown = isWide ? HTML.scroll("\(title), drawing", svg) : svg
    let caption = isTableByMonth ? "\(title), by month" : title
    let cells = rows.map { HTML.row($0.first ?? "", $0.dropFirst().map { "\($0)" }) }
    return """
      <figure class="plot\(isWide ? " wide" : "")" id="\(id)">
      <figcaption><strong>\(title)</strong> <span>\(summary)</span></figcaption>
      \(shown)
      <details><summary>Show as a table</summary>
      \(HTML.table(caption, caption: "\(caption)", headings: headings, rows: cells))</details>
      </figure>

      """
  }
}
