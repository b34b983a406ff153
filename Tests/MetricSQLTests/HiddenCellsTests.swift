import MetricSQL
import Testing

/// Every way to publish numbers of users with `at least`, over random facts of a few users: an engine hides the cells that
/// the evaluator hides, and shows no other number in their place.
@Suite struct HiddenCellsTests {
  private static let source = """
    extend User { plan : Text?  city : Text? }
    fact Visit {
      id     : ID
      userId : User
      dayKey : DayKey
      name   : Text
      city   : Text?
      value  : Decimal?
    }
    measure own { for user  value count(Visit) }
    measure all { for app  value count(Visit)  at least 3 users }
    measure of_cities { for app  value count(Visit where city is not none)  at least 3 users }
    measure by_name { for app  value count(Visit)  by name  at least 2 users }
    measure by_city { for app  value sum(Visit.value)  by city  over last 7 days  at least 2 users }
    measure near { for app  value count(Visit)  by city  at least 2 users  nearest 5 }
    measure mean { for app  value average(Visit.value)  by name  at least 2 users }
    measure middle { for app  value percentile(Visit.value, 50)  by city  at least 2 users }
    measure great { for app  value percentile(Visit.value, 90)  at least 2 users }
    measure busy { for app  value count(user where own > 2)  at least 2 users }
    measure table { for app  value count(Visit)  by city, name  at least 2 users }
    measure cube { for app  value sum(Visit.value) / count(Visit)  by name, city, value  over last 9 days  at least 2 users }
    measure halves { for app  value percentile(Visit.value, 50)  by name, city  at least 2 users }
    measure people { for app  value count(user)  by user.plan, user.city  at least 2 users }
    measure share { for app  value count(Visit where city is not none) / count(Visit)  by name  at least 2 users }
    level reached { of by_name  at 2, 4 }
    funnel steps {
      for user
      step seen Visit
      step told Visit where city is not none
      within 9 days
      by city
      at least 2 users
    }
    funnel two_fields {
      for user
      step seen Visit
      step told Visit where city is not none
      within 9 days
      days 50
      by name, city
      at least 2 users
    }
    retention cohorts {
      for user
      start Visit
      return Visit where city is not none
      after 1, 3 days
      by city, cohort day
      at least 2 users
    }
    retention back { for user  start Visit  return Visit where city is not none  after 1, 3 days  at least 2 users }
    """

  @Test(arguments: Engine.chosen)
  func equalHiddenCells(dialect: SQLDialect) throws {
    guard let engine = Engine.installed(dialect) else { return }
    let seeds: ClosedRange<UInt64> = dialect == .spark ? 1...2 : 1...20
    let cases = seeds.compactMap { SQLCase(seed: $0, dialect: dialect, source: Self.source) }
    #expect(cases.count == seeds.count)
    var (hidden, shown) = (0, 0)
    for (item, answer) in zip(cases, try engine.answers(cases.map(\.engineCase))) {
      let cells = item.expected.filter { $0[0] != "own" }
      hidden += cells.count { $0[5].isEmpty }
      shown += cells.count { !$0[5].isEmpty && $0[5] != "0" }
      if let difference = item.difference(answer) {
        Issue.record("METRICC_SEED=\(item.seed) on \(dialect.rawValue)\n\(difference)")
      }
    }
    #expect(min(hidden, shown) > 4 * cases.count)
    print(
      "\(dialect.rawValue): \(hidden) hidden and \(shown) shown cells of \(cases.count) datasets are equal")
  }
}
