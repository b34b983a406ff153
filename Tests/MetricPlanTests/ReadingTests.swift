import MetricPlan
import MetricTestSupport
import Testing

/// What a team metric reads of a metric for the user (PRIV-04).
@Suite struct ReadingTests {
  private let asked = AskedConsent(.standard)

  /// `team` reads `doubled`, which reads `mine`.
  private func library(consent: AskedConsent?) -> Library {
    var plan = PlanBuilder()
    plan.entity("User", [.id])
    plan.fact("Entry", consent: consent, [.id, .required("userId", plan.reference("User")), .day])
    plan.measure("mine", for: "User", audience: .user, plan.aggregate(.count, "Entry", by: "userId"))
    plan.measure("doubled", for: "User", audience: .user, plan.metric("mine", type: .int))
    plan.measure("team", for: "User", audience: .team, plan.metric("doubled", type: .int))
    return plan.library
  }

  @Test func aTeamMetricReadsMetricsOfItsOwn() {
    let library = library(consent: asked)
    let plan = library.withTeamReadings(of: library.metrics.indices)
    #expect(plan.metrics.map(\.name) == ["mine", "doubled", "team", "mine", "doubled"])
    #expect(plan.metrics.map(\.declared) == [nil, nil, nil, 0, 1])
    #expect(plan.metrics.map(\.body.reads) == [[], [0], [4], [], [3]])
    #expect(plan.withTeamReadings(of: plan.metrics.indices).metrics == plan.metrics)
  }

  @Test func metricsForTheUserAreReadAsTheyAre() {
    let library = library(consent: asked)
    #expect(library.withTeamReadings(of: [1]).metrics == library.metrics)
    let open = self.library(consent: nil)
    #expect(open.withTeamReadings(of: open.metrics.indices).metrics == open.metrics)
  }

  @Test func onlyReadingsOfTheTeamNeedConsent() {
    let library = library(consent: asked)
    let plan = library.withTeamReadings(of: library.metrics.indices)
    let (user, entry) = (plan.record(named: "User") ?? -1, plan.record(named: "Entry") ?? -1)
    let needs = DataNeeds(library: plan, metrics: plan.metrics.indices)
    for id in plan.metrics.indices {
      let needed = [2, 3, 4].contains(id) ? asked : nil
      #expect(plan.consent(to: entry, for: id) == needed)
      let subjects = SubjectScope(user, reads: [user, entry], consents: needed.map { [$0] } ?? [])
      #expect(needs.subjects(of: user, for: id) == subjects)
    }
  }
}
