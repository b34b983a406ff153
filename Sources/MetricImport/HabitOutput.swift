import MetricData

/// Writes habits and their entries: the records that trackers of habits turn into.
struct HabitOutput {
  /// A habit as the built-in record has it; empty is missing.
  struct Habit {
    var id: String
    var name: String
    /// `daily` or `weekly`
    var cadence = ""
    /// `binary`, `frequency` or `quantity`
    var kind = ""
    var weeklyTarget = ""
    var unit = ""
  }

  private let output: DatasetOutput
  /// How many entries have had the same natural id.
  private var entryIDs: [String: Int] = [:]

  init(_ output: DatasetOutput) {
    self.output = output
    output.declare("Habit", ["id", "name", "cadence", "kind", "weeklyTarget", "unit"])
    output.declare("HabitEntry", ["id", "habitId", "dayKey", "timestampUtc", "value"])
  }

  func add(_ habit: Habit) {
    output.add(
      "Habit",
      [
        "id": habit.id, "name": habit.name, "cadence": habit.cadence, "kind": habit.kind,
        "weeklyTarget": habit.weeklyTarget, "unit": habit.unit,
      ])
  }

  /// Adds an entry, whose id is made of its habit and `mark`: the same export gives the same ids.
  mutating func addEntry(
    of habit: String, mark: String? = nil, day: DayKey, instant: Instant? = nil, value: Amount? = nil
  ) {
    let natural = "\(habit)/\(mark ?? day.description)"
    let count = entryIDs[natural, default: 0] + 1
    entryIDs[natural] = count
    output.add(
      "HabitEntry",
      [
        "id": count == 1 ? natural : "\(natural)/\(count)", "habitId": habit, "dayKey": day.description,
        "timestampUtc": instant?.description ?? "", "value": value?.text ?? "",
      ])
  }
}

/// Ids made of names: the name itself, and a number behind it where it comes again.
struct NamedIDs {
  private var used: Set<String> = []

  /// A new id for a name; `fallback` where the name is empty.
  mutating func id(for name: String, fallback: String) -> String {
    let base = name.isEmpty ? fallback : name
    var id = base
    var number = 1
    while !used.insert(id).inserted {
      number += 1
      id = "\(base) (\(number))"
    }
    return id
  }
}
