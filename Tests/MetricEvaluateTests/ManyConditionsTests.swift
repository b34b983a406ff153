import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricTestSupport
import Testing

/// Many aggregates over the same facts, each with a condition of its own, share one list: they give what each gives alone.
@Suite struct ManyConditionsTests {
  private static let source = """
    extend HabitEntry { mood : "calm" | "tired" ?  minutes : Int? min 0  inRain : Bool?  note : Text? }
    measure a { for habit audience team value count(HabitEntry where mood == "calm") }
    measure b { for habit audience team value count(HabitEntry where minutes > 2 and not (inRain)) }
    measure c { for habit audience team value sum(HabitEntry.value where mood == "calm") over last 5 days }
    measure d { for habit audience team value sum(HabitEntry.minutes where mood is none) }
    measure e { for habit audience team value average(HabitEntry.value where inRain) over calendar week }
    measure f { for habit audience team value min(HabitEntry.minutes where mood in ["calm", "tired"]) }
    measure g { for habit audience team value max(HabitEntry.value where minutes >= 3) over last 9 days }
    measure h { for habit audience team value percentile(HabitEntry.value, 70 where mood != "calm") }
    measure i { for habit audience team value distinct(HabitEntry.note where inRain or minutes > 0) }
    measure j { for habit audience team value days(HabitEntry where value > 0.5) over calendar month }
    measure k { for habit audience team value first(HabitEntry where mood == "tired") }
    measure l { for habit audience team value last(HabitEntry where day > 2026-01-10 and minutes is not none) }
    measure m { for habit audience team value last(HabitEntry.minutes where mood == "calm") }
    measure n { for habit audience team value sum(HabitEntry.minutes where minutes * 2 > 5) }
    measure o { for goal audience team value contribution(HabitEntry through GoalLink) }
    measure p { for goal audience team value count(HabitEntry through GoalLink where mood == "calm") }
    measure q { for habit audience team value count(HabitEntry where mood == "calm") by note }
    measure r { for app audience team value count(HabitEntry where mood == "tired") }
    completion done { for habit audience team every 3 days when count(HabitEntry where minutes >= 3) >= 2
      rest when count(HabitEntry where inRain) >= 1 }
    completion held { for habit audience team every day when sum(HabitEntry.value where mood != "tired") > 1 }
    streak run { of done audience team best }
    streak now { of held audience team }
    """

  private let library = MetricLibrary(
    sources: [SourceFile(path: "many.metric", text: ManyConditionsTests.source)])

  private func entries(_ random: inout SeededGenerator) -> String {
    var text = "id,habitId,dayKey,value,deletedAt,mood,minutes,inRain,note,timestampUtc\n"
    for row in 0..<random.int(0...200) {
      func some(_ texts: [String]) -> String { random.pick(texts) }
      let day = DayKey(number: Int32(20454 + random.int(0...40)))
      text += "e\(row),h\(random.int(0...4)),\(day),\(some(["", "1", "2.5", "0.25"])),"
      text += "\(random.chance(8) ? "2026-01-01T08:00:00Z" : ""),\(some(["", "calm", "tired"])),"
      text += "\(some(["", "0", "3", "12"])),\(some(["", "true", "false"])),\(some(["", "x", "y"])),"
      text += "\(random.chance(2) ? "\(day)T10:00:00Z" : "")\n"
    }
    return text
  }

  private func rows(_ metrics: [String], _ entries: String, _ days: [DayKey]) throws -> [String] {
    let pool = StringPool()
    var tables: [String: Table] = [:]
    let links = "id,goalId,habitId,contribution\n1,g1,h1,sum\n2,g1,h2,count\n3,g2,h1,count\n"
    // Without folds, so that all read lists.
    for schema in library.loadPlan(for: metrics, days: .several(through: days.last)).schemas {
      guard let text = ["HabitEntry": entries, "GoalLink": links][schema.record] else { continue }
      tables[schema.record] = Array(text.utf8).withUnsafeBytes {
        readTable($0, format: .csv, schema: schema, path: schema.record, pool: pool, options: ReadOptions())
          .table
      }
    }
    return try library.evaluate(
      metrics: metrics, subjects: [], days: days, tables: tables, pool: pool, threads: 2, progress: nil
    ).map { "\($0)" }
  }

  @Test func theDefinitionsAreRight() {
    let errors = library.findings.filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(errors.map { $0.rendered(in: library.sources) }.joined())")
  }

  @Test func togetherAndAloneAgree() throws {
    let all = library.metrics.map(\.name)
    var found: Set<String> = []
    for seed in seeds(20, from: 1) {
      var random = SeededGenerator(seed: seed)
      let entries = entries(&random)
      let last = DayKey(number: 20454).advanced(by: random.int(0...45))
      for days in [[last], (0..<5).map { last.advanced(by: $0 - 4) }] {
        let together = try rows(all, entries, days)
        let alone = try all.flatMap { try rows([$0], entries, days) }
        #expect(together.sorted() == alone.sorted(), "\(random.replay)")
        found.formUnion(together)
      }
    }
    #expect(found.count > 1_000, "the data gives few different rows: \(found.count)")
  }
}
