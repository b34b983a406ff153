import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricTestSupport
import MetricValues
import Testing

/// A session against an evaluation from nothing: the same questions, the same answers.
@Suite struct SessionTests {
  static let shards = 4
  static let casesPerShard = Int(environment("METRICC_CASES") ?? "").map { $0 / shards } ?? 12

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

  private struct HabitEntry: Encodable {
    var id: String
    var habitId = "read"
    var dayKey: DayKey
    var value: Double?
  }

  private let habits = """
    completion done { for habit every day when count(HabitEntry) >= 1 }
    streak daily_streak { of done }
    progress week { for habit value sum(HabitEntry.value) target 50 over last 7 days }
    measure active { for app value distinct(HabitEntry.habitId) audience team }
    """

  private func session(_ source: String) throws -> MetricSession {
    try MetricSession(library: library(source))
  }

  private func library(_ source: String) -> MetricLibrary {
    MetricLibrary(sources: [SourceFile(path: "s.metric", text: source)])
  }

  /// What a closure throws.
  private func error(_ body: () throws -> Void) -> SessionError? {
    do { try body() } catch { return error as? SessionError }
    return nil
  }

  /// The example of the library's documentation.
  @Test func recordsComeAndGo() throws {
    let session = try session(habits)
    let today = try #require(DayKey("2026-01-02"))
    let yesterday = today.advanced(by: -1)
    func streak(_ day: DayKey) throws -> Int? {
      try session.value(of: "daily_streak", for: "read", on: day)
    }
    try session.insert(HabitEntry(id: "e1", dayKey: today))
    #expect(try streak(today) == 1)
    try session.insert(HabitEntry(id: "e2", dayKey: yesterday, value: 2.5))
    #expect(try streak(today) == 2)
    try session.update(HabitEntry(id: "e2", dayKey: yesterday, value: 30))
    #expect(try session.value(of: "week", for: "read", on: today, as: Double.self) == 30)
    #expect(try session.value(of: "week", for: "read", on: today, as: FixedDecimal.self) == FixedDecimal(30))
    try session.remove(id: "e1", from: "HabitEntry")
    #expect(try streak(today) == 0)
    #expect(try streak(yesterday) == 1)
  }

  @Test func manyAtOnceAndFiles() throws {
    let session = try session(habits)
    let first = try #require(DayKey("2026-01-01"))
    let entries = (0..<200).map { HabitEntry(id: "e\($0)", dayKey: first.advanced(by: $0)) }
    try session.insert(contentsOf: entries)
    let last = first.advanced(by: 199)
    #expect(try session.value(of: "daily_streak", for: "read", on: last, as: Int.self) == 200)
    let file = "id,habitId,dayKey,value\na,swim,2026-01-01,1\nb,swim,2026-01-02,0.5\n"
    try session.insert(file.utf8, as: .csv, into: "HabitEntry")
    let points: [SeriesPoint<FixedDecimal>] = try session.series(
      of: "week", for: "swim", days: first...first.advanced(by: 2))
    #expect(points.map { $0.value?.description } == ["1", "1.5", "1.5"])
    #expect(points.map(\.id) == [0, 1, 2].map { first.advanced(by: $0) })

    let wrong = "id,habitId,dayKey,value\nc,swim,2026-01-32,1\n"
    let refusal = error { try session.insert(wrong.utf8, as: .csv, into: "HabitEntry") }
    #expect(
      refusal?.message.hasPrefix("HabitEntry:2:8: `dayKey` is") == true, "\(String(describing: refusal))")
    // One that is refused keeps all of them out.
    let mixed = [HabitEntry(id: "d", habitId: "run", dayKey: first), HabitEntry(id: "a", dayKey: first)]
    #expect(error { try session.insert(contentsOf: mixed) } == .duplicateID("a", record: "HabitEntry"))
    #expect(throws: SessionError.self) { try session.values(for: "run", on: first) }
  }

  @Test func allValuesOfASubjectAndWhy() throws {
    let session = try session(habits)
    let today = try #require(DayKey("2026-01-02"))
    try session.insert(HabitEntry(id: "e1", dayKey: today, value: 5))
    let rows = try session.values(for: "read", on: today)
    #expect(rows.filter { $0.part.isEmpty }.map(\.metric) == ["daily_streak", "done", "week"])
    #expect(try session.values(for: "", on: today).map(\.value) == [.int(1)])
    let why = try session.why("daily_streak", for: "read", on: today)
    #expect(why.parts.map(\.value) == [.int(1)])
    #expect(why.reads.first?.recordCount == 1 || why.recordCount == 1)
    try session.remove(id: "e1", from: "HabitEntry")
    #expect(error { _ = try session.why("done", for: "read", on: today) } != nil)
  }

  @Test func whatIsUnknownThrows() throws {
    let session = try session(habits)
    let today = try #require(DayKey("2026-01-02"))
    try session.insert(HabitEntry(id: "e1", dayKey: today))
    func message(_ metric: String, part: String = "", for subject: String = "read") -> String? {
      error { _ = try session.value(of: metric, part: part, for: subject, on: today, as: Int.self) }?.message
    }
    #expect(message("daily_streak") == nil)
    #expect(message("daily_strek") == "there is no metric `daily_strek`; did you mean `daily_streak`?")
    #expect(message("daily_streak", for: "raed") == "no record names the habit `raed` of `daily_streak`")
    #expect(
      message("daily_streak", for: "") == "`daily_streak` has a value for each habit: name one with `for`")
    #expect(message("active") == "`active` has one value for all: name no subject")
    #expect(message("daily_streak", part: "x") == "`daily_streak` has no part `x`")
    #expect(message("week", part: "doen")?.hasPrefix("`week` has no part `doen`, only `") == true)
    #expect(message("week") == "`week` is of the type Decimal, which is no Int")
    #expect(message("done") == "`done` is of the type Bool, which is no Int")
    #expect(
      error { _ = try session.values(for: "nobody", on: today) }?.message
        == "no record names the subject `nobody`")
    #expect(
      error { _ = try session.values(for: "read", of: "habt", on: today) }?.message
        == "there is no record type `habt`; did you mean `habit`?")
    #expect(
      error { _ = try session.values(for: "g", of: "goal", on: today) }?.message
        == "no record names the goal `g`")
    for day in [DayKey.last.advanced(by: 1), DayKey(number: .min), DayKey(number: .max)] {
      #expect(
        error { _ = try session.value(of: "done", for: "read", on: day, as: Bool.self) } == .invalidDay(day))
      #expect(error { _ = try session.values(for: "read", on: day) } == .invalidDay(day))
      #expect(error { _ = try session.why("done", for: "read", on: day) } == .invalidDay(day))
      #expect(
        error { try session.insert(HabitEntry(id: "e9", dayKey: day)) }?.message.contains(
          "expected a day from 1900-01-01 to 2199-12-31") == true)
    }
    let one = try MetricSession(library: library(habits), metrics: ["done"])
    #expect(error { _ = try one.rows(of: "week", days: today...today) } == .omittedMetric("week"))
    #expect(
      error { _ = try MetricSession(library: library(habits), metrics: ["doen"]) }
        == .unknownMetric("doen", nearest: "done"))
    let names = error { _ = try MetricSession(library: MetricLibrary(sources: []), metrics: ["none"]) }
    #expect(names == .unknownMetric("none", nearest: nil))
  }

  @Test func aGroupIsNamedWhereThereAreGroups() throws {
    let session = try session(
      """
      measure counts { for user value count(Event) by name }
      level rank { of counts  at 1, 5 }
      measure total { for user value count(Event) }
      """)
    let day = DayKey.first
    let event: [String: Value] = [
      "id": .text("1"), "userId": .text("u"), "name": .text("a"), "dayKey": .day(day),
    ]
    let change = try session.insert(event, into: "Event")
    func value(_ metric: String, _ group: GroupKey?) throws -> Int? {
      try session.value(of: metric, for: "u", group: group, on: day)
    }
    #expect(try value("counts", "a") == 1 && value("counts", "b") == nil && value("rank", "a") == 1)
    for metric in ["counts", "rank"] {
      let message = "`\(metric)` has a value for each group by `Event.name`: name one with `group`"
      #expect(error { _ = try value(metric, nil) }?.message == message)
      #expect(error { _ = try session.why(metric, for: "u", on: day) }?.message == message)
    }
    #expect(error { _ = try value("total", "a") }?.message == "`total` has no groups: leave out `a`")
    #expect(error { _ = try session.why("total", for: "u", group: "a", on: day) } != nil)
    #expect(try session.why("counts", for: "u", group: "a", on: day).parts.map(\.value) == [.int(1)])
    #expect(try change.affects("counts") && change.affects("total", for: "u"))
    #expect("\(change)" == "counts: u; rank: u; total: u")
    #expect(error { _ = try change.affects("totl") } == .unknownMetric("totl", nearest: "total"))
  }

  @Test func aGroupHasATextForEachField() throws {
    let session = try session("measure counts { for user value count(Event) by name, value }")
    let event: [String: Value] = [
      "id": .text("1"), "userId": .text("u"), "name": .text("a,b"), "dayKey": .day(.first),
    ]
    try session.insert(event, into: "Event")
    func value(_ group: GroupKey?) throws -> Int? {
      try session.value(of: "counts", for: "u", group: group, on: .first)
    }
    #expect(try value(["a,b", ""]) == 1 && value(["a", "b"]) == nil)
    #expect(try session.why("counts", for: "u", group: ["a,b", ""], on: .first).records.map(\.id) == ["1"])
    #expect(
      error { _ = try value("a,b") }?.message
        == "`counts` has a value for each group by `Event.name; Event.value`: name one with `group`")
  }

  @Test func aGroupIsOneOfTheListedTexts() throws {
    let library = MetricLibrary(sources: [
      SourceFile(
        path: "m.metric",
        text: """
          fact Visit {
            dayKey : DayKey
            userId : User
            plan   : "free" | "paid" ?
          }
          measure visits { for user value count(Visit) by plan }
          """)
    ])
    let session = try MetricSession(library: library)
    let visit: [String: Value] = ["userId": .text("u"), "dayKey": .day(.first), "plan": .text("paid")]
    try session.insert(visit, into: "Visit")
    func value(_ group: GroupKey) throws -> Int? {
      try session.value(of: "visits", for: "u", group: group, on: .first)
    }
    #expect(try value("paid") == 1 && value("free") == nil && value("") == nil)
    #expect(error { _ = try value("payd") }?.message == "`visits` has no group `payd`; did you mean `paid`?")
  }

  /// A file is read as records are: all fields count, whether a metric reads them or not.
  @Test func filesAreCheckedWhole() throws {
    let session = try session(habits)
    func message(_ file: String, _ record: String) -> String? {
      error { try session.insert(file.utf8, as: .csv, into: record) }?.message
    }
    #expect(message("id,habitId,dayKey,timestampUtc\n1,read,2026-01-01,noon\n", "HabitEntry") != nil)
    #expect(message("id,target\n1,x\n", "Goal") != nil)
    #expect(message("id,habitId,dayKey,timestampUtc\n1,read,2026-01-01,\n", "HabitEntry") == nil)
    #expect(
      try session.value(of: "active", on: DayKey.first.advanced(by: 46_022), as: Int.self) == 1)
  }

  @Test func aRejectedMetricSaysSo() throws {
    let session = try session("measure mean { for habit value average(HabitEntry.value) }")
    #expect(
      error { _ = try session.rows(of: "mean", days: DayKey.first...DayKey.first) } == .rejectedMetric("mean")
    )
  }

  private let source = """
    fact Session { id : ID userId : User dayKey : DayKey minutes : Decimal min 0 at : Instant? kind : "a" | "b" ?
      hours = minutes / 60 }
    progress minutes { for user value sum(Session.minutes) }
    measure latest { for user value last(Session.minutes) audience team }
    measure kinds { for user value count(Session where kind == "a") audience team }
    measure people { for app value distinct(Session.userId) audience team }
    """

  @Test func whatAReaderRefusesIsRefused() throws {
    let session = try session(source)
    let good: [String: Value] = [
      "id": .text("1"), "userId": .text("u"), "dayKey": .day(DayKey.first), "minutes": .int(1),
    ]
    func message(_ name: String, _ value: Value, _ record: String = "Session") -> String? {
      error { try session.insert(good.merging([name: value]) { $1 }, into: record) }?.message
    }
    // What no metric reads fits, too.
    #expect(
      message("at", .int(4)) == "Session.at: expected an Instant such as 2026-01-31T07:30:00Z, found `4`")
    let note: [String: Value] = ["id": .text("n"), "name": .int(3)]
    #expect(
      error { try session.insert(note, into: "Goal") }?.message == "Goal.name: expected a text, found `3`")
    #expect(error { try session.insert(good) }?.message.hasSuffix("`into` or `in` names another") == true)
    #expect(message("minutes", .int(-3)) == "Session.minutes: expected `0` or more, found `-3`")
    #expect(message("minutes", .text("x")) == "Session.minutes: expected a number, found `\"x\"`")
    #expect(message("dayKey", .none) == "Session.dayKey: expected a value, found nothing")
    #expect(
      message("dayKey", .text("1.2.2026"))
        == "Session.dayKey: expected a day YYYY-MM-DD, found `\"1.2.2026\"`")
    #expect(message("userId", .text("")) == "Session.userId: expected a value, found `\"\"`")
    #expect(
      message("at", .text("noon"))
        == "Session.at: expected an Instant such as 2026-01-31T07:30:00Z, found `\"noon\"`")
    #expect(message("kind", .text("c")) == "Session.kind: expected one of `a`, `b`, found `\"c\"`")
    #expect(message("minuets", .int(1)) == "Session.minuets: there is no such field; did you mean `minutes`?")
    #expect(message("hours", .int(1)) == "Session.hours: the field is computed: leave it out")
    #expect(
      message("id", .text("1"), "Sesion") == "there is no record type `Sesion`; did you mean `Session`?")
    #expect(message("id", .text("1")) == nil)
    #expect(message("id", .text("1")) == "Session.id: a record `1` already exists; `update` replaces it")
    #expect(error { try session.remove(id: "9", from: "Session") } == .unknownID("9", record: "Session"))
    #expect(
      error { try session.update(good.merging(["id": .text("9")]) { $1 }, in: "Session") }
        == .unknownID("9", record: "Session"))
    #expect(try session.value(of: "people", on: DayKey.first, as: Int.self) == 1)
  }

  /// Types that encode themselves as texts and numbers, and types that do not.
  @Test func fieldsAreSingleValues() throws {
    enum Kind: String, Encodable { case a, b }
    struct Minutes: Encodable {
      var count: Float
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(count)
      }
    }
    struct Session<Length: Encodable>: Encodable {
      var id: UInt8 = 7
      var userId = "u"
      var dayKey = "2026-01-02"
      var minutes: Length
      var kind: Kind? = .a
      var at: Instant?
    }
    let session = try session(source)
    let day = try #require(DayKey("2026-01-02"))
    try session.insert(Session(minutes: Minutes(count: 0.1)), into: "Session")
    #expect(try session.value(of: "minutes", for: "u", on: day, as: Double.self) == 0.1)
    #expect(try session.value(of: "kinds", for: "u", on: day, as: Int.self) == 1)
    func message(_ value: some Encodable) -> String? {
      error { try session.insert(Session(id: 8, minutes: value), into: "Session") }?.message
    }
    #expect(message([1, 2]) == "Session.minutes: expected a single value, found a list")
    #expect(message(["a": 2]) == "Session.minutes: expected a single value, found fields of its own")
    #expect(message(Double.nan) == "Session.minutes: expected a number, found `\"nan\"`")
    #expect(message(1e15) == "Session.minutes: expected a number, found `\"1000000000000000.0\"`")
    #expect(message(UInt64.max) == "Session.minutes: expected a number, found `\"18446744073709551615\"`")
    #expect(
      error { try session.insert([1], into: "Session") }?.message
        == "Session: expected fields by name, found a list")
    #expect(error { try session.insert(3, into: "Session") } != nil)
  }

  @Test func whoseValuesChanged() throws {
    let session = try session(
      habits + "\ncompletion logged { for user every day when count(HabitEntry) >= 1 }")
    let today = try #require(DayKey("2026-01-02"))
    let change = try session.insert(HabitEntry(id: "e1", dayKey: today))
    #expect(change.metrics["daily_streak"] == ["read"])
    #expect(change.metrics["active"] == [""])
    #expect(try change.affects("week", for: "read") && !change.affects("week", for: "swim"))
    #expect(try change.affects("week") && change.affects("active"))
    #expect(try !change.affects("logged", for: "u"), "no habit says whose it is")
    #expect(
      error { _ = try change.affects("week", for: "") }?.message
        == "`week` has a value for each habit: name one with `for`")
    #expect(
      error { _ = try change.affects("active", for: "read") }?.message
        == "`active` has one value for all: name no subject")
    #expect(error { _ = try change.affects("wek") } == .unknownMetric("wek", nearest: "week"))
    let removal = try session.remove(id: "e1", from: "HabitEntry")
    #expect(removal == change)
  }

  /// Who stands behind a fact, and so whether team metrics may read it, is what an entity says.
  @Test func anOwnerChangesTeamMetrics() throws {
    let session = try session(habits + "\nextend HabitEntry { consent standard default standard }")
    let today = try #require(DayKey("2026-01-02"))
    try session.insert(HabitEntry(id: "e1", dayKey: today))
    func active() throws -> Int? { try session.value(of: "active", on: today) }
    #expect(try active() == 0, "nobody is known who agreed")
    let change = try session.insert(["id": Value.text("read"), "userId": .text("u")], into: "Habit")
    #expect(try active() == 1)
    #expect(try change.affects("active"))
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
  /// What the changes since the last questions announced.
  private var affected: [MetricID: AffectedSubjects] = [:]
  private var present: [(record: RecordID, row: ReferenceRow)] = []
  /// What was read at the start without its ids, which nobody can name.
  private var nameless: [RecordID: Set<Literal>] = [:]

  init?(using random: inout SeededGenerator) {
    source = RandomLibrary.source(.all, metrics: 6, using: &random)
    library = MetricLibrary(unsearched: source)
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
    let day = RandomDataset.firstDay.advanced(by: random.int(0...40))
    let before = values(at: day)
    affected = [:]
    for _ in 0..<random.int(0...3) {
      if random.chance(25) { removeOne(using: &random) } else { appendOne() }
    }
    if let difference = unannounced(before, values(at: day)) { return difference }
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

  /// By metric the rows of all subjects; none where the evaluation fails.
  private func values(at day: DayKey) -> [[ResultRow]?] {
    library.plan.metrics.indices.map { try? session.rows(of: $0, subject: nil, days: [day]) }
  }

  private mutating func note(_ change: [MetricID: AffectedSubjects]) {
    affected.merge(change) { $0.union($1) }
  }

  /// A value that changed although no change of the records announced it.
  private func unannounced(_ before: [[ResultRow]?], _ after: [[ResultRow]?]) -> String? {
    for (metric, (old, new)) in zip(before, after).enumerated() {
      guard let old, let new, affected[metric] != .all else { continue }
      let changed = Set(old).symmetricDifference(Set(new)).map(\.subject)
      guard case .some(let announced)? = affected[metric] ?? .some([]) else { continue }
      guard let subject = changed.first(where: { !announced.contains($0) }) else { continue }
      return """
        \(library.plan.metrics[metric].name) of `\(subject)` changed, announced are \(announced)
        \(source)
        """
    }
    return nil
  }

  private mutating func appendOne() {
    guard let next = coming.popLast() else { return }
    if let schema = session.schema(of: next.record) {
      let record = library.plan.records[next.record]
      let cells = schema.columns.map { column in
        record.field(named: column.name).flatMap { next.row.values[$0] }.flatMap { $0.cell(pool) }
      }
      let rows = session.append([cells], to: next.record)
      note(session.affected(by: next.record, rows: rows))
    }
    present.append(next)
  }

  private mutating func removeOne(using random: inout SeededGenerator) {
    guard !present.isEmpty else { return }
    let (record, row) = random.pick(present)
    guard let field = library.plan.records[record].idField, case .text(let id)? = row.values[field],
      session.schema(of: record) != nil, nameless[record]?.contains(.text(id)) != true
    else { return }
    note(session.affected(by: record, rows: session.liveRows(withID: id, in: record)))
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
    let found = (try? session.rows(of: metric, subject: subject, days: [day])) ?? []
    guard found != expected else { return nil }
    return """
      \(library.plan.metrics[metric].name) of \(subject) at \(day), \(present.count) records
      session \(found.map { "\($0.group) \($0.part) \($0.value)" })
      fresh \(expected.map { "\($0.group) \($0.part) \($0.value)" })
      \(source)
      """
  }
}
