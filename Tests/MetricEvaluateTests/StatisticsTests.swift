import MetricPlan
import MetricTestSupport
import Testing

@testable import MetricEvaluate

/// What is computed without sorting or without looking at each day is what sorting and looking give.
@Suite struct StatisticsTests {
  @Test func aPercentileIsTheValueOfItsRank() {
    var random = SeededGenerator(seed: 90)
    for _ in 0..<200 {
      var values = (0..<random.int(1...120)).map { _ in Cell(random.int(-9...9)) }
      let sorted = values.sorted()
      for rank in [1, 50, 90, 100] {
        let found = values.withUnsafeMutableBufferPointer { Statistics.percentile($0, rank: rank) }
        #expect(found == sorted[(rank * sorted.count + 99) / 100 - 1], "\(random.replay)")
      }
    }
  }

  /// Each value counts on the asked days whose period holds one of its facts.
  @Test(
    arguments: [
      .allTime, .lastDays(1), .lastDays(5), .calendar(.week(from: .sunday)), .calendar(.month),
      .previous(.month),
    ]
      as [Period])
  func distinctValuesCountWhereTheirFactsAre(_ period: Period) {
    var random = SeededGenerator(seed: 91)
    for _ in 0..<100 {
      let facts = (0..<random.int(0...30)).map { _ in
        (day: Int32(random.int(0...60)), value: Cell(random.int(0...5)))
      }
      .sorted { $0.day < $1.day }
      let asked = DayRange(first: Int32(random.int(0...40)), step: Int32(random.int(1...9)), count: 6)
      var found = [Cell](repeating: -1, count: asked.count)
      facts.map(\.day).withUnsafeBufferPointer { days in
        facts.map(\.value).withUnsafeBufferPointer { values in
          found.withUnsafeMutableBufferPointer { out in
            guard let out = out.baseAddress else { return }
            FactSlice(count: facts.count, days: days.baseAddress, numbers: values.baseAddress, rows: nil)
              .distinct(period, asked, out)
          }
        }
      }
      let expected = (0..<asked.count).map { lane in
        let days = period.days(at: asked[lane])
        return Cell(Set(facts.filter { days.contains($0.day) }.map(\.value)).count)
      }
      #expect(found == expected, "\(random.replay)")
    }
  }
}
