import MetricData
import MetricDiagnostics
import MetricLanguage
import MetricPlan

/// Streaks that forgive over strings of days: what `metricc` has to say of each, by the brute force of `WindowString`.
package enum ForgivenessStrings {
  package static let forgiveness: [(open: Int, windows: Int)] = [
    (1, 2), (1, 3), (2, 3), (2, 5), (3, 7), (4, 12),
  ]

  package static let library = MetricLibrary(
    unsearched: """
      fact Rest { id : ID  habitId : Habit  dayKey : DayKey }
      completion done { for habit  every day  when count(HabitEntry) >= 1  rest when count(Rest) >= 1 }

      """
        + forgiveness.map { open, windows in
          """
          streak kind_\(open)_\(windows) { of done  forgive \(open) in \(windows) days }
          streak best_\(open)_\(windows) { of done  best  forgive \(open) in \(windows) days }

          """
        }.joined())

  /// All strings of a length, in groups that are small enough for a dataset. Those of a length stand for all shorter ones,
  /// as the days before the last mark hold no fact.
  package static func groups(_ length: Int, of size: Int = 243) -> [[WindowString]] {
    let strings = WindowString.all(upTo: length).filter { $0.marks.count == length }
    return stride(from: 0, to: strings.count, by: size).map {
      Array(strings[$0..<min($0 + size, strings.count)])
    }
  }

  /// A habit for each string, named like it.
  package static func dataset(_ strings: [WindowString]) -> ReferenceDataset {
    var dataset = ReferenceDataset()
    for string in strings {
      dataset.add("Habit", in: library.plan, ["id": .text(string.description)])
      for (index, mark) in string.marks.enumerated() where mark != .incomplete {
        dataset.add(
          mark == .complete ? "HabitEntry" : "Rest", in: library.plan,
          [
            "id": .text("\(string)/\(index)"), "habitId": .text(string.description),
            "dayKey": .day(WindowStrings.day.advanced(by: -index)),
          ])
      }
    }
    return dataset
  }

  /// `metric,string,part` with the value.
  package static func expected(_ strings: [WindowString]) -> [String: Int] {
    var expected: [String: Int] = [:]
    for string in strings {
      for (open, windows) in forgiveness {
        expected["best_\(open)_\(windows),\(string),"] = string.bestForgiving(open, in: windows)
        expected["kind_\(open)_\(windows),\(string),"] = string.forgiving(open, in: windows)
        expected["kind_\(open)_\(windows),\(string),left"] = string.left(open, in: windows)
      }
    }
    return expected
  }
}
