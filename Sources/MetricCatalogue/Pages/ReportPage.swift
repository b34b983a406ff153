import MetricLanguage
import MetricPlan
import MetricValues

/// The metrics of a report side by side.
struct ReportPage {
  let catalogue: Catalogue
  let report: Report
  /// All metrics by name.
  let known: [String: MetricEntry]

  private var title: String { report.title ?? report.name }

  var text: String {
    let name: HTML = report.title == nil ? "" : "<p class=\"name\"><code>\(report.name)</code></p>\n"
    let prose = Prose { address($0) }
    let doc: HTML = report.doc.map { "<div class=\"lead\">\(prose.paragraphs($0))</div>\n" } ?? ""
    let every: HTML = report.every.map { "<p>A value for every \($0.name).</p>\n" } ?? ""
    let content: HTML = """
      <h1>\(title)</h1>
      \(name)\(doc)\(every)<h2 class="spoken">Metrics</h2>
      <ul class="cards">
      \(entries.map(card))</ul>
      \(plots)
      """
    return catalogue.frame(index: "../index.html").page(title: title, content: content)
  }

  private var entries: [MetricEntry] {
    report.metrics.compactMap { known[catalogue.library.plan.metrics[$0.metric].name] }
  }

  private func address(_ metric: String) -> String? {
    catalogue.addressFromIndex(metric).map { "../\($0)" }
  }

  private func card(_ entry: MetricEntry) -> HTML {
    MetricCard(catalogue: catalogue, entry: entry, address: address(entry.planned.summary.name) ?? "").markup
  }

  private var plots: HTML {
    guard let data = catalogue.data else { return "" }
    let days = report.every.map { Set($0.lastDays(from: data.from, to: data.to)) }
    let plots = entries.flatMap { entry -> [HTML] in
      let name = entry.planned.summary.name
      guard let all = data.observations[name] else { return [] }
      let observations = days.map(all.on) ?? all
      let figures = MetricFigures(entry: entry, data: data, observations: observations).all
      return figures.enumerated().map { $1.markup(id: "plot-\(name)-\($0 + 1)") }
    }
    return plots.isEmpty ? "" : .section("values", "Values", "<div class=\"plots\">\n\(plots)</div>\n")
  }
}
