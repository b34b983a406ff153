import MetricData
import MetricEvaluate
import MetricLanguage
import MetricTestSupport
import Testing

/// Which records are kept where they are not folded. That the numbers stay the same, `FoldingTests` and `StorageTests` say.
@Suite struct LoadPlanTests {
  private let library = MetricLibrary(
    sources: [
      SourceFile(
        path: "plan.metric",
        text: """
          extend HabitEntry { mood : Text? }
          measure middle { for habit value percentile(HabitEntry.value, 50) over last 7 days }
          measure calm { for habit value percentile(HabitEntry.value where mood == "calm", 50) over last 7 days }
          measure longer { for habit value percentile(HabitEntry.value, 90) over last 28 days }
          measure of_all { for habit value percentile(HabitEntry.value, 50) }
          measure by_day { for habit value percentile(HabitEntry.value, 50) by dayKey }
          measure before { for habit value middle offset 1 day }
          """)
    ])

  private func counted(_ metrics: [String], _ asked: AskedDays) throws -> CountedRecords {
    let plan = library.loadPlan(for: metrics, days: asked)
    #expect(plan.folds.isEmpty)
    return try #require(plan.counted["HabitEntry"])
  }

  private let first = DayKey(number: 20_480)
  private let last = DayKey(number: 20_500)

  @Test func theDefinitionsAreRight() {
    let errors = library.findings.filter { $0.severity == .error && !$0.code.id.hasPrefix("C") }
    #expect(errors.isEmpty, "\(errors.map { $0.rendered(in: library.sources) }.joined())")
  }

  @Test func onlyDaysOfTheWindowsAreKept() throws {
    #expect(try counted(["middle"], .one(last)).days == 20_494...20_500)
    #expect(try counted(["middle", "longer"], .one(last)).days == 20_473...20_500)
    #expect(try counted(["middle"], .several(from: first, through: last)).days == 20_474...20_500)
    #expect(try counted(["middle"], .several(through: last)).days == .min...20_500)
    #expect(try counted(["of_all"], .one(last)).days == .min...20_500)
    #expect(try counted(["before"], .one(last)).days == .min...20_500, "it is read at another day")
    #expect(try counted(["middle"], .one(nil)).days == .min...(.max))
  }

  @Test func aConditionOfAllQuestionsIsAsked() throws {
    #expect(try counted(["calm"], .one(last)).condition != nil)
    #expect(try counted(["calm", "middle"], .one(last)).condition == nil)
  }

  @Test func daysAreKeptWhereTheyAreAskedFor() throws {
    func keepsDays(_ metrics: [String], _ asked: AskedDays) throws -> Bool {
      let counted = try counted(metrics, asked)
      return !counted.dropped.contains(try #require(counted.day))
    }
    #expect(try !keepsDays(["of_all"], .one(last)))
    #expect(try !keepsDays(["middle", "calm"], .one(last)), "all facts that are kept lie in the window")
    #expect(try keepsDays(["middle", "longer"], .one(last)))
    #expect(try keepsDays(["middle"], .several(from: first, through: last)))
    #expect(try keepsDays(["by_day"], .one(last)))
  }
}
