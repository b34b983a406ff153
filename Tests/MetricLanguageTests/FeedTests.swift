import MetricDiagnostics
import Testing

@testable import MetricLanguage

/// Values that follow the records, and values made ahead.
@Suite struct FeedTests {
  private struct HabitEntry: Codable, Sendable {
    var id: String
    var habitId = "read"
    var dayKey: DayKey
    var value: Double?
  }

  private static let library = MetricLibrary(sources: [
    SourceFile(
      path: "feed.metric",
      text: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        streak run { of done  unit days  title "Days in a row" }
        streak kind_run { of done  forgive 1 in 3 days }
        progress amount { for habit  value sum(HabitEntry.value) }
        measure counts { for habit  audience team  value count(HabitEntry) by habit.kind }
        """)
  ])
  private static let today = DayKey.first.advanced(by: 46_000)

  private func entry(_ ago: Int, habit: String = "read", value: Double? = nil) -> HabitEntry {
    HabitEntry(id: "\(habit) \(ago)", habitId: habit, dayKey: Self.today.advanced(by: -ago), value: value)
  }

  private func session() throws -> MetricSession {
    #expect(Self.library.isAccepted, "\(Self.library.findings.map(\.message))")
    return try MetricSession(library: Self.library)
  }

  @Test func onlyChangesArePassedOn() async throws {
    let session = try session()
    let stream = try session.updates(of: "run", for: "read", on: Self.today, as: Int.self)
    var values = stream.makeAsyncIterator()
    #expect(try await values.next() == .some(nil), "nobody knows the habit yet")
    try session.insert(entry(0))
    #expect(try await values.next() == 1)
    // Neither another habit, nor a later day, nor a second amount of the same day changes the run.
    try session.insert(entry(0, habit: "swim"))
    try session.insert(entry(-1))
    try session.update(entry(0, value: 3))
    try session.insert(contentsOf: [entry(1), entry(3)])
    #expect(try await values.next() == 2)
    try session.insert(
      "id,habitId,dayKey\n9,read,\(Self.today.advanced(by: -2))\n".utf8, as: .csv, into: "HabitEntry")
    #expect(try await values.next() == 4)
    try session.remove(id: "read 0", from: "HabitEntry")
    #expect(try await values.next() == 0)
  }

  /// An update is one change: what is between removing and adding is not seen. A reader that is late gets the newest.
  @Test func aLateReaderGetsTheNewest() async throws {
    let session = try session()
    try session.insert(entry(0, value: 2))
    var values = try session.updates(of: "amount", for: "read", on: Self.today, as: Double.self)
      .makeAsyncIterator()
    for value in [4.0, 5, 6.5] { try session.update(entry(0, value: value)) }
    #expect(try await values.next() == 6.5)
  }

  @Test func itEndsWithTheSession() async throws {
    var session: MetricSession? = try session()
    let stream = try #require(try session?.updates(of: "run", for: "read", on: Self.today, as: Int.self))
    try session?.insert(entry(0))
    session = nil
    var seen: [Int?] = []
    for try await value in stream { seen.append(value) }
    #expect(seen == [1])
  }

  /// Whoever stops to listen costs nothing any more.
  @Test func whoStopsIsForgotten() async throws {
    let session = try session()
    for _ in 0..<3 {
      let stream = try session.updates(of: "run", for: "read", on: Self.today, as: Int.self)
      for try await _ in stream { break }
    }
    let kept = try session.updates(of: "run", for: "read", on: Self.today, as: Int.self)
    try session.insert(entry(0))
    #expect(session.feeds.count == 1)
    _ = kept
  }

  @Test func whatIsUnknownIsRefused() throws {
    let session = try session()
    #expect(throws: SessionError.unknownMetric("rnu", nearest: "run")) {
      _ = try session.updates(of: "rnu", for: "read", on: Self.today, as: Int.self)
    }
    try session.insert(entry(0))
    #expect(throws: SessionError.self) {
      _ = try session.updates(of: "run", for: "read", on: Self.today, as: String.self)
    }
    #expect(throws: SessionError.self) {
      _ = try session.timeline(of: ["counts"], for: "read", from: Self.today)
    }
  }

  /// In an actor, read from another: checked by the compiler as much as run.
  @Test func aSessionInAnActor() async throws {
    actor Store {
      let session: MetricSession
      init(_ library: MetricLibrary) throws { session = try MetricSession(library: library) }
      func updates(on day: DayKey) throws -> AsyncThrowingStream<Int?, any Error> {
        try session.updates(of: "run", for: "read", on: day)
      }
      func log(_ entry: HabitEntry) throws { try session.insert(entry) }
    }
    let store = try Store(Self.library)
    let stream = try await store.updates(on: Self.today)
    let reader = Task { @MainActor in
      var seen: [Int] = []
      for try await value in stream {
        seen.append(value ?? -1)
        if value == 3 { break }
      }
      return seen
    }
    for ago in 0..<3 { try await store.log(entry(ago)) }
    let seen = try await reader.value
    // What was not taken in time was replaced, so the values only rise.
    #expect(seen.last == 3 && seen == seen.sorted())
  }

  @Test func aTimelineIsWhatEachDayWouldShow() throws {
    let session = try session()
    try session.insert(contentsOf: (0..<5).map { entry($0, value: 1.5) })
    let timeline = try session.timeline(
      of: ["run", "kind_run", "done", "amount"], for: "read", from: Self.today, days: 4)
    #expect(timeline.subject == "read" && timeline.days.count == 4 && timeline.days[0] == "\(Self.today)")
    #expect(timeline.lines.map(\.metric) == ["run", "kind_run", "kind_run", "done", "amount"])
    func texts(_ metric: String, _ part: String = "") -> [String?] {
      timeline.days.map { timeline[metric, part: part, on: $0]?.text }
    }
    #expect(texts("run") == ["5", "0", "0", "0"])
    #expect(texts("kind_run") == ["5", "5", "0", "0"] && texts("kind_run", "left") == ["1", "0", "0", "0"])
    #expect(
      texts("done") == ["true", "false", "false", "false"] && texts("amount") == ["7.5", "7.5", "7.5", "7.5"])
    #expect(timeline.lines[0].title == "Days in a row" && timeline.lines[0].unit == "days")
    for (day, text) in timeline.days.enumerated() {
      let value: Int? = try session.value(of: "run", for: "read", on: Self.today.advanced(by: day))
      #expect(timeline["run", on: text]?.text == value.map(String.init))
    }
    #expect(try session.timeline(of: ["run"], for: "read", from: DayKey.last, days: 7).days.count == 1)
    #expect(try session.timeline(of: ["run"], for: "read", from: Self.today, days: 0).days.count == 1)
  }
}
