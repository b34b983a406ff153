import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricTestSupport
import Testing

/// Records that are folded while they are read give the rows that kept ones give.
@Suite struct FoldingTests {
  /// Metrics over facts of one reference, some of which a fold answers, on data with ties, gaps and dead rows.
  private static let definitions = """
    extend Habit { startDay : DayKey? }
    extend HabitEntry { mood : "calm" | "tired" ?  minutes : Int? min 0  inRain : Bool?  byId : User? }
    completion done { for habit every day when count(HabitEntry) >= 1 }
    completion calm { for habit every day when 0 < count(HabitEntry where mood == "calm" and minutes > 2) }
    completion idle { for habit audience team every week when count(HabitEntry where inRain) == 0 }
    completion three { for habit every week when days(HabitEntry) >= 3 }
    completion rested {
      for habit every day when count(HabitEntry) >= 1 rest when weekday(day) in ["saturday", "sunday"]
    }
    completion month { for habit every calendar month when days(HabitEntry where mood is none) >= 4 }
    streak current { of done }
    streak best_calm { of calm best }
    streak grace_two { of done grace 2 days }
    streak weeks { of three }
    streak best_weeks { of three best }
    streak idle_weeks { of idle audience team }
    streak rest_run { of rested }
    streak months { of month }
    momentum seven { of done over last 7 days }
    momentum four { of three over last 4 weeks }
    momentum strength { of calm half life 3 days }
    measure held { for habit value count(done) }
    measure held_lately { for habit value count(calm over last 9 days) }
    measure first_held { for habit value first(done) }
    measure last_held { for habit value last(calm) }
    measure first_day { for habit value first(HabitEntry where mood == "tired") }
    measure tired_days { for habit value days(HabitEntry where mood not in ["calm"] and day > 2026-01-08) }
    progress total { for habit value sum(HabitEntry.value) target habit.weeklyTarget }
    measure minutes { for habit audience team value sum(HabitEntry.minutes where not (inRain)) }
    measure mean { for habit audience team value average(HabitEntry.value) }
    measure entries { for habit value count(HabitEntry) }
    measure lately { for habit value sum(HabitEntry.value) + count(HabitEntry) over last 5 days }
    measure largest { for habit audience team value max(HabitEntry.value) - min(HabitEntry.minutes where mood == "calm") }
    measure smallest { for habit audience team value min(HabitEntry.value) }
    measure least_lately { for habit audience team value min(HabitEntry.value over last 9 days) }
    measure mean_of_month { for habit audience team value average(HabitEntry.value where mood == "calm") over calendar month }
    measure two_days { for habit value sum(HabitEntry.value over last 2 days) }
    measure six_days { for habit value sum(HabitEntry.value over last 6 days) }
    measure a_month { for habit value sum(HabitEntry.value over calendar month) }
    completion enough { for habit every week when sum(HabitEntry.value) >= habit.weeklyTarget }
    streak enough_weeks { of enough }
    progress reached { for goal value contribution(HabitEntry through GoalLink) }
    progress reached_lately { for goal value contribution(HabitEntry through GoalLink) over last 9 days }
    level grown { of total at 3, 10, 30 }
    measure habits_done { for app value count(habit where done) }
    measure habits_at_work { for app value distinct(HabitEntry.habitId) over last 4 days }
    measure habits_calm { for app value distinct(HabitEntry.habitId where mood == "calm" and minutes > 2) }
    measure habits_by_mood { for app value distinct(HabitEntry.habitId) by mood }
    measure moods { for app value distinct(HabitEntry.mood) }
    retention back { for habit start first HabitEntry return HabitEntry after 1, 3, 7 days }
    retention calm_again {
      for habit
      start each HabitEntry where mood == "calm"
      return HabitEntry where mood != "tired"
      after 2, 5 days or later
      over last 20 days
      by cohort week
    }
    retention held_again { for habit start first done return HabitEntry after 1, 4 days by cohort month }
    """

  private static let foldable = [
    "current", "best_calm", "weeks", "best_weeks", "idle_weeks", "rest_run", "months", "seven", "four",
    "strength",
    "held", "held_lately", "first_held", "last_held", "first_day", "tired_days", "done", "three", "grace_two",
    "enough_weeks", "reached", "reached_lately", "lately", "habits_at_work", "habits_calm", "back",
    "calm_again", "held_again", "two_days", "six_days", "a_month",
  ]

  /// Those that rest on days alone, of which a fold answers any number at once.
  private static let byDay = foldable.filter {
    !["reached", "reached_lately", "lately", "two_days", "six_days", "a_month", "enough_weeks"].contains($0)
  }

  private let library: MetricLibrary

  init() {
    library = MetricLibrary(sources: [SourceFile(path: "folding.metric", text: Self.definitions)])
  }

  private func entries(_ random: inout SeededGenerator, rows: Int) -> String {
    var text = "id,habitId,dayKey,value,deletedAt,mood,minutes,inRain,byId\n"
    for row in 0..<rows {
      let day = DayKey("2026-01-01").map { $0.advanced(by: random.int(0...40)) }?.description ?? ""
      func some(_ texts: [String]) -> String { random.pick(texts) }
      text += "e\(row),h\(random.int(0...5)),\(day),\(some(["", "1", "2.5", "0.25", "100"])),"
      text += "\(random.chance(8) ? "2026-01-01T08:00:00Z" : ""),\(some(["", "calm", "tired"])),"
      text += "\(some(["", "0", "3", "12"])),\(some(["", "true", "false"])),\(some(["", "u1", "u2"]))\n"
    }
    return text
  }

  private func lastDay(of entries: String) -> DayKey? {
    entries.split(separator: "\n").dropFirst().compactMap { DayKey(String($0.split(separator: ",")[2])) }
      .max()
  }

  private func rows(
    _ metrics: [String], _ entries: String, at days: [DayKey], asked: AskedDays, folds: Bool, threads: Int
  ) throws -> (rows: [String], isFolded: Bool) {
    let plan = library.loadPlan(for: metrics, days: asked)
    let pool = StringPool()
    var tables: [String: Table] = [:]
    let texts = [
      "HabitEntry": entries, "Habit": "id,weeklyTarget\nh1,7\nh9,3\n",
      "GoalLink":
        "id,goalId,habitId,bundleId,contribution\n1,g1,h1,,sum\n2,g1,h2,,count\n3,g2,h1,,count\n4,g1,h1,,sum\n",
    ]
    for schema in plan.schemas {
      guard let text = texts[schema.record] else { continue }
      var options = ReadOptions(threads: threads)
      if folds { plan.prepare(&options, for: schema.record) }
      options.bytesPerThread = 64
      tables[schema.record] = Array(text.utf8).withUnsafeBytes {
        readTable($0, format: .csv, schema: schema, path: schema.record, pool: pool, options: options).table
      }
    }
    let rows = try library.evaluate(
      metrics: metrics, subjects: [], days: days, tables: tables, pool: pool, threads: threads, progress: nil)
    return (rows.map { "\($0)" }, tables["HabitEntry"]?.folded != nil)
  }

  @Test("PRIV-04: a metric and the team's reading of it on another day are answered by one fold")
  func bothReadingsOfAMetricAreFolded() throws {
    let source = """
      fact Visit { id : ID  userId : User  dayKey : DayKey }
      fact Opinion { id : ID  userId : User  dayKey : DayKey  consent standard }
      measure visits { for user value count(Visit over last 7 days) }
      measure returning { audience team for app value count(user where visits offset 7 days > 0) }
      """
    let library = MetricLibrary(sources: [SourceFile(path: "test.metric", text: source)])
    let (pool, day) = (StringPool(), try #require(DayKey("2026-01-10")))
    let plan = library.loadPlan(for: ["visits", "returning"], days: .one(day))
    let schema = try #require(plan.schemas.first { $0.record == "Visit" })
    var options = ReadOptions(threads: 1)
    options.fold = plan.folds["Visit"]
    #expect(options.fold != nil)
    let table = Array("id,userId,dayKey\n1,a,2026-01-02\n2,b,2026-01-09\n".utf8).withUnsafeBytes {
      readTable($0, format: .csv, schema: schema, path: "Visit", pool: pool, options: options).table
    }
    let rows = try library.evaluate(
      metrics: ["visits", "returning"], subjects: [], days: [day], tables: ["Visit": table], pool: pool,
      threads: 1, progress: nil)
    #expect(rows.map(\.value) == [.int(1), .int(0), .int(1)])
  }

  @Test func theDefinitionsAreRight() {
    // Entries by several people make some of them metrics of the team, which is not what is tested.
    let errors = library.findings.filter { $0.severity == .error && !$0.code.id.hasPrefix("C4") }
    #expect(errors.isEmpty, "\(errors.map { $0.rendered(in: library.sources) }.joined())")
  }

  /// One day, given or the last; a series; one metric, some that fold together, and all.
  @Test func foldedAndKeptAgree() throws {
    let all = library.metrics.map(\.name)
    for seed in seeds(15, from: 1) {
      var random = SeededGenerator(seed: seed)
      let entries = entries(&random, rows: random.int(0...160))
      let day = DayKey(number: 20454).advanced(by: random.int(-2...45))
      let series = (0..<6).map { day.advanced(by: $0 - 3) }
      let choices = [random.pick(all.map { [$0] }), Self.byDay.filter { _ in random.chance(2) }, all]
      for metrics in choices {
        for (asked, days) in [
          (AskedDays.one(day), [day]), (.one(nil), [lastDay(of: entries) ?? day]),
          (.several(from: series.first, through: series.last), series), (.several(through: nil), series),
        ] {
          let kept = try rows(metrics, entries, at: days, asked: asked, folds: false, threads: 1)
          let folded = try rows(
            metrics, entries, at: days, asked: asked, folds: true, threads: 1 + Int(seed % 3))
          #expect(folded.rows == kept.rows, "\(random.replay), \(metrics)")
        }
      }
    }
  }

  /// That the comparison above compares two things.
  @Test func theMetricsThatCanBeAreFolded() throws {
    var random = SeededGenerator(seed: 1)
    let entries = entries(&random, rows: 80)
    let day = DayKey(number: 20480)
    let sums = [
      "total", "minutes", "two_days", "six_days", "a_month", "least_lately", "mean_of_month", "lately",
    ]
    #expect(try rows(sums, entries, at: [day], asked: .one(day), folds: true, threads: 1).isFolded)
    #expect(try rows(Self.byDay, entries, at: [day], asked: .one(day), folds: true, threads: 1).isFolded)
    for metric in Self.foldable {
      #expect(
        try rows([metric], entries, at: [day], asked: .one(day), folds: true, threads: 1).isFolded,
        "\(metric)")
    }
    let oneDayOnly = ["mean", "largest", "smallest", "least_lately", "mean_of_month"]
    for metric in oneDayOnly + ["total", "minutes", "entries", "lately"] {
      #expect(
        try rows([metric], entries, at: [day], asked: .one(day), folds: true, threads: 1).isFolded,
        "\(metric)")
      let asked = AskedDays.several(through: day)
      let isFolded = try rows([metric], entries, at: [day], asked: asked, folds: true, threads: 1).isFolded
      #expect(isFolded == !oneDayOnly.contains(metric), "\(metric)")
    }
  }

  @Test func anAverageAndSumsByDayOfTheSameFactsAgree() throws {
    var random = SeededGenerator(seed: 2)
    let (entries, day) = (entries(&random, rows: 120), DayKey(number: 20_480))
    let results = try [true, false].map { folds in
      try rows(["enough_weeks", "mean"], entries, at: [day], asked: .one(day), folds: folds, threads: 1)
    }
    #expect(results[0].isFolded && !results[1].isFolded)
    #expect(results[0].rows == results[1].rows)
  }

  /// The counts of each cohort at each day would take more than is kept at once, so that a retention asks subject
  /// by subject.
  @Test func aRetentionOverManyYearsAgrees() throws {
    let entries = "id,habitId,dayKey\n1,h1,1950-01-01\n2,h1,1950-01-04\n3,h2,2020-05-05\n4,h1,2020-05-05\n"
    let last = try #require(DayKey("2020-06-30"))
    let days = (0..<400).map { last.advanced(by: $0 - 399) }
    for metric in ["back", "calm_again", "held_again", "habits_at_work"] {
      let asked = AskedDays.several(through: last)
      let kept = try rows([metric], entries, at: days, asked: asked, folds: false, threads: 1)
      let folded = try rows([metric], entries, at: days, asked: asked, folds: true, threads: 2)
      #expect(folded.isFolded && !kept.isFolded, "\(metric)")
      #expect(folded.rows == kept.rows, "\(metric)")
    }
  }

  // MARK: Many conditions

  /// A completion for each of so many conditions.
  private func manyConditions(_ count: Int) -> MetricLibrary {
    var text = "extend HabitEntry { minutes : Int? }\n"
    for number in 0..<count {
      text +=
        "completion c\(number) { for habit every day when count(HabitEntry where minutes > \(number)) >= 1 }\n"
    }
    return MetricLibrary(sources: [SourceFile(path: "many.metric", text: text)])
  }

  private func table(
    _ entries: String, _ library: MetricLibrary, _ pool: StringPool, folds: Bool, threads: Int = 2
  ) -> Table? {
    let plan = library.loadPlan(for: library.metrics.map(\.name), days: .one(DayKey(number: 20_500)))
    guard let schema = plan.schemas.first(where: { $0.record == "HabitEntry" }) else { return nil }
    var options = ReadOptions(threads: threads)
    if folds { plan.prepare(&options, for: schema.record) }
    options.bytesPerThread = 64
    return Array(entries.utf8).withUnsafeBytes {
      readTable($0, format: .csv, schema: schema, path: "entries", pool: pool, options: options).table
    }
  }

  @Test(arguments: [(100, true), (200, false)]) func manyConditionsAgree(count: Int, isFolded: Bool) throws {
    let library = manyConditions(count)
    var entries = "id,habitId,dayKey,minutes\n"
    for row in 0..<300 {
      entries += "e\(row),h\(row % 7),\(DayKey(number: Int32(20_400 + row % 100))),\(row * 37 % 140)\n"
    }
    let metrics = library.metrics.map(\.name)
    let day = DayKey(number: 20_480)
    let results = try [true, false].map { folds in
      let pool = StringPool()
      let table = try #require(self.table(entries, library, pool, folds: folds))
      #expect((table.folded != nil) == (folds && isFolded))
      return try library.evaluate(
        metrics: metrics, subjects: [], days: [day], tables: ["HabitEntry": table], pool: pool, threads: 1,
        progress: nil
      ).map { "\($0)" }
    }
    #expect(results[0] == results[1] && results[0].contains { $0.contains("true") })
  }

  /// Bits for many conditions, and for keys and days that hardly have a record each, are not kept.
  @Test func manyConditionsOfManyKeysAreGivenUp() throws {
    let library = manyConditions(120)
    var entries = "id,habitId,dayKey,minutes\n"
    for row in 0..<20_000 {
      entries += "e\(row),h\(row),\(DayKey(number: Int32(19_000 + row * 13 % 640))),5\n"
    }
    #expect(try #require(table(entries, library, StringPool(), folds: true)).folded == nil)
    let few = entries.split(separator: "\n").prefix(2_000).joined(separator: "\n")
    #expect(try #require(table(few, library, StringPool(), folds: true)).folded != nil)
  }

  /// Totals of many conditions for keys that hardly have a record each would take more than the records.
  @Test(arguments: [(25_000, false), (100, true)]) func totalsOfManyKeysAreGivenUp(
    keys: Int, isFolded: Bool
  ) throws {
    let sums = (0..<120).map {
      "measure m\($0) { for habit audience team value sum(HabitEntry.minutes where minutes >= \($0)) }"
    }
    let text = "extend HabitEntry { minutes : Int? }\n" + sums.joined(separator: "\n")
    let library = MetricLibrary(sources: [SourceFile(path: "sums.metric", text: text)])
    let rows = (0..<25_000).map { "e\($0),h\($0 % keys),2025-12-31,\($0 % 50)\n" }
    let results = try [true, false].map { folds in
      let pool = StringPool()
      let table = try #require(
        self.table("id,habitId,dayKey,minutes\n" + rows.joined(), library, pool, folds: folds, threads: 1))
      #expect((table.folded != nil) == (folds && isFolded))
      return try library.evaluate(
        metrics: ["m0", "m49"], subjects: [], days: [DayKey(number: 20_500)], tables: ["HabitEntry": table],
        pool: pool, threads: 1, progress: nil
      ).map { "\($0)" }
    }
    #expect(results[0] == results[1] && results[0].count == 2 * keys)
  }
}
