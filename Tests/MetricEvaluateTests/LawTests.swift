import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricTestSupport
import Testing

/// Laws of the language (`Documentation/Language.md`, section 19) that no `test` block can state.
@Suite struct LawTests {
  @Test("IDEA-01 IDEA-02: files are one library, in any order")
  func filesAreOneLibrary() throws {
    let files = [
      SourceFile(path: "a.metric", text: "streak run { of done }"),
      SourceFile(
        path: "b.metric", text: "completion done { for habit every day when count(HabitEntry) >= 1 }"),
    ]
    for order in [files, files.reversed()] {
      let library = MetricLibrary(sources: order)
      #expect(library.isAccepted)
      #expect(library.metrics.map(\.name).sorted() == ["done", "run"])
    }
  }

  /// A habit's entries over a few weeks, a day each with some chance.
  private func entries(using random: inout SeededGenerator) -> String {
    let first = DayKey("2026-01-01")!
    return (0..<40).filter { _ in random.chance(55) }
      .map { "\($0),a,\(first.advanced(by: $0))\n" }.joined()
  }

  @Test("LAW-04: what is over all time never falls as days pass")
  func aBestNeverFalls() throws {
    let definitions = """
      completion done { for habit every day when count(HabitEntry) >= 1 }
      completion week { for habit every week when count(HabitEntry) >= 4 }
      completion month { for habit every calendar month when count(HabitEntry) >= 15 }
      streak days_best { of done best }
      streak weeks_best { of week best }
      streak months_best { of month best }
      measure day_count { for habit value count(done) }
      measure week_count { for habit value count(week) }
      measure month_count { for habit value count(month) }
      measure latest { for habit value last(week) }
      """
    let metrics = [
      "days_best", "weeks_best", "months_best", "day_count", "week_count", "month_count", "latest",
    ]
    let first = try #require(DayKey("2025-12-25"))
    let days = (0..<80).map { first.advanced(by: $0).description }
    for seed in seeds(8, from: 70_001) {
      var random = SeededGenerator(seed: seed)
      let csv = "id,habitId,dayKey\n" + entries(using: &random)
      let values = try rows(definitions, ["HabitEntry": csv], metrics: metrics, at: days)
        .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      for (before, after) in zip(values, values.dropFirst()) where before[0] == after[0] {
        let (old, new) = (String(before[5]), String(after[5]))
        let falls = Int(old).map { $0 > Int(new) ?? -1 } ?? (old > new)
        #expect(!falls, "\(after[0]) falls from \(old) to \(new) on \(after[4]), \(random.replay)")
      }
    }
  }

  @Test("STR-05 LAW-04: the previous streak is what the streak was, and never above the best")
  func aPreviousStreakWasOne() throws {
    let windows = ["day", "week", "calendar week", "calendar month"]
    let definitions = windows.enumerated().map { index, window in
      """
      completion c\(index) { for habit every \(window) when count(HabitEntry) >= 1 audience team }
      streak run\(index) { of c\(index) audience team }
      streak best\(index) { of c\(index) best audience team }
      streak previous\(index) { of c\(index) previous audience team }
      """
    }
    let first = try #require(DayKey("2025-12-25"))
    let days = (0..<80).map { first.advanced(by: $0).description }
    for seed in seeds(8, from: 71_001) {
      var random = SeededGenerator(seed: seed)
      let csv = "id,habitId,dayKey\n" + entries(using: &random)
      for index in windows.indices {
        func values(_ name: String) throws -> [Int] {
          try rows(
            definitions.joined(separator: "\n"), ["HabitEntry": csv], metrics: ["\(name)\(index)"], at: days
          ).map { Int($0.split(separator: ",", omittingEmptySubsequences: false)[5]) ?? -1 }
        }
        let (run, best, previous) = try (values("run"), values("best"), values("previous"))
        #expect(run.count == days.count && previous.contains { $0 > 0 }, "\(windows[index])")
        for (most, value) in zip(best, previous) { #expect(value <= most) }
        guard index < 2 else { continue }
        let length = index == 0 ? 1 : 7
        for day in length..<days.count {
          let (before, kept) = (run[day - length], previous[day - length])
          #expect(previous[day] == (run[day] == 0 && before > 0 ? before : kept), "\(day), \(random.replay)")
        }
      }
    }
  }

  @Test("LAW-05: a week is seven days in every place")
  func aWeekIsSevenDays() throws {
    func definitions(_ week: (Int) -> String) -> String {
      """
      completion week { for habit every \(week(1)) when count(HabitEntry over last \(week(2))) >= 3 }
      streak run { of week best }
      streak kept { of week grace \(week(1)) }
      momentum recent { of week over last \(week(4)) }
      momentum strength { of week half life \(week(2)) }
      measure sums { for habit value sum(HabitEntry.value) over last \(week(2)) }
      measure shifted { for habit value sums offset \(week(1)) audience team }
      funnel steps { for user step a Event where name == "a" step b Event where name == "b" within \(week(1)) }
      retention back { for user start Event where name == "a" return Event after \(week(1)) }
      """
    }
    let events =
      "id,userId,name,dayKey\n1,u,a,2026-01-01\n2,u,b,2026-01-07\n3,v,a,2026-01-01\n4,v,b,2026-01-08\n"
    for seed in seeds(10, from: 71_001) {
      var random = SeededGenerator(seed: seed)
      let data = ["HabitEntry": "id,habitId,dayKey\n" + entries(using: &random), "Event": events]
      let days = ["2026-01-08", "2026-01-20", "2026-02-12"]
      let weeks = try rows(definitions { "\($0) weeks" }, data, at: days)
      #expect(try rows(definitions { "\($0 * 7) days" }, data, at: days) == weeks, "\(random.replay)")
      #expect(weeks.count > 30)
    }
  }

  @Test("LAW-05: twelve whole months are a year, three are a quarter, and a unit before is what it was")
  func aYearIsTwelveMonths() throws {
    let periods = [
      "calendar month", "calendar quarter", "calendar year", "previous calendar quarter",
      "previous calendar year",
    ]
    let definitions = periods.enumerated().map { index, period in
      "measure m\(index) { for app audience team value count(HabitEntry) over \(period) }"
    }
    for seed in seeds(10, from: 71_500) {
      var random = SeededGenerator(seed: seed)
      let first = try #require(DayKey(year: 2019 + random.int(0...6), month: 1, day: 1))
      let entries = (0..<200).map { "\($0),a,\(first.advanced(by: random.int(0...364)))" }
      let data = ["HabitEntry": "id,habitId,dayKey\n" + entries.joined(separator: "\n") + "\n"]
      func values(_ name: String, _ days: [DayKey]) throws -> [Int] {
        try rows(definitions.joined(separator: "\n"), data, metrics: [name], at: days.map(\.description)).map
        {
          Int($0.split(separator: ",", omittingEmptySubsequences: false)[5]) ?? -1
        }
      }
      let ends = (0..<12).map { first.advanced(byMonths: $0).endOfMonth }
      let months = try values("m0", ends)
      let quarterEnds = [ends[2], ends[5], ends[8], ends[11]]
      let quarters = try values("m1", quarterEnds)
      #expect(quarters == (0..<4).map { months[3 * $0..<3 * $0 + 3].reduce(0, +) }, "\(random.replay)")
      #expect(try values("m2", [ends[11]]) == [months.reduce(0, +)], "\(random.replay)")
      let later = quarterEnds.map { $0.advanced(by: random.int(1...90)) }
      #expect(try values("m3", later) == quarters, "\(random.replay)")
      #expect(try values("m4", [ends[11].advanced(by: random.int(1...365))]) == [200], "\(random.replay)")
    }
  }

  @Test("LAW-09: facts after the reference day change no value")
  func theFutureMeansNothing() throws {
    var compared = 0
    for seed in seeds(8, from: 72_001) {
      var random = SeededGenerator(seed: seed)
      let declared = RandomUserLibrary.make(metrics: 8, using: &random)
      let library = MetricLibrary(unsearched: RandomUserLibrary.source(declared))
      let dataset = RandomDataset.make(for: library.plan, DatasetOptions(), using: &random)
      let day = RandomDataset.firstDay.advanced(by: random.int(0...6))
      var all = LoadedDataset(library)
      var past = LoadedDataset(library)
      for (record, rows) in dataset.rows.sorted(by: { $0.key < $1.key }) {
        let plan = library.plan.records[record]
        for row in rows {
          all.append(row, to: record)
          if plan.name == "Consent" || !Self.isAfter(day, row, plan) { past.append(row, to: record) }
        }
      }
      guard let withFuture = try? all.evaluate(at: [day]), let without = try? past.evaluate(at: [day]) else {
        continue
      }
      let rows = Set(withFuture)
      for row in without {
        #expect(rows.contains(row), "\(row), \(random.replay)")
        compared += 1
      }
    }
    #expect(compared > 100)
  }

  private static func isAfter(_ day: DayKey, _ row: ReferenceRow, _ record: Record) -> Bool {
    guard record.kind == .fact, let field = record.dayKeyField, case .day(let own)? = row.values[field] else {
      return false
    }
    return own > day
  }
}
