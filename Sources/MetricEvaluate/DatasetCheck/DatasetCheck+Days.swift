extension DatasetCheck {
  /// Live facts whose DayKey is two days or more from the UTC date of the instant that orders them.
  ///
  /// A DayKey is local and an instant is not. Zones reach from 12 hours behind UTC to 14 hours ahead of it, so the
  /// local date of an instant is its UTC date, the day before or the day after, also where an app lets its day begin
  /// some hours after midnight. An instant later than that belongs to an entry made later, which is worth a remark; an
  /// earlier one is wrong.
  func daysFarFromInstants(of record: RecordID, in table: LoadedTable) -> [DatasetProblem] {
    let declaration = library.records[record]
    guard let dayField = declaration.dayKeyField, let instantField = declaration.orderField else { return [] }
    let (day, instant) = (declaration.fields[dayField].name, declaration.fields[instantField].name)
    var early = DatasetProblem(
      code: .dayFarFromInstant, record: declaration.name, field: day,
      mend:
        "fix the wrong one; the DayKey is the local date on which it happened, and nothing is "
        + "entered days before it happens")
    var late = DatasetProblem(
      code: .dayFarFromInstant, severity: .note, record: declaration.name, field: day,
      mend:
        "entries made later for the relevant day are fine; the day counts, and the instant only orders the facts "
        + "of that day")
    for row in 0..<table.rowCount {
      guard let dayNumber = table.cell(dayField, row), let microseconds = table.cell(instantField, row) else {
        continue
      }
      let distance = Instant(microseconds: microseconds).utcDay - dayNumber
      guard abs(distance) > 1, table.isLive(row) else { continue }
      func message(_ how: String) -> String {
        "`\(day)` is `\(DayKey(number: Int32(truncatingIfNeeded: dayNumber)))`, and `\(instant)` "
          + "is `\(Instant(microseconds: microseconds))`, \(how)"
      }
      if distance > 0 {
        late.add(row: row, message("\(distance) days later"))
      } else {
        early.add(row: row, message("\(-distance) days earlier"))
      }
    }
    return [early, late]
  }
}
