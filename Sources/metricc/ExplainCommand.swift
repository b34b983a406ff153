import ArgumentParser

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains a diagnostic code or a word of the language.",
    discussion: """
      Examples:
        metricc explain C401
        metricc explain falls-when-logged
        metricc explain C4
        metricc explain streak
        metricc explain half life
        metricc explain

      Without an argument, lists all codes by family; with --format json or markdown, writes all pages.

      Exit status: 0 done; 64 there is no such code or word.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, markdown }

  @Argument(
    help: .value(
      "code or word",
      "A code such as C401 or its readable name, a family such as C4, or a word such as streak."),
    completion: .codes)
  var words: [String] = []

  @Option(help: "The format of the pages.")
  var format = Format.text

  func run() throws {
    try BufferedOutput.print(
      words.isEmpty
        ? written(Page.all, text: Page.list, markdown: Page.document) : answer(words.joined(separator: " ")))
  }

  private func answer(_ word: String) throws(CommandFailure) -> String {
    var pages = Page.named(word)
    if !pages.isEmpty { return written(pages, text: pages.map(\.text).joined(separator: "\n")) }
    pages = Page.family(word)
    if !pages.isEmpty { return written(pages, text: Page.list(of: pages)) }
    // A phrase such as `half life` is that of its first word; `group by` is a word of SQL.
    let first = String(word.prefix { $0 != " " })
    let text = WordHelp.page(of: word) ?? foreign(word) ?? WordHelp.page(of: first)
    if format == .text, let text { return text }
    let near = Page.nearest(to: word) ?? nearestName(to: word, in: WordHelp.words)
    let other =
      near == nil
      ? "; `metricc explain` lists the codes, and `metricc plan PATH` explains your own metrics" : ""
    throw .usage("there is no code or word \(word.quoted)\(suggestion(near))\(other)")
  }

  private func written(_ pages: [Page], text: String, markdown: String? = nil) -> String {
    switch format {
    case .text: text
    case .json: "\(JSONText.object(["pages": pages.map(\.json)]))\n"
    case .markdown: markdown ?? pages.map(\.markdown).joined(separator: "\n")
    }
  }

  /// What to write in place of a word of another language.
  private func foreign(_ word: String) -> String? {
    let notes = FamiliarWord.notes(word)
    guard !notes.isEmpty else { return nil }
    return "\(word.quoted) is not a word of the language\n"
      + notes.map { place, message in
        place == .command
          ? "  as a command: write `metricc \(message)`\n"
          : "  as \(Counting.article(place.rawValue)) \(place.rawValue): \(message)\n"
      }.joined()
  }
}
