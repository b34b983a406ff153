import MetricData
import MetricPlan

/// Numbers the windows of one chain: each is the neighbour of the one with the next number.
enum Ruler {
  /// Ends at every day that leaves `phase` when it is divided by `length`.
  case rolling(length: Int, phase: Int)
  case months

  /// The whole units of a calendar window.
  init(unitsOf window: Window) {
    switch window {
    case .rolling(let days): self = .rolling(length: days, phase: 0)
    case .calendarWeek: self = .rolling(length: 7, phase: Ruler.phase(of: window.unitEnd(0), 7))
    case .calendarMonth: self = .months
    }
  }

  static func phase(of day: Int32, _ length: Int) -> Int {
    let rest = Int(day) % length
    return rest < 0 ? rest + length : rest
  }

  /// The last day of a window.
  func end(_ number: Int) -> Int32 {
    switch self {
    case .rolling(let length, let phase): return Int32(clamping: number * length + phase)
    case .months:
      let year = number >= 0 ? number / 12 : (number - 11) / 12
      let day = DayKey(year: year, month: number - year * 12 + 1, day: 1)
      return day?.endOfMonth.number ?? (number < DayKey.first.civil.year * 12 ? .min : .max)
    }
  }

  /// The number of the last window that ends on `day` or before it.
  func last(through day: Int32) -> Int {
    switch self {
    case .rolling(let length, let phase):
      return (Int(day) - phase - Ruler.phase(of: Int32(clamping: Int(day) - phase), length)) / length
    case .months:
      let clamped = DayKey(number: min(max(day, DayKey.first.number), DayKey.last.number))
      let (year, month, _) = clamped.civil
      let number = year * 12 + month - 1
      return day >= end(number) ? number : number - 1
    }
  }

  /// The number of the first window that ends on `day` or behind it.
  func first(from day: Int32) -> Int { day == .min ? last(through: day) : last(through: day - 1) + 1 }

  /// How many windows it takes until they end on the same day of the week again; nil where they never do so for long.
  var week: Int? {
    switch self {
    case .rolling(let length, _): length % 7 == 0 ? 1 : 7
    case .months: nil
    }
  }
}
