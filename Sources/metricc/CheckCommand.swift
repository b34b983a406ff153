import ArgumentParser
import MetricDiagnostics
import MetricLanguage

/// `metricc check`: parses, types and runs the design checklist; with `--data` looks through a dataset too.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks definitions: syntax, names, types and the design checklist.",
    discussion: """
      Examples:
        metricc check Definitions
        metricc check habits.metric goals.metric --strict
        metricc check Definitions --format github
        metricc check Definitions --format sarif > metricc.sarif
        metricc check Definitions --fix
        metricc check Definitions --data Export

      --data reads every field of every record and finds duplicate ids, dangling references, circular \
      bundles, mixed units, and days far from their instants.

      Exit status: 0 accepted; 1 rejected (with --strict also on warnings); 2 a path \
      could not be read, or the data is malformed or inconsistent.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif, github
  }

  @OptionGroup var definitions: DefinitionOptions

  @Option(help: "The output format; sarif is SARIF 2.1.0, github writes workflow commands.")
  var format = Format.text

  @Flag(help: "Treat warnings as errors.")
  var strict = false

  @Flag(
    help: ArgumentHelp(
      "Apply safe fixes to the files, then check what is left.",
      discussion: "Fixed files are formatted too."))
  var fix = false

  @Option(
    help: ArgumentHelp(
      "Check a dataset against the records too: a folder of data files, or Record=path for a single one. May be repeated.",
      valueName: "data"), completion: .file())
  var data: [String] = []

  @OptionGroup var columns: ColumnOptions

  @OptionGroup var progressOptions: ProgressOptions

  @Option(
    help: ArgumentHelp(
      "Write a stamp file if the definitions are accepted, for build tools.",
      valueName: "file"), completion: .file())
  var stamp: String?

  func run() throws {
    do {
      try check()
    } catch let failure as CommandFailure where !failure.messages.isEmpty && failure.status == .unreadable {
      // A system that reads the output is told too.
      let output = BufferedOutput.standardOutput
      switch format {
      case .text: break
      case .json: output.write("\(JSONText.object(["errors": failure.messages]))\n")
      case .sarif: output.write("\(SARIFLog([], in: [], problems: failure.messages).json)\n")
      case .github: output.write(WorkflowCommand.errors(failure.messages))
      }
      try? output.finish()
      throw failure
    }
  }

  private func check() throws {
    if fix { try fixFiles() }
    let progress = progressOptions.line
    defer { progress.finish() }
    let library = try definitions.load(progress)
    let dataset = try validate(data, library, progress)
    progress.finish()
    let findings = library.findings + (dataset?.findings ?? [])
    let output = BufferedOutput.standardOutput
    switch format {
    case .text: writeText(library, findings, dataset, to: output)
    case .json: output.write("\(library.checkReport(findings, dataset))\n")
    case .sarif: output.write("\(SARIFLog(findings, in: library.sources).json)\n")
    case .github: writeWorkflowCommands(library, findings, dataset, to: output)
    }
    try output.finish()
    library.remarkHiddenFindings()
    // Malformed input weighs more: nothing can be evaluated over it, whatever the definitions say.
    if let dataset, dataset.isBad || strict && dataset.findings.contains(where: { $0.severity != .note }) {
      throw CommandFailure.silent(.unreadable)
    }
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

  /// What is wrong with the data; nil where none was given.
  private func validate(
    _ arguments: [String], _ library: MetricLibrary, _ progress: ProgressLine
  ) throws(CommandFailure) -> DatasetValidation? {
    guard !arguments.isEmpty else { return nil }
    var validation = DatasetValidation(library: library, progress: progress)
    try validation.run(columns.files(arguments, in: library))
    return validation
  }

  /// Applies the safe fixes, and says on standard error which.
  private func fixFiles() throws(CommandFailure) {
    let sources = try SourceDiscovery.sources(at: definitions.paths)
    for fixed in fixed(sources) {
      let path = sources[fixed.file].path
      try SourceRewrite.write(fixed.bytes, to: path)
      for fix in fixed.fixes {
        let place = "\(Quoting.printable(path)):\(fix.position.line):\(fix.position.column)"
        Remarks.say("\(place): fixed: \(Quoting.printable(fix.title)) [\(fix.code)]")
      }
    }
  }

  private func writeText(
    _ library: MetricLibrary, _ findings: [Diagnostic], _ dataset: DatasetValidation?,
    to output: BufferedOutput
  ) {
    let isColored = Terminal.isColored(.output)
    for finding in findings.perFile(in: library.sources) {
      output.write(finding.rendered(in: library.sources, color: isColored))
    }
    if !findings.isEmpty { output.write("\n") }
    writeSummary(library, dataset, to: output)
  }

  private func writeWorkflowCommands(
    _ library: MetricLibrary, _ findings: [Diagnostic], _ dataset: DatasetValidation?,
    to output: BufferedOutput
  ) {
    for finding in findings.perFile(in: library.sources) {
      output.write("\(finding.workflowCommand(in: library.sources))\n")
    }
    writeSummary(library, dataset, to: output)
  }

  private func writeSummary(
    _ library: MetricLibrary, _ dataset: DatasetValidation?, to output: BufferedOutput
  ) {
    output.write(library.summaryLine + "\n")
    if let dataset { output.write(dataset.summaryLine + "\n") }
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

  /// Findings and metrics as one JSON object, and what was read of a dataset where one was checked.
  func checkReport(_ findings: [Diagnostic], _ dataset: DatasetValidation?) -> JSONText {
    .object([
      "findings": findings.map { $0.json(in: sources) }, "metrics": metrics.map(\.json),
      "data": dataset?.json ?? .omitted,
    ])
  }
}

extension MetricSummary {
  fileprivate var json: JSONText {
    .object([
      "name": name, "kind": kind, "subject": subject, "audience": audience, "accepted": isAccepted,
      "certificate": certificate?.json,
    ])
  }
}
