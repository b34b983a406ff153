/// Why a text is not a number of the language.
public enum NumberFault: Error, Hashable, Sendable {
  /// Not `-`, digits, `.` and digits, `e` and an exponent.
  case malformed
  /// More than 6 digits after the point, trailing zeros not counted.
  case tooManyFractionalDigits
  /// A fraction where a whole number is expected.
  case notWhole
  /// Outside ±9·10¹².
  case outOfRange
}

extension FixedDecimal {
  /// The exact value of `-12.5`, `007`, `1.2e-3`: no sign `+`, no blanks, a digit on each side of the
  /// point. The strict grammar of JSON (no leading zeros) is the business of its scanner.
  public static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(NumberFault) -> FixedDecimal {
    let notation = try DecimalNotation(bytes)
    if notation.digits == 0 { return FixedDecimal(millionths: 0) }
    guard notation.leadingPower <= 12 else { throw .outOfRange }
    guard notation.power >= -6 else { throw .tooManyFractionalDigits }
    // At most 13 digits come before the point and 6 after it: 19 digits fit.
    let magnitude = notation.digits * DecimalNotation.tenTo(notation.power + 6)
    guard magnitude <= UInt64(limit) else { throw .outOfRange }
    return FixedDecimal(millionths: notation.isNegative ? -Int64(magnitude) : Int64(magnitude))
  }

  /// The exact value of a whole number; `3.0` and `1.5e1` are whole.
  public static func parseInt(_ bytes: UnsafeBufferPointer<UInt8>) throws(NumberFault) -> Int64 {
    let notation = try DecimalNotation(bytes)
    if notation.digits == 0 { return 0 }
    guard notation.leadingPower <= 12 else { throw .outOfRange }
    guard notation.power >= 0 else { throw .notWhole }
    let magnitude = notation.digits * DecimalNotation.tenTo(notation.power)
    guard magnitude <= UInt64(intLimit) else { throw .outOfRange }
    return notation.isNegative ? -Int64(magnitude) : Int64(magnitude)
  }

  /// As `parse(_:)`, of a string.
  public static func parse(_ text: String) throws(NumberFault) -> FixedDecimal {
    let result = Array(text.utf8).withUnsafeBufferPointer { bytes in
      Result { () throws(NumberFault) in try parse(bytes) }
    }
    return try result.get()
  }
}

/// A number as it is written: ±digits·10^power, without zeros at either end of the digits.
private struct DecimalNotation {
  var isNegative = false
  /// The digits from the first to the last that is not 0; meaningless where there are more than 19.
  var digits: UInt64 = 0
  /// The power of ten of the last digit.
  var power = 0
  /// The power of ten of the first digit.
  var leadingPower = 0

  /// Zeros seen after the last digit that is not 0.
  private var pendingZeros = 0
  private var digitCount = 0

  @inline(__always)
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(NumberFault) {
    var index = 0
    if index < bytes.count, bytes[index] == Byte.minus {
      isNegative = true
      index &+= 1
    }
    guard readDigits(bytes, &index) > 0 else { throw .malformed }
    var fractionCount = 0
    if index < bytes.count, bytes[index] == Byte.point {
      index &+= 1
      fractionCount = readDigits(bytes, &index)
      guard fractionCount > 0 else { throw .malformed }
    }
    var exponent = 0
    if index < bytes.count {
      guard bytes[index] | 0x20 == UInt8(ascii: "e") else { throw .malformed }
      index &+= 1
      exponent = try DecimalNotation.readExponent(bytes, &index)
    }
    guard index == bytes.count else { throw .malformed }
    power = exponent &- fractionCount &+ pendingZeros
    leadingPower = power &+ digitCount &- 1
  }

  /// Takes in a run of digits and says how many there were.
  @inline(__always)
  private mutating func readDigits(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Int {
    let start = index
    while index < bytes.count {
      let digit = Byte.digit(bytes[index])
      guard digit <= 9 else { break }
      index &+= 1
      if digit != 0 {
        append(digit)
      } else if digitCount > 0 {
        pendingZeros &+= 1
      }
    }
    return index &- start
  }

  @inline(__always)
  private mutating func append(_ digit: UInt8) {
    digitCount &+= pendingZeros &+ 1
    while pendingZeros > 0 {
      digits &*= 10
      pendingZeros &-= 1
    }
    digits = digits &* 10 &+ UInt64(digit)
    if digits == 0 { digits = 1 }  // wrapped around: more than 19 digits, of which none is needed
  }

  /// An optional sign and digits; a greater exponent than any text is long counts as that great.
  private static func readExponent(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int
  ) throws(NumberFault) -> Int {
    var isNegative = false
    if index < bytes.count, bytes[index] == Byte.minus || bytes[index] == Byte.plus {
      isNegative = bytes[index] == Byte.minus
      index += 1
    }
    let start = index
    var exponent = 0
    while index < bytes.count, Byte.digit(bytes[index]) <= 9 {
      exponent = min(exponent * 10 + Int(Byte.digit(bytes[index])), 1 << 48)
      index += 1
    }
    guard index > start else { throw .malformed }
    return isNegative ? -exponent : exponent
  }

  /// 10 to the power of 0…19.
  static func tenTo(_ power: Int) -> UInt64 {
    var result: UInt64 = 1
    for _ in 0..<power { result *= 10 }
    return result
  }
}
