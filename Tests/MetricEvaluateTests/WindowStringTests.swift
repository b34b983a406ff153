import MetricData
import MetricEvaluate
import MetricPlan
import MetricTestSupport
import Testing

/// The reference evaluator against all strings of windows.
@Suite struct WindowStringTests {
  private static let strings = WindowString.all(upTo: 3)
  /// By metric and string, `left` at the end.
  private static let expected =
    WindowStrings.expectations.map { metric in strings.map { metric.value($0) } }
    + [strings.map { .int(Int64($0.left(1, in: 2))) }]

  @Test(arguments: WindowStrings.all.indices)
  func referenceEvaluatorReadsEveryString(index: Int) throws {
    let windows = WindowStrings.all[index]
    let rows = try ReferenceEvaluator(windows.library, windows.dataset(Self.strings)).evaluate(at: [
      WindowStrings.day
    ])
    #expect(rows.count { $0.part.isEmpty } == Self.strings.count * WindowStrings.expectations.count)
    var found: [String: Literal] = [:]
    for row in rows where row.part.isEmpty || row.metric == "kind_1_2" {
      found["\(row.part.isEmpty ? row.metric : row.part) \(row.subject)"] = row.value
    }
    for (metric, values) in zip(WindowStrings.expectations.map(\.metric) + ["left"], Self.expected) {
      for (string, value) in zip(Self.strings, values)
      where found["\(metric) \(windows.subject(string))"] != value {
        Issue.record("\(metric) of \(string) over \(windows)")
      }
    }
  }

  /// Every string of days of a length, with rest: the reading by brute force, the reference evaluator and the evaluator.
  ///
  /// `METRICC_WINDOWS=9 swift test --filter WindowStringTests` takes minutes; `forgiveness.py` of the engines reads those
  /// of length 12 with the program.
  @Test func forgivenessOfEveryString() throws {
    let length = Int(environment("METRICC_WINDOWS") ?? "") ?? 5
    var count = 0
    for strings in ForgivenessStrings.groups(length) {
      let (expected, dataset) = (
        ForgivenessStrings.expected(strings), ForgivenessStrings.dataset(strings)
      )
      let library = ForgivenessStrings.library
      var loaded = LoadedDataset(library)
      for (record, rows) in dataset.rows { for row in rows { loaded.append(row, to: record) } }
      let names = ForgivenessStrings.forgiveness.flatMap { ["kind_\($0)_\($1)", "best_\($0)_\($1)"] }
      let evaluated = try loaded.evaluate(names, at: [WindowStrings.day])
      let reference = try ReferenceEvaluator(library.plan, dataset).evaluate(names, at: [WindowStrings.day])
      func values(_ rows: [(String, Int)]) -> [String: Int] { Dictionary(uniqueKeysWithValues: rows) }
      let found = evaluated.map {
        ("\($0.metric),\($0.subject),\($0.part)", Int($0.value.literalText) ?? -1)
      }
      let read = reference.map {
        ("\($0.metric),\($0.subject),\($0.part)", $0.value.whole.map(Int.init) ?? -1)
      }
      #expect(values(found) == expected)
      #expect(values(read) == expected)
      count += expected.count
    }
    print("forgiveness: \(count) values of all strings of \(length) days")
    #expect(count > 0)
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
