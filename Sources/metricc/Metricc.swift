import ArgumentParser

/// The command `metricc`: definitions and data in, findings and results out.
///
/// Everything that a person sees of a run is decided here and in the folders beside: what the
/// libraries below return, this target reads from files, writes to streams and turns into an exit
/// status.
@main
struct Metricc: ParsableCommand {
  /// Where the project is published: the base of links in SARIF. A release writes its own.
  static let repository = "https://example.com/metricc"

  static let configuration = CommandConfiguration(
    commandName: "metricc",
    abstract: "Checks, evaluates, tests and formats metric definitions, and writes them as SQL.",
    discussion: """
      A .metric file declares read models over facts that carry a day. Several files and folders \
      form one library.

      Examples:
        metricc check Definitions
        metricc eval Definitions --data Export --at 2026-06-30
        metricc test Definitions --filter streak
        metricc fmt Definitions
        metricc doc Definitions --output catalogue
        metricc init metrics

      Exit status: 0 done and accepted; 1 definitions rejected, a test failed, a file is not \
      formatted, or a change is not listed in --allow; 2 input could not \
      be read or is malformed; 64 wrong usage.
      """,
    version: "0.1.0",
    subcommands: [
      CheckCommand.self, EvalCommand.self, TestCommand.self, FormatCommand.self, ExplainCommand.self,
      PlanCommand.self, DimensionsCommand.self, WhyCommand.self, DiffCommand.self, ApproveCommand.self,
      SQLCommand.self, SwiftCommand.self, DocCommand.self, ImportCommand.self, LanguageServerCommand.self,
      AgentCommand.self, InitCommand.self, WatchCommand.self, ManualCommand.self,
    ])

  static func main() {
    Interruption.prepare()
    do {
      defer { ProgressLine.finish() }
      do {
        // The parser answers `help frobnicate` with the overview.
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "help", let unknown = unknownCommand(arguments.dropFirst().first) {
          throw unknown
        }
        var command = try parseAsRoot()
        try command.run()
      } catch let answer where exitCode(for: answer) == .success {
        // A help text, the version or a script for a shell: a result like any other, which a full disk may cut off.
        let text = fullMessage(for: answer)
        if !text.isEmpty { try BufferedOutput.print(text + "\n") }
      }
    } catch {
      let first = CommandLine.arguments.dropFirst().first
      let failure = error as? CommandFailure ?? unknownCommand(first) ?? unknownOption(message(for: error))
      failure?.report()
      exit(withError: failure.map { ExitCode($0.status.rawValue) } ?? error)
    }
  }

  /// What is said about a word that stands for a command and is none: the command that was meant.
  private static func unknownCommand(_ word: String?) -> CommandFailure? {
    guard let word, !word.hasPrefix("-") else { return nil }
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    guard !names.contains(word), word != "help" else { return nil }
    let ofTheLanguage = WordHelp.page(of: word) == nil ? nil : "explain \(word)"
    let meant =
      FamiliarWord.note(word, as: .command)?.message ?? nearestName(to: word, in: names) ?? ofTheLanguage
    return .usage(
      "there is no command \(word.quoted)"
        + (meant.map { "; did you mean `metricc \($0)`?" } ?? "; `metricc --help` lists them"))
  }

  /// What is said about an option of other tools: the option of the command that was meant.
  private static func unknownOption(_ message: String) -> CommandFailure? {
    guard let word = message.prefixMatch(of: /Unknown option '(-[\w-]+)'/)?.output.1 else { return nil }
    let first = CommandLine.arguments.dropFirst().first
    let command = configuration.subcommands.first { $0.configuration.commandName == first }
    guard let command, let name = first else {
      let isCommand = configuration.subcommands.contains { "--\($0.configuration.commandName ?? "")" == word }
      return isCommand
        ? .usage("there is no option `\(word)`; did you mean `metricc \(word.dropFirst(2))`?") : nil
    }
    let options = Set(command.helpMessage().matches(of: /--[\w-]+/).map { String($0.output) })
    let familiar = FamiliarWord.note(String(word), as: .option)?.message
    let near = familiar ?? nearestName(to: String(word), in: options.sorted())
    let meant = near.flatMap { options.contains($0) ? $0 : nil }
    return .usage(
      "there is no option `\(word)`"
        + (meant.map { "; did you mean `\($0)`?" } ?? "; `metricc \(name) --help` lists them"))
  }
}
