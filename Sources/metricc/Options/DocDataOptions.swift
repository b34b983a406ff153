import ArgumentParser
import Foundation
import MetricCatalogue

/// Which values a catalogue shows.
struct DocDataOptions: ParsableArguments {
  @Option(help: .dataFiles, completion: .file())
  var data: [String] = []

  @Option(
    help: .value(
      "day", "The reference day, YYYY-MM-DD. Without it --to, or the last DayKey of all fact files."))
  var at: String?

  @Option(
    help: .value(
      "day", "The first day of the plots; without it a year before the last, or the first day of the data."))
  var from: String?

  @Option(help: .value("day", "The last day of the plots; without it the reference day."))
  var to: String?

  @Option(
    help: .value(
      "length",
      "Show values of the reference day beside those so much earlier: \"28 days\", \"1 month\", \"1 year\"; without it a week."
    ))
  var compare: String?

  @Option(help: .value("id", "Show this subject individually, by id. May be repeated."))
  var subject: [String] = []

  @Option(
    help: .value(
      "key file", "Show keyed pseudonyms in place of the ids of --subject; the key is as for eval."),
    completion: .file())
  var pseudonymize: String?

  @Option(help: .value("count", "Show aggregates only where at least this many subjects have a value."))
  var fewest = 5

  func validate() throws {
    try refuse(
      data.isEmpty && (at != nil || from != nil || to != nil || !subject.isEmpty || pseudonymize != nil),
      "--at, --from, --to, --subject and --pseudonymize need --data")
    try refuse(compare != nil && data.isEmpty, "--compare needs --data")
    _ = try compare.map(Comparison.init)
    try refuse(fewest < 1, "--fewest takes a number of at least 1")
    let (at, from, to) = try days()
    if let from, let to = to ?? at, to < from { throw ValidationError("--from \(from) is after \(to)") }
  }

  private func days() throws -> (at: DayKey?, from: DayKey?, to: DayKey?) {
    (try DayOptions.day(at, "--at"), try DayOptions.day(from, "--from"), try DayOptions.day(to, "--to"))
  }

  /// The values; nil without `--data`.
  func load(_ columns: ColumnOptions, _ library: MetricLibrary) throws -> CatalogueData? {
    guard !data.isEmpty else { return nil }
    let pseudonyms = try pseudonymize.map(Pseudonyms.init(keyFile:))
    let files = try columns.files(data, in: library)
    let (at, from, to) = try days()
    let several = library.ofSeveralPeople
    let loader = DatasetLoader(library: several, files: files)
    let dataset = try loader.load(several.schemas(for: []), needsLastDay: at == nil && to == nil)
    let day = try at ?? to ?? DayOptions.lastDay(dataset.lastDay, insteadOf: "--at")
    let last = to ?? day
    let first = from ?? firstDay(to: last, library, dataset)
    guard first <= last else { throw CommandFailure.usage("--from \(first) is after \(last)") }
    let evaluation = Evaluation(library: library, dataset: dataset, pseudonyms: pseudonyms)
    let comparison = try Comparison(compare ?? "7 days")
    return try CatalogueEvaluation(evaluation: evaluation, subjects: subject, comparison: comparison)
      .data(CatalogueData(at: day, from: first, to: last, fewest: fewest))
  }

  /// A year before the last day, or the first DayKey of the data where that is later.
  private func firstDay(to last: DayKey, _ library: MetricLibrary, _ dataset: Dataset) -> DayKey {
    let days = library.factNames.compactMap { fact -> DayKey? in
      guard let column = library.dayKeySchema(ofFact: fact)?.columns.first?.name,
        case .narrow(let cells)? = dataset.tables[fact]?.column(named: column)
      else { return nil }
      return cells.lazy.filter { $0 != Column.missingNarrow }.min().map { DayKey(number: $0) }
    }
    let year = max(DayKey.first, last.advanced(by: -364))
    return max(year, days.filter { $0 <= last }.min() ?? year)
  }
}
