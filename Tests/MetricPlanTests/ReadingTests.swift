import MetricTestSupport
import Testing

@testable import MetricPlan

/// What a team metric reads of a metric for the user (PRIV-04).
@Suite struct ReadingTests {
  private let asked = AskedConsent(level: .standard)

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

/// Whom `at least K users` counts (PRIV-06, PRIV-07).
@Suite struct PeopleSetTests {
  private func sets(_ body: Body) -> [PeopleSet] {
    Metric(
      name: "m", subject: Subject(entity: nil), audience: .team, body: body, parts: [],
      span: PlanBuilder.nowhere
    ).peopleSets
  }

  private func measure(_ function: AggregateFunction, isGrouped: Bool) -> Body {
    let argument = Expression.literal(.int(1))
    let value = Aggregate(function, of: 0, .whole, argument: argument)
    let grouping = isGrouped ? [GroupField.field("f", [:], type: .text)] : []
    return .measure(Measure(value: .aggregate(value), over: .allTime, grouping: grouping, atLeast: 5))
  }

  @Test func whoAddsNothingDecidesFirstWhichGroupsAreHidden() {
    #expect(sets(measure(.sum, isGrouped: false)).map(\.people) == [.behind(.adding)])
    #expect(sets(measure(.distinct, isGrouped: true)).map(\.people) == [.behind(.adding)])
    let ofGroups = sets(measure(.sum, isGrouped: true))
    #expect(ofGroups.map(\.people) == [.behind(.valued), .behind(.adding)])
    #expect(ofGroups.map(\.behind) == [nil, 0])
    #expect(ofGroups.map(\.parts) == [0..<0, 0..<1])
  }

  @Test func whatFollowsFromAHiddenNumberIsHiddenWithIt() {
    let source = EventSource.fact(0, route: .whole, filter: nil)
    var funnel = Funnel(
      steps: ["a", "b"].map { FunnelStep(name: $0, source: source) }, within: nil, order: .inOrder,
      over: .allTime, grouping: [], atLeast: 5)
    funnel.percentiles = [50, 90]
    let ofFunnel = sets(.funnel(funnel))
    #expect(
      ofFunnel.map(\.people) == [
        .reached(0), .reached(1), .took(1, percentile: 50), .took(1, percentile: 90),
      ])
    #expect(ofFunnel.map(\.behind) == [nil, 0, 1, 1])
    #expect(ofFunnel.map(\.parts) == [0..<1, 1..<2, 2..<3, 3..<4])
    let retention = Retention(
      start: source, startsEachDay: false, returns: source,
      after: [DaysAfter(through: 1), DaysAfter(through: 7)],
      orLater: false, over: .allTime, grouping: [], atLeast: 5)
    let ofRetention = sets(.retention(retention))
    #expect(ofRetention.map(\.people) == [.eligible(0), .returned(0), .eligible(1), .returned(1)])
    #expect(ofRetention.map(\.behind) == [nil, 0, nil, 2])
    #expect(ofRetention.map(\.parts) == [0..<1, 1..<3, 3..<4, 4..<6])
  }
}
