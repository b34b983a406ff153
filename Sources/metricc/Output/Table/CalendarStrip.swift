import MetricCatalogue

/// Days beside each other, one character each; in a series of all days, weeks are separated.
struct CalendarStrip {
  let days: [DayKey]
  /// Whether a blank precedes each Monday.
  let hasWeeks: Bool

  init(days: [DayKey], hasWeeks: Bool = true) {
    self.days = days
    let isDaily = zip(days, days.dropFirst()).allSatisfy { $1.number - $0.number == 1 }
    self.hasWeeks = hasWeeks && isDaily
  }

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

  /// The months over the days when they start: `Jun 2026`, then `Jul` …, with the year in January; `J` where there is
  /// no room.
  var ruler: String {
    let starts = days.indices.filter { $0 == 0 || days[$0].startOfMonth != days[$0 - 1].startOfMonth }
    let columns = columns
    var line = ""
    for (start, next) in zip(starts, starts.dropFirst().map { columns[$0] } + [.max]) {
      let name = Wording.month(of: days[start])
      let short = String(name.prefix(3))
      let isYearNamed = start == 0 || days[start].civil.month == 1
      let labels = [isYearNamed ? name : short, short, String(short.prefix(1))]
      line += String(repeating: " ", count: columns[start] - line.count)
      line += labels.first { $0.count < next - columns[start] } ?? ""
    }
    return line
  }

  /// The days in lines of at most `width` columns; weeks stay whole where they can.
  func folded(to width: Int) -> [Range<Int>] {
    guard self.width > width else { return [0..<days.count] }
    let weeks = max(1, (width + 1) / 8)
    var lines: [Range<Int>] = []
    var start = 0
    while start < days.count {
      let most = hasWeeks ? weeks * 7 - days[start].weekday.rawValue : max(1, width)
      let end = min(start + most, days.count)
      lines.append(start..<end)
      start = end
    }
    return lines
  }
}
