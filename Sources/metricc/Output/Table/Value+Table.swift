extension Value {
  /// The value as people read it: `✓` and `·`, `1,234.5`, `–` for no value; fractions with four digits.
  var cell: Cell {
    switch self {
    case .none: Cell("–", .dim)
    case .bool(true): Cell("✓")
    case .bool(false): Cell("·", .dim)
    case .int: Cell(Counting.grouped(digits: plainText))
    case .decimal(let value): Cell(Counting.grouped(digits: value.shown.description))
    case .day, .text: Cell(plainText)
    }
  }

  /// Numbers are aligned at their points, texts and days to the left.
  var alignment: Grid.Alignment? {
    switch self {
    case .none: nil
    case .bool: .right
    case .int, .decimal: .number
    case .day, .text: .left
    }
  }

  /// Its place among values of its kind; no value comes last.
  var rank: Int128 {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .day(let day): Int128(day.number)
    case .none, .int, .decimal, .text: millionths ?? .min
    }
  }

  var millionths: Int128? {
    switch self {
    case .int(let value): Int128(value) * Int128(FixedDecimal.scale)
    case .decimal(let value): Int128(value.millionths)
    case .none, .bool, .day, .text: nil
    }
  }

  var words: String { self == .none ? "no value" : plainText }

  /// By how much a number is above another; no value where one is none or no number.
  func minus(_ other: Value) -> Value {
    if case .int(let one) = self, case .int(let other) = other { return .int(one - other) }
    guard let one = millionths, let other = other.millionths,
      let difference = Int64(exactly: one - other)
    else { return .none }
    return .decimal(FixedDecimal(millionths: difference))
  }

  /// The sum of numbers; no value where one of them has none.
  static func sum(_ values: [Value]) -> Value {
    let numbers = values.compactMap(\.millionths)
    guard numbers.count == values.count, let sum = Int64(exactly: numbers.reduce(0, +)) else { return .none }
    let areWhole = values.allSatisfy { if case .int = $0 { true } else { false } }
    return areWhole ? .int(sum / FixedDecimal.scale) : .decimal(FixedDecimal(millionths: sum))
  }
}

/// Shares of a whole, as people read them.
enum Percent {
  /// The whole of a share, in millionths.
  static let one = Int128(FixedDecimal.scale)

  static func cell(_ share: Value) -> Cell { cell(share.millionths, of: one) }

  /// `53.2%`; `–` where there is no whole.
  static func cell(_ part: Int128?, of whole: Int128?) -> Cell {
    guard let part, let whole, whole > 0 else { return Cell("–", .dim) }
    let perMille = Int64(clamping: FixedDecimal.divideRounding(part * 1000, by: whole))
    let fraction = perMille % 10
    return Cell("\(perMille / 10)\(fraction == 0 ? "" : ".\(fraction.magnitude)")%")
  }

  /// A bar of `█` whose full length is `width`.
  static func bar(_ part: Int128?, of whole: Int128?, width: Int) -> Cell {
    guard let part, let whole, whole > 0, part > 0 else { return .empty }
    let eighths = Int(clamping: min(part, whole) * Int128(width * 8) / whole)
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return Cell(String(repeating: "█", count: eighths / 8) + rest)
  }
}
