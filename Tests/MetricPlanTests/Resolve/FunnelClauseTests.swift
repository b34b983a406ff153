import MetricLanguage
import MetricTestSupport
import Testing

@testable import MetricPlan

@Suite struct FunnelClauseTests {
  private static func funnel(_ clauses: String) -> String {
    """
    funnel f {
      for user
      step a Event where name == "a"
      step b Event where name == "b"
      \(clauses)
    }
    """
  }

  @Test("FUN-09: parts behind the steps, in the order of the percentiles") func parts() throws {
    let plan = MetricLibrary(unsearched: Self.funnel("days 90, 50\n  within 7 days")).plan
    let metric = try #require(plan.metrics.first)
    #expect(metric.parts.map(\.name) == ["a", "b", "b.days90", "b.days50"])
  }

  @Test("FUN-09 FUN-10: what the clauses do not take") func findings() {
    checks(Self.funnel("days 0  // error: T023"))
    checks(Self.funnel("days 50, 101  // error: T023"))
    checks(Self.funnel("days 50, 50  // error: T004"))
    checks(Self.funnel("order any\n  days 50  // error: T008"))
    checks(Self.funnel("order any\n  without Event  // error: T008"))
    checks(Self.funnel("without Evnt  // error: T002"))
    checks(Self.funnel("without Event where nme == 3  // error: T001"))
    checks("measure m { for app  value count(Event)  days 50 }  // error: T008")
    checks(Self.funnel("without Event where name == \"c\"\n  days 50"))
  }
}
