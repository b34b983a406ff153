/// The values of many subjects at one day, without saying whose they are.
struct Spread: Sendable {
  /// Subjects that have a row.
  var subjectCount = 0
  /// Rows with a value.
  var valueCount = 0
  /// Rows that are true.
  var trueCount = 0
  var isBool = false
  /// Rising.
  var numbers: [FixedDecimal] = []
  /// Rising.
  var days: [DayKey] = []
  /// How often each text is the value.
  var texts: [String: Int] = [:]

  init(_ rows: some Collection<ResultRow>) {
    subjectCount = Set(rows.lazy.map(\.subject)).count
    for row in rows where row.value != .none {
      valueCount += 1
      switch row.value {
      case .none: break
      case .bool(let isTrue):
        isBool = true
        if isTrue { trueCount += 1 }
      case .int, .decimal: if let amount = row.value.amount { numbers.append(amount) }
      case .day(let day): days.append(day)
      case .text(let text): texts[text, default: 0] += 1
      }
    }
    numbers.sort()
    days.sort()
  }

  /// The number of rank (P·n+99) div 100, as the language's `percentile` counts; nil if there is none.
  func percentile(_ rank: Int) -> FixedDecimal? {
    numbers.isEmpty ? nil : numbers[max(0, (rank * numbers.count + 99) / 100 - 1)]
  }
}

/// What is kept of a `Spread` for one day of a series.
struct SpreadPoint: Sendable {
  var day: DayKey
  /// The share of the rows that were true, for Bools.
  var share: Double?
  var trueCount: Int
  var valueCount: Int
  /// Of numbers.
  var quarter: FixedDecimal?
  var median: FixedDecimal?
  var threeQuarters: FixedDecimal?

  var middle: Double? { share ?? median?.approximate }
}
