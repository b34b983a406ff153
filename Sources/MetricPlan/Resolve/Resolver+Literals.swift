import MetricSyntax

/// Literals, lengths, windows and periods.
extension Resolver {
  /// The value of a number as written, and whether it is an Int literal.
  func number(_ syntax: NumberSyntax) -> (value: FixedDecimal, isInt: Bool)? {
    guard let value = try? FixedDecimal.parse(syntax.text.replacing("%", with: "e-2")) else {
      return fail(
        .numberOutOfRange, "`\(syntax.text)` is outside the range of numbers, ±9,000,000,000,000",
        at: syntax.span)
    }
    return (value, syntax.text.allSatisfy(\.isNumber))
  }

  /// A number literal, perhaps with a minus sign.
  func numberLiteral(_ syntax: ExpressionSyntax) -> FixedDecimal? {
    switch syntax.kind {
    case .number(let number):
      return self.number(number)?.value
    case .unary(.minus, let operand):
      return numberLiteral(operand).map { FixedDecimal(millionths: -$0.millionths) }
    case .missing:
      return nil
    default:
      return fail(.typeMismatch, "expected a number literal", at: syntax.span)
    }
  }

  /// A day literal that names a real date.
  func dayLiteral(_ syntax: ExpressionSyntax) -> DayKey? {
    switch syntax.kind {
    case .day(let text):
      if let day = DayKey(text) { return day }
      let fault = DayKey.number(ofDate: text) == nil ? "is not a real date" : "lies outside \(DayKey.range)"
      return fail(.noRealDate, "`\(text)` \(fault)", at: syntax.span)
    case .missing:
      return nil
    default:
      return fail(.typeMismatch, "expected a day such as `2026-01-31`", at: syntax.span)
    }
  }

  /// Any literal, with its own type; `none` as `.none(.text)`.
  func literal(_ syntax: ExpressionSyntax) -> Literal? {
    switch syntax.kind {
    case .number(let number):
      guard let (value, isInt) = self.number(number) else { return nil }
      return isInt ? .int(value.millionths / FixedDecimal.scale) : .decimal(value)
    case .unary(.minus, let operand):
      switch literal(operand) {
      case .int(let value): return .int(-value)
      case .decimal(let value): return .decimal(FixedDecimal(millionths: -value.millionths))
      case nil: return nil
      default: return fail(.typeMismatch, "expected a literal", at: syntax.span)
      }
    case .string(let text): return .text(text.value)
    case .boolean(let value): return .bool(value)
    case .none: return .some(.none(.text))
    case .day: return dayLiteral(syntax).map { .day($0) }
    case .missing: return nil
    case .path, .call, .unary, .binary, .membership, .isNone, .conditional, .offset, .parenthesized:
      return fail(.typeMismatch, "expected a literal", at: syntax.span)
    }
  }

  /// A whole number from 1 to `most`.
  func positiveInt(
    _ syntax: NumberSyntax, what: String, most: Int, code: ResolveCode = .badLength
  ) -> Int? {
    guard let (value, isInt) = number(syntax) else { return nil }
    let count = value.millionths / FixedDecimal.scale
    guard isInt, count >= 1, count <= Int64(most) else {
      return fail(
        code, "\(what) is a whole number from 1 to \(most), found `\(syntax.text)`", at: syntax.span)
    }
    return Int(count)
  }

  /// A length of days or weeks in days.
  func days(_ length: LengthSyntax) -> Int? {
    days(count: length.count, unit: length.unit)
  }

  func days(count: NumberSyntax?, unit: Name) -> Int? {
    let factor: Int
    switch Counting.singular(unit.text) {
    case "day": factor = 1
    case "week": factor = 7
    case "": return nil
    default:
      return fail(
        .badLength, "expected `days` or `weeks`, found `\(unit.text)`", at: unit.span,
        notes: [didYouMean(unit.text, ["days", "weeks"])])
    }
    guard let count else { return factor }
    let unit = factor == 1 ? "days" : "weeks"
    return positiveInt(count, what: "a length in \(unit)", most: Limits.length / factor).map { $0 * factor }
  }

  /// A length as a number of windows (WIN-05).
  func windows(_ length: LengthSyntax, of window: Window) -> Int? {
    if Counting.singular(length.unit.text) == "window" {
      return positiveInt(length.count, what: "a number of windows", most: Limits.length)
    }
    guard let days = days(length) else { return nil }
    guard case .rolling(let size) = window else {
      return fail(
        .badLength,
        "calendar windows are counted in `windows`, found `\(length.count.text) \(length.unit.text)`",
        at: length.span, notes: ["write `\(length.count.text) windows`"])
    }
    guard days % size == 0 else {
      return fail(
        .badLength, "\(days) days is not a multiple of the window of \(size) days that is counted",
        at: length.span)
    }
    return days / size
  }

  func offset(_ length: LengthSyntax) -> Offset? {
    if Counting.singular(length.unit.text) == "month" {
      return positiveInt(length.count, what: "an offset in months", most: Limits.months).map { .months($0) }
    }
    return days(length).map { .days($0) }
  }

  func window(_ syntax: WindowSyntax) -> Window? {
    switch syntax {
    case .rolling(let count, let unit):
      days(count: count, unit: unit).map { .rolling(days: $0) }
    case .calendar(let unit, let start): CalendarUnit(unit, from: start).map { .calendar($0) }
    }
  }

  func period(_ syntax: PeriodSyntax) -> Period? {
    switch syntax {
    case .allTime: .allTime
    case .last(let length): days(length).map { .lastDays($0) }
    case .calendar(let unit, let start): CalendarUnit(unit, from: start).map { .calendar($0) }
    case .previous(let unit, let start): CalendarUnit(unit, from: start).map { .previous($0) }
    }
  }
}

extension CalendarUnit {
  /// The parser takes no other units, days of the week and months.
  fileprivate init?(_ unit: Name, from start: Name?) {
    self.init(name: Counting.singular(unit.text), from: start?.text)
  }
}
