import MetricTestSupport
import Testing

@Suite struct RecursionTests {
  @Test func directAndMutual() {
    checks(
      """
      measure a { for habit  value a + 1 }  // error: T011
      measure b { for habit  value c + 1 }  // error: T011
      measure c { for habit  value b + 1 }
      streak d { of d }  // error: T011
      completion e { for habit  every day  when count(e) >= 1 }  // error: T011
      measure f { for habit  value f offset 1 day + 1 }  // error: T011
      measure g { for habit  value b + 1 }
      level h { of h  at 1 }  // error: T011
      """)
  }

  @Test func throughSubjects() {
    checks(
      """
      measure a { for user  value sum(habit.b) }
      measure b { for habit  value count(HabitEntry where value > 0) + c }  // error: T011
      measure c { for habit  value b }
      """)
  }

  @Test func theCircleIsShown() {
    #expect(
      findings(
        of: """
          measure c { for habit  value a }
          measure b { for habit  value c }
          measure a { for habit  value b }
          """)
        == ["`a` reads itself: `a` → `b` → `c` → `a` — every metric must end at facts; break the circle"])
  }

  /// A chain that is long, in either order of its metrics, has one finding at the same metric.
  @Test(arguments: [false, true])
  func longChains(_ isReversed: Bool) {
    let metrics = (0..<4_000).map { number in
      "measure m\(number) { for habit  value \(number == 0 ? "1" : "m\(number - 1) + 1") }"
        + (number == 500 ? "  // error: T034" : "")
    }
    let source = (isReversed ? metrics.reversed() : metrics).joined(separator: "\n")
    checks(source)
    #expect(
      findings(of: source) == [
        "`m500` rests on a chain of more than 500 metrics — let it read the facts, or fewer metrics"
      ])
  }

  @Test func longCircles() {
    let metrics = (0..<4_000).map { number in
      "measure m\(number) { for habit  value m\((number + 1) % 4_000) + 1 }"
    }
    #expect(findings(of: metrics.joined(separator: "\n")).count == 1)
  }

  @Test func longChainsOfFields() {
    let fields = (0..<4_000).map { "f\($0) = \($0 == 3_999 ? "1" : "f\($0 + 1) + 1")" }
    #expect(findings(of: "entity Book {\nid : ID\n\(fields.joined(separator: "\n"))\n}").count == 1)
  }

  /// Expressions as deep as the parser allows, in a chain of metrics as long as the resolver allows.
  @Test func deepExpressionsInLongChains() {
    let open = String(repeating: "(", count: 95)
    let close = String(repeating: ")", count: 95)
    let metrics = (0..<499).map { number in
      "measure m\(number) { for habit  value \(open)\(number == 498 ? "1" : "m\(number + 1)")\(close) }"
    }
    #expect(findings(of: metrics.joined(separator: "\n")) == [])
    let circle = (0..<499).map { "measure m\($0) { for habit  value \(open)m\(($0 + 1) % 499)\(close) }" }
    #expect(findings(of: circle.joined(separator: "\n")).count == 1)
  }

  /// As many operators, and as deep, as the parser allows.
  @Test func longExpressions() {
    let sum = (0..<400).map { _ in "count(HabitEntry)" }.joined(separator: " + ")
    let open = String(repeating: "(", count: 95)
    let close = String(repeating: ")", count: 95)
    #expect(findings(of: "measure a { for habit  value \(open)\(sum)\(close) }") == [])
    let nots = String(repeating: "not ", count: 95)
    #expect(findings(of: "measure b { for habit  value \(nots)1 == 1 }") == [])
  }
}
