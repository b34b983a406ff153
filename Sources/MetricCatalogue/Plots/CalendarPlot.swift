import MetricValues

/// Days as small squares, a column a week from Monday on: the darker, the more.
struct CalendarPlot {
  struct Day {
    var day: DayKey
    /// From 0 to 1; nil where there is no value.
    var share: Double?
    /// `12 of 40`, for the table and the tooltip.
    var text: String
  }

  var title: String
  var summary: String
  var days: [Day]
  /// What a row of the table counts: `days complete`.
  var counted: String
  /// How many are true of how many, by day.
  var counts: [(part: Int, whole: Int)]

  private static let cell = 12.0
  private static let pitch = 14.0
  private static let left = 34.0
  private static let top = 20.0

  var figure: Figure? {
    guard let first = days.first?.day, let last = days.last?.day else { return nil }
    let monday = first.startOfWeek(from: .monday)
    let weeks = (Int(last.number) - Int(monday.number)) / 7 + 1
    let end = Self.left + Double(weeks) * Self.pitch + 4
    // On a phone only the last weeks are in sight, and with them the names at the right.
    let names = [weekdays(x: 0)] + (weeks > 20 ? [weekdays(x: end)] : [])
    let body = HTML(
      names + [months(from: monday, first: first, last: last), squares(from: monday), legend(end: end)])
    return Figure(
      title: title, summary: summary, width: max(end + (weeks > 20 ? 26 : 0), 250),
      height: Self.top + 7 * Self.pitch + 24, drawing: body, table: table)
  }

  private func weekdays(x: Double) -> HTML {
    HTML(
      [(0, "Mon"), (2, "Wed"), (4, "Fri"), (6, "Sun")].map { row, name in
        "\(HTML.text("tick", x, Self.top + Double(row) * Self.pitch + 10, name))\n"
      })
  }

  /// A month's name is above the week that holds its first day.
  private func months(from monday: DayKey, first: DayKey, last: DayKey) -> HTML {
    var labels = HTML.empty
    var end = -10.0
    var day = first
    while day <= last {
      let week = (Int(day.number) - Int(monday.number)) / 7
      let x = Self.left + Double(week) * Self.pitch
      let isNamed = day.civil.month == 1 || day == first
      if x >= end {
        let year = isNamed ? " \(day.civil.year)" : ""
        labels += "\(HTML.text("tick", x, 12, Wording.months[day.civil.month - 1] + year))\n"
        end = x + (isNamed ? 55 : 30)
      }
      let next = day.startOfMonth.advanced(byMonths: 1)
      guard next > day else { break }
      day = next
    }
    return labels
  }

  private func squares(from monday: DayKey) -> HTML {
    HTML(
      days.map { day in
        let offset = Int(day.day.number) - Int(monday.number)
        return Self.square(
          day.share, Self.left + Double(offset / 7) * Self.pitch, Self.top + Double(offset % 7) * Self.pitch,
          "><title>\(day.day.description): \(day.text)</title></rect>")
      })
  }

  private static func square(_ share: Double?, _ x: Double, _ y: Double, _ end: HTML) -> HTML {
    "<rect class=\"\(style(share))\" x=\"\(x)\" y=\"\(y)\" width=\"\(cell)\" height=\"\(cell)\" rx=\"2\"\(end)\n"
  }

  /// At the right, where a phone shows it too.
  private func legend(end: Double) -> HTML {
    let y = Self.top + 7 * Self.pitch + 6
    let isShare = days.contains { ($0.share ?? 0) > 0 && ($0.share ?? 0) < 1 }
    let steps: [Double] = isShare ? [0, 0.2, 0.5, 0.7, 1] : [0, 1]
    let start = max(Self.left + 52, end - 70 - Double(steps.count) * Self.pitch)
    let squares = steps.enumerated().map { Self.square($1, start + Double($0) * Self.pitch, y, "/>") }
    let words = start + Double(steps.count) * Self.pitch + 4
    return """
      \(HTML.text("tick", start - 6, y + 10, isShare ? "nobody" : "no", anchor: "end"))
      \(squares)\(HTML.text("tick", words, y + 10, isShare ? "everybody" : "yes"))

      """
  }

  /// Five steps of colour, and one for no value.
  static func style(_ share: Double?) -> String {
    guard let share else { return "heat none" }
    guard share > 0 else { return "heat h0" }
    return "heat h\(min(4, Int((share * 4).rounded(.up))))"
  }

  private var table: DataTable {
    let rows = zip(days, counts)
    let months = Dictionary(grouping: rows) { $0.0.day.startOfMonth }.sorted { $0.key < $1.key }
    return DataTable(
      caption: "\(title), by month", headings: ["Month", counted, "of"],
      rows: months.map { month, rows in
        [
          Wording.month(of: month), Wording.grouped("\(rows.reduce(0) { $0 + $1.1.part })"),
          Wording.grouped("\(rows.reduce(0) { $0 + $1.1.whole })"),
        ]
      })
  }
}
