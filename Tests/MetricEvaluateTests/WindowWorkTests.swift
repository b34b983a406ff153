import MetricData
import MetricLanguage
import MetricPlan
import Testing

@testable import MetricEvaluate

/// How many windows a series asks its conditions about: their number does not grow with the length of the windows,
/// of the periods, or of the time without facts.
@Suite struct WindowWorkTests {
  /// A few facts in three hundred years, and one that is near the end.
  static let factDays = ["1900-01-01", "1900-01-02", "1999-12-31", "2024-02-29", "2190-01-01"].compactMap {
    DayKey($0)?.number
  }
  /// The last ten years of all, each day.
  static let days = Array(DayKey.last.number - 3651...DayKey.last.number)

  private final class Counter {
    var count = 0
  }

  /// How often conditions are asked while a question is put on each day.
  private func work(
    _ window: Window, lookBack: [Period] = [], rest course: Course? = nil,
    isRest: @escaping (Int32) -> Bool = { _ in false }, when: Course = Course(),
    _ question: (Timeline, Int32, Worker) -> Void
  ) -> Int {
    let pool = StringPool()
    let library = MetricLibrary(sources: []).plan
    let engine = Engine(
      library: library, dataset: Dataset(library: library, tables: [:], pool: pool),
      needs: DataNeeds(library: library, metrics: []), days: Self.days.map { DayKey(number: $0) }, threads: 1)
    let rows = Self.factDays.indices.map { Int32($0) }
    let index = FactIndex(subjectCount: 1, rows: rows, subjects: rows.map { _ in 0 }) {
      Self.factDays[Int($0)]
    }
    let counter = Counter()
    var rest: Program?
    if course != nil {
      rest = { worker in
        counter.count += 1
        return isRest(worker.place.day) ? 1 : 0
      }
    }
    let completion = CompiledCompletion(
      window: window,
      when: { _ in
        counter.count += 1
        return 1
      }, rest: rest, presence: [.facts(index)], lookBack: lookBack, wholeDays: nil, whenCourse: when,
      restCourse: course ?? Course())
    let timeline = Timeline(completion, subject: 0, lastDay: engine.lastDay, keepsChains: engine.isSeries)
    let worker = Worker(engine: engine)
    for day in Self.days { question(timeline, day, worker) }
    return counter.count
  }

  private static var sundays: Course { Course(asksWeekday: true) }
  private static var millennium: Course { Course(bounds: [{ _ in Cell(DayKey("2000-01-01")?.number ?? 0) }]) }

  @Test(arguments: [Window.rolling(days: 1), .rolling(days: 7), .rolling(days: 1_000_000)])
  func rollingWindows(_ window: Window) {
    let weights = Weights(halfLife: 100_000)
    let questions: [(Timeline, Int32, Worker) -> Void] = [
      { _ = $0.streak(at: $1, $2) }, { _ = $0.best(through: $1, $2) },
      { _ = $0.streak(at: $1, grace: 3_000_000, $2) }, { _ = $0.momentum(at: $1, last: 3_000_000, $2) },
      { _ = $0.strength(at: $1, weights, $2) },
      { _ = $0.completeCount(from: .min, through: $1, $2) },
      { _ = $0.completeCount(from: $1 - 3_000_000, through: $1, $2) },
      { _ = $0.firstDay(from: $1 - 3_000_000, through: $1, $2) },
      { _ = $0.lastDay(from: .min, through: $1, $2) },
    ]
    for (number, question) in questions.enumerated() {
      #expect(work(window, question) < 1000, "\(number)")
      #expect(work(window, lookBack: [.allTime], question) < 1000, "\(number)")
      #expect(work(window, lookBack: [.lastDays(90), .calendarMonth], question) < 1000, "\(number)")
      let sunday: (Int32) -> Bool = { DayKey(number: $0).weekday == .sunday }
      #expect(work(window, rest: Self.sundays, isRest: sunday, question) < 6000, "\(number)")
      let early: (Int32) -> Bool = { $0 < DayKey("2000-01-01")?.number ?? 0 }
      #expect(work(window, rest: Self.millennium, isRest: early, question) < 1000, "\(number)")
      #expect(work(window, rest: Self.millennium, isRest: early, when: Self.sundays, question) < 6000)
    }
  }

  /// The unit that is not over is asked about on each day; for each unit once where the days of the week matter.
  @Test(arguments: [Window.calendarWeek(from: .monday), .calendarMonth])
  func calendarWindows(_ window: Window) {
    let perDay = 2 * Self.days.count
    let weights = Weights(halfLife: 100_000)
    let questions: [(Timeline, Int32, Worker) -> Void] = [
      { _ = $0.streak(at: $1, $2) }, { _ = $0.best(through: $1, $2) },
      { _ = $0.streak(at: $1, grace: 100_000, $2) }, { _ = $0.momentum(at: $1, last: 100_000, $2) },
      { _ = $0.strength(at: $1, weights, $2) }, { _ = $0.completeCount(from: .min, through: $1, $2) },
      { _ = $0.lastDay(from: $1 - 3_000_000, through: $1, $2) },
    ]
    for (number, question) in questions.enumerated() {
      #expect(work(window, question) < perDay + 1000, "\(number)")
      #expect(work(window, lookBack: [.allTime], question) < perDay + 1000, "\(number)")
      let early: (Int32) -> Bool = { $0 < DayKey("2000-01-01")?.number ?? 0 }
      #expect(work(window, rest: Self.millennium, isRest: early, question) < perDay + 1000, "\(number)")
    }
  }

  /// A rest that may change on any day is asked about once for each window, however many days are asked for.
  @Test func aRestThatIsNotSteady() {
    let unsteady = Course(isSteady: false)
    let windows = Int(Self.days[Self.days.count - 1] - Self.factDays[0]) / 1000 + 1
    let isFifth: (Int32) -> Bool = { $0 % 5 == 0 }
    let count = work(.rolling(days: 1000), rest: unsteady, isRest: isFifth) {
      _ = $0.momentum(at: $1, last: 3000, $2)
    }
    // Ten years meet each of the thousand phases.
    #expect(count <= 1000 * (windows + 4))
  }
}
