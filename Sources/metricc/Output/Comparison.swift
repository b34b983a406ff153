import ArgumentParser

/// `--compare "28 days"`: each value beside the one some time earlier.
struct Comparison {
  /// As it was asked for.
  let text: String
  private let days: Int
  private let months: Int

  private static let units: [(name: String, days: Int, months: Int)] = [
    ("day", 1, 0), ("week", 7, 0), ("month", 0, 1), ("quarter", 0, 3), ("year", 0, 12),
  ]

  /// The bounds of an `offset` (WIN-08).
  private static let (mostDays, mostMonths) = (3660, 120)

  /// - Parameter text: a number and a unit.
  init(_ text: String) throws(ValidationError) {
    let words = text.split(separator: " ")
    guard words.count == 2, let count = Int(words[0]), (1...Comparison.mostDays).contains(count),
      let unit = Comparison.units.first(where: { words[1] == $0.name || words[1] == $0.name + "s" }),
      count * unit.days <= Comparison.mostDays, count * unit.months <= Comparison.mostMonths
    else {
      throw ValidationError(
        "--compare \(text.quoted) is no length; write \"28 days\", \"4 weeks\", \"1 month\" or \"1 year\"")
    }
    (self.text, days, months) = (text, count * unit.days, count * unit.months)
  }

  /// The earlier day, as `offset` has it. Of numbers of calendar months, whole ones are compared with whole ones.
  func day(before day: DayKey, ofMonths: Bool) -> DayKey {
    guard months > 0 else { return day.advanced(by: -days) }
    let earlier = day.advanced(byMonths: -months)
    guard ofMonths, day.advanced(by: 1).civil.day == 1 else { return earlier }
    let (year, month, last) = earlier.civil
    return earlier.advanced(by: DayKey.daysInMonth(year: year, month: month) - last)
  }

  /// All days to evaluate at, rising.
  func days(for days: [DayKey]) -> [DayKey] {
    Set(days + days.flatMap { [day(before: $0, ofMonths: true), day(before: $0, ofMonths: false)] }).sorted()
      .filter { $0 >= DayKey.first }
  }

  /// The earlier value of each row at one of the days.
  func values(of rows: [ResultRow], at days: [DayKey], ofMonths: Set<String>) -> EarlierValues {
    let values = Dictionary(rows.map { ($0.place, $0.value) }, uniquingKeysWith: { first, _ in first })
    let days = Set(days)
    var found: EarlierValues = [:]
    for row in rows where days.contains(row.at) {
      var earlier = row.place
      earlier.at = day(before: row.at, ofMonths: ofMonths.contains(row.metric))
      found[row.place] = values[earlier] ?? Value.none
    }
    return found
  }
}

/// Earlier values by the rows' places.
typealias EarlierValues = [ResultRow: Value]
