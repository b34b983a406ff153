import ArgumentParser
import MetricDiagnostics
import MetricLanguage

/// `metricc check`: parses, types and runs the design checklist.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Parses, types and runs the design checklist.",
    discussion: """
      Examples:
        metricc check Definitions
        metricc check habits.metric goals.metric --strict
        metricc check Definitions --format github
        metricc check Definitions --format sarif > metricc.sarif
        metricc check Definitions --fix

      Exit status: 0 accepted; 1 rejected (with --strict also where there are warnings); 2 a path \
      could not be read.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif, github
  }

  @OptionGroup var definitions: DefinitionOptions

  @Option(help: "How findings are written; sarif is SARIF 2.1.0, github means workflow commands.")
  var format = Format.text

  @Flag(help: "Reject definitions with warnings too.")
  var strict = false

  @Flag(
    help: ArgumentHelp(
      "Mend what can be mended for certain, in the files, and check what is left.",
      discussion: "A mended file that can be parsed is formatted too."))
  var fix = false

  @Option(
    help: ArgumentHelp(
      "Write a file that holds a comment where the definitions are accepted, for build tools.",
      valueName: "file"))
  var stamp: String?

  func run() throws {
    if fix { try mendFiles() }
    let library = try definitions.load()
    let output = BufferedOutput.standardOutput
    switch format {
    case .text: writeText(library, to: output)
    case .json: output.write("\(library.checkReport)\n")
    case .sarif: output.write("\(SARIFLog(library.findings, in: library.sources).json)\n")
    case .github: writeWorkflowCommands(library, to: output)
    }
    try output.finish()
    let isRejected = !library.isAccepted || strict && !library.findings.isEmpty
    if isRejected { throw CommandFailure.silent(.rejected) }
    if let stamp { try writeStamp(to: stamp) }
  }

  /// In Swift and in C this is a source without anything in it.
  private func writeStamp(to path: String) throws {
    let file = try AtomicFile(path: path)
    file.stream.write("// The metrics are accepted.\n")
    try file.commit()
  }

  /// Applies the certain mends, and says on standard error which.
  private func mendFiles() throws(CommandFailure) {
    let sources = try SourceDiscovery.sources(at: definitions.paths)
    for mended in mended(sources) {
      let path = sources[mended.file].path
      try SourceRewrite.write(mended.bytes, to: path)
      for mend in mended.mends {
        let place = "\(Quoting.printable(path)):\(mend.position.line):\(mend.position.column)"
        Remarks.say("\(place): mended: \(Quoting.printable(mend.title)) [\(mend.code)]")
      }
    }
  }

  private func writeText(_ library: MetricLibrary, to output: BufferedOutput) {
    let isColored = Terminal.isColored(.output)
    for finding in library.findings {
      output.write(finding.rendered(in: library.sources, color: isColored))
    }
    if !library.findings.isEmpty { output.write("\n") }
    output.write(library.summaryLine + "\n")
  }

  private func writeWorkflowCommands(_ library: MetricLibrary, to output: BufferedOutput) {
    for finding in library.findings {
      output.write(finding.workflowCommand(in: library.sources) + "\n")
    }
    output.write(library.summaryLine + "\n")
  }
}

extension MetricLibrary {
  /// `23 metrics: 22 accepted, 1 rejected; 1 error, 2 warnings`.
  var summaryLine: String {
    let accepted = metrics.count { $0.isAccepted }
    var line = "\(Counting.of(metrics.count, "metric")): \(Counting.grouped(accepted)) accepted"
    if accepted < metrics.count { line += ", \(Counting.grouped(metrics.count - accepted)) rejected" }
    let errors = findings.count { $0.severity == .error }
    let warnings = findings.count { $0.severity == .warning }
    var counts: [String] = []
    if errors > 0 { counts.append(Counting.of(errors, "error")) }
    if warnings > 0 { counts.append(Counting.of(warnings, "warning")) }
    return counts.isEmpty ? line : line + "; " + counts.joined(separator: ", ")
  }

  /// Findings and metrics as one JSON object.
  var checkReport: JSONText {
    .object([
      ("findings", .array(findings.map { $0.json(in: sources) })),
      ("metrics", .array(metrics.map(\.json))),
    ])
  }
}

extension MetricSummary {
  fileprivate var json: JSONText {
    .object([
      ("name", .string(name)), ("kind", .string(kind)), ("subject", .string(subject)),
      ("audience", .string(audience)), ("accepted", .bool(isAccepted)),
      ("certificate", certificate?.json ?? .null),
    ])
  }
}
