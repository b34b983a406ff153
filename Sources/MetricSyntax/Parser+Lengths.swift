extension Parser {
  /// `7 days`, in one of the units that fit the place.
  mutating func parseLength(_ units: [Word]) -> LengthSyntax? {
    wants(.length)
    guard at(.number) else {
      let last = units.last?.rawValue ?? ""
      return expected(
        .expectedLength, "a length",
        notes: [
          at(anyOf: units)
            ? "write the number too: `\(currentText.hasSuffix("s") ? 7 : 1) \(currentText)`"
            : at(.minus)
              ? "a length has no sign; `offset` always looks back"
              : unitNote(count: 1, text(index - 1) == "last" ? "over last " : "")
                ?? "a length is a number and a unit, like `7 days` or `3 \(last)`"
        ])
    }
    let count = takeNumber()
    return parseUnit(units, count: Int(count.text)).map { LengthSyntax(count: count, unit: $0) }
  }

  /// What to write for a unit that no length has. `words` are what precedes the length: `every `.
  func unitNote(count: Int?, _ words: String = "", units: [Word] = []) -> Note? {
    guard at(.identifier) else { return nil }
    var unit = currentText.lowercased()
    if unit.hasSuffix("ly") { unit.removeLast(2) }
    if unit.hasSuffix("s") { unit.removeLast() }
    switch unit {
    case "quarter" where units.contains(.months), "year" where units.contains(.months):
      return "write `\((count ?? 1) * (unit == "year" ? 12 : 3)) months`"
    case "month", "quarter", "year":
      let days = Double(count ?? 1) * (unit == "month" ? 365 / 12 : unit == "quarter" ? 365 / 4 : 365)
      guard days < 3661 else {
        return "a length is at most 3,660 days; write `all time` for everything"
      }
      let calendar = words == "over last " ? "over " : words
      return Note(
        "\(unit)s differ in length; write `\(words)\(Int(days.rounded())) days`"
          + (words.isEmpty ? "" : ", or `\(calendar)calendar \(unit)`, which starts over on the first")
          + (calendar == words ? "" : ", or `over previous calendar \(unit)` for the whole one before"))
    case "hour", "minute", "second": return "a day is the shortest length: write `\(words)1 day`"
    default: return nil
    }
  }

  mutating func parseUnit(_ units: [Word], count: Int? = nil) -> Name? {
    if at(anyOf: units) { return takeWord() }
    // Of each pair the plural is offered.
    let plurals = units.filter { $0.rawValue.hasSuffix("s") }
    if count == 1 { wants(units.filter { !plurals.contains($0) }) }
    let bare: Note? =
      at(.calendar)
      ? "a calendar unit has no number: write `over calendar month`, or `over previous calendar month`"
      : at(.identifier) ? nil : count.map { Note("write the unit too: `\(Counting.of($0, "day"))`") }
    return expected(.expectedLength, oneOf: plurals, notes: [unitNote(count: count, units: units) ?? bare])
  }
}
