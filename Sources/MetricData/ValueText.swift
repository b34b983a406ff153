/// The one way in which values are written, as bytes, so that results need no string a cell.
///
/// What is written is read back as the same value by `DayKey`, `FixedDecimal` and `Instant`.
public enum ValueText {
  /// `2026-01-31`.
  public static func write(_ day: DayKey, to bytes: inout [UInt8]) {
    let (year, month, dayOfMonth) = day.civil
    write(year, width: 4, to: &bytes)
    bytes.append(Byte.minus)
    write(month, width: 2, to: &bytes)
    bytes.append(Byte.minus)
    write(dayOfMonth, width: 2, to: &bytes)
  }

  /// Decimal notation without trailing zeros: `2`, `-0.5`.
  public static func write(_ decimal: FixedDecimal, to bytes: inout [UInt8]) {
    let magnitude = decimal.millionths.magnitude
    let scale = UInt64(FixedDecimal.scale)
    if decimal.millionths < 0 { bytes.append(Byte.minus) }
    write(Int(magnitude / scale), width: 1, to: &bytes)
    writeFraction(Int(magnitude % scale), to: &bytes)
  }

  /// A whole number: `-3`.
  public static func write(_ integer: Int64, to bytes: inout [UInt8]) {
    if integer < 0 { bytes.append(Byte.minus) }
    bytes.append(contentsOf: String(integer.magnitude).utf8)
  }

  /// RFC 3339 in UTC, without trailing zeros: `2026-01-31T06:15:00.25Z`.
  public static func write(_ instant: Instant, to bytes: inout [UInt8]) {
    let perDay = Instant.microsecondsPerDay
    let (quotient, remainder) = instant.microseconds.quotientAndRemainder(dividingBy: perDay)
    let isBorrowed = remainder < 0
    let ofDay = Int(isBorrowed ? remainder + perDay : remainder)
    let seconds = ofDay / 1_000_000
    write(DayKey(number: Int32(clamping: isBorrowed ? quotient - 1 : quotient)), to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    write(seconds / 3600, width: 2, to: &bytes)
    bytes.append(Byte.colon)
    write(seconds / 60 % 60, width: 2, to: &bytes)
    bytes.append(Byte.colon)
    write(seconds % 60, width: 2, to: &bytes)
    writeFraction(ofDay % 1_000_000, to: &bytes)
    bytes.append(UInt8(ascii: "Z"))
  }

  /// A point and up to six digits, nothing for 0.
  private static func writeFraction(_ millionths: Int, to bytes: inout [UInt8]) {
    guard millionths != 0 else { return }
    bytes.append(Byte.point)
    write(millionths, width: 6, to: &bytes)
    while bytes.last == Byte.zero { bytes.removeLast() }
  }

  /// Digits of a number that is not negative, filled with zeros to `width`.
  private static func write(_ value: Int, width: Int, to bytes: inout [UInt8]) {
    let start = bytes.count
    var rest = value
    repeat {
      bytes.append(Byte.zero + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    while bytes.count - start < width { bytes.append(Byte.zero) }
    bytes[start...].reverse()
  }
}
