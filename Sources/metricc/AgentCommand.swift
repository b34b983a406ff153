import ArgumentParser

struct AgentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Serves agents: the Model Context Protocol on standard input and output.",
    discussion: """
      An agent starts it, and gets tools to list metrics and dimensions, show plans, check and test a text, \
      evaluate, and explain a value, over these definitions and this data alone. Definitions and data \
      are read anew for each call; no tool writes anything.

      Example:
        metricc mcp Definitions --data Export

      The agent's model sees what eval and why print, ids of people included. Start it over an export with \
      pseudonyms if it must not.

      Exit status: 0 the agent closed the connection; 2 a path could not be read, or standard input \
      could not be read or standard output could not be written; 64 wrong usage.
      """)

  @OptionGroup var definitions: DefinitionOptions

  @Option(
    help:
      "A folder of data files, or Record=path for a single one. May be repeated. Without it there is nothing to evaluate.",
    completion: .file())
  var data: [String] = []

  @OptionGroup var columns: ColumnOptions

  func run() throws {
    // A wrong path is reported to the person who wrote it, before an agent meets it.
    let library = try definitions.load()
    if library.isAccepted, !data.isEmpty { _ = try columns.files(data, in: library) }
    let tools = AgentTools(paths: definitions.paths, data: data, columns: columns.column)
    let server = AgentServer(tools: tools.all, version: Metricc.configuration.version)
    let output = BufferedOutput.standardOutput
    var input = MessageInput(.lines)
    while !output.isClosed, case .messages(let messages) = try input.messages(waiting: nil) {
      for message in messages {
        guard let answer = server.answer(message) else { continue }
        output.write("\(answer)\n")
        try output.finish()
      }
    }
  }
}
