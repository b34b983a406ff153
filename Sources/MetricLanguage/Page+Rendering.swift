import MetricDiagnostics

extension Page {
  /// The page for a terminal.
  package var text: String {
    var text = "\(code): \(title)\n\n\(about)\n"
    text += "\nWrong:\n\n\(indented(wrong))\nRight:\n\n\(indented(right))"
    if !seeAlso.isEmpty { text += "\nSee also: \(seeAlso.joined(separator: ", "))\n" }
    return text
  }

  /// The page as a chapter, with its examples as the change from wrong to right.
  package var markdown: String {
    let more = seeAlso.isEmpty ? "" : " See \(seeAlso.joined(separator: ", "))."
    return "### \(code)\n**\(title).** \(about.replacing("\n", with: " "))\(more)\n```diff\n\(change)```\n"
  }

  package var json: JSONText {
    .object([
      "code": code.id, "name": code.name, "title": title, "about": about.replacing("\n", with: " "),
      "language": language.rawValue, "wrong": wrong, "right": right, "seeAlso": seeAlso,
    ])
  }

  /// The anchor that Markdown renderers give the chapter's heading.
  package var anchor: String { "\(code)".lowercased().replacing(" ", with: "-") }

  private func indented(_ example: String) -> String {
    example.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
  }
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
