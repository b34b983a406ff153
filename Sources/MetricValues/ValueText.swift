/// The one way in which values are written, as bytes, so that results need no string per cell.
///
/// What is written is read back as the same value by `DayKey`, `FixedDecimal` and `Instant`.
package enum ValueText {
  /// What is written to a buffer, as a string.
  static func text(_ write: (inout ByteBuffer) -> Void) -> String {
    var buffer = ByteBuffer()
    write(&buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// `2026-01-31`.
  package static func write(_ day: DayKey, to bytes: inout ByteBuffer) {
    let (year, month, dayOfMonth) = day.civil
    write(UInt64(year.magnitude), width: 4, to: &bytes)
    bytes.append(Byte.minus)
    write(UInt64(month), width: 2, to: &bytes)
    bytes.append(Byte.minus)
    write(UInt64(dayOfMonth), width: 2, to: &bytes)
  }

  /// Decimal notation without trailing zeros: `2`, `-0.5`.
  package static func write(_ decimal: FixedDecimal, to bytes: inout ByteBuffer) {
    let magnitude = decimal.millionths.magnitude
    let scale = UInt64(FixedDecimal.scale)
    if decimal.millionths < 0 { bytes.append(Byte.minus) }
    write(magnitude / scale, width: 1, to: &bytes)
    writeFraction(Int(magnitude % scale), to: &bytes)
  }

  /// A whole number: `-3`.
  package static func write(_ integer: Int64, to bytes: inout ByteBuffer) {
    if integer < 0 { bytes.append(Byte.minus) }
    write(integer.magnitude, width: 1, to: &bytes)
  }

  /// RFC 3339 in UTC, without trailing zeros: `2026-01-31T06:15:00.25Z`.
  package static func write(_ instant: Instant, to bytes: inout ByteBuffer) {
    let day = instant.utcDay
    // Also of the first instants of 64 bits, whose day begins before them.
    let ofDay = Int(instant.microseconds &- day &* Instant.microsecondsPerDay)
    let seconds = ofDay / 1_000_000
    write(DayKey(number: Int32(clamping: day)), to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    write(UInt64(seconds / 3600), width: 2, to: &bytes)
    bytes.append(Byte.colon)
    write(UInt64(seconds / 60 % 60), width: 2, to: &bytes)
    bytes.append(Byte.colon)
    write(UInt64(seconds % 60), width: 2, to: &bytes)
    writeFraction(ofDay % 1_000_000, to: &bytes)
    bytes.append(UInt8(ascii: "Z"))
  }

  /// A point and up to six digits, nothing for 0.
  private static func writeFraction(_ millionths: Int, to bytes: inout ByteBuffer) {
    guard millionths != 0 else { return }
    bytes.append(Byte.point)
    var (digits, width) = (millionths, 6)
    while digits % 10 == 0 {
      digits /= 10
      width -= 1
    }
    write(UInt64(digits), width: width, to: &bytes)
  }

  /// Digits of a number, filled with zeros to `width`.
  private static func write(_ value: UInt64, width: Int, to bytes: inout ByteBuffer) {
    var count = 1
    var bound: UInt64 = 10
    while count < 20, value >= bound {
      count += 1
      bound = count < 20 ? bound * 10 : bound
    }
    bytes.appendDigits(value, count: max(count, width))
  }
}
