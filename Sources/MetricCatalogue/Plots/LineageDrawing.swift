/// What reads what, as a drawing: records at the left, then metrics, each with a link to its page.
struct LineageDrawing {
  let lineage: Lineage
  /// The metric that the drawing is about.
  let centre: String
  let address: (String) -> String?

  /// All that a metric reads and all that reads it; if these are too many for a drawing, only direct neighbours.
  init(of centre: String, in whole: Lineage, address: @escaping (String) -> String?) {
    self.centre = centre
    self.address = address
    let all = whole.ancestors(of: [centre]).union(whole.descendants(of: [centre]))
    let near = whole.edges.filter { $0.from == centre || $0.to == centre }.flatMap { [$0.from, $0.to] }
    lineage = whole.restricted(
      to: all.count <= LineageDrawing.most ? all : Set(near.prefix(LineageDrawing.most) + [centre]))
  }

  private static let most = 60

  /// The two lines of a box, and how it looks.
  private typealias Node = (name: String, detail: String, style: String)

  var markup: HTML {
    let nodes: [Node] =
      lineage.sources.map { ($0.name, $0.kind, "record") }
      + lineage.metrics.map { ($0.name, "\($0.kind), \($0.audience)", $0.audience) }
    let places = Dictionary(nodes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let edges = lineage.edges.compactMap { edge in
      places[edge.from].flatMap { from in places[edge.to].map { (from: from, to: $0) } }
    }
    // Room for both lines of a box, by the number of their letters.
    let sizes = nodes.map { node in
      (width: 24 + max(Double(node.name.count) * 7.3, Double(node.detail.count) * 6.4), height: 42.0)
    }
    let layout = LayeredLayout(sizes: sizes, edges: edges)
    let curves = layout.routes.map { "<path class=\"edge\" d=\"\(curve($0, layout))\"/>\n" as HTML }
    let (width, height) = (layout.width + 4, layout.height + 4)
    let svg: HTML = """

      <svg viewBox="-2 -2 \(width) \(height)" width="\(width)" height="\(height)" role="group" \
      aria-labelledby="lineage-t lineage-d"><title id="lineage-t">Lineage of \(centre)</title>
      <desc id="lineage-d">\(Counting.of(lineage.sources.count, "record")) at the left and \
      \(Counting.of(lineage.metrics.count, "metric")); each line goes from what is read to what reads it.</desc>
      \(curves)\(zip(nodes, layout.boxes).map(drawing))</svg>
      """
    return "\(HTML.scroll("Lineage, drawing", svg))\n"
  }

  private func drawing(_ node: Node, _ box: LayeredLayout.Box) -> HTML {
    let radius = node.style == "record" ? 2 : 8
    let shape: HTML = """
      <g class="node \(node.style)\(node.name == centre ? " centre" : "")">\
      <rect x="\(box.x)" y="\(box.y)" width="\(box.width)" height="\(box.height)" rx="\(radius)"/>\
      \(HTML.text("name", "\(box.x + 12)", box.y + 18, node.name))\
      \(HTML.text("kind", "\(box.x + 12)", box.y + 33, node.detail))</g>
      """
    guard node.name != centre, let address = address(node.name) else { return "\(shape)\n" }
    return "\(HTML.link(address, shape))\n"
  }

  /// From box to box, leaving and arriving level.
  private func curve(_ route: [Int], _ layout: LayeredLayout) -> HTML {
    HTML(
      zip(route, route.dropFirst()).map { from, to in
        let (a, b) = (layout.boxes[from], layout.boxes[to])
        let start = (x: a.x + a.width, y: a.y + a.height / 2)
        let end = (x: b.x, y: b.y + b.height / 2)
        let middle = (start.x + end.x) / 2
        let move: HTML = from == route[0] ? "M\(start.x) \(start.y)" : "H\(start.x)"
        return "\(move)C\(middle) \(start.y) \(middle) \(end.y) \(end.x) \(end.y)"
      })
  }
}
