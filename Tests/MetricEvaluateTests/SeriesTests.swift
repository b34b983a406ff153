import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricTestSupport
import Testing

/// The forms that compute a whole series at once, each by name: whatever their metric asks for, they give
/// what the reference evaluator gives day by day.
@Suite struct SeriesTests {
  static let source = """
    fact Visit {
      userId : User
      kind   : "a" | "b" | "c" ?
      dayKey : DayKey
      at     : Instant?
      gone   : Instant? tombstone
    }

    funnel in_order { for user
      step one Visit where kind == "a" step two Visit where kind == "b" step three Visit where kind == "c"
      within 9 days }
    funnel without_end { for user
      step one Visit where kind == "a" step two Visit where kind in ["a", "b"] step three Visit }
    funnel in_period { for user
      step one Visit where kind == "a" step two Visit where kind == "b" within 5 days over last 6 days }
    funnel by_cohort { for user
      step one Visit where kind != "c" step two Visit where kind == "b" step three Visit where kind == "c"
      within 7 days by cohort week }
    funnel by_kind { for user
      step one Visit step two Visit where kind == "b" within 7 days over last 12 days by kind }
    funnel in_any_order { for user
      step one Visit where kind == "a" step two Visit where kind == "b" order any over calendar month }
    funnel in_any_window { for user
      step one Visit where kind == "a" step two Visit where kind in ["a", "b"] step three Visit where kind == "c"
      within 6 days order any }
    funnel in_any_period { for user
      step one Visit where kind == "a" step two Visit where kind == "b" step three Visit
      within 3 days order any over last 8 days }
    funnel one_by_one { for user
      step one Visit where kind == "a" step two Visit where kind == "b" order strict within 4 days }
    retention first_day { for user start first Visit return Visit after 1, 3, 7 days by cohort day }
    retention each_day { for user start each Visit where kind == "a" return Visit where kind == "b"
      after 1, 5 days or later over last 2 weeks }
    retention by_first_kind { for user start first Visit return Visit after 2 days by kind }

    completion active { for user every 4 days when count(Visit) >= 1 }
    completion busy { for user every day when days(Visit where kind == "a" over last 3 days) > 0 }
    completion month_active { for user every calendar month when count(Visit where kind != "b") >= 1 }
    measure actives { for app audience team value count(user where active) }
    measure idle { for app audience team value count(user where not active and active offset 4 days) }
    measure mixed { for app audience team
      value count(user where busy or (not month_active and not active offset 2 days)) }
    measure before { for app audience team value count(user where not (active or busy offset 30 days)) }
    measure kinds { for app audience team value distinct(Visit.kind) over last 3 days }
    measure people { for app audience team value distinct(Visit.userId where kind != "c") over calendar week }
    measure ever { for app audience team value distinct(Visit.userId) }
    measure earlier { for app audience team value ever offset 1 month + in_order.two offset 3 days }
    """

  @Test(arguments: 0..<4)
  func equalToTheReference(shard: Int) {
    for seed in seeds(10, from: UInt64(4_000_000 + shard * 10)) {
      var random = SeededGenerator(seed: seed)
      var options = DatasetOptions()
      options.facts = random.pick([3, 20, 60])
      options.isInOrder = random.chance(50)
      if options.isInOrder { options.missing = random.pick([0, 0, 3]) }
      let first = RandomDataset.firstDay.advanced(by: random.int(-40...9))
      let step = random.pick([1, 1, 2, 7])
      let days = (0..<random.int(1...40)).map { first.advanced(by: $0 * step) }
      let test = DifferentialCase(.all, options, source: Self.source, days: days, threads: 2, using: &random)
      #expect(test.library.isAccepted, "\(test.library.findings.filter { $0.severity == .error })")
      if let difference = test.difference() {
        Issue.record("\(random.replay)\n\(difference)")
        return
      }
    }
  }

  /// So many facts that threads share them; in whatever order the file has them.
  @Test func threadsAndOrderChangeNothing() throws {
    let library = MetricLibrary(sources: [SourceFile(path: "series.metric", text: Self.source)])
    let metrics = ["in_order", "in_period", "by_cohort", "first_day", "each_day", "idle", "people"]
    let last = RandomDataset.firstDay.advanced(by: 89)
    let days = [20, 50, 89].map { RandomDataset.firstDay.advanced(by: $0) }
    var random = SeededGenerator(seed: 5)
    let facts = (0..<100_000).map { _ in
      Fact(
        user: random.int(0...4999), kind: random.int(0...2), day: random.int(0...89), hour: random.int(0...23)
      )
    }
    func rows(_ facts: [Fact], threads: Int) throws -> [ResultRow] {
      let pool = StringPool()
      let schemas = library.schemas(for: metrics)
      var tables: [String: Table] = [:]
      for schema in schemas { tables[schema.record] = Table(schema: schema) }
      var table = try #require(tables["Visit"])
      let users = (0...4999).map { Int64(pool.intern("u\($0)")) }
      let kinds = ["a", "b", "c"].map { Int64(pool.intern($0)) }
      let names = table.schema.columns.map(\.name)
      for fact in facts {
        let day = Int64(RandomDataset.firstDay.number) + Int64(fact.day)
        table.append(
          names.map { name -> Int64? in
            switch name {
            case "userId": users[fact.user]
            case "kind": kinds[fact.kind]
            case "dayKey": day
            case "at": (day * 24 + Int64(fact.hour)) * 3_600_000_000
            default: nil
            }
          })
      }
      tables["Visit"] = table
      return try library.evaluate(
        metrics: metrics, subjects: [], days: days, tables: tables, pool: pool, threads: threads,
        progress: nil)
    }
    let one = try rows(facts, threads: 1)
    #expect(
      one.contains { $0.metric == "in_order" && $0.at == last && $0.part == "three" && $0.value != .int(0) })
    #expect(try rows(facts, threads: 3) == one)
    #expect(try rows(facts.reversed(), threads: 2) == one)
    let inOrder = facts.sorted { ($0.day, $0.hour) < ($1.day, $1.hour) }
    #expect(try rows(inOrder, threads: 2) == one)
    // One fact that is late.
    #expect(try rows(Array(inOrder.dropFirst()) + inOrder.prefix(1), threads: 2) == one)
  }

  private struct Fact {
    var user: Int
    var kind: Int
    var day: Int
    var hour: Int
  }
}
