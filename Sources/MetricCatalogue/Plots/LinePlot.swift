import MetricData

/// A number day by day: a line, with a band around it where there is one.
struct LinePlot {
  struct Point {
    var day: DayKey
    /// Nil leaves a gap.
    var value: Double?
    var low: Double?
    var high: Double?
  }

  var title: String
  var summary: String
  var points: [Point]
  var form: NumberForm
  /// What the table calls the numbers.
  var unit: String

  var figure: Figure? {
    guard let first = points.first?.day, let last = points.last?.day, first < last else { return nil }
    let known = points.flatMap { [$0.value, $0.low, $0.high].compactMap { $0 } }
    guard !known.isEmpty else { return nil }
    let axis = Axis(known, form)
    let days = DayAxis(
      first: first, last: last, left: ChartFrame.left, width: ChartFrame.right - ChartFrame.left)
    return Figure(
      title: title, summary: summary, width: ChartFrame.width, height: ChartFrame.height,
      drawing: HTML([grid(axis, days), band(axis, days), line(axis, days), values(axis, days)]), table: table)
  }

  private func grid(_ axis: Axis, _ days: DayAxis) -> HTML {
    let ticks = days.ticks
    let columns = ticks.enumerated().map { index, tick -> HTML in
      let x = days.x(tick.day)
      let isEnd = ticks.count == 2 && index == 1 && tick.day == days.last
      return """
        <path class="grid" d="M\(x) \(ChartFrame.bottom)v4"/>\
        \(HTML.text("tick", x, ChartFrame.bottom + 18, tick.label, anchor: isEnd ? "end" : "start"))

        """
    }
    return HTML(ChartFrame.rows(axis) + columns)
  }

  /// From the lower bounds there to the upper ones back.
  private func band(_ axis: Axis, _ days: DayAxis) -> HTML {
    var shapes = HTML.empty
    for run in points.split(whereSeparator: { $0.low == nil || $0.high == nil }) where run.count > 1 {
      let there = run.map { "\(days.x($0.day)) \(ChartFrame.y($0.low ?? 0, axis))" as HTML }
      let back = run.reversed().map { "\(days.x($0.day)) \(ChartFrame.y($0.high ?? 0, axis))" as HTML }
      shapes += "<path class=\"band\" d=\"M\(HTML(there + back, separator: "L"))Z\"/>\n"
    }
    return shapes
  }

  private func line(_ axis: Axis, _ days: DayAxis) -> HTML {
    var shapes = HTML.empty
    for run in points.split(whereSeparator: { $0.value == nil }) {
      let places = run.map { "\(days.x($0.day)) \(ChartFrame.y($0.value ?? 0, axis))" as HTML }
      if run.count == 1, let only = run.first {
        shapes +=
          "<circle class=\"dot\" cx=\"\(days.x(only.day))\" cy=\"\(ChartFrame.y(only.value ?? 0, axis))\" r=\"2\"/>\n"
      } else {
        shapes += "<path class=\"line\" d=\"M\(HTML(places, separator: "L"))\"/>\n"
      }
    }
    if let last = points.last(where: { $0.value != nil }), let value = last.value {
      shapes +=
        "<circle class=\"dot\" cx=\"\(days.x(last.day))\" cy=\"\(ChartFrame.y(value, axis))\" r=\"3.5\"/>\n"
    }
    return shapes
  }

  /// A strip for each day, which says its value when it is pointed at.
  private func values(_ axis: Axis, _ days: DayAxis) -> HTML {
    let (top, bottom) = (ChartFrame.top, ChartFrame.bottom)
    let step = days.width / Double(max(1, points.count - 1))
    return HTML(
      points.compactMap { point in
        guard let value = point.value else { return nil }
        let bounds = point.low.flatMap { low in
          point.high.map { ", half from \(axis.label(low)) to \(axis.label($0))" }
        }
        return """
          <rect class="hit" x="\(days.x(point.day) - step / 2)" y="\(top)" width="\(step)" height="\(bottom - top)">\
          <title>\(Wording.day(point.day)): \(axis.label(value))\(bounds ?? "")</title></rect>

          """
      })
  }

  /// A row a month, or a day where there are few.
  private var table: DataTable {
    let axis = Axis([0, 1], form)
    func text(_ value: Double?) -> String { value.map(axis.label) ?? "no value" }
    if points.count <= 31 {
      return DataTable(
        caption: title, headings: ["Day", unit],
        rows: points.map { [$0.day.description, text($0.value)] })
    }
    let months = Dictionary(grouping: points) { $0.day.startOfMonth }.sorted { $0.key < $1.key }
    return DataTable(
      caption: "\(title), by month", headings: ["Month", "Lowest", "Highest", "On its last day"],
      rows: months.map { month, points in
        let values = points.compactMap(\.value)
        return [Wording.month(of: month), text(values.min()), text(values.max()), text(points.last?.value)]
      })
  }
}
