import MetricTestSupport
import Testing

/// The row of `Documentation/Checker.md` that intuition gets wrong: one more complete window lowers
/// no streak, also one that forgives, no grace, no best and no momentum. Nor does one more that rests.
@Suite struct WindowPromiseTests {
  /// All strings of complete, incomplete and rest windows up to length 7, and each window of each.
  @Test func oneMoreCompleteWindowLowersNothing() {
    var broken: [String] = []
    for string in WindowString.all(upTo: 7) {
      let before = readings(string)
      for place in string.marks.indices where string.marks[place] != .complete {
        for mark in [WindowMark.complete, .rest] {
          var marks = string.marks
          marks[place] = mark
          let after = readings(WindowString(marks: marks))
          if zip(before, after).contains(where: { $0 > $1 }) { broken.append("\(string) at \(place)") }
        }
      }
    }
    #expect(broken.isEmpty)
  }

  private func readings(_ string: WindowString) -> [Int64] {
    var readings = [Int64(string.current), Int64(string.best)]
    readings += (1...7).map { Int64(string.grace($0)) }
    readings += (1...7).map { Int64(string.momentum(last: $0)) }
    for (open, length) in [(1, 2), (1, 3), (2, 3), (2, 5), (3, 6)] {
      readings += [string.forgiving(open, in: length), string.left(open, in: length)].map(Int64.init)
      readings.append(Int64(string.bestForgiving(open, in: length)))
    }
    readings += (1...3).map { Int64(string.strength(halfLife: $0)) }
    return readings
  }
}
