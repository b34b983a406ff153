import MetricValues

extension Window {
  /// As the language writes it, behind `every`.
  package var words: String {
    switch self {
    case .rolling(1): "day"
    case .rolling(let days): "\(days) days"
    case .calendarWeek(let first): "calendar week from \(first.name)"
    case .calendarMonth: "calendar month"
    }
  }

  /// The first day of the window that ends on `end`.
  package func start(endingAt end: Int32) -> Int32 { period.start(endingAt: end) }

  /// The last day of the calendar unit that holds `day`; for rolling windows the day itself.
  package func unitEnd(_ day: Int32) -> Int32 {
    switch self {
    case .rolling: day
    case .calendarWeek(let first): DayKey(number: day).startOfWeek(from: first).number + 6
    case .calendarMonth: DayKey(number: day).endOfMonth.number
    }
  }
}

extension Period {
  /// The first day of the period that ends on `end`; all time starts at the smallest number.
  package func start(endingAt end: Int32) -> Int32 {
    switch self {
    case .lastDays(let days): end - Int32(days) + 1
    case .calendarWeek(let first): DayKey(number: end).startOfWeek(from: first).number
    case .calendarMonth: DayKey(number: end).startOfMonth.number
    case .allTime: .min
    }
  }

  /// The last end whose period still holds `day`.
  package func lastEnd(holding day: Int32) -> Int32 {
    switch self {
    case .lastDays(let days): day + Int32(days) - 1
    case .calendarWeek(let first): DayKey(number: day).startOfWeek(from: first).number + 6
    case .calendarMonth: DayKey(number: day).endOfMonth.number
    case .allTime: .max
    }
  }
}

extension Offset {
  /// The day that lies this far before `day`.
  package func applied(to day: Int32) -> Int32 {
    switch self {
    case .days(let days): day - Int32(days)
    case .months(let months): DayKey(number: day).advanced(byMonths: -months).number
    }
  }
}
