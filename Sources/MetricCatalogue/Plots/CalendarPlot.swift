/// Days as small squares, a column per week from Monday on: the darker, the more.
struct CalendarPlot {
  struct Day {
    var day: DayKey
    /// From 0 to 1; nil if there is no value.
    var share: Double?
    /// `12 of 40`, for the tooltip.
    var text: String
    /// How many are true of how many, for the table.
    var part: Int
    var whole = 1
  }

  var days: [Day]
  /// What a row of the table counts: `days complete`.
  var counted: String

  private static let cell = 12.0
  private static let pitch = 14.0
  private static let top = 20.0
  /// Room for the names of weekdays, at the left and at the right.
  private static let margins = 46.0 + 38

  func figure(_ title: String, _ summary: String) -> Figure? {
    guard let first = days.first?.day, let last = days.last?.day else { return nil }
    let monday = first.startOfWeek(from: .monday)
    let weeks = (Int(last.number) - Int(monday.number)) / 7 + 1
    // A phone shows only the last weeks, with the names at the right.
    let drawing = HTML([
      weekdays(x: "-6", anchor: "end"), .fromRight(weekdays(x: "6", anchor: "start")),
      months(from: monday, to: last, weeks), squares(from: monday, weeks), .fromRight(legend),
    ])
    return Figure(
      title: title, summary: summary, width: max(Double(weeks) * Self.pitch + Self.margins, 250),
      height: Self.top + 7 * Self.pitch + 24, margins: .names, drawing: drawing, isTableByMonth: true,
      headings: ["Month", counted, "of"],
      rows: days.runs(by: \.day.startOfMonth).map { days in
        [Wording.month(of: days[days.startIndex].day)]
          + [days.reduce(0) { $0 + $1.part }, days.reduce(0) { $0 + $1.whole }].map(Counting.grouped)
      })
  }

  private func weekdays(x: HTML, anchor: String) -> HTML {
    HTML(
      [(0, "Mon"), (2, "Wed"), (4, "Fri"), (6, "Sun")].map { row, name in
        "\(HTML.text("tick", x, Self.top + Double(row) * Self.pitch + 10, name, anchor: anchor))\n"
      })
  }

  /// A month's name is above the week that holds its first day.
  private func months(from monday: DayKey, to last: DayKey, _ weeks: Int) -> HTML {
    var labels: [HTML] = []
    var end = -10.0
    var day = days[0].day
    while day <= last {
      let week = (Int(day.number) - Int(monday.number)) / 7
      let x = Double(week) * Self.pitch
      let isNamed = day.civil.month == 1 || day == days[0].day
      if x >= end {
        let year = isNamed ? " \(day.civil.year)" : ""
        let place = HTML.across(Double(week) / Double(weeks))
        labels.append("\(HTML.text("tick", place, 12, Wording.months[day.civil.month - 1] + year))\n")
        end = x + (isNamed ? 55 : 30)
      }
      let next = day.startOfMonth.advanced(byMonths: 1)
      guard next > day else { break }
      day = next
    }
    return HTML(labels)
  }

  private func squares(from monday: DayKey, _ weeks: Int) -> HTML {
    let pitch = 1 / Double(weeks)
    return HTML(
      days.map { day in
        let offset = Int(day.day.number) - Int(monday.number)
        return Self.square(
          day.share, .across(Double(offset / 7) * pitch), Self.top + Double(offset % 7) * Self.pitch,
          width: .across(pitch * Self.cell / Self.pitch),
          "><title>\(day.day.description): \(day.text)</title></rect>")
      })
  }

  private static func square(
    _ share: Double?, _ x: HTML, _ y: Double, width: HTML = "12", _ end: HTML
  ) -> HTML {
    "<rect class=\"\(style(share))\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(cell)\" rx=\"2\"\(end)\n"
  }

  /// At the right, where a phone shows it too.
  private var legend: HTML {
    let y = Self.top + 7 * Self.pitch + 6
    let isShare = days.contains { ($0.share ?? 0) > 0 && ($0.share ?? 0) < 1 }
    let steps: [Double] = isShare ? [0, 0.2, 0.5, 0.7, 1] : [0, 1]
    let start = -62 - Double(steps.count) * Self.pitch
    let squares = steps.enumerated().map { Self.square($1, "\(start + Double($0) * Self.pitch)", y, "/>") }
    return """
      \(HTML.text("tick", "\(start - 6)", y + 10, isShare ? "nobody" : "no", anchor: "end"))
      \(squares)\(HTML.text("tick", "-58", y + 10, isShare ? "everybody" : "yes"))

      """
  }

  /// Five steps of colour, and one for no value.
  private static func style(_ share: Double?) -> String {
    share.map { "heat h\(MatrixPlot.step($0))" } ?? "heat none"
  }
}
