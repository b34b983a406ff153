import Testing

@testable import MetricEvaluate

/// Days at equal distances, and where stretches of days lie among them.
@Suite struct DayRangeTests {
  @Test func indicesAreThoseOfTheDaysInAStretch() {
    for step in [1, 2, 7] as [Int32] {
      let range = DayRange(first: 100, step: step, count: 12)
      let days = (0..<range.count).map { range[$0] }
      for low in 90...190 as ClosedRange<Int32> {
        for high in [low, low + 3, low + 20, .max] {
          let expected = days.indices.filter { days[$0] >= low && days[$0] <= high }
          #expect(Array(range.indices(from: low, through: high)) == expected, "\(step), \(low)...\(high)")
        }
      }
    }
  }

  @Test func anyRisingDaysAreRanges() {
    for days in [[], [5], [5, 6, 7], [1, 8, 15, 16, 17, 40], [31, 59, 90]] as [[Int32]] {
      let ranges = DayRange.ranges(of: days)
      #expect(ranges.flatMap { range in (0..<range.count).map { range[$0] } } == days)
    }
    #expect(DayRange.ranges(of: Array(1...365)).count == 1)
  }
}
