import MetricValues

/// Numbers of an export as the text of a Decimal: at most six digits after the point.
struct Amount: Hashable {
  let text: String
  let millionths: Int64
  /// Whether digits after the sixth were rounded away.
  let isRounded: Bool

  /// Reads decimal notation, with or without an exponent; nil for anything else, and outside ±9·10¹². Rounds
  /// half away from zero.
  init?(_ text: String) {
    guard let parsed = Amount.parse(text), parsed.value.magnitude <= UInt128(FixedDecimal.limit) else {
      return nil
    }
    self.init(millionths: Int64(parsed.value), isRounded: parsed.isRounded)
  }

  init(millionths: Int64, isRounded: Bool = false) {
    self.millionths = millionths
    self.isRounded = isRounded
    text = FixedDecimal(millionths: millionths).description
  }

  /// The amount times `numerator / denominator`, rounded; nil if it does not fit.
  func scaled(_ numerator: Int64, by denominator: Int64) -> Amount? {
    let product = Int128(millionths) * Int128(numerator)
    let result = FixedDecimal.divideRounding(product, by: Int128(denominator))
    guard result.magnitude <= UInt128(FixedDecimal.limit) else { return nil }
    let isExact = result * Int128(denominator) == product
    return Amount(millionths: Int64(result), isRounded: isRounded || !isExact)
  }

  private static func parse(_ text: String) -> (value: Int128, isRounded: Bool)? {
    var rest = Array(text.utf8)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    var digits: [UInt8] = []
    var pointAt: Int?
    while let byte = rest.first, byte == UInt8(ascii: ".") && pointAt == nil || (0x30...0x39).contains(byte) {
      if byte == UInt8(ascii: ".") { pointAt = digits.count } else { digits.append(byte - 0x30) }
      rest.removeFirst()
    }
    guard !digits.isEmpty, digits.count <= 400 else { return nil }
    var exponent = 0
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      guard let value = Int(String(decoding: rest.dropFirst(), as: UTF8.self)), abs(value) <= 400 else {
        return nil
      }
      exponent = value
      rest = []
    }
    guard rest.isEmpty else { return nil }
    return rounded(digits, pointAt: (pointAt ?? digits.count) + exponent + 6, isNegative: isNegative)
  }

  /// The digits with the point before the one at `pointAt`, rounded to a whole number.
  private static func rounded(
    _ digits: [UInt8], pointAt: Int, isNegative: Bool
  ) -> (value: Int128, isRounded: Bool)? {
    var value: Int128 = 0
    for index in 0..<max(0, pointAt) {
      guard value < 1_000_000_000_000_000_000_000 else { return nil }
      value = value * 10 + (index < digits.count ? Int128(digits[index]) : 0)
    }
    let cut = digits.dropFirst(max(0, pointAt))
    if pointAt >= 0, let first = cut.first, first >= 5 { value += 1 }
    return (isNegative ? -value : value, cut.contains { $0 != 0 })
  }
}
