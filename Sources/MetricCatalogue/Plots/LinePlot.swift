/// A number day by day: a line, with a band around it where there is one.
struct LinePlot {
  struct Point {
    var day: DayKey
    /// Nil leaves a gap.
    var value: Double?
    var low: Double?
    var high: Double?
  }

  var points: [Point]
  var form: NumberForm
  /// What the table calls the numbers.
  var unit: String

  func figure(_ title: String, _ summary: String) -> Figure? {
    guard let first = points.first?.day, let last = points.last?.day, first < last else { return nil }
    let known = points.flatMap { [$0.value, $0.low, $0.high].compactMap { $0 } }
    guard !known.isEmpty else { return nil }
    let axis = Axis(known, form)
    let days = DayAxis(first: first, last: last)
    let runs = points.split { $0.value == nil }.map { run in
      run.map { (x: days.x($0.day), y: axis.y($0.value ?? 0)) }
    }
    let lines = runs.filter { $0.count > 1 }.map { "\(HTML.line($0))\n" as HTML }
    // Where a day with a value stands alone, and at the end.
    let dots = runs.filter { $0.count == 1 }.map { "\(HTML.dot($0[0].x, $0[0].y, 2))\n" as HTML }
    let end = runs.last?.last.map { "\(HTML.dot($0.x, $0.y, 3.5))\n" as HTML }
    let (headings, rows) = table
    return Figure(
      title: title, summary: summary, height: Axis.height, margins: .scale,
      drawing: """
        \(grid(axis, days))\(HTML.stretched(height: Axis.height, "\(band(axis, days))\(lines)"))\
        \(dots)\(end)\(values(axis, days))
        """,
      isTableByMonth: !isShort, headings: headings, rows: rows)
  }

  private func grid(_ axis: Axis, _ days: DayAxis) -> HTML {
    let columns = days.ticks.map { tick -> HTML in
      let (x, bottom) = (days.x(tick.day), Axis.bottom)
      return """
        <line class="grid" x1="\(HTML.across(x))" x2="\(HTML.across(x))" y1="\(bottom)" y2="\(bottom + 4)"/>\
        \(HTML.text("tick", .across(x), bottom + 18, tick.label, anchor: x > 0.9 ? "end" : "start"))

        """
    }
    return HTML(axis.rows + columns)
  }

  /// From the lower bounds there to the upper ones back.
  private func band(_ axis: Axis, _ days: DayAxis) -> HTML {
    func place(_ day: DayKey, _ bound: Double?) -> HTML {
      "\(days.x(day) * 1000) \(axis.y(bound ?? 0))"
    }
    let runs = points.split { $0.low == nil || $0.high == nil }.filter { $0.count > 1 }
    return HTML(
      runs.map { run in
        let places = run.map { place($0.day, $0.low) } + run.reversed().map { place($0.day, $0.high) }
        return "<path class=\"band\" d=\"M\(HTML(places, separator: "L"))Z\"/>\n"
      })
  }

  /// The most strips, so that a page of many years stays small.
  private static let mostStrips = 200

  /// A strip for each day, which says its value when it is pointed at.
  private func values(_ axis: Axis, _ days: DayAxis) -> HTML {
    let every = points.count / Self.mostStrips + 1
    let step = Double(every) / Double(max(1, points.count - 1))
    return HTML(
      points.enumerated().compactMap { index, point in
        guard (points.count - 1 - index) % every == 0, let value = point.value else { return nil }
        let bounds = point.low.flatMap { low in
          point.high.map { ", half from \(axis.label(low)) to \(axis.label($0))" }
        }
        return .hit(
          days.x(point.day), width: step, Axis.top...Axis.bottom,
          "\(Wording.day(point.day)): \(axis.label(value))\(bounds ?? "")")
      })
  }

  /// A row a month, or a day where there are few.
  private var table: (headings: [String], rows: [[String]]) {
    func text(_ value: Double?) -> String { value.map(form.text) ?? "no value" }
    if isShort { return (["Day", unit], points.map { [$0.day.description, text($0.value)] }) }
    let months = points.runs(by: \.day.startOfMonth).map { points in
      let values = points.compactMap(\.value)
      return [Wording.month(of: points[points.startIndex].day)]
        + [values.min(), values.max(), points.last?.value].map(text)
    }
    return (["Month", "Lowest", "Highest", "On its last day"], months)
  }

  private var isShort: Bool { points.count <= 31 }
}
