extension MetricPage {
  /// A statement of each engine, folded away: it opens without a script, and can be copied where there is one.
  var queries: HTML {
    guard let queries = catalogue.queries[name], !queries.isEmpty else { return "" }
    return .section(
      "sql", "As SQL",
      """
      <p>The rows are those of <code>metricc eval</code>. <code class="whole">metricc sql --schema</code> \
      declares the tables that are read.</p>
      \(queries.map(block))
      """)
  }

  private func block(_ query: CatalogueQuery) -> HTML {
    let title = query.dialect.title
    let id = "sql-\(query.dialect.rawValue)"
    switch query.content {
    case .missing(let reason):
      return """
        <details class="sql" name="sql"><summary>\(title) <small>no statement</small></summary>
        <p>\(Prose(address: { _ in nil }).inline(reason)).</p></details>

        """
    case .statement(let text):
      // Its comments are on lines of their own.
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> HTML in
        line.hasPrefix("-- ") ? "<span class=\"c\">\(String(line))</span>" : "\(String(line))"
      }
      return """
        <details class="sql" name="sql"><summary>\(title)</summary>
        <p class="copy"><span><code>\(query.dialect.dayParameter)</code> is the reference day, a text like \
        <code>2026-01-31</code>.</span>\
        <button type="button" data-copy="\(id)" hidden>Copy<span class="spoken"> the \(title) statement</span></button></p>
        <pre tabindex="0" aria-label="\(name) as \(title)"><code id="\(id)">\(HTML(lines, separator: "\n"))</code></pre></details>

        """
    }
  }
}
