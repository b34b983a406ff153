/// Bars below each other, each with its label and number above it: steps of a funnel, days of a retention, groups.
struct BarPlot {
  struct Bar {
    var label: String
    /// From 0 to 1; nil if there is no value.
    var share: Double?
    /// What is at the right: `640`.
    var number: String
    /// What is below the bar: `53.2% of opened`.
    var detail: String = ""
  }

  var bars: [Bar]
  var headings: [String]

  func figure(_ title: String, _ summary: String) -> Figure? {
    guard !bars.isEmpty else { return nil }
    // Details are below the bars, so that they never meet a label.
    let pitch = bars.contains { !$0.detail.isEmpty } ? 58.0 : 44.0
    return Figure(
      title: title, summary: summary, height: Double(bars.count) * pitch,
      drawing: HTML(bars.enumerated().map { shape($1, y: Double($0) * pitch) }), headings: headings,
      rows: bars.map { [$0.label, $0.number, $0.detail] })
  }

  private func shape(_ bar: Bar, y: Double) -> HTML {
    let length = HTML.across(max(0, min(1, bar.share ?? 0)))
    let detail: HTML = bar.detail.isEmpty ? "" : .text("tick", "0", y + 47, bar.detail)
    return """
      \(HTML.text("label", "0", y + 15, bar.label.shortened(to: 38)))\
      \(HTML.text("label", "100%", y + 15, bar.number, anchor: "end"))\
      <rect class="track" x="0" y="\(y + 22)" width="100%" height="12" rx="3"/>\
      <rect class="bar" x="0" y="\(y + 22)" width="\(length)" height="12" rx="3">\
      <title>\(bar.label): \(bar.number)\(bar.detail.isEmpty ? "" : ", \(bar.detail)")</title></rect>\(detail)

      """
  }
}

extension String {
  /// A label that leaves room for what follows it.
  func shortened(to length: Int) -> String { count <= length ? self : prefix(length - 1) + "…" }
}
