import MetricData
import MetricPlan

/// The days from `first` (nil: since ever) to `last`.
struct DaySpan: Hashable {
  var first: DayKey?
  var last: DayKey

  func contains(_ day: DayKey) -> Bool {
    day <= last && (first.map { $0 <= day } ?? true)
  }

  /// Whether this span lies wholly inside another.
  func isInside(_ other: DaySpan) -> Bool {
    guard last <= other.last else { return false }
    guard let start = other.first else { return true }
    return first.map { start <= $0 } ?? false
  }

  /// "Periods `P`: `last N days/weeks`, `calendar week`, `calendar month`, `all time` (the default),
  /// all ending at r."
  init(_ period: Period, endingAt day: DayKey) {
    last = day
    first =
      switch period {
      case .lastDays(let days): day.advanced(by: 1 - days)
      case .calendarWeek(let start): day.startOfWeek(from: start)
      case .calendarMonth: day.startOfMonth
      case .allTime: nil
      }
  }

  /// Window 0 of a reference day: "With length L, window k covers the days r-L(k+1)+1 … r-Lk";
  /// "a calendar window 0 ends at r".
  init(window: Window, endingAt day: DayKey) {
    last = day
    first =
      switch window {
      case .rolling(let days): day.advanced(by: 1 - days)
      case .calendarWeek(let start): day.startOfWeek(from: start)
      case .calendarMonth: day.startOfMonth
      }
  }
}

/// A fact of the dataset.
struct ReferenceFact: Hashable {
  var record: RecordID
  var row: ReferenceRow
}

/// A record whose fields an expression may name: a fact, or a subject that perhaps no row tells of.
struct RowScope {
  var record: RecordID
  var row: ReferenceRow?
  /// Where it is a subject.
  var id: ByteText?
}

/// The facts of one group: by record type the path to the group's value, and that value.
struct GroupScope {
  var paths: [RecordID: FieldPath]
  var value: ReferenceValue
}

/// What an expression of a metric sees.
struct ReferenceScope {
  var metric: MetricID
  var subject: ByteText
  /// "In both conditions `day` is the window's last DayKey"; "in `value`, `day` is r"; inside an
  /// aggregate's `where` "`day` for the fact's DayKey".
  var day: DayKey
  /// "Without its own period an aggregate takes the window of a completion or the metric's `over`."
  var span: DaySpan
  /// Whether a team metric reads, itself or through this one.
  var asksConsent: Bool
  var row: RowScope?
  var group: GroupScope?
}
