import MetricSyntax

extension Page {
  /// The page for a terminal.
  package var text: String {
    let more = seeAlso.isEmpty ? "" : "\nSee also: \(seeAlso.joined(separator: ", "))\n"
    return
      "\(code): \(title)\n\n\(about)\n\nWrong:\n\n\(indented(wrong))\nRight:\n\n\(indented(right))\(more)"
  }

  /// The page as a chapter: its example as the clauses that change, or as a block of lines.
  package var markdown: String {
    let more = seeAlso.isEmpty ? "" : " See \(seeAlso.joined(separator: ", "))."
    return "### \(code)\n**\(title).** \(about.replacing("\n", with: " "))\(more)"
      + (changedClauses.map { " \($0)\n" } ?? "\n```diff\n\(changedLines)```\n")
  }

  /// `` `measure Visits` → `measure visits` ``: the clauses that differ, where one declaration or line replaces
  /// another.
  private var changedClauses: String? {
    let lines = change.split(separator: "\n").filter { $0.first != " " }
    let sides = ["-", "+"].map { mark in lines.filter { $0.hasPrefix(mark) } }
    guard lines == sides[0] + sides[1], !change.contains("`"),
      sides.allSatisfy({ side in
        side.count == 1
          || side.last?.dropFirst() == "}" && side.dropFirst().count { $0.dropFirst(1).first != " " } == 1
      })
    else { return nil }
    let words = sides.map { $0.flatMap { $0.dropFirst().split(separator: " ") } }
    let shortest = min(words[0].count, words[1].count)
    let start = zip(words[0], words[1]).prefix { $0 == $1 }.count
    let end = min(zip(words[0].reversed(), words[1].reversed()).prefix { $0 == $1 }.count, shortest - start)
    let starts = words.map(clauseStarts)
    // Where a clause only comes or goes, the one before it says where, or else the one after.
    let isAddition = start + end == shortest && starts.contains { $0.contains(start) }
    let before = starts[0].last { isAddition ? $0 < start : $0 <= start } ?? 0
    let first = isAddition && before == 0 ? start : before
    let shown = (0...1).map { side in
      let last = max(words[side].count - end, start)
      let next =
        starts[side].first { $0 > (first > before ? last : max(last - 1, first)) } ?? words[side].count
      var clauses = words[side][first..<next].joined(separator: " ")
      let isHead = clauses.hasSuffix(" {")
      if isHead || !clauses.contains("{") && clauses.hasSuffix(" }") { clauses.removeLast(2) }
      if !isHead, clauses.contains("{"), next < words[side].count { clauses += " … }" }
      return clauses
    }
    return shown.allSatisfy { $0.count <= 110 } ? "`\(shown[0])` → `\(shown[1])`" : nil
  }

  /// The words of a metric that start a clause; other declarations and lines of data are one clause.
  private func clauseStarts(_ words: [Substring]) -> [Int] {
    let metrics = Set(MetricKind.allCases.map { Substring($0.rawValue) })
    let clauses = Set(Word.clauses.map { Substring($0.rawValue) })
    guard language == .metric, let first = words.first, metrics.contains(first) || clauses.contains(first)
    else { return [0] }
    var depth = 0
    var isText = false
    return words.indices.filter { index in
      let isStart = depth == 0 && !isText && clauses.contains(words[index])
      for character in words[index] {
        if character == "\"" { isText.toggle() }
        if !isText { depth += character == "(" ? 1 : character == ")" ? -1 : 0 }
      }
      return isStart || index == 0 || words[index - 1] == "{"
    }
  }

  /// The lines that change, with one line before and one after.
  private var changedLines: String {
    let lines = change.split(separator: "\n")
    return lines.indices.filter { index in
      lines[max(index - 1, 0)...min(index + 1, lines.count - 1)].contains { $0.first != " " }
    }.map { "\(lines[$0])\n" }.joined()
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

      Every finding has a code, and every code a page: what it reports, why, and what changes in an
      example: wrong → right, or lines of which `-` are rejected. `metricc explain CODE` prints the whole example,
      `metricc explain` lists all codes.

      """
    for family in families {
      text += "\n## \(family.title)\n\n\(family.about)\n"
      for page in family.pages { text += "\n\(page.markdown)" }
    }
    return text
  }
}
