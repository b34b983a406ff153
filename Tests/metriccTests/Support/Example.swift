/// A small library and dataset for whole runs.
enum Example {
  static let definitions = """
    /// Was the habit done on this day?
    completion done {
      for habit
      every day
      when count(HabitEntry) >= 1
    }

    /// Days in a row.
    streak daily_streak { of done }

    /// The longest run ever reached.
    streak best_daily_streak { of done  best }

    /// Entries of everybody.
    measure entries {
      for app
      audience team
      value count(HabitEntry)
    }

    test "a missed day ends a streak" {
      log "read" from 2026-01-01 "###.#"
      expect done for "read" at 2026-01-03 = true
      expect daily_streak for "read" at 2026-01-03 = 3
      expect daily_streak for "read" at 2026-01-04 = 0
      expect best_daily_streak for "read" at 2026-01-05 = 3
      expect entries at 2026-01-05 = 4
    }

    test "the first entry counts" {
      log "walk" from 2026-01-01 "#"
      expect daily_streak for "walk" at 2026-01-01 = 1
    }

    """

  static let rejected = """
    /// A metric that no habit has.
    streak broken { of dnoe }

    /// Was the habit done on this day?
    completion done { for habit  every day  when count(HabitEntry) >= 1 }

    """

  static let entries = """
    id,habitId,dayKey
    1,read,2026-01-01
    2,read,2026-01-02
    3,read,2026-01-03
    4,walk,2026-01-03

    """

  /// A folder with `defs/habits.metric` and `data/HabitEntry.csv`.
  static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("defs/habits.metric", definitions)
    try folder.write("data/HabitEntry.csv", entries)
    return folder
  }
}
