/// A page of the catalogue: a path inside its folder, and the text.
public struct CataloguePage: Hashable, Sendable {
  public var path: String
  public var text: String
}

/// A library as pages to read: an index, and a page for each report and metric.
///
///     let queries = library.catalogueQueries(dialects: SQLDialect.allCases)
///     let catalogue = Catalogue(library: library, title: "Metrics", data: nil, queries: queries)
///     for page in catalogue.pages { … }
///
/// The same library and data give the same bytes.
public struct Catalogue {
  let library: MetricLibrary
  let title: String
  let data: CatalogueData?
  let owner: String?
  let source: String?
  let queries: [String: [CatalogueQuery]]
  let entries: [MetricEntry]
  let tests: [TestResult]
  let lineage: Lineage
  /// What changed since an older version; nil if there is none to compare with.
  package var changes: CatalogueChanges?
  /// The name of the page of each metric, without its folder.
  private let fileNames: [String: String]
  private let known: [String: MetricEntry]

  /// - Parameters:
  ///   - library: The definitions, accepted.
  ///   - data: The values to draw; nil for a catalogue of definitions alone.
  ///   - queries: By metric; a metric without a query has no such section.
  ///   - owner: Who answers questions about the metrics.
  ///   - source: The address below which the files of the definitions are published, with their paths.
  public init(
    library: MetricLibrary, title: String, data: CatalogueData?, queries: [String: [CatalogueQuery]] = [:],
    owner: String? = nil, source: String? = nil
  ) {
    self.owner = owner
    self.source = source
    self.library = library
    self.title = title
    self.data = data
    self.queries = queries
    entries = library.entries
    tests = library.runTests(filter: nil)
    lineage = library.lineage
    known = Dictionary(entries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    fileNames = Catalogue.fileNames(for: entries.map(\.name))
  }

  public var failedTestCount: Int { tests.count { !$0.passed } }

  /// The index first.
  public var pages: [CataloguePage] {
    let index = CataloguePage(path: "index.html", text: IndexPage(catalogue: self).text)
    let reports = library.plan.reports.map { report in
      CataloguePage(path: addressFromIndex(report), text: ReportPage(catalogue: self, report: report).text)
    }
    return [index] + reports + (changes.map { ChangesPage(catalogue: self, changes: $0).pages } ?? [])
      + entries.map { entry in
        CataloguePage(
          path: addressFromIndex(entry.name) ?? "", text: MetricPage(catalogue: self, entry: entry).text)
      }
  }

  func entry(_ name: String) -> MetricEntry? { known[name] }

  /// The address of a metric's page as the index writes it; nil for a name that is not a metric.
  func addressFromIndex(_ name: String) -> String? { fileNames[name].map { "metrics/\($0).html" } }

  /// Reports are named like metrics; a name that differs only in case gets a number, too.
  func addressFromIndex(_ report: Report) -> String {
    let names = Catalogue.fileNames(for: library.plan.reports.map(\.name))
    return "reports/\(names[report.name] ?? report.name).html"
  }

  /// The address of the page that a metric had under a name which no metric has any more; nil if another has it.
  func formerAddress(_ name: String) -> String? {
    let isTaken = fileNames.values.contains { $0.lowercased() == name.lowercased() }
    return isTaken ? nil : "metrics/\(name).html"
  }

  /// The same as another metric's page writes it.
  func address(_ name: String) -> String? { fileNames[name].map { "\($0).html" } }

  /// Names that differ only in case get a number, because some file systems ignore case.
  private static func fileNames(for names: [String]) -> [String: String] {
    let groups = Dictionary(grouping: names.sorted()) { $0.lowercased() }.values
    return groups.reduce(into: [:]) { fileNames, names in
      for (index, name) in names.enumerated() { fileNames[name] = index == 0 ? name : "\(name)-\(index + 1)" }
    }
  }
}

extension MetricEntry {
  var summary: MetricSummary { planned.summary }
  var name: String { summary.name }
  var title: String { summary.title ?? name }
  /// One of those that it is about: `reading plan`.
  var noun: String { Wording.noun(ofSubject: summary.subject) }
  /// Whether its parts are stages of a way that people go.
  var isOfStages: Bool { ["funnel", "retention"].contains(summary.kind) }

  /// A group; a cohort, which is named by its first DayKey, by its months or its day.
  func label(_ group: GroupKey) -> String {
    zip(group.fields, planned.grouping).map { text, field in
      guard case .cohort(let unit) = field, let day = DayKey(text) else { return Wording.group(text) }
      return Wording.name(of: unit, day)
    }.joined(separator: ", ")
  }
}
