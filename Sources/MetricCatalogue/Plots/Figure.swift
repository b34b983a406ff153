/// A drawing with a heading, a description for those who do not see it, and its numbers as a table.
struct Figure {
  var title: String
  /// One sentence that says what the drawing shows.
  var summary: String
  /// The size of the drawing in pixels.
  var width: Double
  var height: Double
  var drawing: HTML
  var table: DataTable

  /// A wide drawing is never smaller than its size and can be scrolled; another one fits its column.
  private var isWide: Bool { width > 420 }

  /// Classes of the style: a small table of numbers keeps its size.
  private var classes: String {
    (isWide ? " wide" : "") + (width > 640 ? " grow" : "") + (width < 400 ? " small" : "")
  }

  /// - Parameter id: Tells the figure apart from the others of its page.
  func markup(id: String) -> HTML {
    let svg: HTML = """
      <svg viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" role="img" \
      aria-labelledby="\(id)-t \(id)-d"><title id="\(id)-t">\(title)</title>\
      <desc id="\(id)-d">\(summary)</desc>
      \(drawing)</svg>
      """
    let shown: HTML =
      isWide ? .scroll("\(title), drawing", svg) : svg
    return """
      <figure class="plot\(classes)" id="\(id)">
      <figcaption><strong>\(title)</strong> <span>\(summary)</span></figcaption>
      \(shown)
      <details><summary>Show as a table</summary>
      \(table.markup)</details>
      </figure>

      """
  }
}

/// A table with a caption, a row of headings and a heading for each row.
struct DataTable {
  var caption: String
  var headings: [String]
  /// Each as long as the headings; the first cell is the row's heading.
  var rows: [[String]]

  var markup: HTML {
    let body = rows.map { row -> HTML in
      let cells = row.dropFirst().map { "<td>\($0)</td>" as HTML }
      return "<tr><th scope=\"row\">\(row.first ?? "")</th>\(cells)</tr>\n"
    }
    return .table(caption, caption: "\(caption)", headings: headings, rows: body)
  }
}
