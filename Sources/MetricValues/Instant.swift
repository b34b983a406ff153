/// A point in time, in microseconds since 1970-01-01T00:00:00Z. It orders facts within a day and
/// stands for nothing else: no day is ever computed from it.
public struct Instant: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let microseconds: Int64

  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }

  /// An RFC 3339 text with its zone: `2026-01-31T08:15:00.25+02:00`.
  ///
  /// `T`, `t` or a blank separates; the zone is `Z`, `z` or `±hh:mm`; 1 to 9 fractional digits are
  /// cut to microseconds; a leap second `:60` is the last microsecond before the next minute. Nil for
  /// anything else, and for an instant outside the years 0001–9999 of UTC.
  public init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 20, bytes[16] == Byte.colon,
      !bytes[17...].contains(where: { $0 == Byte.blank || $0 == Byte.comma }),
      let time = LocalTime(utf8: bytes), let instant = time.instant, instant.isInCalendar
    else { return nil }
    let sign = bytes[bytes.count - 6]
    guard time.isUTC || sign == Byte.plus || sign == Byte.minus,
      bytes[bytes.count - 3] == Byte.colon || time.isUTC
    else { return nil }
    self = instant
  }

  /// As `init(utf8:)`, of a string.
  public init?(_ text: String) {
    guard let instant = Array(text.utf8).withUnsafeBufferPointer({ Instant(utf8: $0) }) else { return nil }
    self = instant
  }

  static let microsecondsPerDay: Int64 = 86_400_000_000
  private static let first: Int64 = -719_162 * microsecondsPerDay  // 0001-01-01
  private static let end: Int64 = 2_932_897 * microsecondsPerDay  // 10000-01-01

  /// The number of the UTC date that holds it.
  package var utcDay: Int64 {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: Instant.microsecondsPerDay)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Whether it lies in the years 0001–9999 of UTC, so that a dataset can hold it.
  package var isInCalendar: Bool { microseconds >= Instant.first && microseconds < Instant.end }

  /// In UTC: `2026-01-31T06:15:00.25Z`.
  public var description: String { ValueText.text { ValueText.write(self, to: &$0) } }
}

/// A date and time as a clock shows it, with or without a zone.
package struct LocalTime: Hashable {
  /// Microseconds since 1970-01-01 of what the clock shows, as if it were UTC.
  package var microseconds: Int64
  /// The seconds that the clock is ahead of UTC, where the text says it.
  package var offset: Int64?
  /// Whether the text ends with `Z`: an instant in UTC, which says nothing of where it was.
  package var isUTC = false

  /// An instant about which nothing else is known; nil outside the years 0001–9999.
  package init?(utc instant: Instant) {
    guard instant.isInCalendar else { return nil }
    (microseconds, offset, isUTC) = (instant.microseconds, 0, true)
  }

  /// The instant, where the text says the offset.
  package var instant: Instant? { offset.map { Instant(microseconds: microseconds - $0 * 1_000_000) } }

  /// `2026-01-31 08:15`, `2026-01-31T08:15:30.25`, with nothing after it or with `Z`, `+0100`, ` +01:00`,
  /// `+01` or `+00:53:28`; nil for anything else.
  package init?(_ text: String) {
    guard let time = Array(text.utf8).withUnsafeBufferPointer({ LocalTime(utf8: $0) }) else { return nil }
    self = time
  }

  init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 16, let day = DayKey.number(ofDate: UnsafeBufferPointer(rebasing: bytes[..<10])),
      bytes[10] == Byte.blank || bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == Byte.colon,
      let hour = LocalTime.pair(bytes, 11, through: 23), let minute = LocalTime.pair(bytes, 14, through: 59)
    else { return nil }
    var index = 16
    guard let second = LocalTime.second(bytes, &index) else { return nil }
    microseconds = ((Int64(day) * 1440 + hour * 60 + minute) * 60) * 1_000_000 + second
    while index < bytes.count, bytes[index] == Byte.blank { index += 1 }
    guard index < bytes.count else { return }
    isUTC = bytes[index] | 0x20 == UInt8(ascii: "z") && index + 1 == bytes.count
    offset = isUTC ? 0 : LocalTime.offset(bytes, index)
    if offset == nil { return nil }
  }

  private static func pair(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, through most: Int64
  ) -> Int64? {
    guard index + 1 < bytes.count else { return nil }
    let (tens, ones) = (Byte.digit(bytes[index]), Byte.digit(bytes[index + 1]))
    let value = Int64(tens) * 10 + Int64(ones)
    return tens <= 9 && ones <= 9 && value <= most ? value : nil
  }

  /// The microseconds of an optional `:SS` with 1…9 optional decimals; a leap second is the end of its minute.
  private static func second(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Int64? {
    guard index < bytes.count, bytes[index] == Byte.colon else { return 0 }
    guard let second = pair(bytes, index + 1, through: 60) else { return nil }
    index += 3
    var fraction: Int64 = 0
    if index < bytes.count, bytes[index] == Byte.point || bytes[index] == Byte.comma {
      index += 1
      let start = index
      while index < bytes.count, Byte.digit(bytes[index]) <= 9 {
        if index - start < 6 { fraction = fraction * 10 + Int64(Byte.digit(bytes[index])) }
        index += 1
      }
      guard (1...9).contains(index - start) else { return nil }
      for _ in 0..<max(0, 6 - (index - start)) { fraction *= 10 }
    }
    return second == 60 ? 59_999_999 : second * 1_000_000 + fraction
  }

  /// `+01`, `+0100` or `+01:00`, and with seconds the offsets of local mean time.
  private static func offset(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int64? {
    guard bytes[start] == Byte.plus || bytes[start] == Byte.minus else { return nil }
    let hasColons = start + 3 < bytes.count && bytes[start + 3] == Byte.colon
    var (seconds, unit, index): (Int64, Int64, Int) = (0, 3600, start + 1)
    repeat {
      guard unit > 0, let part = pair(bytes, index, through: unit == 3600 ? 23 : 59) else { return nil }
      seconds += part * unit
      unit /= 60
      index += 2
      if hasColons, index < bytes.count {
        guard bytes[index] == Byte.colon, index + 1 < bytes.count else { return nil }
        index += 1
      }
    } while index < bytes.count
    return bytes[start] == Byte.minus ? -seconds : seconds
  }
}
