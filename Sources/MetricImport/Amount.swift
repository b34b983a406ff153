/// Numbers of an export as the text of a Decimal: at most six digits after the point.
struct Amount: Hashable {
  let millionths: Int64
  /// Whether digits after the sixth were rounded away.
  let isRounded: Bool

  var text: String { FixedDecimal(millionths: millionths).description }

  init(millionths: Int64, isRounded: Bool = false) {
    (self.millionths, self.isRounded) = (millionths, isRounded)
  }

  /// Reads decimal notation, with or without an exponent; nil for anything else, and outside ±9·10¹². Rounds
  /// half away from zero.
  init?(_ text: String) {
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    guard let exponent = parts.count == 1 ? 0 : Int(parts[1]), exponent.magnitude <= 400 else { return nil }
    let hasSign = parts[0].hasPrefix("-") || parts[0].hasPrefix("+")
    let sides = parts[0].dropFirst(hasSign ? 1 : 0)
      .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let digits = sides.joined()
    guard 1...400 ~= digits.utf8.count, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    // The digits before this place are the millionths.
    let place = sides[0].count + exponent + 6
    let kept = digits.prefix(max(0, place)) + String(repeating: "0", count: max(0, place - digits.count))
    let cut = digits.dropFirst(max(0, place))
    let roundsUp = place >= 0 && cut.first.map { $0 >= "5" } == true
    guard let floor = Int128("0" + kept), floor <= FixedDecimal.limit else { return nil }
    let magnitude = Int64(floor) + (roundsUp ? 1 : 0)
    guard magnitude <= FixedDecimal.limit else { return nil }
    self.init(
      millionths: parts[0].hasPrefix("-") ? -magnitude : magnitude, isRounded: cut.contains { $0 != "0" })
  }

  /// The amount times `numerator / denominator`, rounded; nil if it does not fit.
  func scaled(_ numerator: Int64, by denominator: Int64) -> Amount? {
    let product = Int128(millionths) * Int128(numerator)
    let result = FixedDecimal.divideRounding(product, by: Int128(denominator))
    guard result.magnitude <= UInt128(FixedDecimal.limit) else { return nil }
    let isExact = result * Int128(denominator) == product
    return Amount(millionths: Int64(result), isRounded: isRounded || !isExact)
  }
}
