import MetricData

/// Checked arithmetic on cells. None in, none out; a result outside the range of numbers sets
/// `overflow` and gives none (LANGUAGE, Numbers).
enum Arithmetic {
  @inline(__always)
  static func limit(isDecimal: Bool) -> Int64 {
    isDecimal ? FixedDecimal.limit : FixedDecimal.intLimit
  }

  @inline(__always)
  static func checked(_ value: Int128, isDecimal: Bool, _ overflow: inout Bool) -> Cell {
    guard value.magnitude <= UInt128(limit(isDecimal: isDecimal)) else {
      overflow = true
      return noValue
    }
    return Int64(value)
  }

  @inline(__always)
  static func add(_ left: Cell, _ right: Cell, isDecimal: Bool, _ overflow: inout Bool) -> Cell {
    if left == noValue || right == noValue { return noValue }
    let (sum, carried) = left.addingReportingOverflow(right)
    guard !carried, sum.magnitude <= UInt64(limit(isDecimal: isDecimal)) else {
      overflow = true
      return noValue
    }
    return sum
  }

  @inline(__always)
  static func multiply(_ left: Cell, _ right: Cell, isDecimal: Bool, _ overflow: inout Bool) -> Cell {
    if left == noValue || right == noValue { return noValue }
    let product = Int128(left) * Int128(right)
    let value = isDecimal ? FixedDecimal.divideRounding(product, by: Int128(FixedDecimal.scale)) : product
    return checked(value, isDecimal: isDecimal, &overflow)
  }

  /// Decimals; division by zero is none.
  @inline(__always)
  static func divide(_ left: Cell, _ right: Cell, _ overflow: inout Bool) -> Cell {
    if left == noValue || right == noValue || right == 0 { return noValue }
    let scaled = Int128(left) * Int128(FixedDecimal.scale)
    return checked(FixedDecimal.divideRounding(scaled, by: Int128(right)), isDecimal: true, &overflow)
  }

  /// Millionths to a whole number, towards minus infinity.
  @inline(__always)
  static func floor(_ value: Cell) -> Cell {
    if value == noValue { return noValue }
    let quotient = value / FixedDecimal.scale
    return value % FixedDecimal.scale < 0 ? quotient - 1 : quotient
  }
}
