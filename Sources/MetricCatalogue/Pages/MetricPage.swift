struct MetricPage {
  let catalogue: Catalogue
  let entry: MetricEntry

  var name: String { entry.name }
  private var prose: Prose { Prose(address: address) }

  /// The page of another metric.
  private func address(_ metric: String) -> String? { metric == name ? nil : catalogue.address(metric) }

  var text: String {
    let content = HTML([head, values, plan, promises, lineage, definition, queries, tests, notes])
    return catalogue.page(title: entry.title, top: "../", content: content)
  }

  private var head: HTML {
    let notices = [
      entry.deprecated.map { "<strong>Deprecated.</strong> \($0)" as HTML },
      entry.reading.map { "<strong>A reading, not a score:</strong> \($0)" },
      catalogue.changes.flatMap { changes in
        changes.change(of: name).map { changes.link($0.level.heading, to: name) }
      },
    ].compactMap { $0.map(HTML.notice) }
    let heading = HTML.heading(name, title: entry.summary.title, entry.doc.map(prose.paragraphs), notices)
    return "\(heading)\(entry.tags())\n\(stewards)"
  }

  /// Who is responsible for the metric, and who approved its meaning.
  private var stewards: HTML {
    let owner: HTML? = entry.planned.owner.map { "<dt>Owner</dt><dd>\($0)</dd>\n" }
    let approval: HTML? = entry.planned.approval.map { "<dt>Approved</dt><dd>\($0.text)</dd>\n" }
    return owner == nil && approval == nil ? "" : "<dl class=\"plan\">\n\(owner)\(approval)</dl>\n"
  }

  private var values: HTML {
    guard let data = catalogue.data else { return "" }
    guard let figures = data.figures(of: entry) else {
      return .section("values", "Values", "<p>The data has no records for this metric.</p>\n")
    }
    let plots = HTML.plots(figures.all.enumerated().map { $1.markup(id: "plot\($0 + 1)") })
    return .section("values", "Values", "\(figures.facts)\(plots)\(figures.groupTable)")
  }

  private var plan: HTML {
    let sentences = entry.sentences.map { "<li>\(prose.inline($0))</li>\n" as HTML }
    let clauses = entry.planned.clauses.map { clause -> HTML in
      "<dt>\(clause.word)</dt><dd><code>\(clause.text)</code></dd>\n"
    }
    return .section(
      "plan", "What it counts",
      """
      <ul>
      \(sentences)</ul>
      <h3>Full definition, including defaults</h3>
      <dl class="plan">
      \(clauses)</dl>

      """)
  }

  private var lineage: HTML {
    let drawing = LineageDrawing(of: name, in: catalogue.lineage, address: catalogue.address)
    let records = (entry.summary.certificate?.leaves ?? []).map { "<code>\($0)</code>" as HTML }
    return .section(
      "lineage", "Where it comes from",
      """
      \(drawing.markup)<dl class="plan">
      <dt>Reads</dt><dd>\(links(entry.planned.reads))</dd>
      <dt>Read by</dt><dd>\(links(entry.planned.readBy))</dd>
      <dt>Fields</dt><dd>\(HTML(records, separator: ", "))</dd>
      </dl>

      """)
  }

  private func links(_ names: [String]) -> HTML {
    guard !names.isEmpty else { return "no other metric" }
    let links = names.map { name -> HTML in
      let title = catalogue.entry(name)?.summary.title.map { " (\($0))" } ?? ""
      return "\(HTML.link(catalogue.address(name) ?? "", "<code>\(name)</code>"))\(title)"
    }
    return HTML(links, separator: ", ")
  }

  private var definition: HTML {
    guard let definition = entry.definition else { return "" }
    let place: HTML = "<code>\(definition.path)</code>, line \(definition.line)"
    let base = catalogue.source.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    let link = base.map { HTML.link("\($0 + definition.path)#L\(definition.line)", place) }
    return .section(
      "definition", "Definition",
      """
      <p>\(link ?? place)\(catalogue.owner.map { ". Owner: \($0)" } ?? "")</p>
      <pre tabindex="0" aria-label="Definition of \(name)"><code>\(definition.pieces.map(markup))</code></pre>

      """)
  }

  /// A piece of code with its colour; the name of another metric leads to its page.
  private func markup(_ piece: CodePiece) -> HTML {
    func colored(_ style: HTML) -> HTML { "<span class=\"\(style)\">\(piece.text)</span>" }
    return switch piece.kind {
    case .plain: "\(piece.text)"
    case .metric: address(piece.text).map { .link($0, "\(piece.text)") } ?? "<strong>\(piece.text)</strong>"
    case .keyword: colored("k")
    case .function: colored("f")
    case .record: colored("r")
    case .number: colored("n")
    case .text: colored("s")
    case .comment: colored("c")
    }
  }

  private var tests: HTML {
    guard !entry.mentions.isEmpty else {
      return .section("tests", "Tests", "<p>No test covers this metric.</p>\n")
    }
    let headings = ["Test", "Expectations", "Result"]
    let rows = entry.mentions.map { mention -> HTML in
      let test = catalogue.tests[mention.test]
      let result: HTML =
        test.passed
        ? "<span class=\"yes\">passed</span>"
        : "<span class=\"no\">failed</span>: \(test.failures.map(\.message).joined(separator: "; "))"
      return .row(test.name, ["\(mention.expectationCount)", result], labels: headings.dropFirst())
    }
    return .section(
      "tests", "Tests",
      .table(
        "Tests", caption: "The tests that cover <code>\(name)</code>", style: " class=\"stack\"",
        headings: headings, rows: rows))
  }

  private var notes: HTML {
    let findings = entry.findings.map {
      "<li><strong>\($0.code.description)</strong>: \($0.message)</li>\n" as HTML
    }
    let allowed = entry.allowed.map { code, reason -> HTML in
      "<li><strong>\(code)</strong> is allowed here: \(reason)</li>\n"
    }
    let all = findings + allowed
    guard !all.isEmpty else { return "" }
    return .section("warnings", "Warnings", "<ul>\n\(all)</ul>\n")
  }
}
