import MetricLanguage

let library = MetricLibrary(sources: [
  SourceFile(
    path: "habits.metric",
    text: """
      /// Was the habit done on this day?
      completion done { for habit  every day  when count(HabitEntry) >= 1 }

      /// Days in a row, up to and including the day.
      streak daily_streak { of done }
      """)
])

struct HabitEntry: Codable {
  var id: String
  var habitId: String
  var dayKey: DayKey
}

actor Metrics {
  private let session: MetricSession

  init(history: [HabitEntry]) throws {
    session = try MetricSession(library: library)
    try session.insert(contentsOf: history)
  }
}

extension Metrics {
  /// The new streak of a habit; nil where it is what it was.
  func log(_ entry: HabitEntry, shown habit: String, on day: DayKey) throws -> Int? {
    let change = try session.insert(entry)
    guard try change.affects("daily_streak", for: habit) else { return nil }
    return try session.value(of: "daily_streak", for: habit, on: day)
  }
}
