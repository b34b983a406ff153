import MetricDiagnostics
import MetricValues

/// A date and time as an export writes it, with or without a zone.
struct LocalTime: Hashable {
  /// Microseconds since 1970-01-01 of what the clock shows, as if it were UTC.
  var microseconds: Int64
  /// The seconds that the clock is ahead of UTC, where the text says it.
  var offset: Int64?
  /// Whether the text ends with `Z`: an instant in UTC, which says nothing of where it was.
  var isUTC = false

  /// The instant, where the text says the offset.
  var instant: Instant? { offset.map { Instant(microseconds: microseconds - $0 * 1_000_000) } }

  /// The date that the clock shows; nil where no DayKey can be it.
  var day: DayKey? { DayKey(checking: floorDivide(microseconds, 86_400_000_000)) }

  /// `2026-01-31 08:15`, `2026-01-31T08:15:30.25`, with nothing behind it or with `Z`, `+0100`, ` +01:00`,
  /// `+01` or `+00:53:28`; nil for anything else.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 16, let day = bytes[..<10].withUnsafeBufferPointer({ DayKey.number(ofDate: $0) }),
      bytes[10] == UInt8(ascii: " ") || bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"),
      let hour = LocalTime.number(bytes[11..<13], 0...23),
      let minute = LocalTime.number(bytes[14..<16], 0...59)
    else { return nil }
    var rest = bytes[16...]
    guard let second = LocalTime.second(&rest), let offset = LocalTime.offset(rest) else { return nil }
    microseconds = ((Int64(day) * 1440 + hour * 60 + minute) * 60) * 1_000_000 + second
    self.offset = offset.seconds
    isUTC = offset.isUTC
  }

  /// The microseconds of an optional `:SS` with an optional fraction; a leap second is the end of its minute.
  private static func second(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    guard rest.first == UInt8(ascii: ":") else { return 0 }
    guard rest.count >= 3, let second = number(rest.dropFirst().prefix(2), 0...60) else { return nil }
    rest = rest.dropFirst(3)
    var microseconds = second == 60 ? 59_999_999 : second * 1_000_000
    guard rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") else { return microseconds }
    let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
    guard (1...9).contains(digits.count) else { return nil }
    var fraction: Int64 = 0
    for place in 0..<6 {
      let digit = place < digits.count ? Int64(digits[digits.startIndex + place]) - 0x30 : 0
      fraction = fraction * 10 + digit
    }
    if second < 60 { microseconds += fraction }
    rest = rest.dropFirst(1 + digits.count)
    return microseconds
  }

  private struct Offset {
    var seconds: Int64?
    var isUTC = false
  }

  private static func offset(_ text: ArraySlice<UInt8>) -> Offset? {
    var rest = text.drop { $0 == UInt8(ascii: " ") }
    guard let sign = rest.popFirst() else { return Offset(seconds: nil) }
    if sign | 0x20 == UInt8(ascii: "z") { return rest.isEmpty ? Offset(seconds: 0, isUTC: true) : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    // `+01`, `+0100` or `+01:00`, and with seconds the offsets of local mean time.
    let hasColons = rest.count > 2 && rest[rest.startIndex + 2] == UInt8(ascii: ":")
    let step = hasColons ? 3 : 2
    guard rest.count == 2 || rest.count == 2 + step || rest.count == 2 + 2 * step else { return nil }
    var seconds: Int64 = 0
    for (place, unit) in zip(stride(from: 0, to: rest.count, by: step), [3600, 60, 1] as [Int64]) {
      let part = rest.dropFirst(place)
      guard let value = number(part.prefix(2), unit == 3600 ? 0...23 : 0...59),
        !hasColons || place + 2 == rest.count || part[part.startIndex + 2] == UInt8(ascii: ":")
      else { return nil }
      seconds += value * unit
    }
    return Offset(seconds: sign == UInt8(ascii: "-") ? -seconds : seconds)
  }

  private static func number(_ digits: ArraySlice<UInt8>, _ range: ClosedRange<Int64>) -> Int64? {
    var value: Int64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int64(digit - 0x30)
    }
    return range.contains(value) ? value : nil
  }
}

/// Zones by name, each looked up once.
struct ZoneCache {
  private var known: [String: Zone?] = [:]

  /// Nil where no zone has this name.
  mutating func zone(_ name: String) -> Zone? {
    if let known = known[name] { return known }
    let zone = Zone(name)
    known[name] = zone
    return zone
  }
}

/// When something happened, and on which local date.
struct Moment: Hashable {
  /// Nil where only the clock of an unknown place is known.
  var instant: Instant?
  var day: DayKey
  /// Where the date was taken from, as the report says it.
  var source: String
}

extension Moment {
  /// Why there is no moment.
  enum Fault: Error {
    /// An instant without a place.
    case needsZone
    /// A zone that nobody knows.
    case unknownZone(String)
    /// A date that no DayKey can be.
    case outOfRange
  }

  /// The date of a time: in the record's own zone, else in the one that the import was told, else at the
  /// offset that is written with it. A clock's time without any of these has its date, and no instant.
  ///
  /// - Parameters:
  ///   - ownZone: the name that the record gives; empty where it gives none.
  ///   - zone: what `--zone` says.
  init(
    _ time: LocalTime, ownZone: String = "", zone: Zone?, _ zones: inout ZoneCache
  ) throws(Fault) {
    var place = zone
    var source = zone.map { "day taken from --zone \($0.name)" } ?? ""
    if !ownZone.isEmpty {
      guard let own = zones.zone(ownZone) else { throw .unknownZone(ownZone) }
      place = own
      source = "day taken from the zone of the record"
    }
    if let instant = time.instant {
      guard instant.isInCalendar else { throw .outOfRange }
      if let place {
        guard let day = place.day(of: instant) else { throw .outOfRange }
        self.init(instant: instant, day: day, source: source)
      } else if time.isUTC {
        throw .needsZone
      } else {
        guard let day = time.day else { throw .outOfRange }
        self.init(instant: instant, day: day, source: "day taken from the written offset")
      }
    } else {
      let instant = place?.instant(ofLocal: time.microseconds)
      guard instant?.isInCalendar != false, let day = time.day else { throw .outOfRange }
      self.init(instant: instant, day: day, source: "day as the clock showed it")
    }
  }
}

extension Moment.Fault {
  static let noZone = "is not a known zone, expected one such as `Europe/Berlin`"

  var message: String {
    switch self {
    case .needsZone:
      "an instant without a zone, so its local date is not known; pass `--zone Area/City`, the zone of the person"
    case .unknownZone(let name): "in the zone \(quoted(name)), which \(Moment.Fault.noZone)"
    case .outOfRange: "a moment whose local date lies outside \(DayKey.range)"
    }
  }
}
