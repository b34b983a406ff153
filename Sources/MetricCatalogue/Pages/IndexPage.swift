/// The reports, what moved most, and all metrics by file, with a search.
struct IndexPage {
  let catalogue: Catalogue

  private var summaries: [MetricSummary] { catalogue.entries.map(\.summary) }

  var text: String {
    let content: HTML = """
      <h1>\(catalogue.title)</h1>
      <p class="lead">\(overview)</p>
      \(privacy)\(changed)\(filter)\(moved)\(reports)\(shelves)
      """
    return catalogue.page(title: nil, content: content)
  }

  /// `25 metrics about goals and habits. All 31 tests pass.`
  private var overview: String {
    let nouns = Set(summaries.map(\.subject)).sorted().map {
      $0 == "app" ? "the app as a whole" : Counting.plural(Wording.noun(ofSubject: $0))
    }
    let about =
      nouns.count > 1
      ? nouns.dropLast().joined(separator: ", ") + " and " + nouns[nouns.count - 1] : nouns.first ?? ""
    var text = "\(Counting.of(summaries.count, "metric"))\(about.isEmpty ? "" : " about \(about)")."
    switch (catalogue.tests.count, catalogue.failedTestCount) {
    case (0, _): break
    case (let all, 0): text += all == 1 ? " The one test passes." : " All \(all) tests pass."
    case (let all, let failed):
      text += " \(failed) of \(Counting.of(all, "test")) \(failed == 1 ? "fails" : "fail")."
    }
    return text
  }

  private var privacy: HTML {
    guard let data = catalogue.data else { return "" }
    return """
      <p>Values are those of \(Wording.day(data.at)). Individuals appear only if they were named, and numbers \
      about fewer than \(data.fewest) of them are not shown.</p>

      """
  }

  private var changed: HTML {
    guard let changes = catalogue.changes else { return "" }
    return """
      <p><a href="changes.html">What changed</a> since <code>\(changes.since)</code>: \(changes.all.summary).</p>

      """
  }

  private var filter: HTML {
    """
    <div class="filter" id="filter" role="search" aria-label="Metrics" hidden>
    <div class="wide"><label for="search">Search</label>\
    <input type="search" id="search" autocomplete="off" spellcheck="false" aria-describedby="count" \
    placeholder="words, names, records   ( / )"></div>
    \(choice("kind", "Kind", summaries.map(\.kind)))\
    \(choice("audience", "Audience", summaries.map(\.audience)))\
    \(choice("subject", "About", summaries.map(\.subject)))\
    <div><label for="order">Order</label><select id="order"><option value="">by file</option>\
    <option value="data-name">by title</option><option value="data-moved">what moved most</option></select></div>
    <p id="count" aria-live="polite"></p>
    </div>

    """
  }

  private func choice(_ name: String, _ label: String, _ values: [String]) -> HTML {
    .choice(name, label, Set(values).sorted().map { ($0, Wording.noun(ofSubject: $0)) })
  }

  /// The metrics of each file, in the order of the sources.
  private var shelves: [HTML] {
    func path(_ entry: MetricEntry) -> String { entry.definition?.path ?? "" }
    let files = catalogue.entries.runs(by: path)
    let common = IndexPage.commonFolders(files.map { path($0[$0.startIndex]) })
    return files.map { entries in
      let parts = path(entries[entries.startIndex]).split(separator: "/").dropFirst(common).map { part in
        Wording.title(ofName: part.hasSuffix(".metric") ? String(part.dropLast(7)) : String(part))
      }
      return shelf(
        parts.joined(separator: " / "),
        entries.map { catalogue.card($0, address: catalogue.addressFromIndex($0.name) ?? "") })
    }
  }

  /// How many folders all paths begin with.
  static func commonFolders(_ paths: [String]) -> Int {
    let parts = paths.map { $0.split(separator: "/") }
    guard let first = parts.first else { return 0 }
    return first.dropLast().indices.prefix { index in
      parts.allSatisfy { $0.count > index + 1 && $0[index] == first[index] }
    }.count
  }

  private func shelf(_ heading: String, _ cards: [HTML]) -> HTML {
    """
    <section class="shelf">
    <h2>\(heading)</h2>
    <ul class="cards">
    \(cards)</ul>
    </section>

    """
  }

  /// The metrics whose values changed most, in either direction.
  private var moved: HTML {
    guard let data = catalogue.data else { return "" }
    let moves = catalogue.entries.compactMap { entry -> (entry: MetricEntry, change: ValueChange)? in
      data.figures(of: entry)?.change.map { (entry, $0) }
    }
    let most = moves.filter { $0.change.size >= 50 }.sorted { $0.change.size > $1.change.size }
    guard !most.isEmpty else { return "" }
    let items = most.prefix(6).map { move -> HTML in
      let name = move.entry.name
      let day = data.observations[name]?.earlierDay.map { " since \(Wording.shortDay($0))" } ?? ""
      let link = HTML.link(catalogue.addressFromIndex(name) ?? "", "\(move.entry.title)")
      return "<li>\(link) <small>\(move.change.text)\(day)</small></li>\n"
    }
    return .section("moved", "What moved most", "<ul class=\"moved\">\n\(items)</ul>\n")
  }

  private var reports: HTML {
    let cards = catalogue.library.plan.reports.map { report -> HTML in
      let (title, doc) = (report.title ?? report.name, report.doc ?? "")
      let metrics = report.metrics.map { catalogue.library.plan.metrics[$0.metric].name }
      return """
        <li class="card" id="report-\(report.name)" data-kind="report" data-name="\(title.lowercased())" \
        data-text="\("\(report.name) \(title) \(doc) \(metrics.joined(separator: " "))".lowercased())">
        <h3>\(HTML.link(catalogue.addressFromIndex(report), "\(title)"))</h3>
        <p>\(Prose { _ in nil }.inline(Prose.firstSentence(doc)))</p>
        <ul class="tags" aria-label="Properties"><li>report</li><li>\(Counting.of(metrics.count, "metric"))</li></ul>
        </li>

        """
    }
    return cards.isEmpty ? "" : shelf("Reports", cards)
  }
}

extension Catalogue {
  /// A metric in a few lines, with its value and the address of its page.
  func card(_ entry: MetricEntry, address: String) -> HTML {
    let (summary, title) = (entry.summary, entry.title)
    let doc = entry.doc.map { Prose(address: { _ in nil }).inline(Prose.firstSentence($0)) }
    let figures = data?.figures(of: entry)
    let changed = changes?.change(of: entry.name).map {
      "<li class=\"changed\">\($0.level.words.mark)</li>" as HTML
    }
    return """
      <li class="card" id="metric-\(summary.name)" data-kind="\(summary.kind)" data-audience="\(summary.audience)" \
      data-subject="\(summary.subject)" data-name="\(title.lowercased())" data-moved="\(figures?.change?.size ?? 0)" \
      data-text="\(words(entry).lowercased())">
      <h3><a href="\(address)">\(title)</a></h3>
      \(summary.title == nil ? "" : "<span class=\"name\"><code>\(summary.name)</code></span>" as HTML)
      <p>\(doc)</p>
      \(figures?.headline)
      \(entry.tags(changed))
      </li>

      """
  }

  /// What a search finds a metric by.
  private func words(_ entry: MetricEntry) -> String {
    let summary = entry.summary
    let texts = [
      summary.name, summary.title, summary.unit, entry.doc, entry.definition?.path, entry.deprecated,
      entry.planned.owner,
    ].compactMap { $0 }
    let tests = Set(entry.mentions.map { self.tests[$0.test].name }).sorted()
    let lists = [texts, summary.certificate?.leaves ?? [], entry.sentences, tests, entry.planned.tags]
    return lists.joined().joined(separator: " ").replacing("`", with: "")
  }
}

extension MetricEntry {
  /// Kind, subject, audience and unit, short, and what became of the metric.
  func tags(_ change: HTML? = nil) -> HTML {
    let unit: HTML? = summary.unit.map { "<li>in \($0)</li>" }
    let tags = planned.tags.map { "<li>\($0)</li>" as HTML }
    let deprecated: HTML = self.deprecated == nil ? "" : "<li>deprecated</li>"
    return """
      <ul class="tags" aria-label="Properties"><li>\(summary.kind)</li><li>for \(noun)</li>\
      <li class="\(summary.audience)">shown to the \(summary.audience)</li>\(unit)\(tags)\(deprecated)\(change)</ul>
      """
  }
}
