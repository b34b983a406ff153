/// Markup that is safe to write into a page.
///
/// A literal is markup as it stands; whatever is put into one is escaped, unless it is markup itself.
/// This is the only place where text becomes markup, so nothing else has to think of escaping:
///
///     let name = "<script>"
///     let heading: HTML = "<h1>\(name)</h1>"  // <h1>&lt;script&gt;</h1>
///
/// Attributes have to stand in double quotes.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  let text: String

  init(stringLiteral literal: String) { text = literal }

  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// Takes the project's own style and script as they stand; never anything that a user wrote.
  init(verbatim text: String) { self.text = text }

  init(_ pieces: some Sequence<HTML>, separator: String = "") {
    text = pieces.map(\.text).joined(separator: separator)
  }

  struct Interpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
    /// A length or place in a drawing, to a tenth.
    mutating func appendInterpolation(_ value: Double) { text += HTML.tenths(value) }
    mutating func appendInterpolation(_ markup: HTML) { text += markup.text }
    mutating func appendInterpolation(_ markup: HTML?) { text += markup?.text ?? "" }
    mutating func appendInterpolation(_ markup: [HTML]) { for one in markup { text += one.text } }
  }

  /// Text as it is in markup. Control characters, and those that change the direction of what
  /// follows, are shown as `�`: they could make a page show something else than it says.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
        escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func tenths(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "0" }
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let fraction = tenths.magnitude % 10
    return "\(sign)\(tenths.magnitude / 10)\(fraction == 0 ? "" : ".\(fraction)")"
  }

  static func section(_ id: String, _ heading: String, _ content: HTML) -> HTML {
    """
    <section id="\(id)" aria-labelledby="\(id)-h">
    <h2 id="\(id)-h">\(heading)</h2>
    \(content)</section>

    """
  }

  /// The title of a page with the name in the code, what a reader should know first, and the doc comment.
  static func heading(_ name: String, title: String?, _ doc: HTML?, _ notices: [HTML] = []) -> HTML {
    let code: HTML = title == nil ? "" : "<p class=\"name\"><code>\(name)</code></p>\n"
    let lead: HTML? = doc.map { "<div class=\"lead\">\($0)</div>\n" }
    return "<h1>\(title ?? name)</h1>\n\(code)\(notices)\(lead)"
  }

  static func plots(_ plots: [HTML]) -> HTML {
    plots.isEmpty ? "" : "<div class=\"plots\">\n\(plots)</div>\n"
  }

  /// What a reader should know first.
  static func notice(_ content: HTML) -> HTML { "<p class=\"notice\" role=\"note\">\(content)</p>\n" }

  /// A list from which one of some values is chosen, or all.
  static func choice(_ name: String, _ label: String, _ values: [(value: String, text: String)]) -> HTML {
    let options = values.map { "<option value=\"\($0.value)\">\($0.text)</option>" as HTML }
    return """
      <div><label for="\(name)">\(label)</label><select id="\(name)" name="\(name)">\
      <option value="">all</option>\(options)</select></div>

      """
  }

  /// What may be wider than the page.
  static func scroll(_ label: String, _ content: HTML) -> HTML {
    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"\(label)\">\(content)</div>"
  }

  static func table(
    _ label: String, caption: HTML, style: HTML = "", headings: [String], rows: [HTML]
  ) -> HTML {
    let head = headings.map { "<th scope=\"col\">\($0)</th>" as HTML }
    let table: HTML = """
      <table\(style)>
      <caption>\(caption)</caption>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(rows)</tbody></table>
      """
    return "\(scroll("\(label), table", table))\n"
  }

  /// A row of a table: its heading, then its cells, with what is above each where a phone shows them below each other.
  static func row(
    _ heading: String, _ cells: [HTML], labels: some Sequence<String> = [], attributes: HTML = ""
  ) -> HTML {
    let labels = labels.map { " data-label=\"\($0)\"" as HTML }
    let cells = cells.enumerated().map { "<td\(labels.isEmpty ? "" : labels[$0])>\($1)</td>" as HTML }
    return "<tr\(attributes)><th scope=\"row\">\(heading)</th>\(cells)</tr>\n"
  }

  static func link(_ address: String, _ content: HTML) -> HTML { "<a href=\"\(address)\">\(content)</a>" }

  /// A text in a drawing, from a place on, or around or before it.
  static func text(_ style: String, _ x: HTML, _ y: Double, _ content: String, anchor: String = "") -> HTML {
    let anchored: HTML = anchor.isEmpty ? "" : " text-anchor=\"\(anchor)\""
    return "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\"\(anchored)>\(content)</text>"
  }

  /// A place across a drawing that is as wide as its column, from 0 to 1: `12.5%`.
  static func across(_ share: Double) -> HTML {
    guard share.isFinite, abs(share) < 1e6 else { return "0" }
    let hundredths = Int((share * 10_000).rounded())
    let digits = String(hundredths.magnitude % 100 + 100).dropFirst()
    return HTML(verbatim: "\(hundredths < 0 ? "-" : "")\(hundredths.magnitude / 100).\(digits)%")
  }

  /// A line through places of a drawing that is `stretched`.
  static func line(_ places: [(x: Double, y: Double)]) -> HTML {
    "<path class=\"line\" d=\"M\(HTML(places.map { "\($0.x * 1000) \($0.y)" }, separator: "L"))\"/>"
  }

  static func dot(_ x: Double, _ y: Double, _ radius: Double) -> HTML {
    "<circle class=\"dot\" cx=\"\(across(x))\" cy=\"\(y)\" r=\"\(radius)\"/>"
  }

  /// A strip around a place, which says its value when it is pointed at.
  static func hit(_ x: Double, width: Double, _ height: ClosedRange<Double>, _ title: HTML) -> HTML {
    """
    <rect class="hit" x="\(across(x - width / 2))" y="\(height.lowerBound)" width="\(across(width))" \
    height="\(height.upperBound - height.lowerBound)"><title>\(title)</title></rect>

    """
  }

  /// Places that are counted in pixels from the right end of a drawing.
  static func fromRight(_ shapes: HTML) -> HTML { "<svg x=\"100%\" overflow=\"visible\">\(shapes)</svg>\n" }

  /// Paths over a drawing that is as wide as its column: 1000 across, whatever the width.
  static func stretched(height: Double, _ paths: HTML) -> HTML {
    """
    <svg viewBox="0 0 1000 \(height)" width="100%" height="\(height)" preserveAspectRatio="none" \
    overflow="visible">\(paths)</svg>

    """
  }
}
