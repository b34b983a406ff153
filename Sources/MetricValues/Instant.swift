/// A point in time, in microseconds since 1970-01-01T00:00:00Z. It orders facts within a day and
/// stands for nothing else: no day is ever computed from it.
public struct Instant: Hashable, Comparable, Sendable {
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
    guard bytes.count >= 20, let day = DayKey.number(ofDate: UnsafeBufferPointer(rebasing: bytes[..<10])),
      bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == Byte.blank,
      bytes[13] == Byte.colon, bytes[16] == Byte.colon,
      let hour = Instant.twoDigits(bytes, 11, through: 23),
      let minute = Instant.twoDigits(bytes, 14, through: 59),
      let second = Instant.twoDigits(bytes, 17, through: 60)
    else { return nil }
    var index = 19
    guard let fraction = Instant.fraction(bytes, &index), let offset = Instant.zone(bytes, &index),
      index == bytes.count
    else { return nil }
    let isLeap = second == 60
    let minutes = Int64(day) * 1440 + hour * 60 + minute - offset
    let seconds = minutes * 60 + (isLeap ? 59 : second)
    microseconds = seconds * 1_000_000 + (isLeap ? 999_999 : fraction)
    guard isInCalendar else { return nil }
  }

  /// As `init(utf8:)`, of a string.
  public init?(_ text: String) {
    let parsed = Array(text.utf8).withUnsafeBufferPointer { Instant(utf8: $0) }
    guard let parsed else { return nil }
    self = parsed
  }

  static let microsecondsPerDay: Int64 = 86_400_000_000
  private static let first: Int64 = -719_162 * microsecondsPerDay  // 0001-01-01
  private static let end: Int64 = 2_932_897 * microsecondsPerDay  // 10000-01-01

  /// Whether it lies in the years 0001–9999 of UTC, so that a dataset can hold it.
  package var isInCalendar: Bool { microseconds >= Instant.first && microseconds < Instant.end }

  @inline(__always)
  private static func twoDigits(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, through most: Int64
  ) -> Int64? {
    let tens = Byte.digit(bytes[index])
    let ones = Byte.digit(bytes[index + 1])
    guard tens <= 9, ones <= 9 else { return nil }
    let value = Int64(tens) * 10 + Int64(ones)
    return value <= most ? value : nil
  }

  /// The microseconds of an optional `.` and its 1…9 digits, 0 where there is none.
  private static func fraction(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Int64? {
    guard bytes[index] == Byte.point else { return 0 }
    index += 1
    let start = index
    var microseconds: Int64 = 0
    while index < bytes.count, Byte.digit(bytes[index]) <= 9 {
      if index - start < 6 { microseconds = microseconds * 10 + Int64(Byte.digit(bytes[index])) }
      index += 1
    }
    let count = index - start
    guard (1...9).contains(count) else { return nil }
    for _ in 0..<max(0, 6 - count) { microseconds *= 10 }
    return microseconds
  }

  /// The minutes that the zone is ahead of UTC.
  private static func zone(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Int64? {
    guard index < bytes.count else { return nil }
    let sign = bytes[index]
    if sign | 0x20 == UInt8(ascii: "z") {
      index += 1
      return 0
    }
    guard sign == Byte.plus || sign == Byte.minus, bytes.count - index >= 6,
      let hours = twoDigits(bytes, index + 1, through: 23), bytes[index + 3] == Byte.colon,
      let minutes = twoDigits(bytes, index + 4, through: 59)
    else { return nil }
    index += 6
    return sign == Byte.minus ? -(hours * 60 + minutes) : hours * 60 + minutes
  }
}

extension Instant: CustomStringConvertible {
  /// In UTC: `2026-01-31T06:15:00.25Z`.
  public var description: String {
    var buffer = ByteBuffer()
    ValueText.write(self, to: &buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
