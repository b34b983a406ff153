import Foundation
import Synchronization

/// A time zone by its name, to tell once and for all on which local date something happened.
///
/// This is the one place of the product that knows zones, and it knows them while importing only: the DayKey
/// is written into the dataset, and no later change of zone, or of what is known about zones, moves it.
/// The rules are those of the time zone database that Foundation brings along.
public struct Zone: Hashable, Sendable {
  public let name: String
  private let zone: TimeZone

  /// Nil if no zone has this name. A name has a region and a city (`Europe/Berlin`) or is `UTC`; short names such as
  /// `EST` mean different things to different people.
  public init?(_ name: String) {
    guard name == "UTC" || name.contains("/"), let zone = TimeZone(identifier: name) else { return nil }
    (self.name, self.zone) = (name, zone)
  }

  private static let known = Mutex<[String: Zone?]>([:])

  /// The same, looked up once.
  static func named(_ name: String) -> Zone? {
    known.withLock { known in
      if let zone = known[name] { return zone }
      let zone = Zone(name)
      known[name] = zone
      return zone
    }
  }

  /// The seconds by which the zone is ahead of UTC at a moment.
  public func offset(atSecond second: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second))))
  }

  /// The local date of an instant; nil if no DayKey can be it.
  public func day(of instant: Instant) -> DayKey? {
    let second = floorDivide(instant.microseconds, 1_000_000)
    return DayKey(checking: floorDivide(second + offset(atSecond: second), 86_400))
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
    // The greater offset gives the earlier moment.
    let shown = [max(before, after), min(before, after)].first { offset(atSecond: second - $0) == $0 }
    return Instant(microseconds: microseconds - (shown ?? before) * 1_000_000)
  }
}

/// Division that rounds toward smaller numbers.
func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
  let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? quotient - 1 : quotient
}

/// When something happened, and on which local date.
struct Moment: Hashable {
  /// Nil if only the clock of an unknown place is known.
  var instant: Instant?
  var day: DayKey
  /// Where the date was taken from, as the report says it.
  var source: String
}

extension LocalTime {
  /// The date that the clock shows; nil if no DayKey can be it.
  var day: DayKey? { DayKey(checking: floorDivide(microseconds, 86_400_000_000)) }
}

extension Moment {
  enum Fault: Error {
    /// An instant without a place.
    case needsZone
    case unknownZone(String)
    case outOfRange

    static let noZone = "is not a known zone, expected one such as `Europe/Berlin`"

    var message: String {
      switch self {
      case .needsZone:
        "an instant without a zone, so its local date is not known; pass `--zone Area/City`, the zone of the person"
      case .unknownZone(let name): "in the zone \(quoted(name)), which \(Fault.noZone)"
      case .outOfRange: "a moment whose local date is outside \(DayKey.range)"
      }
    }
  }

  /// The date of a time: in the zone that the record names (`ownZone`, empty if none), else in that of
  /// `--zone`, else at the offset that is written with it. A clock's time without any of these has its date,
  /// and no instant.
  init(_ time: LocalTime, ownZone: String = "", zone: Zone?) throws(Fault) {
    var place = zone
    var source = zone.map { "day taken from --zone \($0.name)" } ?? ""
    if !ownZone.isEmpty {
      place = Zone.named(ownZone)
      guard place != nil else { throw .unknownZone(ownZone) }
      source = "day taken from the zone of the record"
    }
    let instant = time.instant ?? place?.instant(ofLocal: time.microseconds)
    guard instant?.isInCalendar != false else { throw .outOfRange }
    var day = time.day
    if time.instant == nil {
      source = "day as the clock showed it"
    } else if let place, let instant {
      day = place.day(of: instant)
    } else if time.isUTC {
      throw .needsZone
    } else {
      source = "day taken from the written offset"
    }
    guard let day else { throw .outOfRange }
    self.init(instant: instant, day: day, source: source)
  }
}

/// The order of the numbers in a date like `11/5/2020` or `06-16-24`.
public enum DateOrder: String, CaseIterable, Sendable {
  case dayMonth = "day-month"
  case monthDay = "month-day"

  /// The one order in which all of the dates are real; nil if both are, or none.
  static func only(in dates: some Sequence<String>) -> DateOrder? {
    var orders = allCases
    for date in dates { orders.removeAll { DayKey(date, order: $0) == nil } }
    return orders.count == 1 ? orders[0] : nil
  }

  /// What was expected in place of a text that is not a date.
  static func expectation(of date: String, _ order: DateOrder?) -> String {
    if let order { return "which is not a real date in \(order.rawValue) order, from \(DayKey.range)" }
    guard allCases.contains(where: { DayKey(date, order: $0) != nil }) else {
      return "expected a date such as `2026-01-31` or `1/31/2026`"
    }
    return "which may be read in two ways; pass `--dates day-month` or `--dates month-day`"
  }
}

extension DayKey {
  /// `20260131`, as databases write a date.
  init?(digits text: String) {
    guard text.utf8.count == 8, let number = Int(text), number > 0 else { return nil }
    self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
  }

  /// A date as spreadsheets write it: `2026-01-31`, or in an order `1/31/2026`, `31.1.26`. Years of two digits are
  /// those from 2000 on.
  init?(_ text: String, order: DateOrder?) {
    if let day = DayKey(text) {
      self = day
      return
    }
    let parts = text.split(omittingEmptySubsequences: false) { "/-.".contains($0) }
    let numbers = parts.compactMap { Int($0) }
    guard let order, parts.count == 3, numbers.count == 3, parts[2].count == 2 || parts[2].count == 4 else {
      return nil
    }
    let (day, month) = order == .dayMonth ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
    self.init(year: parts[2].count == 2 ? 2000 + numbers[2] : numbers[2], month: month, day: day)
  }
}
