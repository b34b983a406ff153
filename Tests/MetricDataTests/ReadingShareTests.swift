import Testing

@testable import MetricData

@Suite struct ReadingShareTests {
  private func bites(_ share: ReadingShare, _ thread: Int, mayBeCut: Bool = true) -> [Range<Int>] {
    var bites: [Range<Int>] = []
    while let bite = share.take(thread, mayBeCut: mayBeCut) { bites.append(bite.start..<bite.end) }
    return bites
  }

  @Test func aThreadTakesItsPartInBites() {
    let share = ReadingShare([5, 47], end: 100, bite: 20)
    let first = (0..<3).compactMap { _ in share.take(0, mayBeCut: true) }
    #expect(first.map { $0.start..<$0.end } == [5..<25, 25..<45, 45..<47])
    #expect(!first.contains(where: \.isElsewhere) && !share.hasGiven)
  }

  @Test func whoIsDoneTakesOverHalfOfTheRest() throws {
    let share = ReadingShare([0, 100], end: 300, bite: 10)
    _ = share.take(1, mayBeCut: true)
    for _ in 0..<10 { _ = share.take(0, mayBeCut: true) }
    let bite = try #require(share.take(0, mayBeCut: true))
    #expect((bite.start, bite.end, bite.isElsewhere) == (210, 220, true))
    #expect(share.hasGiven)
    let rest = bites(share, 1)
    #expect(rest.first == 110..<120 && rest.contains(200..<210))
  }

  @Test func everyByteIsTakenOnce() {
    for threads in 1...5 {
      let share = ReadingShare((0..<threads).map { $0 * 31 }, end: 1_000, bite: 7)
      let all = (0..<threads).reversed().flatMap { bites(share, $0) }.sorted { $0.lowerBound < $1.lowerBound }
      #expect(all.first?.lowerBound == 0 && all.last?.upperBound == 1_000)
      #expect(zip(all, all.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    }
  }

  @Test func nothingIsTakenOfAPartThatMayNotBeCut() {
    let share = ReadingShare([0, 100], end: 300, bite: 10)
    _ = share.take(1, mayBeCut: false)
    #expect(bites(share, 0).last == 90..<100)
    #expect(!share.hasGiven)
  }
}
