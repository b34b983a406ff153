import MetricLanguage
import MetricTestSupport
import Testing

@testable import MetricPlan

@Suite struct ReportTests {
  private static let metrics = """
    measure dau { for app  value distinct(Event.userId over last 1 days) }
    measure wau { for app  value distinct(Event.userId over last 7 days) }
    measure old { for app  value count(Event)  deprecated "use dau" }

    """

  @Test("REP-01 REP-02: metrics in the order of the report, and what a series has a value for") func plan()
    throws
  {
    let text = """
      /// How it goes.
      report growth { title "Growth"  every calendar week from sunday  metrics wau, dau }
      report plain { metrics dau }
      """
    let plan = MetricLibrary(unsearched: Self.metrics + text).plan
    #expect(plan.reports.map(\.name) == ["growth", "plain"])
    let growth = try #require(plan.reports.first)
    #expect(growth.title == "Growth" && growth.doc == "How it goes.")
    #expect(growth.every == .week(from: .sunday) && plan.reports[1].every == nil)
    #expect(growth.metrics.map { plan.metrics[$0.metric].name } == ["wau", "dau"])
  }

  @Test("REP-03: a name of its own, and none that is unknown, repeated or on its way out") func findings() {
    checks(
      Self.metrics + """
        report dau { metrics dau }
        report a {
          every 2 days  // error: T016
          metrics dau,
            dua,  // error: T001
            dau,  // error: T004
            old  // warning: W012
        }
        report a { metrics dau }  // error: T004
        report b { title "B" }  // error: T009
        report c { metrics dau  value 3 }  // error: T008
        report d { metrics dau  metrics wau }  // error: T007
        report e { metrics dau  penalty 3 }  // error: C402
        measure m { for app  value count(Event)  metrics dau }  // error: T008
        """)
  }

  @Test("REP-03: no metric reads a report") func unread() {
    checks(
      Self.metrics + """
        report growth { metrics dau }
        measure m { for app  value growth + 1 }  // error: T001
        """)
  }
}
