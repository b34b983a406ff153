import MetricData
import MetricPlan

/// The facts that one aggregate looks at (those that pass its `where` and have its field), by
/// subject and day, with what makes its questions cheap.
final class FactList {
  let index: FactIndex
  /// The aggregated cell, by slot; empty where only facts are counted.
  let values: [Cell]
  /// Facts, by subject, for which `where` or the field leaves the range of numbers: an aggregate whose
  /// period holds one has no result. Nil where there are none, as nearly always.
  let beyond: FactIndex?
  /// Sums of the cells before each slot, modulo 2⁶⁴; empty where a sum could leave Int64 or none
  /// is asked for.
  private let prefix: [Int64]
  /// How many different days its subject has up to each slot; empty where nobody asks.
  private let dayOrdinals: [Int32]
  private let asksSums: Bool
  private let asksDays: Bool

  init(index: FactIndex, values: [Cell], beyond: FactIndex? = nil, sums: Bool, countsDays: Bool) {
    self.index = index
    self.values = values
    self.beyond = beyond
    asksSums = sums
    asksDays = countsDays
    prefix = sums ? FactList.prefixSums(values) : []
    dayOrdinals = countsDays ? FactList.ordinals(index) : []
  }

  /// Empty where the magnitudes together do not fit an Int64: then each sum is made exactly.
  private static func prefixSums(_ values: [Cell]) -> [Int64] {
    var magnitude: UInt64 = 0
    var sum: Int64 = 0
    var result: [Int64] = [0]
    result.reserveCapacity(values.count + 1)
    for value in values {
      let (total, carried) = magnitude.addingReportingOverflow(value.magnitude)
      if carried || total > UInt64(Int64.max) { return [] }
      magnitude = total
      sum &+= value
      result.append(sum)
    }
    return result
  }

  /// The same facts with one more.
  ///
  /// - Parameter value: its cell; nil where the list has none.
  func inserting(
    row: Int32, subject: Int, day: Int32, value: Cell?, isBefore: (_ row: Int32, _ other: Int32) -> Bool
  ) -> FactList {
    var (index, values) = (index, values)
    let slot = index.insert(row: row, subject: subject, day: day, isBefore: isBefore)
    if let value { values.insert(value, at: slot) }
    return FactList(
      index: index, values: values, beyond: beyond, sums: asksSums, countsDays: asksDays)
  }

  /// The same facts without one; nil where it is not among them.
  func removing(row: Int32, subject: Int, day: Int32) -> FactList? {
    var (index, values) = (index, values)
    guard let slot = index.remove(row: row, subject: subject, day: day) else { return nil }
    if !values.isEmpty { values.remove(at: slot) }
    return FactList(
      index: index, values: values, beyond: beyond, sums: asksSums, countsDays: asksDays)
  }

  private static func ordinals(_ index: FactIndex) -> [Int32] {
    var result = [Int32](repeating: 0, count: index.rows.count)
    for subject in 0..<index.subjectCount {
      var ordinal: Int32 = 0
      var last: Int32?
      for slot in index.slots(of: subject) {
        if index.days[slot] != last { ordinal += 1 }
        last = index.days[slot]
        result[slot] = ordinal
      }
    }
    return result
  }

  func sum(_ slots: Range<Int>) -> Int128 {
    if !prefix.isEmpty { return Int128(prefix[slots.upperBound] &- prefix[slots.lowerBound]) }
    var total: Int128 = 0
    for slot in slots { total += Int128(values[slot]) }
    return total
  }

  func distinctDays(_ slots: Range<Int>) -> Cell {
    slots.isEmpty ? 0 : Cell(dayOrdinals[slots.upperBound - 1] - dayOrdinals[slots.lowerBound]) + 1
  }

  func minimum(_ slots: Range<Int>) -> Cell {
    var least = Cell.max
    for slot in slots { least = min(least, values[slot]) }
    return slots.isEmpty ? noValue : least
  }

  func maximum(_ slots: Range<Int>) -> Cell {
    var greatest = noValue
    for slot in slots { greatest = max(greatest, values[slot]) }
    return greatest
  }

  func distinct(_ slots: Range<Int>) -> Cell {
    slots.count < 2 ? Cell(slots.count) : Cell(Set(values[slots]).count)
  }
}

/// What aggregates over facts and over subjects share.
enum Statistics {
  /// The sum divided by the count, rounded half away from zero to millionths.
  static func average(sum: Int128, count: Int) -> Int128 {
    FixedDecimal.divideRounding(sum, by: Int128(count))
  }

  /// The value of rank (P·n+99) div 100 among the values in rising order.
  static func percentile(_ values: some Sequence<Cell>, rank percent: Int) -> Cell {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return noValue }
    return sorted[(percent * sorted.count + 99) / 100 - 1]
  }
}
