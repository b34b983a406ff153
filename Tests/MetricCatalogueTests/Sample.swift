import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage

@testable import MetricCatalogue

/// Catalogues of small libraries.
enum Sample {
  typealias Row = (metric: String, subject: String, group: String, part: String, value: Value)

  static let day = DayKey("2026-01-31") ?? .first

  static func library(_ source: String) -> MetricLibrary {
    MetricLibrary(sources: [SourceFile(path: "defs/habits.metric", text: source)])
  }

  /// A catalogue with values that are the same on each of the last thirty days.
  static func catalogue(_ source: String, rows: [Row] = [], named: Set<String> = []) -> Catalogue {
    var data = CatalogueData(at: day, from: day.advanced(by: -29), to: day, fewest: 5)
    data.addDay(sorted(rows, days: 0...0))
    data.addSeries(sorted(rows, days: 0...29))
    data.addSubjects(sorted(rows.filter { named.contains($0.subject) }, days: 0...29))
    return Catalogue(library: library(source), title: "Metrics", data: rows.isEmpty ? nil : data)
  }

  private static func sorted(_ rows: [Row], days: ClosedRange<Int>) -> [ResultRow] {
    rows.sorted { ($0.metric, $0.subject, $0.group) < ($1.metric, $1.subject, $1.group) }.flatMap { row in
      days.reversed().map { back in
        ResultRow(
          metric: row.metric, subject: row.subject, group: GroupKey(row.group), part: row.part,
          at: day.advanced(by: -back), value: row.value)
      }
    }
  }

  static let habits = """
    /// Was it done on this day?
    completion done { for habit  every day  when count(HabitEntry) >= 1 }

    /// Days in a row.
    streak run { title "Days in a row"  unit days  of done }

    /// What the run has reached.
    level reached { of longest  at 3, 7 }

    /// The longest run.
    streak longest { of done  best }

    /// From opening to reading.
    funnel first_read {
      for user
      step opened Event where name == "open"
      step read   Event where name == "read"
      step shared Event where name == "share"
      within 7 days
    }

    /// Who comes back.
    retention back { for user  start first Event  return Event  after 1, 7 days  by cohort month  at least 2 users }

    test "two days" {
      log "a" from 2026-01-01 "##"
      expect run for "a" at 2026-01-02 = 2
      expect done for "a" at 2026-01-02 = true
    }

    """
}
