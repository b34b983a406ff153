import Foundation
import MetricCatalogue
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricValues

/// Evaluates what a catalogue shows, in portions that fit into memory whatever the size of the data.
struct CatalogueEvaluation {
  let evaluation: Evaluation
  /// The subjects that may be named.
  let subjects: [String]

  private var library: MetricLibrary { evaluation.library }
  private var dataset: Dataset { evaluation.dataset }

  /// Rows that are held at a time.
  private static let portion = 400_000

  func data(_ empty: CatalogueData) throws -> CatalogueData {
    var data = empty
    let counts = try addDay(to: &data)
    // Funnels and retentions look back by themselves; a metric without rows has no series.
    let plotted = library.plannedMetrics.map(\.summary)
      .filter { !["funnel", "retention"].contains($0.kind) && (counts[$0.name] ?? 0) > 0 }
    let monthly = Set(library.plannedMetrics.filter(\.isOfCalendarMonths).map(\.summary.name))
    try addSeries(of: plotted.map(\.name).filter { !monthly.contains($0) }, counts, to: &data)
    try addMonths(of: plotted.map(\.name).filter(monthly.contains), counts, to: &data)
    try addSubjects(of: plotted.filter { $0.subject != "app" }.map(\.name), to: &data)
    return data
  }

  /// The reference day: how many rows each metric has there.
  private func addDay(to data: inout CatalogueData) throws -> [String: Int] {
    let names = library.plannedMetrics.map(\.summary.name)
    let records = dataset.tables.values.map(\.rowCount).max() ?? 0
    let size = max(1, Self.portion / max(1, records))
    var counts: [String: Int] = [:]
    for start in stride(from: 0, to: names.count, by: size) {
      let some = Array(names[start..<min(names.count, start + size)])
      let rows = try rows(of: some, subjects: [], days: [data.at])
      counts.merge(data.addDay(rows)) { first, _ in first }
    }
    return counts
  }

  /// Day by day; where that is too much, every seventh or every 28th day; where that is too much too,
  /// not at all.
  private func addSeries(
    of names: [String], _ counts: [String: Int], to data: inout CatalogueData
  ) throws {
    for step in [1, 7, 28] {
      let days = series(from: data.from, to: data.to, every: step)
      let most = Self.portion / max(1, days.count)
      let fitting = names.filter { name in
        let count = counts[name] ?? 0
        let isTaken = [1, 7, 28].first {
          count * series(from: data.from, to: data.to, every: $0).count <= Self.portion
        }
        return isTaken == step
      }
      var waiting = fitting[...]
      while !waiting.isEmpty {
        var some: [String] = []
        var total = 0
        while let name = waiting.first, some.isEmpty || total + (counts[name] ?? 0) <= most {
          some.append(name)
          total += counts[name] ?? 0
          waiting = waiting.dropFirst()
        }
        data.addSeries(try rows(of: some, subjects: [], days: days))
      }
    }
  }

  /// Numbers of calendar months, on the last day of each; the last month may be open.
  private func addMonths(
    of names: [String], _ counts: [String: Int], to data: inout CatalogueData
  ) throws {
    let days = Step.month.days(from: data.from, to: data.to)
    let fitting = names.filter { (counts[$0] ?? 0) * days.count <= Self.portion }
    if !fitting.isEmpty { data.addSeries(try rows(of: fitting, subjects: [], days: days)) }
  }

  private func addSubjects(of names: [String], to data: inout CatalogueData) throws {
    guard !subjects.isEmpty, !names.isEmpty else { return }
    let days = series(from: data.from, to: data.to, every: 1)
    let size = max(1, Self.portion / max(1, days.count * subjects.count))
    var found: Set<String> = []
    for start in stride(from: 0, to: names.count, by: size) {
      let some = Array(names[start..<min(names.count, start + size)])
      let rows = try rows(of: some, subjects: subjects, days: days)
      found.formUnion(rows.lazy.map(\.subject))
      data.addSubjects(evaluation.pseudonyms?.replacingSubjects(in: rows) ?? rows)
    }
    for subject in subjects
    where found.isDisjoint(with: [subject, dataset.person(subject, in: library)]) {
      Remarks.say("no metric has a subject \(Quoting.quoted(subject))")
    }
  }

  /// The days that end at `to`, rising.
  private func series(from: DayKey, to: DayKey, every step: Int) -> [DayKey] {
    stride(from: Int(to.number), through: Int(from.number), by: -step).reversed()
      .map { DayKey(number: Int32(clamping: $0)) }
  }

  private func rows(of names: [String], subjects: [String], days: [DayKey]) throws -> [ResultRow] {
    let rows = try evaluation.rows(of: names, subjects: subjects, days: days)
    // No page shows the id of a user in a group or a value, whatever the metric says.
    var numbers: [String: Int] = [:]
    return library.userIDs.replacing(in: rows) { id in
      if let pseudonyms = evaluation.pseudonyms { return pseudonyms.of(id) }
      let number = numbers[id] ?? numbers.count + 1
      numbers[id] = number
      return "user \(number)"
    }
  }
}
