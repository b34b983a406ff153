import MetricEvaluate
import MetricValues

/// Days beside each other, a character each; in a series of all days the weeks stand apart.
struct CalendarStrip {
  let days: [DayKey]
  /// Whether a blank stands before each Monday.
  let hasWeeks: Bool

  init(days: [DayKey], hasWeeks: Bool = true) {
    self.days = days
    let isDaily = zip(days, days.dropFirst()).allSatisfy { $1.number - $0.number == 1 }
    self.hasWeeks = hasWeeks && isDaily
  }

  /// The column of each day.
  private var columns: [Int] {
    var column = -1
    return days.enumerated().map { index, day in
      column += index > 0 && hasWeeks && day.weekday == .monday ? 2 : 1
      return column
    }
  }

  var width: Int { (columns.last ?? -1) + 1 }

  /// The marks below each other with the ruler; one for each day.
  func text(_ marks: [Character]) -> String {
    var line = ""
    for (column, mark) in zip(columns, marks) {
      if line.count < column { line.append(" ") }
      line.append(mark)
    }
    return line
  }

  /// `■` complete, `·` not, `–` no value, blank where there is no row.
  static func mark(_ value: Value?) -> Character {
    switch value {
    case nil: " "
    case .bool(true)?: "■"
    case .bool(false)?: "·"
    case .some: "–"
    }
  }

  /// The months over the days: `Jun 2026`, then `Jul` …, with the year in January.
  var ruler: String {
    var line = ""
    var month: Int?
    for (column, day) in zip(columns, days) {
      let civil = day.civil
      defer { month = civil.month }
      guard month != civil.month, line.isEmpty || line.count < column else { continue }
      line += String(repeating: " ", count: max(0, column - line.count))
      line += CalendarStrip.months[civil.month - 1]
      if month == nil || civil.month == 1 { line += " \(civil.year)" }
    }
    return line
  }

  /// `Jun 2026`
  static func monthName(of day: DayKey) -> String { "\(months[day.civil.month - 1]) \(day.civil.year)" }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The days in lines of at most `width` columns; weeks stay whole where they can.
  func folded(to width: Int) -> [Range<Int>] {
    guard self.width > width else { return [0..<days.count] }
    let weeks = max(1, (width + 1) / 8)
    var lines: [Range<Int>] = []
    var start = 0
    while start < days.count {
      var end = start + (hasWeeks ? weeks * 7 : max(1, width))
      if hasWeeks { end -= days[start].weekday.rawValue }
      end = min(end, days.count)
      lines.append(start..<end)
      start = end
    }
    return lines
  }
}
