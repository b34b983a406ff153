import MetricTestSupport
import Testing

@testable import MetricLanguage

@Suite struct LineDifferenceTests {
  /// The new text made of the old one by what is said to differ.
  private func patched(_ old: [String], _ new: [String], _ difference: LineDifference) -> [String] {
    var kept = old.indices.filter { !difference.removed.contains($0) }.map { old[$0] }[...]
    return new.indices.map { difference.inserted.contains($0) ? new[$0] : kept.popFirst() ?? "missing" }
      + kept
  }

  private func edited(_ old: [String], _ random: inout SeededGenerator) -> [String] {
    old.flatMap { line -> [String] in
      switch random.int(0...9) {
      case 0: []
      case 1: [line, "new \(random.int(0...5))"]
      case 2: ["  " + line]
      default: [line]
      }
    }
  }

  /// Of a few lines that come again and of many that stand once, short texts and such as have to be divided.
  @Test func aPatchGivesTheNewText() {
    for seed in seeds(40) {
      var random = SeededGenerator(seed: seed)
      let count = random.pick([0, 3, 30, 3_000])
      let kinds = random.pick([2, 40, 100_000])
      let old = (0..<count).map { _ in "line \(random.int(0...kinds))" }
      let new = edited(old, &random)
      let difference = LineDifference(from: old, to: new)
      #expect(patched(old, new, difference) == new, "\(random.replay)")
      if count <= 30 {
        // Small texts have the shortest edit.
        let changes = new.difference(from: old)
        #expect(difference.removed.count + difference.inserted.count == changes.count, "\(random.replay)")
      }
    }
  }

  @Test func linesAreBytes() {
    let difference = LineDifference(from: ["e\u{301}", "a"], to: ["\u{E9}", "a"])
    #expect(difference.removed == [0] && difference.inserted == [0])
  }

  /// Texts of which nearly every line differs: the shortest edit took time with the product of their lines.
  @Test func aLargeDifferenceIsFoundBetweenLinesThatStay() {
    let old = (0..<60_000).map { $0 % 100 == 0 ? "stays \($0)" : "old \($0)" }
    let new = (0..<60_000).map { $0 % 100 == 0 ? "stays \($0)" : "new \($0)" }
    let difference = LineDifference(from: old, to: new)
    #expect(difference.removed.count == 59_400 && difference.inserted.count == 59_400)
    let all = LineDifference(from: old, to: new.map { " " + $0 })
    #expect(all.removed.count == 60_000 && all.inserted.count == 60_000)
  }
}
