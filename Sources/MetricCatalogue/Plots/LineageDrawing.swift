/// What reads what, as a drawing: records at the left, then metrics, each with a link to its page.
struct LineageDrawing {
  let lineage: Lineage
  /// The metric that the drawing is about.
  let centre: String
  let address: (String) -> String?

  /// The records and metrics around a metric: all that it reads and all that reads it. If these are too many for a
  /// drawing, only its direct neighbours.
  init(of centre: String, in whole: Lineage, address: @escaping (String) -> String?) {
    self.centre = centre
    self.address = address
    let all = whole.ancestors(of: [centre]).union(whole.descendants(of: [centre]))
    if all.count <= LineageDrawing.most {
      lineage = whole.restricted(to: all)
    } else {
      let near = whole.edges.filter { $0.from == centre || $0.to == centre }.flatMap { [$0.from, $0.to] }
      lineage = whole.restricted(to: Set(near.prefix(LineageDrawing.most) + [centre]))
    }
  }

  private static let most = 60
  private static let letter = 7.3

  private var names: [String] { lineage.sources.map(\.name) + lineage.metrics.map(\.name) }

  var markup: HTML {
    let names = names
    let places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let edges = lineage.edges.compactMap { edge in
      places[edge.from].flatMap { from in places[edge.to].map { (from: from, to: $0) } }
    }
    let layout = LayeredLayout(sizes: names.indices.map { (width: boxWidth($0), height: 42) }, edges: edges)
    let curves = layout.routes.map { "<path class=\"edge\" d=\"\(curve($0, layout))\"/>\n" as HTML }
    let nodes = names.indices.map { node($0, layout.boxes[$0]) }
    let (width, height) = (layout.width + 4, layout.height + 4)
    let svg: HTML = """

      <svg viewBox="-2 -2 \(width) \(height)" width="\(width)" height="\(height)" role="group" \
      aria-labelledby="lineage-t lineage-d"><title id="lineage-t">Lineage of \(centre)</title>
      <desc id="lineage-d">\(description)</desc>
      \(curves)\(nodes)</svg>
      """
    return "\(HTML.scroll("Lineage, drawing", svg))\n"
  }

  /// The second line of a box.
  private func detail(_ index: Int) -> String {
    guard index >= lineage.sources.count else { return lineage.sources[index].kind }
    let metric = lineage.metrics[index - lineage.sources.count]
    return "\(metric.kind), \(metric.audience)"
  }

  /// Room for both lines of a box, by the number of their letters.
  private func boxWidth(_ index: Int) -> Double {
    24 + max(Double(names[index].count) * LineageDrawing.letter, Double(detail(index).count) * 6.4)
  }

  private var description: String {
    "\(Counting.of(lineage.sources.count, "record")) at the left and "
      + "\(Counting.of(lineage.metrics.count, "metric")); each line goes from what is read to what reads it."
  }

  private func node(_ index: Int, _ box: LayeredLayout.Box) -> HTML {
    let name = names[index]
    let isRecord = index < lineage.sources.count
    let audience = isRecord ? "record" : lineage.metrics[index - lineage.sources.count].audience
    let shape: HTML = """
      <g class="node \(audience)\(name == centre ? " centre" : "")">\
      <rect x="\(box.x)" y="\(box.y)" width="\(box.width)" height="\(box.height)" rx="\(isRecord ? 2 : 8)"/>\
      \(HTML.text("name", "\(box.x + 12)", box.y + 18, name))\
      \(HTML.text("kind", "\(box.x + 12)", box.y + 33, detail(index)))</g>
      """
    guard name != centre, let address = address(name) else { return "\(shape)\n" }
    return "\(HTML.link(address, shape))\n"
  }

  /// From box to box, leaving and arriving level.
  private func curve(_ route: [Int], _ layout: LayeredLayout) -> HTML {
    var path = HTML.empty
    for (from, to) in zip(route, route.dropFirst()) {
      let (a, b) = (layout.boxes[from], layout.boxes[to])
      let start = (x: a.x + a.width, y: a.y + a.height / 2)
      let end = (x: b.x, y: b.y + b.height / 2)
      let middle = (start.x + end.x) / 2
      path += path.isEmpty ? "M\(start.x) \(start.y)" : "H\(start.x)"
      path += "C\(middle) \(start.y) \(middle) \(end.y) \(end.x) \(end.y)"
    }
    return path
  }
}
