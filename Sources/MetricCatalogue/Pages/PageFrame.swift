/// What every page has around its content. A page is self-contained: it holds its style and script, and its policy
/// forbids loading anything or running another script.
struct PageFrame {
  /// What the whole catalogue is called.
  var site: String
  /// The address of the index.
  var index: String
  /// Whether there is a page of changes beside the index.
  var hasChanges: Bool
  var footer: String

  private static let policy =
    "default-src 'none'; img-src data:; style-src 'sha256-\(Stylesheet.hash)'; "
    + "script-src 'sha256-\(Script.hash)'; base-uri 'none'; form-action 'none'"

  /// A whole page.
  ///
  /// - Parameter title: Nil for the index, which is called like the catalogue.
  func page(title: String?, content: HTML) -> String {
    let heading = title.map { "\($0) · \(site)" } ?? site
    let home: HTML =
      title == nil ? "" : "<a href=\"\(index)\">\(site)</a> <a href=\"\(index)#search\">Search</a>"
    let changes: HTML =
      hasChanges ? " \(HTML.link(index.dropLast("index.html".count) + "changes.html", "What changed"))" : ""
    let style = HTML(verbatim: Stylesheet.text)
    let script = HTML(verbatim: Script.text)
    let page: HTML = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="\(PageFrame.policy)">
      <meta name="referrer" content="no-referrer">
      <title>\(heading)</title>
      <link rel="icon" href="data:,">
      <style>\(style)</style>
      <script>\(script)</script>
      </head>
      <body>
      <a class="skip" href="#main">Skip to the content</a>
      <header><nav aria-label="Catalogue">\(home)\(changes)</nav><button type="button" id="theme" hidden>Dark</button></header>
      <main id="main" tabindex="-1">
      \(content)</main>
      <footer>\(footer)</footer>
      </body>
      </html>

      """
    return page.text
  }
}
