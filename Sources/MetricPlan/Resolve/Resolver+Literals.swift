import MetricSyntax

/// Literals, lengths, windows and periods.
extension Resolver {
  /// The value of a number as written, and whether it is an Int literal.
  func number(_ syntax: NumberSyntax) throws -> (value: FixedDecimal, isInt: Bool) {
    let value = try require(
      try? FixedDecimal.parse(syntax.text.replacing("%", with: "e-2")), .numberOutOfRange,
      "`\(syntax.text)` is outside the range of numbers, ±9,000,000,000,000", at: syntax.span)
    return (value, syntax.text.allSatisfy(\.isNumber))
  }

  /// A number literal, perhaps with a minus sign.
  func numberLiteral(_ syntax: ExpressionSyntax) throws -> FixedDecimal {
    switch syntax.kind {
    case .number(let number): try self.number(number).value
    case .unary(.minus, let operand): try FixedDecimal(millionths: -numberLiteral(operand).millionths)
    case .missing: throw Reported()
    default: throw fail(.typeMismatch, "expected a number literal", at: syntax.span)
    }
  }

  /// A day literal that names a real date.
  func dayLiteral(_ syntax: ExpressionSyntax) throws -> DayKey {
    switch syntax.kind {
    case .day(let text):
      if let day = DayKey(text) { return day }
      let isDate = DayKey.number(ofDate: text) != nil
      throw fail(
        .noRealDate, "`\(text)` \(isDate ? "lies outside \(DayKey.range)" : "is not a real date")",
        at: syntax.span)
    case .missing: throw Reported()
    default: throw fail(.typeMismatch, "expected a day such as `2026-01-31`", at: syntax.span)
    }
  }

  /// Any literal, with its own type; `none` as `.none(.text)`.
  func literal(_ syntax: ExpressionSyntax) throws -> Literal {
    switch syntax.kind {
    case .number(let number):
      let (value, isInt) = try self.number(number)
      return isInt ? .int(value.millionths / FixedDecimal.scale) : .decimal(value)
    case .unary(.minus, let operand):
      switch try literal(operand) {
      case .int(let value): return .int(-value)
      case .decimal(let value): return .decimal(FixedDecimal(millionths: -value.millionths))
      default: throw fail(.typeMismatch, "expected a literal", at: syntax.span)
      }
    case .string(let text): return .text(text.value)
    case .boolean(let value): return .bool(value)
    case .none: return .none(.text)
    case .day: return try .day(dayLiteral(syntax))
    case .missing: throw Reported()
    case .path, .call, .unary, .binary, .membership, .isNone, .conditional, .offset, .parenthesized:
      throw fail(.typeMismatch, "expected a literal", at: syntax.span)
    }
  }

  /// A whole number from 1 to `most`.
  func positiveInt(
    _ syntax: NumberSyntax, what: String, most: Int, code: ResolveCode = .badLength
  ) throws -> Int {
    let (value, isInt) = try number(syntax)
    let count = value.millionths / FixedDecimal.scale
    try require(
      isInt && count >= 1 && count <= Int64(most), code,
      "\(what) is a whole number from 1 to \(most), found `\(syntax.text)`", at: syntax.span)
    return Int(count)
  }

  /// A length of days or weeks in days.
  func days(_ length: LengthSyntax) throws -> Int {
    try days(count: length.count, unit: length.unit)
  }

  func days(count: NumberSyntax?, unit: Name) throws -> Int {
    let factor: Int
    switch Counting.singular(unit.text) {
    case "day": factor = 1
    case "week": factor = 7
    case "": throw Reported()
    default:
      throw fail(
        .badLength, "expected `days` or `weeks`, found `\(unit.text)`", at: unit.span,
        notes: [didYouMean(unit.text, ["days", "weeks"])])
    }
    guard let count else { return factor }
    let unit = factor == 1 ? "days" : "weeks"
    return try positiveInt(count, what: "a length in \(unit)", most: Limits.length / factor) * factor
  }

  /// A length as a number of windows (WIN-05).
  func windows(_ length: LengthSyntax, of window: Window) throws -> Int {
    if Counting.singular(length.unit.text) == "window" {
      return try positiveInt(length.count, what: "a number of windows", most: Limits.length)
    }
    let days = try days(length)
    guard case .rolling(let size) = window else {
      throw fail(
        .badLength,
        "calendar windows are counted in `windows`, found `\(length.count.text) \(length.unit.text)`",
        at: length.span, notes: ["write `\(length.count.text) windows`"])
    }
    try require(
      days % size == 0, .badLength,
      "\(days) days is not a multiple of the window of \(size) days that is counted", at: length.span)
    return days / size
  }

  func offset(_ length: LengthSyntax) throws -> Offset {
    if Counting.singular(length.unit.text) == "month" {
      return try .months(positiveInt(length.count, what: "an offset in months", most: Limits.months))
    }
    return try .days(days(length))
  }

  func window(_ syntax: WindowSyntax) throws -> Window {
    switch syntax {
    case .rolling(let count, let unit): try .rolling(days: days(count: count, unit: unit))
    case .calendar(let unit, let start): try .calendar(CalendarUnit(unit, from: start))
    }
  }

  func period(_ syntax: PeriodSyntax) throws -> Period {
    switch syntax {
    case .allTime: .allTime
    case .last(let length): try .lastDays(days(length))
    case .calendar(let unit, let start): try .calendar(CalendarUnit(unit, from: start))
    case .previous(let unit, let start): try .previous(CalendarUnit(unit, from: start))
    }
  }
}

extension CalendarUnit {
  /// The parser takes no other units, days of the week and months.
  fileprivate init(_ unit: Name, from start: Name?) throws {
    guard let known = CalendarUnit(name: Counting.singular(unit.text), from: start?.text) else {
      throw Reported()
    }
    self = known
  }
}
