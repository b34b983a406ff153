import MetricDiagnostics

extension DiagnosticCode {
  package static let expectedWindow = DiagnosticCode("S021", "expected-window")
  package static let expectedPeriod = DiagnosticCode("S022", "expected-period")
  package static let expectedLength = DiagnosticCode("S023", "expected-length")
}

// MARK: Windows

extension Parser {
  /// What follows `every`.
  mutating func parseWindow() -> WindowSyntax? {
    if take(.calendar) {
      return parseCalendar().map { .calendar(unit: $0.unit, from: $0.from) }
    }
    if at(.number) {
      return parseLength(Units.rolling).map { .rolling(count: $0.count, unit: $0.unit) }
    }
    if at(anyOf: Units.rolling) { return .rolling(count: nil, unit: takeName()) }
    if let window = mendedWindow() { return window }
    expected(.expectedWindow, "a window", notes: windowNotes)
    return nil
  }

  private var windowNotes: [Note] {
    [
      unitNote(count: 1, "every ") ?? familiarNote(.window).first
        ?? nearNote(among: Units.rolling + [.calendar])
        ?? Note("a window is written like `day`, `week`, `10 days`, `calendar week` or `calendar month`")
    ]
  }

  /// `every daily` and `every weekly`, read as what was meant.
  private mutating func mendedWindow() -> WindowSyntax? {
    let meant = ["daily": "day", "weekly": "week"][currentText.lowercased()]
    guard at(.identifier), let meant else { return nil }
    let place = current.span
    mend(
      .expectedWindow, "\(quoted(currentText)) is not a window; write `every \(meant)`", at: place,
      fixes: [Fix("write `\(meant)`", replace: place, with: meant)])
    advance()
    return .rolling(count: nil, unit: Name(meant, place))
  }

  /// `week`, `week from sunday`, `month` behind `calendar`.
  private mutating func parseCalendar() -> (unit: Name, from: Name?)? {
    guard at(anyOf: Units.calendar) else {
      expected(
        .expectedWindow, oneOf: [.week, .month], "`week` or `month` after `calendar`",
        notes: unitNote(count: 1, text(index - 2) == "every" ? "every " : "over last ").map { [$0] } ?? [])
      return nil
    }
    let isWeek = at(anyOf: Units.weeks)
    let unit = takeName()
    guard at(.from) else { return (unit, nil) }
    if !isWeek {
      fail(.expectedWindow, "a calendar month starts on its first day, not `from` another")
      return nil
    }
    advance()
    guard at(anyOf: Word.weekdays) else {
      expected(.expectedWord, oneOf: Word.weekdays, "a day of the week")
      return nil
    }
    return (unit, takeName())
  }
}

// MARK: Periods

extension Parser {
  /// What follows `over`.
  mutating func parsePeriod() -> PeriodSyntax? {
    if take(.last) { return parseLength(Units.counted).map(PeriodSyntax.last) }
    if take(.calendar) { return parseCalendar().map { .calendar(unit: $0.unit, from: $0.from) } }
    if take(.all) {
      if take(.time) { return .allTime }
      expected(.expectedPeriod, "`time` after `all`")
      return nil
    }
    if at(.number) { return parsePeriodWithoutLast() }
    expected(.expectedPeriod, "a period", notes: periodNotes)
    return nil
  }

  private var periodNotes: [Note] {
    if at(TokenKind.day) {
      return [Note("a period ends at the reference day: `eval --from DAY --to DAY` chooses the days")]
    }
    return [
      unitNote(count: 1, "over last ") ?? familiarNote(.period).first
        ?? nearNote(among: [.last, .calendar, .all])
        ?? Note("a period is written like `last 7 days`, `calendar week`, `calendar month` or `all time`")
    ]
  }

  /// `over 7 days`, read as `over last 7 days`.
  private mutating func parsePeriodWithoutLast() -> PeriodSyntax? {
    if silencing.contains(index) { isRecovering = true }
    let start = current.span
    let before = Span(file: file, start: start.start, end: start.start)
    mend(
      .expectedPeriod, "a period that ends at the reference day needs `last` before \(found)",
      at: start, fixes: [Fix("write `last \(currentText)`", replace: before, with: "last ")])
    return parseLength(Units.counted).map(PeriodSyntax.last)
  }
}

// MARK: Lengths

extension Parser {
  /// `7 days`, in one of the units that fit the place.
  mutating func parseLength(_ units: [Word]) -> LengthSyntax? {
    guard at(.number) else {
      let last = units.last?.rawValue ?? ""
      expected(
        .expectedLength, "a length",
        notes: [
          at(anyOf: units)
            ? Note("write the number too: `\(currentText.hasSuffix("s") ? 7 : 1) \(currentText)`")
            : at(.minus)
              ? Note("a length has no sign; `offset` always looks back")
              : unitNote(count: 1) ?? Note("a length is a number and a unit, like `7 days` or `3 \(last)`")
        ])
      return nil
    }
    let count = takeNumber()
    return parseUnit(units, count: Int(count.text)).map { LengthSyntax(count: count, unit: $0) }
  }

  /// What to write for a unit that no length has: months and years differ, and a day is the shortest.
  ///
  /// - Parameter words: What precedes the length: `every `.
  private func unitNote(count: Int?, _ words: String = "", units: [Word] = []) -> Note? {
    guard at(.identifier) else { return nil }
    var unit = currentText.lowercased()
    if unit.hasSuffix("ly") { unit.removeLast(2) }
    if unit.hasSuffix("s") { unit.removeLast() }
    switch unit {
    case "quarter" where units.contains(.months), "year" where units.contains(.months):
      return Note("write `\((count ?? 1) * (unit == "year" ? 12 : 3)) months`")
    case "month", "quarter", "year":
      let days = Double(count ?? 1) * (unit == "month" ? 365 / 12 : unit == "quarter" ? 365 / 4 : 365)
      guard days < 3661 else {
        return Note("a length is at most 3,660 days; write `all time` for everything")
      }
      let calendar = words == "over last " ? "over " : words
      return Note(
        "\(unit)s differ in length; write `\(words)\(Int(days.rounded())) days`"
          + (unit == "month" && !words.isEmpty
            ? ", or `\(calendar)calendar month`, which starts over on the first" : ""))
    case "hour", "minute", "second": return Note("a day is the shortest length: write `\(words)1 day`")
    default: return nil
    }
  }

  mutating func parseUnit(_ units: [Word], count: Int? = nil) -> Name? {
    if at(anyOf: units) { return takeName() }
    // Of each pair the plural is offered.
    let plurals = units.filter { $0.rawValue.hasSuffix("s") }
    let bare =
      at(.calendar)
      ? Note("a calendar month or week has no number: write `over calendar month`")
      : at(.identifier) ? nil : count.map { Note("write the unit too: `\(Counting.of($0, "day"))`") }
    expected(
      .expectedLength, oneOf: plurals, notes: [unitNote(count: count, units: units) ?? bare].compactMap { $0 }
    )
    return nil
  }
}
