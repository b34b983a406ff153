import MetricDiagnostics

extension Page {
  /// The page for a terminal.
  package var text: String {
    var text = "\(code): \(title)\n\n\(what)\n\n\(why)\n"
    text += "\nWrong:\n\n\(indented(wrong))\nRight:\n\n\(indented(right))"
    if !seeAlso.isEmpty { text += "\nSee also: \(seeAlso.joined(separator: ", "))\n" }
    return text
  }

  /// The page as a chapter, with its examples as the change from wrong to right.
  package var markdown: String {
    let links = Page.all.filter { seeAlso.contains($0.code.id) }.map { "[\($0.code.id)](#\($0.anchor))" }
    let more = links.isEmpty ? "" : " See \(links.joined(separator: ", "))."
    return "### \(code)\n**\(title).** \(oneLine("\(what) \(why)"))\(more)\n```diff\n\(change)```\n"
  }

  package var json: JSONText {
    .object([
      "code": code.id, "name": code.name, "title": title, "what": oneLine(what), "why": oneLine(why),
      "language": language.rawValue, "wrong": wrong, "right": right, "seeAlso": seeAlso,
    ])
  }

  /// The anchor that Markdown renderers give the chapter's heading.
  package var anchor: String { "\(code)".lowercased().replacing(" ", with: "-") }

  private func indented(_ example: String) -> String {
    example.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
  }

  /// The lines of both examples: `-` marks those of the wrong one alone, `+` those of the right one.
  private var change: String {
    let old = wrong.split(separator: "\n")
    var lines = old.map { " \($0)\n" }
    // By offset in the old lines, and by offset in the new ones as they grow.
    for step in right.split(separator: "\n").difference(from: old) {
      switch step {
      case .remove(let offset, let line, _): lines[offset] = "-\(line)\n"
      case .insert(let offset, let line, _):
        let kept = lines.indices.filter { !lines[$0].hasPrefix("-") }
        lines.insert("+\(line)\n", at: offset < kept.count ? kept[offset] : lines.endIndex)
      }
    }
    return lines.joined()
  }

  private func oneLine(_ text: String) -> String { text.replacing("\n", with: " ") }
}

extension Page {
  /// All codes by family, a line each.
  package static var list: String {
    families.map { "\($0.title)\n\(list(of: $0.pages))" }.joined(separator: "\n")
  }

  /// The codes of pages, a line each.
  package static func list(of pages: [Page]) -> String {
    let width = all.map { "\($0.code)".count }.max() ?? 0
    return pages.map { page in
      let code = "\(page.code)"
      return "  \(code)\(String(repeating: " ", count: width - code.count))  \(page.title)\n"
    }.joined()
  }

  /// The command that writes `document`.
  package static let documentCommand = "metricc explain --format markdown > Documentation/Diagnostics.md"

  /// All pages with an index.
  package static var document: String {
    var text = """
      # Diagnostics

      <!-- Written by `\(documentCommand)`. -->

      Every finding has a code, and every code a page: what it reports, why, and an example, where `-` marks the lines
      that are rejected and `+` those that are right. `metricc explain CODE` prints one, `metricc explain` lists all.

      """
    for family in families {
      text += "\n## \(family.title)\n\n\(family.about)\n"
      for page in family.pages { text += "\n\(page.markdown)" }
    }
    return text
  }
}
