import ArgumentParser
import MetricDiagnostics
import MetricLanguage

/// `metricc explain`: the page of a finding.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Shows the page of a finding: what, why, wrong, right.",
    discussion: """
      Examples:
        metricc explain C401
        metricc explain falls-when-logged
        metricc explain

      Without a code, all codes are listed by family; with --format json or markdown, all pages are \
      written.

      Exit status: 0 done; 64 there is no such code.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, markdown
  }

  @Argument(
    help: ArgumentHelp("A code such as C401, or its readable name.", valueName: "code"), completion: .codes)
  var code: String?

  @Option(help: "How pages are written.")
  var format = Format.text

  func run() throws {
    let pages = try code.map(find)
    let output = BufferedOutput.standardOutput
    switch format {
    case .text: output.write(pages?.map(\.text).joined(separator: "\n") ?? Page.list)
    case .json:
      let json = JSONText.object([("pages", .array((pages ?? Page.all).map(\.json)))])
      output.write("\(json)\n")
    case .markdown: output.write(pages?.map(\.markdown).joined(separator: "\n") ?? Page.document)
    }
    try output.finish()
  }

  private func find(_ code: String) throws(CommandFailure) -> [Page] {
    let pages = Page.named(code)
    guard pages.isEmpty else { return pages }
    throw .usage(
      "there is no code \(Quoting.quoted(code))\(Quoting.suggestion(Page.nearest(to: code)))")
  }
}
