/// The metrics of a report side by side.
struct ReportPage {
  let catalogue: Catalogue
  let report: Report

  var text: String {
    let doc = report.doc.map(Prose { address($0) }.paragraphs)
    let every: HTML? = report.every.map { "<p>A value for every \($0.name).</p>\n" }
    let content: HTML = """
      \(HTML.heading(report.name, title: report.title, doc))\(every)<h2 class="spoken">Metrics</h2>
      <ul class="cards">
      \(entries.map { catalogue.card($0, address: address($0.name) ?? "") })</ul>
      \(plots)
      """
    return catalogue.page(title: report.title ?? report.name, top: "../", content: content)
  }

  private var entries: [MetricEntry] {
    report.metrics.compactMap { catalogue.entry(catalogue.library.plan.metrics[$0.metric].name) }
  }

  private func address(_ metric: String) -> String? {
    catalogue.addressFromIndex(metric).map { "../\($0)" }
  }

  private var plots: HTML {
    guard let data = catalogue.data else { return "" }
    let days = report.every.map { Set($0.lastDays(from: data.from, to: data.to)) }
    let plots = entries.flatMap { entry -> [HTML] in
      guard var figures = data.figures(of: entry) else { return [] }
      if let days { figures.observations = figures.observations.on(days) }
      return figures.all.enumerated().map { $1.markup(id: "plot-\(entry.name)-\($0 + 1)") }
    }
    return plots.isEmpty ? "" : .section("values", "Values", .plots(plots))
  }
}
