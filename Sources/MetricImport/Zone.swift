import Foundation
import MetricValues

/// A time zone by its name, to tell once and for all on which local date something happened.
///
/// This is the one place of the product that knows zones, and it knows them while importing only: the DayKey
/// is written into the dataset, and no later change of zone, or of what is known about zones, moves it.
/// The rules are those of the time zone database that Foundation brings along.
public struct Zone: Hashable, Sendable {
  public let name: String
  private let zone: TimeZone

  /// Nil where no zone has this name. A name has a region and a city (`Europe/Berlin`) or is `UTC`; short
  /// names such as `EST` mean different things to different people.
  public init?(_ name: String) {
    guard name == "UTC" || name.contains("/"), let zone = TimeZone(identifier: name) else { return nil }
    self.name = name
    self.zone = zone
  }

  /// The seconds by which the zone is ahead of UTC at a moment.
  public func offset(atSecond second: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second))))
  }

  /// The local date of an instant; nil where no DayKey can be it.
  public func day(of instant: Instant) -> DayKey? {
    let second = floorDivide(instant.microseconds, 1_000_000)
    return Zone.day(of: instant, offset: offset(atSecond: second))
  }

  /// The local date where the offset from UTC is known.
  static func day(of instant: Instant, offset: Int64) -> DayKey? {
    DayKey(checking: floorDivide(floorDivide(instant.microseconds, 1_000_000) + offset, 86_400))
  }

  /// The instant at which clocks show a local time, given in microseconds as if it were UTC.
  ///
  /// Where clocks show it twice (they were put back) it is the first of the two. Where they never show it
  /// (they were put forward over it) it is the moment that the old offset gives: 02:30 in a gap from two to
  /// three is what the clocks then call 03:30.
  func instant(ofLocal microseconds: Int64) -> Instant {
    let second = floorDivide(microseconds, 1_000_000)
    // No zone was ever as much as a day away from UTC, so a day reaches over every jump of the clocks, and over
    // a date that a zone left out. It is not long enough to reach over two of them.
    let before = offset(atSecond: second - 86_400)
    let after = offset(atSecond: second + 86_400)
    let early = second - max(before, after)
    let late = second - min(before, after)
    let chosen: Int64 =
      if offset(atSecond: early) == max(before, after) {
        early
      } else if offset(atSecond: late) == min(before, after) {
        late
      } else {
        second - before
      }
    return Instant(microseconds: microseconds + (chosen - second) * 1_000_000)
  }
}

/// Division that rounds toward smaller numbers.
func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
  let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? quotient - 1 : quotient
}
