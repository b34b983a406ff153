/// A number of the language: a whole number of millionths within ±9·10¹².
///
/// `Int` values of the language share the range; they are plain `Int64`.
public struct FixedDecimal: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let millionths: Int64

  @inlinable public static var scale: Int64 { 1_000_000 }
  /// The greatest magnitude of an Int of the language.
  @inlinable public static var intLimit: Int64 { 9_000_000_000_000 }
  /// The greatest magnitude of a Decimal, in millionths.
  @inlinable public static var limit: Int64 { intLimit * scale }

  @inlinable
  public init(millionths: Int64) {
    self.millionths = millionths
  }

  /// The whole number `value`, or nil outside the range.
  @inlinable
  public init?(_ value: Int64) {
    guard value.magnitude <= UInt64(FixedDecimal.intLimit) else { return nil }
    self.init(millionths: value * FixedDecimal.scale)
  }

  @inlinable
  public static func < (left: FixedDecimal, right: FixedDecimal) -> Bool {
    left.millionths < right.millionths
  }

  /// Whether nothing follows the decimal point.
  public var isWhole: Bool { millionths % FixedDecimal.scale == 0 }

  /// The greatest whole number that is not above a number of millionths.
  @inlinable
  public static func floor(_ millionths: Int64) -> Int64 {
    let quotient = millionths / scale
    return millionths % scale < 0 ? quotient - 1 : quotient
  }

  /// `numerator / denominator`, rounded half away from zero; `denominator` is not 0.
  @inlinable
  public static func divideRounding(_ numerator: Int128, by denominator: Int128) -> Int128 {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    guard remainder.magnitude * 2 >= denominator.magnitude else { return quotient }
    return (numerator < 0) == (denominator < 0) ? quotient + 1 : quotient - 1
  }

  /// Decimal notation without trailing zeros: `2`, `-0.5`, `3.000001`.
  public var description: String { ValueText.text { ValueText.write(self, to: &$0) } }
}
