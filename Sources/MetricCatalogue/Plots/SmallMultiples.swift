/// A small line for each group, all on one scale, so that their courses can be compared.
struct SmallMultiples {
  /// From the first day to the last, rising; no value leaves a gap.
  typealias Panel = (name: String, series: DaySeries)

  var panels: [Panel]
  var form: NumberForm
  /// The days of the table, rising.
  var columns: [DayKey]

  private static let pitch = 92.0
  private static let (top, bottom) = (26.0, 72.0)

  func figure(_ title: String, _ summary: String) -> Figure? {
    let values = panels.flatMap { $0.series.compactMap { $0.value.amount?.approximate } }
    let days = panels.flatMap { $0.series.map(\.day) }
    guard let first = days.min(), let last = days.max(), first < last, !values.isEmpty else { return nil }
    let axis = Axis(values, form)
    let dayAxis = DayAxis(first: first, last: last)
    let columnCount = panels.count == 1 ? 1 : 2
    let shapes = panels.enumerated().map { index, panel -> HTML in
      """
      <svg x="\(HTML.across(index % columnCount == 0 ? 0 : 0.52))" y="\(Double(index / columnCount) * Self.pitch)" \
      width="\(HTML.across(columnCount == 1 ? 1 : 0.48))" height="\(Self.pitch)" overflow="visible">\(drawing(panel, axis, dayAxis))</svg>

      """
    }
    let rows = Double((panels.count + columnCount - 1) / columnCount)
    return Figure(
      title: title, summary: "\(summary), each from \(axis.label(axis.low)) to \(axis.label(axis.high))",
      height: rows * Self.pitch, drawing: HTML(shapes), headings: ["Group"] + columns.map(Wording.shortDay),
      rows: panels.map { panel in
        let values = Dictionary(panel.series.map { ($0.day, $0.value) }) { first, _ in first }
        return [panel.name] + columns.map { values[$0].map(form.text) ?? "no value" }
      })
  }

  private func drawing(_ panel: Panel, _ axis: Axis, _ days: DayAxis) -> HTML {
    func y(_ value: Double) -> Double { Self.bottom - axis.fraction(value) * (Self.bottom - Self.top) }
    let known = panel.series.split { $0.value.amount == nil }
    func place(_ point: DaySeries.Element) -> (x: Double, y: Double) {
      (days.x(point.day), y(point.value.amount?.approximate ?? 0))
    }
    let paths = known.filter { $0.count > 1 }.map { HTML.line($0.map(place)) }
    let end = known.last?.last.map(place).map { HTML.dot($0.x, $0.y, 3) }
    let step = 1 / Double(max(1, columns.count - 1))
    let hits = panel.series.filter { columns.contains($0.day) }.map { point in
      HTML.hit(
        days.x(point.day), width: step, Self.top...Self.bottom,
        "\(panel.name), \(Wording.shortDay(point.day)): \(form.text(point.value))")
    }
    return """
      \(HTML.text("label", "0", 14, panel.name.shortened(to: 20)))\
      \(HTML.text("label strong", "100%", 14, panel.series.last.map { form.text($0.value) } ?? "", anchor: "end"))
      <line class="grid" x2="100%" y1="\(Self.bottom)" y2="\(Self.bottom)"/>\
      \(HTML.stretched(height: Self.pitch, HTML(paths)))\(end)\(hits)
      """
  }
}
