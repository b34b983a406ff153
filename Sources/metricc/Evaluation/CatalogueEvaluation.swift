import Foundation
import MetricCatalogue

/// Evaluates what a catalogue shows, in portions that fit into memory whatever the size of the data.
struct CatalogueEvaluation {
  let evaluation: Evaluation
  /// The subjects that may be named.
  let subjects: [String]
  let comparison: Comparison

  private var library: MetricLibrary { evaluation.library }
  /// For what is shown about several people together: people who did not agree are in none of it.
  private var together: Evaluation {
    var evaluation = evaluation
    evaluation.library = library.ofSeveralPeople
    return evaluation
  }
  private var dataset: Dataset { evaluation.dataset }

  /// Rows that are held at a time.
  private static let portion = 400_000

  func data(_ empty: CatalogueData) throws -> CatalogueData {
    var data = empty
    let counts = try addDay(to: &data)
    // Funnels and retentions look back by themselves; a metric without rows has no series.
    let plotted = library.plannedMetrics.map(\.summary)
      .filter { !["funnel", "retention"].contains($0.kind) && (counts[$0.name] ?? 0) > 0 }
    let units = Dictionary(
      uniqueKeysWithValues: library.plannedMetrics.map { ($0.summary.name, $0.calendarUnit) })
    // Day by day; where that is too much, every seventh or every 28th day.
    let (from, to) = (data.from, data.to)
    let choices = [1, 7, 28].map { step in
      stride(from: to.number, through: from.number, by: -step).reversed().map { DayKey(number: $0) }
    }
    for unit in Set(units.values).sorted(by: { $0?.asWritten ?? "" < $1?.asWritten ?? "" }) {
      // Numbers of calendar months, on the last day of each; the last one may be open.
      let days = unit.map { [$0.lastDays(from: from, to: to)] } ?? choices
      try addSeries(of: plotted.map(\.name).filter { units[$0] == unit }, on: days, counts, to: &data)
    }
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
      let rows = try rows(of: some, days: [data.at], together)
      counts.merge(data.addDay(rows)) { first, _ in first }
      let plan = library.plan
      let kinds = Dictionary(grouping: some) { plan.metric(named: $0).map(plan.isOfMonths) == true }
      for (isOfMonths, names) in kinds {
        let day = comparison.day(before: data.at, ofMonths: isOfMonths)
        guard day >= DayKey.first else { continue }
        data.addEarlier(try self.rows(of: names, days: [day], together), of: names, at: day)
      }
    }
    return counts
  }

  /// On the first choice of days that is not too much; if each is, not at all.
  private func addSeries(
    of names: [String], on choices: [[DayKey]], _ counts: [String: Int], to data: inout CatalogueData
  ) throws {
    for (choice, days) in choices.enumerated() {
      let most = Self.portion / max(1, days.count)
      var waiting = names.filter { name in
        choices.firstIndex { (counts[name] ?? 0) * $0.count <= Self.portion } == choice
      }[...]
      while !waiting.isEmpty {
        var some: [String] = []
        var total = 0
        while let name = waiting.first, some.isEmpty || total + (counts[name] ?? 0) <= most {
          some.append(name)
          total += counts[name] ?? 0
          waiting = waiting.dropFirst()
        }
        data.addSeries(try rows(of: some, days: days, together))
      }
    }
  }

  private func addSubjects(of names: [String], to data: inout CatalogueData) throws {
    guard !subjects.isEmpty, !names.isEmpty else { return }
    let days = CalendarUnit.day.lastDays(from: data.from, to: data.to)
    let size = max(1, Self.portion / max(1, days.count * subjects.count))
    var found: Set<String> = []
    for start in stride(from: 0, to: names.count, by: size) {
      let some = Array(names[start..<min(names.count, start + size)])
      let rows = try rows(of: some, subjects: subjects, days: days, evaluation)
      found.formUnion(rows.lazy.map(\.subject))
      data.addSubjects(evaluation.pseudonyms?.replacingSubjects(in: rows) ?? rows)
    }
    for subject in subjects
    where found.isDisjoint(with: [subject, dataset.person(subject, in: library)]) {
      Remarks.say("no metric has a subject \(subject.quoted)")
    }
  }

  private func rows(
    of names: [String], subjects: [String] = [], days: [DayKey], _ evaluation: Evaluation
  ) throws -> [ResultRow] {
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
