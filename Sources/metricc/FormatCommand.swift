import ArgumentParser

struct FormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fmt",
    abstract: "Formats definitions.",
    discussion: """
      Only white space changes: every comment keeps its place, and the new text is read again before \
      it is written. Changed files are named on standard error.

      Examples:
        metricc fmt Definitions
        metricc fmt --check Definitions
        metricc fmt --check --format github Definitions
        metricc fmt - < habits.metric

      Exit status: 0 done; 1 with --check, a file is not formatted; 2 a path could not be read or \
      has syntax errors (its findings are on standard error, and it is unchanged).
      """)

  @Argument(
    help: .value("path", "A .metric file, or a folder with its subfolders; - alone reads standard input."),
    completion: .definitions)
  var paths: [String]

  @Flag(help: "Write nothing; show what would change.")
  var check = false

  enum Format: String, CaseIterable, ExpressibleByArgument { case text, github }

  @Option(help: "The output format of --check; github writes workflow commands.")
  var format = Format.text

  func validate() throws { try refuse(format != .text && !check, "--format needs --check") }

  func run() throws {
    do {
      try formatAll()
    } catch let failure as CommandFailure where format == .github && failure.status == .unreadable {
      // A system that reads the output is informed too.
      try? BufferedOutput.print(WorkflowCommand.errors(failure.messages))
      throw failure
    }
  }

  private func formatAll() throws {
    let readsInput = paths.contains("-")
    if readsInput, paths.count > 1 {
      throw CommandFailure.usage("`-` is standard input and cannot be combined with other paths")
    }
    let sources = try readsInput ? [.standardInput()] : SourceDiscovery.sources(at: paths)
    let output = BufferedOutput.standardOutput
    let statuses = try sources.map { try format($0, isInput: readsInput, to: output) }
    try output.finish()
    let status = statuses.max { $0.rawValue < $1.rawValue } ?? .done
    if status != .done { throw CommandFailure.silent(status) }
  }

  private func format(
    _ source: SourceFile, isInput: Bool, to output: BufferedOutput
  ) throws(CommandFailure) -> ExitStatus {
    switch formatted(source) {
    case .unchanged:
      if isInput, !check { output.write(source.wholeText) }
      return .done
    case .changed(let text):
      if check {
        let changes = UnifiedDiff(path: source.path, old: source.wholeText, new: text)
        output.write(format == .text ? changes.text : changes.workflowCommands)
        return .rejected
      }
      if isInput {
        output.write(text)
      } else {
        try SourceFile.rewrite(source.path, Array(text.utf8))
        Remarks.say("formatted \(source.path.quoted)")
      }
      return .done
    case .rejected(let findings):
      if format == .github {
        for finding in findings { output.write("\(finding.workflowCommand(in: [source]))\n") }
      }
      Remarks.report(findings, in: [source])
      Remarks.say("error: \(source.path.quoted) has syntax errors and is unchanged")
      return .unreadable
    case .failed(let reason):
      Remarks.say(
        "error: the formatter would change the meaning of \(source.path.quoted) (\(reason)); "
          + "the file is unchanged; this is a bug in metricc, please report it")
      return .unreadable
    }
  }
}
