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
        let hasRecord = recordDays.contains(day)
        let mark: Character =
          switch window.state {
          case .complete where !isRead: "□"
          case .complete: hasRecord && hasLongWindows ? "●" : "■"
          case .incomplete: hasRecord ? "○" : "·"
          case .rest: "–"
          case .forgiven: "◇"
          }
        marks.append((day, mark))
      }
    }
    marks.reverse()
    (days, self.marks) = (marks.map(\.0), marks.map(\.1))
  }

  /// Days with a record up to a reference day, for numbers that know no windows.
  init(recordDays: [DayKey], through day: DayKey) {
    let start = max(recordDays.min()?.number ?? .max, day.number - Int32(DayMarks.mostDays) + 1)
    let present = Set(recordDays)
    days = start <= day.number ? (start...day.number).map { DayKey(number: $0) } : []
    marks = days.map { present.contains($0) ? "●" : "·" }
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
    let months = Array(zip(days, marks)).runs { $0.0.startOfMonth }.suffix(DayMarks.mostMonths)
    let blocks = months.map { block($0[$0.startIndex].0.startOfMonth, Dictionary($0) { $1 }) }
    let perRow = max(1, (width + DayMarks.gap) / (DayMarks.monthWidth + DayMarks.gap))
    let rows = stride(from: 0, to: blocks.count, by: perRow).map { start in
      let blocks = blocks[start..<min(start + perRow, blocks.count)]
      return (0..<(blocks.map(\.count).max() ?? 0)).map { row in
        blocks.map { (row < $0.count ? $0[row] : "").padded(to: DayMarks.monthWidth) }
          .joined(separator: String(repeating: " ", count: DayMarks.gap)).withoutBlankEnd
      }
    }
    return Array(rows.joined(separator: [""]))
  }

  /// A month like a wall calendar: its weeks from Monday that have a mark, each after the number of its first day.
  private func block(_ first: DayKey, _ marks: [DayKey: Character]) -> [String] {
    let title = Wording.month(of: first)
    let indent = String(repeating: " ", count: 3 + (DayMarks.monthWidth - 3 - title.count) / 2)
    let days = (first.number...first.endOfMonth.number).map { DayKey(number: $0) }
    let weeks = days.runs { $0.startOfWeek(from: .monday) }.filter { $0.contains { marks[$0] != nil } }
    return [indent + title, "   Mo Tu We Th Fr Sa Su"]
      + weeks.map { week in
        let first = week[week.startIndex]
        return "\(first.civil.day)".leftPadded(to: 2) + "  "
          + String(repeating: "   ", count: first.weekday.rawValue)
          + week.map { "\(marks[$0] ?? " ")" }.joined(separator: "  ")
      }
  }
}
