import MetricData
import MetricPlan
import MetricTestSupport
import Testing

/// The reference evaluator against all strings of windows.
@Suite struct WindowStringTests {
  @Test(arguments: WindowStrings.all.indices)
  func referenceEvaluatorReadsEveryString(index: Int) throws {
    let windows = WindowStrings.all[index]
    let strings = WindowString.all(upTo: 4)
    let rows = try ReferenceEvaluator(windows.library, windows.dataset(strings)).evaluate(at: [
      WindowStrings.day
    ])
    #expect(rows.count { $0.part.isEmpty } == strings.count * WindowStrings.expectations.count)
    for string in strings {
      for (metric, value) in WindowStrings.expectations {
        let row = rows.first { $0.metric == metric && $0.subject == windows.subject(string) }
        #expect(row?.value == value(string), "\(metric) of \(string) over \(windows)")
      }
      let left = rows.first { $0.part == "left" && $0.subject == windows.subject(string) }
      #expect(left?.value == .int(Int64(string.left(1, in: 2))), "\(string) over \(windows)")
    }
  }

  @Test func stringsAreCounted() {
    #expect(WindowString.all(upTo: 3).count == 1 + 3 + 9 + 27)
    #expect(Set(WindowString.all(upTo: 3)).count == 40)
  }

  /// By hand: the strings mean what the language page says of them.
  @Test func expectationsByHand() {
    func string(_ text: String) -> WindowString { WindowString(marks: text.compactMap(WindowMark.init)) }
    #expect(string("##.#").current == 2)
    #expect(string("-#-#.#").current == 2)
    #expect(string(".##").current == 0)
    #expect(string(".##").grace(1) == 2)
    // The rest window counts in grace's numbering.
    #expect(string(".-.##").grace(2) == 0)
    #expect(string(".-.##").grace(3) == 2)
    #expect(string(".#.###").best == 3)
    #expect(string(".##.##").forgiving(1, in: 3) == 4)
    #expect(string(".#.##").forgiving(1, in: 3) == 1)
    #expect(string("#-.-.#").forgiving(1, in: 3) == 1)
    #expect(string("..###").forgiving(1, in: 3) == 0)
    #expect(string("..#.##").bestForgiving(1, in: 3) == 3)
    #expect(string("##.").left(2, in: 4) == 0)
    #expect(string("###").left(2, in: 4) == 1)
    #expect(string("#-.#").momentum(last: 3) == 2)
    #expect(string("#").strength(halfLife: 1) == 500_000)
    #expect(string(".-#").strength(halfLife: 1) == 250_000)
    #expect(string("").strength(halfLife: 3) == 0)
  }
}
