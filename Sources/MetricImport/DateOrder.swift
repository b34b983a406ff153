import MetricDiagnostics
import MetricValues

/// In which order the numbers of a date like `11/5/2020` or `06-16-24` stand.
public enum DateOrder: String, CaseIterable, Sendable {
  case dayMonth = "day-month"
  case monthDay = "month-day"
}

extension DateOrder {
  /// The one order in which all of the dates are real; nil where both are, or none.
  static func only(in dates: some Sequence<String>) -> DateOrder? {
    var orders = allCases
    for date in dates { orders.removeAll { DayKey(date, order: $0) == nil } }
    return orders.count == 1 ? orders[0] : nil
  }

  /// What was expected in place of a text that is no date.
  static func expectation(of date: String, _ order: DateOrder?) -> String {
    if let order { return "which is not a real date in \(order.rawValue) order, from \(DayKey.range)" }
    guard allCases.contains(where: { DayKey(date, order: $0) != nil }) else {
      return "expected a date such as `2026-01-31` or `1/31/2026`"
    }
    return "which may be read in two ways; pass `--dates day-month` or `--dates month-day`"
  }
}

extension DayKey {
  /// `20260131`, as databases write a date.
  init?(digits text: String) {
    guard text.utf8.count == 8, let number = Int(text), number > 0 else { return nil }
    self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
  }

  /// A date as spreadsheets write it: `2026-01-31`, or in an order `1/31/2026`, `31.1.26`. Years of two digits are
  /// those from 2000 on.
  init?(_ text: String, order: DateOrder?) {
    if let day = DayKey(text) {
      self = day
      return
    }
    let parts = text.split(omittingEmptySubsequences: false) { "/-.".contains($0) }
    let numbers = parts.compactMap { Int($0) }
    guard let order, parts.count == 3, numbers.count == 3, parts[2].count == 2 || parts[2].count == 4 else {
      return nil
    }
    let (day, month) = order == .dayMonth ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
    self.init(year: parts[2].count == 2 ? 2000 + numbers[2] : numbers[2], month: month, day: day)
  }
}
