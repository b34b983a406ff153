/// The lineage as text that other tools draw.
///
/// Records are cylinders that list the fields read. The shape shows a metric's kind, its class or colour the audience;
/// what is rejected has a dashed red line. Names of the language are letters, digits and `_`, so that nothing has to be
/// escaped; other text is not shown.
extension Lineage {
  /// A Mermaid flowchart (<https://mermaid.js.org/syntax/flowchart.html>).
  public var mermaid: String {
    var lines = ["flowchart LR"]
    for source in sources {
      let fields = source.fields.joined(separator: ", ")
      let detail = fields.isEmpty ? source.kind : "\(source.kind): \(fields)"
      lines.append("  r_\(source.name)[(\"\(source.name)<br/><small>\(detail)</small>\")]:::record")
    }
    for metric in metrics {
      let shape = shape(of: metric)
      let label = "\(metric.name)<br/><small>\(metric.kind), \(metric.audience)</small>"
      let style = metric.isAccepted ? metric.audience : "rejected"
      lines.append("  m_\(metric.name)\(shape.start)\"\(label)\"\(shape.end):::\(style)")
    }
    for edge in edges { lines.append("  \(identifier(edge.from)) --> \(identifier(edge.to))") }
    lines += [
      "  classDef record fill:#eef1f5,stroke:#5b6776,color:#1c2733",
      "  classDef user fill:#e3f1ec,stroke:#1f7a5c,color:#10382b",
      "  classDef team fill:#e9e9fb,stroke:#4b4fb8,color:#22245c",
      "  classDef rejected fill:#fdecea,stroke:#b3261e,color:#5c1310,stroke-dasharray:4 3",
    ]
    return lines.map { $0 + "\n" }.joined()
  }

  /// A Graphviz graph (<https://graphviz.org/doc/info/lang.html>).
  public var dot: String {
    var lines = [
      "digraph lineage {", "  rankdir=LR", "  node [fontname=\"sans-serif\", fontsize=11, style=filled]",
      "  edge [color=\"#5b6776\", arrowsize=0.7]",
    ]
    for source in sources {
      let fields = source.fields.joined(separator: "\\n")
      let detail = fields.isEmpty ? source.kind : "\(source.kind)\\n\(fields)"
      lines.append(
        "  r_\(source.name) [label=\"\(source.name)\\n\(detail)\", shape=cylinder, fillcolor=\"#eef1f5\", color=\"#5b6776\"]"
      )
    }
    for metric in metrics {
      let style =
        switch (metric.isAccepted, metric.audience) {
        case (false, _): "style=\"filled,dashed\", fillcolor=\"#fdecea\", color=\"#b3261e\""
        case (true, "team"): "fillcolor=\"#e9e9fb\", color=\"#4b4fb8\""
        case (true, _): "fillcolor=\"#e3f1ec\", color=\"#1f7a5c\""
        }
      lines.append(
        "  m_\(metric.name) [label=\"\(metric.name)\\n\(metric.kind), \(metric.audience)\", "
          + "shape=\(shape(of: metric).dot), \(style)]")
    }
    for edge in edges { lines.append("  \(identifier(edge.from)) -> \(identifier(edge.to))") }
    return (lines + ["}"]).map { $0 + "\n" }.joined()
  }

  /// A prefix keeps words that the tools reserve (`end`, `node`) from being names of nodes.
  private func identifier(_ name: String) -> String {
    (name.first?.isUppercase ?? false ? "r_" : "m_") + name
  }

  /// What stands before and after the label in Mermaid, and the name in Graphviz.
  private func shape(of metric: Node) -> (start: String, end: String, dot: String) {
    switch metric.kind {
    case "completion": ("(", ")", "ellipse")
    case "streak": ("([", "])", "octagon")
    case "momentum": ("{{", "}}", "hexagon")
    case "progress": ("[/", "/]", "parallelogram")
    case "level": ("[[", "]]", "house")
    case "funnel": ("[\\", "/]", "invtrapezium")
    case "retention": (">", "]", "doubleoctagon")
    default: ("[", "]", "box")
    }
  }
}
