import MetricDiagnostics

extension Page {
  /// The page for a terminal.
  package var text: String {
    var text = "\(code): \(title)\n\n\(about)\n"
    text += "\nWrong:\n\n\(indented(wrong))\nRight:\n\n\(indented(right))"
    if !seeAlso.isEmpty { text += "\nSee also: \(seeAlso.joined(separator: ", "))\n" }
    return text
  }

  /// The page as a chapter: its example as the words that change, or as a block of lines.
  package var markdown: String {
    let more = seeAlso.isEmpty ? "" : " See \(seeAlso.joined(separator: ", "))."
    return "### \(code)\n**\(title).** \(about.replacing("\n", with: " "))\(more)"
      + (changedWords.map { " \($0)\n" } ?? "\n```diff\n\(change)```\n")
  }

  /// `` `Visits` → `visits` ``: what differs in the one line that is changed, between the words beside it.
  private var changedWords: String? {
    let lines = change.split(separator: "\n").filter { $0.first != " " }
    guard lines.count == 2, lines[0].first == "-", lines[1].first == "+", !change.contains("`") else {
      return nil
    }
    let words = lines.map { $0.dropFirst().split(separator: " ") }
    let shortest = min(words[0].count, words[1].count)
    let start = zip(words[0], words[1]).prefix { $0 == $1 }.count
    let end = min(zip(words[0].reversed(), words[1].reversed()).prefix { $0 == $1 }.count, shortest - start)
    // At both ends stands a word, not a sign alone. Where words only come or go, one more stands on either side.
    func isWord(_ word: Substring) -> Bool { word.contains { $0.isLetter || $0.isNumber } }
    let more = start + end == shortest ? 1 : 0
    let first =
      words[0][..<max(start - more, 0)].lastIndex { $0.first?.isLetter == true || $0.first == "\"" } ?? 0
    let endsInSign = words.contains { line in line.count > end && !isWord(line[line.count - end - 1]) }
    let shown = words.map { line in
      line[first..<min(line.count - end + max(more, endsInSign ? 1 : 0), line.count)]
        .filter { $0 != "}" }.joined(separator: " ")
    }
    return "`\(shown[0])` → `\(shown[1])`"
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
    return pages.map { "  \("\($0.code)".padded(to: width))  \($0.title)\n" }.joined()
  }

  /// The command that writes `document`.
  package static let documentCommand = "metricc explain --format markdown > Documentation/Diagnostics.md"

  /// All pages with an index.
  package static var document: String {
    var text = """
      # Diagnostics

      <!-- Written by `\(documentCommand)`. -->

      Every finding has a code, and every code a page: what it reports, why, and an example: what changes in
      its line, or lines of which `-` are rejected and `+` are right. `metricc explain CODE` prints the whole of it,
      `metricc explain` lists all codes.

      """
    for family in families {
      text += "\n## \(family.title)\n\n\(family.about)\n"
      for page in family.pages { text += "\n\(page.markdown)" }
    }
    return text
  }
}
