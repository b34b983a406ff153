import MetricCatalogue

/// The days of an explanation, each with a mark, as a strip or by months.
///
/// `■` a day of a complete window, `●` one with a record where windows are longer than a day, `□` a day
/// of a complete window outside the calculation, `·` and `○` a day in a window that is not
/// complete, without and with a record, `◇` one that is forgiven, `–` a rest window, blank outside.
struct DayMarks {
  let days: [DayKey]
  private let marks: [Character]

  /// More days than this are shown from the newest ones back.
  static let mostDays = 400

  /// - Parameter story: windows that end at `readAt`; those further back are left out.
  init(_ story: WindowStory) {
    let hasLongWindows = (story.windows + story.before).contains { $0.first != $0.last }
    let recordDays = Set(story.recordDays)
    var marks: [(DayKey, Character)] = []
    let all = story.windows.map { ($0, true) } + story.before.map { ($0, false) }
    for (window, isRead) in all where marks.count < DayMarks.mostDays {
      for number in stride(from: window.last.number, through: window.first.number, by: -1) {
        let day = DayKey(number: number)
        let mark = DayMarks.mark(
          window.state, hasRecord: recordDays.contains(day), hasLongWindows: hasLongWindows)
        marks.append((day, isRead || window.state != .complete ? mark : "□"))
      }
    }
    marks.reverse()
    days = marks.map(\.0)
    self.marks = marks.map(\.1)
  }

  /// Days with a record up to a reference day, for numbers that know no windows.
  init(recordDays: [DayKey], through day: DayKey) {
    guard let first = recordDays.min() else {
      (days, marks) = ([], [])
      return
    }
    let start = max(first.number, day.number - Int32(DayMarks.mostDays) + 1)
    let present = Set(recordDays)
    days = start <= day.number ? (start...day.number).map { DayKey(number: $0) } : []
    marks = days.map { present.contains($0) ? "●" : "·" }
  }

  private static func mark(_ state: WindowStory.State, hasRecord: Bool, hasLongWindows: Bool) -> Character {
    switch state {
    case .complete: hasRecord && hasLongWindows ? "●" : "■"
    case .incomplete: hasRecord ? "○" : "·"
    case .rest: "–"
    case .forgiven: "◇"
    }
  }

  /// What the marks mean, those that are there.
  var legend: String {
    let meanings: [(Character, String)] = [
      ("■", "complete"), ("●", marks.contains("■") ? "complete, with a record" : "with a record"),
      ("□", "complete, outside this calculation"), ("○", "with a record, not complete"),
      ("·", marks.contains("●") || marks.contains("○") ? "no record" : "not complete"),
      ("◇", "forgiven"), ("–", "rest"),
    ]
    return meanings.filter { marks.contains($0.0) }.map { "\($0.0) \($0.1)" }.joined(separator: "  ")
  }

  /// The lines: months side by side where there is room for two, otherwise a strip.
  func lines(width: Int) -> [String] {
    guard !days.isEmpty else { return [] }
    return width >= 2 * DayMarks.monthWidth + DayMarks.gap ? months(width: width) : strip(width: width)
  }

  func strip(width: Int) -> [String] {
    let whole = CalendarStrip(days: days)
    return whole.folded(to: width).flatMap { range -> [String] in
      let part = CalendarStrip(days: Array(days[range]))
      return [part.ruler, part.text(Array(marks[range]))]
    }
  }

  private static let monthWidth = 23
  private static let gap = 3
  /// Of a longer stretch the newest months are shown.
  private static let mostMonths = 12

  private func months(width: Int) -> [String] {
    var byMonth: [(first: DayKey, marks: [DayKey: Character])] = []
    for (day, mark) in zip(days, marks) {
      if byMonth.last?.first != day.startOfMonth { byMonth.append((day.startOfMonth, [:])) }
      byMonth[byMonth.count - 1].marks[day] = mark
    }
    let shown = Array(byMonth.suffix(DayMarks.mostMonths))
    let perRow = max(1, (width + DayMarks.gap) / (DayMarks.monthWidth + DayMarks.gap))
    var lines: [String] = []
    for start in stride(from: 0, to: shown.count, by: perRow) {
      let blocks = shown[start..<min(start + perRow, shown.count)].map { block($0.first, $0.marks) }
      if !lines.isEmpty { lines.append("") }
      for row in 0..<(blocks.map(\.count).max() ?? 0) {
        let line = blocks.map { block in
          (row < block.count ? block[row] : "").padded(to: DayMarks.monthWidth)
        }.joined(separator: String(repeating: " ", count: DayMarks.gap))
        lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
      }
    }
    return lines
  }

  /// A month like a wall calendar: its weeks from Monday that have a mark, each after the number of its first day.
  private func block(_ first: DayKey, _ marks: [DayKey: Character]) -> [String] {
    let title = Wording.month(of: first)
    let indent = String(repeating: " ", count: 3 + (DayMarks.monthWidth - 3 - title.count) / 2)
    var lines = [indent + title, "   Mo Tu We Th Fr Sa Su"]
    var day = first
    while day <= first.endOfMonth {
      let week = (day.weekday.rawValue...6).map { day.advanced(by: $0 - day.weekday.rawValue) }
        .filter { $0 <= first.endOfMonth }
      let cells =
        String(repeating: "   ", count: day.weekday.rawValue)
        + week.map { "\(marks[$0] ?? " ")" }.joined(separator: "  ")
      if week.contains(where: { marks[$0] != nil }) {
        lines.append("\(day.civil.day)".leftPadded(to: 2) + "  " + cells)
      }
      day = day.advanced(by: 7 - day.weekday.rawValue)
    }
    return lines
  }
}
