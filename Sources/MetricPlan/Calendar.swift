/// A stretch of the calendar that has a first and a last day of its own: what `calendar …` names, a cohort, and how
/// often a series has a value (WIN-02, WIN-04, GRP-05).
package enum CalendarUnit: Hashable, Sendable {
  case day
  case week(from: Weekday)
  /// 1, 3 or 12 months that start with a month: the first of a year, or the earliest one of a year for quarters.
  case months(Int, from: Int)

  package static let month = CalendarUnit.months(1, from: 1)
  package static let quarter = CalendarUnit.months(3, from: 1)
  package static let year = CalendarUnit.months(12, from: 1)

  /// - Parameter name: `day`, `week`, `month`, `quarter` or `year`, as the language writes it.
  /// - Parameter start: the weekday or the month, in English, that it starts on; otherwise Monday and January.
  /// - Returns: nil for anything else. A quarter that starts in July starts in January, too.
  package init?(name: String, from start: String? = nil) {
    switch name {
    case "day": self = .day
    case "week":
      guard let day = start.map({ Weekday(name: $0) }) ?? .monday else { return nil }
      self = .week(from: day)
    default:
      guard let length = ["month": 1, "quarter": 3, "year": 12][name],
        let month = start.map({ DayKey.monthNames.firstIndex(of: $0) }) ?? 0
      else { return nil }
      self = .months(length, from: month % length + 1)
    }
  }

  package func days(holding day: Int32) -> ClosedRange<Int32> {
    switch self {
    case .day: return day...day
    case .week(let first):
      let start = DayKey(number: day).startOfWeek(from: first).number
      return start...start + 6
    case .months(let count, let first):
      let key = DayKey(number: day)
      let start = key.startOfMonth.advanced(byMonths: -((key.civil.month - first + 12) % count))
      return start.number...start.advanced(byMonths: count).number - 1
    }
  }

  /// The last day of each unit in `from...to`; and `to` itself, where its unit is open.
  package func lastDays(from: DayKey, to: DayKey) -> [DayKey] {
    let ends = sequence(first: days(holding: from.number).upperBound) { days(holding: $0 + 1).upperBound }
      .prefix { $0 <= to.number }.map { DayKey(number: $0) }
    return isOpen(to) ? ends + [to] : ends
  }

  /// Whether the unit of a day continues after it.
  package func isOpen(_ day: DayKey) -> Bool { day.number < days(holding: day.number).upperBound }

  package var name: String { choice("day", "week", "month", "quarter", "year") }

  /// As the language writes it; a week always with its first day.
  package var asWritten: String {
    switch self {
    case .week(let first): "week from \(first.name)"
    case .months(_, let first) where first > 1: "\(name) from \(DayKey.monthNames[first - 1])"
    case .day, .months: name
    }
  }

  /// The days that the longest and the shortest of them has.
  package var mostDays: Int { choice(1, 7, 31, 92, 366) }
  package var leastDays: Int { choice(1, 7, 28, 89, 365) }

  /// A rolling length that comes near.
  package var usualDays: Int { choice(1, 7, 30, 90, 365) }

  private func choice<T>(_ day: T, _ week: T, _ month: T, _ quarter: T, _ year: T) -> T {
    switch self {
    case .day: day
    case .week: week
    case .months(1, _): month
    case .months(3, _): quarter
    case .months: year
    }
  }
}

/// `every …`: how a completion cuts days into windows (WIN-01, WIN-02).
package enum Window: Hashable, Sendable {
  /// Window k of reference day r covers r-L(k+1)+1 … r-Lk.
  case rolling(days: Int)
  /// Window 0 is the unit that holds r, ending at r.
  case calendar(CalendarUnit)

  /// The days of a window as a period that ends with it.
  package var period: Period {
    switch self {
    case .rolling(let days): .lastDays(days)
    case .calendar(let unit): .calendar(unit)
    }
  }

  /// As the language writes it, after `every`.
  package var asWritten: String {
    switch self {
    case .rolling(1): "day"
    case .rolling(let days): "\(days) days"
    case .calendar(let unit): "calendar \(unit.asWritten)"
    }
  }

  package func start(endingAt end: Int32) -> Int32 { period.days(at: end).lowerBound }

  /// The last day of the calendar unit that holds `day`; for rolling windows the day itself.
  package func unitEnd(_ day: Int32) -> Int32 {
    if case .calendar(let unit) = self { unit.days(holding: day).upperBound } else { day }
  }
}

/// `over …`: a stretch of days that a reference day chooses (WIN-04).
package enum Period: Hashable, Sendable {
  case lastDays(Int)
  /// The unit that holds the day, up to the day.
  case calendar(CalendarUnit)
  /// The whole unit before the one that holds the day.
  case previous(CalendarUnit)
  case allTime

  /// The days of the period at a reference day; all time starts at the smallest number.
  package func days(at day: Int32) -> ClosedRange<Int32> {
    switch self {
    case .lastDays(let days): day - Int32(days) + 1...day
    case .calendar(let unit): unit.days(holding: day).lowerBound...day
    case .previous(let unit): unit.days(holding: unit.days(holding: day).lowerBound - 1)
    case .allTime: .min...day
    }
  }

  /// The reference days whose period holds a day; all time goes up to the greatest number.
  package func references(holding day: Int32) -> ClosedRange<Int32> {
    switch self {
    case .lastDays(let days): day...day + Int32(days) - 1
    case .calendar(let unit): day...unit.days(holding: day).upperBound
    case .previous(let unit): unit.days(holding: unit.days(holding: day).upperBound + 1)
    case .allTime: day...(.max)
    }
  }

  /// The most days from its first day to the reference day, two units of `previous`; nil without a bound.
  package var mostDaysBack: Int? { mostDays.map { (holdsReferenceDay ? $0 : 2 * $0) - 1 } }

  /// The most days that it holds; nil without a bound.
  package var mostDays: Int? {
    switch self {
    case .lastDays(let days): days
    case .calendar(let unit), .previous(let unit): unit.mostDays
    case .allTime: nil
    }
  }

  package var holdsReferenceDay: Bool { if case .previous = self { false } else { true } }

  /// As the language writes it, after `over`.
  package var asWritten: String {
    switch self {
    case .lastDays(let days): "last \(Counting.written(days, "day"))"
    case .calendar(let unit): "calendar \(unit.asWritten)"
    case .previous(let unit): "previous calendar \(unit.asWritten)"
    case .allTime: "all time"
    }
  }
}
