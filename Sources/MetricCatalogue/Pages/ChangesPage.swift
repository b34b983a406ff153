/// What changed since an older version of the definitions.
package struct CatalogueChanges {
  /// The older version, as people name it: `git:v1.0`.
  let since: String
  let all: [MetricChange]

  package init(since: String, all: [MetricChange]) {
    self.since = since
    self.all = all
  }

  func change(of metric: String) -> MetricChange? {
    all.first { $0.newName == metric && ![.equal, .records].contains($0.level) }
  }

  /// From the page of a metric to what changed of it.
  func link(_ text: String, to metric: String) -> HTML {
    "\(HTML.link("../changes.html#metric-\(metric)", "\(text)")) since <code>\(since)</code>."
  }
}

/// `What changed`: changes of meaning first, each with the dataset that shows it.
struct ChangesPage {
  let catalogue: Catalogue
  let changes: CatalogueChanges

  /// The page of all, and one at the old address of each metric that is gone or has a new name.
  var pages: [CataloguePage] {
    [CataloguePage(path: "changes.html", text: text)] + changes.all.compactMap(former)
  }

  private var text: String {
    let ranked = changes.all.ranked
    let sections = ChangeLevel.allCases.reversed().map { level -> HTML in
      let items = ranked.filter { $0.level == level }.map(markup)
      guard !items.isEmpty else { return "" }
      let list: HTML = "<p>\(level.words.meaning)</p>\n<ul class=\"changes\">\n\(items)</ul>\n"
      return .section(level.rawValue, level.heading, list)
    }
    let content: HTML = """
      <h1>What changed</h1>
      <p class="lead">Since <code>\(changes.since)</code>: \(changes.all.summary).</p>
      \(sections)
      """
    return catalogue.page(title: "What changed", content: content)
  }

  private func markup(_ change: MetricChange) -> HTML {
    let address = change.newName.flatMap(catalogue.addressFromIndex)
    let name: HTML = "<code>\(change.name)</code>"
    let before: HTML = change.level == .renamed ? "<code>\(change.oldName ?? "")</code> is now " : ""
    let title = change.newName.flatMap(catalogue.entry)?.summary.title
    let lines = change.details.flatMap(\.lines)
    let details: HTML = lines.isEmpty ? "" : "<pre>\(lines.joined(separator: "\n"))</pre>\n"
    let kind = change.level == .records ? "record" : "metric"
    return """
      <li id="\(kind)-\(change.name)">\(before)\(address.map { HTML.link($0, name) } ?? name)\
      \(title.map { " (\($0))" } ?? "")\(names(" through ", change.through))\(names(", read by ", change.readers))
      \(details)\(witness(change))</li>

      """
  }

  private func names(_ words: String, _ names: [String]) -> HTML {
    guard !names.isEmpty else { return "" }
    let prose = Prose { catalogue.addressFromIndex($0) }
    return "\(words)\(prose.inline(names.map { "`\($0)`" }.joined(separator: ", ")))"
  }

  private func witness(_ change: MetricChange) -> HTML {
    guard let witness = change.witness else {
      return change.searchedFacts.map { "<p>No difference was found with up to \($0) facts.</p>\n" } ?? ""
    }
    let more = witness.newOnly.map { "\($0)\n" }.joined()
    let also: HTML =
      more.isEmpty ? "" : "<p>With data that only the new definitions know:</p>\n<pre>\(more)</pre>\n"
    return """
      <p>The smallest dataset found gives \(Wording.value(witness.old)) before and \(Wording.value(witness.new)) now:</p>
      <pre>\(witness.test)</pre>
      \(also)
      """
  }

  /// Links to a metric under its old name lead on.
  private func former(_ change: MetricChange) -> CataloguePage? {
    guard change.level != .records, let old = change.oldName, old != change.newName,
      let path = catalogue.formerAddress(old)
    else { return nil }
    let now: HTML =
      change.newName.flatMap { new in
        catalogue.address(new).map { "It is now called \(HTML.link($0, "<code>\(new)</code>"))." }
      } ?? "The definitions no longer have it."
    let content: HTML = """
      <h1><code>\(old)</code></h1>
      \(HTML.notice("\(now) \(changes.link("What changed", to: change.name))"))
      """
    return CataloguePage(path: path, text: catalogue.page(title: old, top: "../", content: content))
  }
}

extension ChangeLevel {
  var heading: String { words.mark.capitalizedFirst }

  /// The mark on a card, and what it means.
  var words: (mark: String, meaning: String) {
    switch self {
    case .equal: ("as before", "The same rows.")
    case .words:
      ("reworded", "Docs, titles, layout, or another way to write the same: every value is the same.")
    case .added: ("new", "In the definitions for the first time.")
    case .renamed: ("renamed", "The same values under a new name.")
    case .removed: ("removed", "Only in the older definitions.")
    case .records: ("other records", "A record asks something else of the data.")
    case .unproved: ("perhaps another meaning", "Neither proved equal nor shown to differ.")
    case .shape:
      (
        "another shape",
        "Subject, kind, parts, types, unit, audience or groups: who reads the rows has to look."
      )
    case .meaning: ("another meaning", "The same rows can have other values.")
    }
  }
}
