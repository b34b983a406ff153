/// What every page has around its content. A page is self-contained: it holds its style and script, and its policy
/// forbids loading anything or running another script.
extension Catalogue {
  private static let policy =
    "default-src 'none'; img-src data:; style-src 'sha256-\(Stylesheet.hash)'; "
    + "script-src 'sha256-\(Script.hash)'; base-uri 'none'; form-action 'none'"

  /// A whole page. The index has no title of its own; `top` is the address of its folder.
  func page(title: String?, top: String = "", content: HTML) -> String {
    let heading = title.map { "\($0) · \(self.title)" } ?? self.title
    let index = top + "index.html"
    let home: HTML =
      title == nil ? "" : "<a href=\"\(index)\">\(self.title)</a> <a href=\"\(index)#search\">Search</a>"
    let changed: HTML = changes == nil ? "" : " \(HTML.link(top + "changes.html", "What changed"))"
    let day = data.map { " Values are those of \(Wording.day($0.at))." } ?? ""
    let owned = owner.map { " Owner: \($0)." } ?? ""
    let style = HTML(verbatim: Stylesheet.text)
    let script = HTML(verbatim: Script.text)
    let page: HTML = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="\(Catalogue.policy)">
      <meta name="referrer" content="no-referrer">
      <title>\(heading)</title>
      <link rel="icon" href="data:,">
      <style>\(style)</style>
      <script>\(script)</script>
      </head>
      <body>
      <a class="skip" href="#main">Skip to the content</a>
      <header><nav aria-label="Catalogue">\(home)\(changed)</nav><button type="button" id="theme" hidden>Dark</button></header>
      <main id="main" tabindex="-1">
      \(content)</main>
      <footer>\(Counting.of(entries.count, "metric")), made by metricc from their definitions.\(day)\(owned)</footer>
      </body>
      </html>

      """
    return page.text
  }
}
