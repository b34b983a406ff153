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
