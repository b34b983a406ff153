import MetricData
import MetricPlan

extension DatasetCheck {
  /// Live facts whose DayKey is two days or more from the UTC date of the instant that orders them.
  ///
  /// A DayKey is local and an instant is not. Zones reach from 12 hours behind UTC to 14 hours ahead of it,
  /// and the local mean times of the past reached a day's length on neither side; so the local date of an
  /// instant is its UTC date, the day before or the day after, and nothing else, also where an app lets its
  /// day begin some hours after midnight.
  func daysFarFromInstants(in table: CheckedTable) -> [DatasetProblem] {
    let declaration = library.records[table.record]
    guard let dayField = declaration.dayKeyField, let instantField = declaration.orderField else { return [] }
    let (day, instant) = (declaration.fields[dayField].name, declaration.fields[instantField].name)
    var problem = DatasetProblem(
      .dayFarFromInstant, record: declaration.name, field: day,
      mend: "mend whichever of the two is wrong; the DayKey is the local date on which it happened, and the "
        + "instant the moment at which it did, not the one at which it was typed in")
    for row in 0..<table.rowCount {
      guard let dayNumber = table.cell(dayField, row), let microseconds = table.cell(instantField, row),
        abs(DatasetCheck.utcDay(microseconds) - dayNumber) > 1, table.isLive(row)
      else { continue }
      problem.add(
        DatasetProblem.Example(
          row: row, field: day,
          message: "`\(day)` is `\(DayKey(number: Int32(truncatingIfNeeded: dayNumber)))`, and `\(instant)` "
            + "is `\(Instant(microseconds: microseconds))`, which is on no neighbouring day anywhere"))
    }
    return [problem.ifMet].compactMap { $0 }
  }

  /// The number of the UTC date that holds an instant.
  private static func utcDay(_ microseconds: Int64) -> Int64 {
    let perDay: Int64 = 86_400_000_000
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: perDay)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
