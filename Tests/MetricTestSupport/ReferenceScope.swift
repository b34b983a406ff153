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

  /// "`last N days`, `last N weeks`, `calendar …` or `all time` … ends on r"; "`previous calendar …` is the whole unit
  /// before the one that holds r".
  init(_ period: Period, at day: DayKey) {
    last = day
    switch period {
    case .lastDays(let days): first = day.advanced(by: 1 - days)
    case .calendar(let unit): first = unit.firstDay(holding: day)
    case .previous(let unit):
      last = unit.firstDay(holding: day).advanced(by: -1)
      first = unit.firstDay(holding: last)
    case .allTime: first = nil
    }
  }

  /// Window 0 of a reference day: "With length L, window k covers the days r-L(k+1)+1 … r-Lk";
  /// "a calendar window 0 ends at r".
  init(window: Window, endingAt day: DayKey) {
    last = day
    first =
      switch window {
      case .rolling(let days): day.advanced(by: 1 - days)
      case .calendar(let unit): unit.firstDay(holding: day)
      }
  }
}

extension CalendarUnit {
  /// The unit's first day, day by day back: the first of its month, in a month it may start with.
  func firstDay(holding day: DayKey) -> DayKey {
    switch self {
    case .day: day
    case .week(let start): walkBack(from: day) { $0.weekday == start }
    case .months(let count, let first):
      walkBack(from: day) { $0.civil.day == 1 && ($0.civil.month + 12 - first) % count == 0 }
    }
  }

  private func walkBack(from day: DayKey, to isFirst: (DayKey) -> Bool) -> DayKey {
    var day = day
    while !isFirst(day) { day = day.advanced(by: -1) }
    return day
  }

  /// Whether the next day is another unit's.
  func isLast(_ day: DayKey) -> Bool {
    let next = day.advanced(by: 1)
    return firstDay(holding: next) == next
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

/// The facts of one group: what it is grouped by, and the texts of these fields.
struct GroupScope {
  var grouping: [GroupField]
  var texts: ReferenceGroup

  /// "A metric with fewer fields is read by those it has"; one without by none.
  func texts(of fields: [GroupField]) -> ReferenceGroup {
    fields.isEmpty
      ? [""] : fields.map { field in texts[grouping.firstIndex { $0.name == field.name } ?? 0] }
  }
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
