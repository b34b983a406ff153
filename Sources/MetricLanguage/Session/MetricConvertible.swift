import MetricValues

/// A Swift type that a session gives values as, and takes in the fields of records.
///
///     let streak = try session.value(of: "daily_streak", for: "read", on: today, as: Int.self)
///
/// `MetricFoundation` adds `Date` and `Decimal`. A type of your own says which types of the language it takes:
///
///     extension Minutes: MetricConvertible {
///       static let columnTypes: Set<ColumnType> = [.int]
///       init?(_ value: Value) { … }
///       var metricValue: Value { .int(Int64(count)) }
///     }
public protocol MetricConvertible {
  /// The types of metrics whose values it can hold.
  static var columnTypes: Set<ColumnType> { get }
  /// Nil if the value is of another type, or does not fit. It is not asked for `Value.none`.
  init?(_ value: Value)
  /// As a session takes it in a record; an Instant is a text such as `2026-01-31T07:30:00Z`.
  var metricValue: Value { get }
}

extension Value: MetricConvertible {
  public static var columnTypes: Set<ColumnType> { [.text, .int, .decimal, .bool, .dayKey, .instant] }
  public init?(_ value: Value) { self = value }
  public var metricValue: Value { self }
}

extension Int: MetricConvertible {
  public static var columnTypes: Set<ColumnType> { [.int] }
  public init?(_ value: Value) {
    guard case .int(let number) = value else { return nil }
    self.init(exactly: number)
  }
  public var metricValue: Value { .int(Int64(self)) }
}

extension Double: MetricConvertible {
  public static var columnTypes: Set<ColumnType> { [.int, .decimal] }
  public init?(_ value: Value) {
    guard let decimal = FixedDecimal(value) else { return nil }
    self.init(decimal)
  }
  /// Rounded to millionths; what is not a number of the language is a text that names it.
  public var metricValue: Value { FixedDecimal(rounding: self).map { .decimal($0) } ?? .text("\(self)") }
}

extension FixedDecimal: MetricConvertible {
  public static var columnTypes: Set<ColumnType> { [.int, .decimal] }
  public init?(_ value: Value) {
    switch value {
    case .int(let number): self.init(number)
    case .decimal(let number): self = number
    case .none, .bool, .day, .text: return nil
    }
  }
  public var metricValue: Value { .decimal(self) }
}

extension Bool: MetricConvertible {
  public static var columnTypes: Set<ColumnType> { [.bool] }
  public init?(_ value: Value) {
    if case .bool(let holds) = value { self = holds } else { return nil }
  }
  public var metricValue: Value { .bool(self) }
}

extension String: MetricConvertible {
  public static var columnTypes: Set<ColumnType> { [.text] }
  public init?(_ value: Value) {
    if case .text(let text) = value { self = text } else { return nil }
  }
  public var metricValue: Value { .text(self) }
}

extension DayKey: MetricConvertible {
  public static var columnTypes: Set<ColumnType> { [.dayKey] }
  public init?(_ value: Value) {
    if case .day(let day) = value { self = day } else { return nil }
  }
  public var metricValue: Value { .day(self) }
}
