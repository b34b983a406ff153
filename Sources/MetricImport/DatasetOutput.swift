/// Takes the records of a dataset as they are made, and writes each record type as CSV.
///
/// The bytes go to `write` piece by piece, so that no dataset has to fit into memory. Records keep the order
/// in which they come.
public final class DatasetOutput {
  /// By record: its columns.
  private var columns: [String: [String]] = [:]
  /// In the order in which they were declared.
  public private(set) var records: [String] = []
  public private(set) var rowCounts: [String: Int] = [:]
  let report = ImportReport()
  private let write: (_ record: String, _ bytes: [UInt8]) -> Void

  /// - Parameter write: takes the next bytes of a record's file; the first are its header.
  public init(write: @escaping (_ record: String, _ bytes: [UInt8]) -> Void) {
    self.write = write
  }

  /// Says which columns a record has. A record that is declared has a file, if only with a header.
  func declare(_ record: String, _ names: [String]) {
    guard columns[record] == nil else { return }
    columns[record] = names
    records.append(record)
    rowCounts[record] = 0
    write(record, Array(CSVText.line(names).utf8))
  }

  /// Adds a record; columns that are not given are missing.
  func add(_ record: String, _ values: [String: String]) {
    guard let names = columns[record] else { return }
    rowCounts[record, default: 0] += 1
    write(record, Array(CSVText.line(names.map { values[$0] ?? "" }).utf8))
  }
}

/// Writes habits, their entries and the days when they rested: the records that trackers of habits turn into.
final class HabitOutput {
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

    /// Of a habit that is to be done so many times in some days. The model has every day, and n times a week.
    mutating func setCadence(_ times: Int64, inDays days: Int64, _ report: ImportReport) {
      if times == days {
        cadence = "daily"
      } else if days == 7 {
        cadence = "weekly"
        if kind == "binary" { (kind, weeklyTarget) = ("frequency", String(times)) }
      } else {
        report.leftOut(
          "frequency that is neither daily nor weekly", "the habit is imported without a cadence")
      }
    }
  }

  private let output: DatasetOutput
  var report: ImportReport { output.report }
  /// How many entries have had the same mark of the same habit.
  private var marks: [String: Int] = [:]
  /// Numbers of the habits, and by such a number and a day how many entries there were: a few bytes an entry.
  private var habits: [String: Int] = [:]
  private var days: [Int: Int32] = [:]

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
  func addEntry(
    of habit: String, mark: String? = nil, day: DayKey, instant: Instant? = nil, value: Amount? = nil
  ) {
    let natural = "\(habit)/\(mark ?? day.description)"
    let count = mark == nil ? count(habit, day) : marks[natural, default: 0] + 1
    if mark != nil { marks[natural] = count }
    output.add(
      "HabitEntry",
      [
        "id": count == 1 ? natural : "\(natural)/\(count)", "habitId": habit, "dayKey": day.description,
        "timestampUtc": instant?.description ?? "", "value": value?.text ?? "",
      ])
  }

  /// Adds a day on which a person skipped a habit: it rested, and nothing was missed.
  func addSkip(of habit: String, day: DayKey) {
    output.declare("HabitSkip", ["id", "habitId", "dayKey"])
    output.add("HabitSkip", ["id": "\(habit)/\(day)", "habitId": habit, "dayKey": day.description])
  }

  /// How many entries a habit has on a day, with the one that comes now.
  private func count(_ habit: String, _ day: DayKey) -> Int {
    let number = habits[habit] ?? habits.count
    if number == habits.count { habits[habit] = number }
    let key = number << 32 + Int(day.number)
    days[key, default: 0] += 1
    return Int(days[key, default: 0])
  }
}

/// Ids made of names: the name itself, and a number after it where it comes again.
struct NamedIDs {
  private var used: Set<String> = []
  /// By name, the last number that was given out, below which none is free.
  private var numbers: [String: Int] = [:]

  /// A new id for a name; `fallback` where the name is empty.
  mutating func id(for name: String, fallback: String) -> String {
    let base = name.isEmpty ? fallback : name
    var (id, number) = (base, numbers[base] ?? 1)
    while !used.insert(id).inserted {
      number += 1
      id = "\(base) (\(number))"
    }
    numbers[base] = number
    return id
  }
}
