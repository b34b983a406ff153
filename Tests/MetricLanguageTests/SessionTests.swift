import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricTestSupport
import Testing

/// A session against an evaluation from nothing: the same questions, the same answers.
@Suite struct SessionTests {
  static let shards = 4
  static let casesPerShard = Int(environment("METRICC_CASES") ?? "").map { $0 / shards } ?? 40

  @Test(arguments: 0..<shards)
  func answersAsAFreshEvaluation(shard: Int) {
    for seed in seeds(Self.casesPerShard, from: UInt64(3_000_000 + shard * Self.casesPerShard)) {
      var random = SeededGenerator(seed: seed)
      guard var session = RandomSession(using: &random) else { continue }
      for _ in 0..<12 {
        if let difference = session.step(using: &random) {
          Issue.record("\(random.replay)\n\(difference)")
          return
        }
      }
    }
  }

  /// The example of the library's documentation.
  @Test func exampleOfTheDocumentation() throws {
    let source = """
      completion done { for habit every day when count(HabitEntry) >= 1 }
      streak daily_streak { of done }
      """
    let library = MetricLibrary(sources: [SourceFile(path: "habits.metric", text: source)])
    let today = try #require(DayKey("2026-01-02"))

    let session = MetricSession(library: library)
    try session.append(
      ["id": .text("e1"), "habitId": .text("read"), "dayKey": .day(today)], to: "HabitEntry")
    #expect(try session.value(of: "daily_streak", subject: "read", at: today) == .int(1))

    let yesterday = today.advanced(by: -1)
    try session.append(
      ["id": .text("e2"), "habitId": .text("read"), "dayKey": .day(yesterday)], to: "HabitEntry")
    #expect(try session.value(of: "daily_streak", subject: "read", at: today) == .int(2))

    try session.remove(id: "e1", from: "HabitEntry")
    #expect(try session.value(of: "daily_streak", subject: "read", at: today) == .int(0))
    #expect(try session.value(of: "daily_streak", subject: "read", at: yesterday) == .int(1))
  }

  let source = """
    fact Session { id : ID userId : User dayKey : DayKey minutes : Decimal min 0 at : Instant? kind : "a" | "b" ? }
    progress minutes { for user value sum(Session.minutes) }
    measure latest { for user value last(Session.minutes) audience team }
    measure people { for app value distinct(Session.userId) audience team }
    """

  @Test func aRecordTakesThePlaceOfAnother() throws {
    let session = MetricSession(library: MetricLibrary(sources: [SourceFile(path: "s.metric", text: source)]))
    let day = try #require(DayKey("2026-01-02"))
    func record(_ id: String, _ minutes: Int64) -> [String: Value] {
      ["id": .text(id), "userId": .text("u"), "dayKey": .day(day), "minutes": .int(minutes)]
    }
    try session.append(record("1", 20), to: "Session")
    try session.append(record("2", 5), to: "Session")
    try session.replace(record("1", 30), in: "Session")
    let half = FixedDecimal(millionths: 35_000_000)
    #expect(try session.value(of: "minutes", subject: "u", at: day) == .decimal(half))
    #expect(try session.value(of: "people", at: day) == .int(1))
    #expect(try session.value(of: "minutes", subject: "nobody", at: day) == nil)
    #expect(try session.value(of: "nothing", at: day) == nil)
    #expect(try session.remove(id: "3", from: "Session") == false)
  }

  @Test func whatAReaderRefusesIsRefused() throws {
    let session = MetricSession(library: MetricLibrary(sources: [SourceFile(path: "s.metric", text: source)]))
    let day = Value.day(DayKey.first)
    func message(_ fields: [String: Value], _ record: String = "Session") -> String? {
      do throws(RecordError) {
        try session.append(fields, to: record)
        return nil
      } catch {
        return error.message
      }
    }
    let good: [String: Value] = ["id": .text("1"), "userId": .text("u"), "dayKey": day, "minutes": .int(1)]
    func with(_ name: String, _ value: Value) -> [String: Value] { good.merging([name: value]) { $1 } }
    #expect(message(with("minutes", .int(-3))) == "expected `minutes` to be `0` or more, found `-3`")
    #expect(message(with("minutes", .text("x"))) == "expected `minutes` to be a number, found `\"x\"`")
    #expect(message(with("dayKey", .none)) == "expected `dayKey` to be a value, found nothing")
    #expect(message(with("userId", .text(""))) == "expected `userId` to be a value, found nothing")
    #expect(message(with("at", .text("noon"))) == "expected `at` to be an Instant, found `\"noon\"`")
    #expect(message(good, "Sesion") == "expected the name of a record, found `Sesion`")
    #expect(message(good) == nil)
    #expect(message(with("kind", .text("c"))) == nil, "no metric reads it")
  }
}

/// A random library, a session over a growing part of a random dataset, and the same records beside it.
private struct RandomSession {
  private let source: String
  private let library: MetricLibrary
  private let session: EvaluationSession
  private let pool = StringPool()
  /// What has not been appended yet, in random order.
  private var coming: [(record: RecordID, row: ReferenceRow)]
  private var present: [(record: RecordID, row: ReferenceRow)] = []
  /// What was read at the start without its ids, which nobody can name.
  private var nameless: [RecordID: Set<Literal>] = [:]

  init?(using random: inout SeededGenerator) {
    source = RandomLibrary.source(.all, metrics: 6, using: &random)
    library = MetricLibrary(sources: [SourceFile(path: "random.metric", text: source)])
    guard library.isAccepted else { return nil }
    let dataset = RandomDataset.make(for: library.plan, using: &random)
    coming = dataset.rows.sorted { $0.key < $1.key }.flatMap { record, rows in rows.map { (record, $0) } }
    coming.shuffle(using: &random)
    var start = LoadedDataset(library, pool: pool)
    for _ in 0..<random.int(0...coming.count) {
      let next = coming.removeLast()
      start.append(next.row, to: next.record)
      present.append(next)
      let record = library.plan.records[next.record]
      guard let field = record.idField, let id = next.row.values[field] else { continue }
      if start.tables[record.name]?.column(named: "id") == nil {
        nameless[next.record, default: []].insert(id)
      }
    }
    session = EvaluationSession(
      library: library.plan, metrics: Array(library.plan.metrics.indices), tables: start.tables, pool: pool)
  }

  /// Some records more or less, then some questions; what differs, or nil.
  mutating func step(using random: inout SeededGenerator) -> String? {
    for _ in 0..<random.int(0...3) {
      if random.chance(25) { removeOne(using: &random) } else { appendOne() }
    }
    var fresh = LoadedDataset(library, pool: StringPool())
    for (record, row) in present { fresh.append(row, to: record) }
    for _ in 0..<4 {
      let metric = random.int(0...library.plan.metrics.count - 1)
      let day = RandomDataset.firstDay.advanced(by: random.int(-2...40))
      let wanted = rows(of: metric, at: day, fresh)
      let subjects = Set(wanted.map(\.subject)).sorted() + ["", "nobody", "f3"]
      for subject in subjects.shuffled(using: &random).prefix(3) {
        if let difference = compare(metric, subject, day, wanted) { return difference }
      }
    }
    return nil
  }

  private mutating func appendOne() {
    guard let next = coming.popLast() else { return }
    if let schema = session.schema(of: next.record) {
      let record = library.plan.records[next.record]
      session.append(
        schema.columns.map { column in
          record.field(named: column.name).flatMap { next.row.values[$0] }.flatMap { $0.cell(pool) }
        }, to: next.record)
    }
    present.append(next)
  }

  private mutating func removeOne(using random: inout SeededGenerator) {
    guard !present.isEmpty else { return }
    let (record, row) = random.pick(present)
    guard let field = library.plan.records[record].idField, case .text(let id)? = row.values[field],
      session.schema(of: record) != nil, nameless[record]?.contains(.text(id)) != true
    else { return }
    _ = session.remove(id: id, from: record)
    present.removeAll { $0.record == record && $0.row.values[field] == .text(id) }
  }

  /// Nil is an error, whichever.
  private func rows(of metric: MetricID, at day: DayKey, _ fresh: LoadedDataset) -> [ResultRow] {
    (try? fresh.evaluate([library.plan.metrics[metric].name], at: [day])) ?? []
  }

  private func compare(
    _ metric: MetricID, _ subject: String, _ day: DayKey, _ wanted: [ResultRow]
  ) -> String? {
    let expected = wanted.filter { $0.subject == subject }
    let found = (try? session.rows(of: metric, subject: subject, at: day)) ?? []
    guard found != expected else { return nil }
    return """
      \(library.plan.metrics[metric].name) of \(subject) at \(day), \(present.count) records
      session \(found.map { "\($0.group) \($0.part) \($0.value)" })
      fresh \(expected.map { "\($0.group) \($0.part) \($0.value)" })
      \(source)
      """
  }
}
