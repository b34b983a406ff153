import ArgumentParser

struct CheckCommand: DefinitionsCommand {
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

  enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, sarif, github }

  @OptionGroup var definitions: DefinitionOptions

  @Option(help: "The output format; sarif is SARIF 2.1.0, github writes workflow commands.")
  var format = Format.text

  @Flag(help: "Treat warnings as errors.")
  var strict = false

  @Flag(
    help: ArgumentHelp(
      "Apply safe fixes to the files, then check what is left.", discussion: "Fixed files are formatted too.")
  )
  var fix = false

  @Option(
    help:
      "Check a dataset against the records too: a folder of data files, or Record=path for a single one. May be repeated.",
    completion: .file())
  var data: [String] = []

  @OptionGroup var columns: ColumnOptions

  @OptionGroup var progressOptions: ProgressOptions

  @Option(
    help: .value("file", "Write a stamp file if the definitions are accepted, for build tools."),
    completion: .file())
  var stamp: String?

  func run() throws {
    do {
      try check()
    } catch let failure as CommandFailure where !failure.messages.isEmpty && failure.status == .unreadable {
      // A system that reads the output is informed too.
      switch format {
      case .text: break
      case .json: try? BufferedOutput.print("\(JSONText.object(["errors": failure.messages]))\n")
      case .sarif:
        try? BufferedOutput.print("\(SARIFLog(findings: [], sources: [], problems: failure.messages).json)\n")
      case .github: try? BufferedOutput.print(WorkflowCommand.errors(failure.messages))
      }
      throw failure
    }
  }

  private func check() throws {
    if fix { try fixFiles() }
    let library = try definitions.load()
    var dataset: DatasetValidation?
    if !data.isEmpty {
      let files = try columns.files(data, in: library)
      dataset = try DatasetValidation(files, library: library)
    }
    var approved = ApprovedVersions(library, at: definitions.paths)
    let findings = library.findings.map { approved.explained($0) } + (dataset?.findings ?? [])
    try BufferedOutput.print(text(library, findings, dataset))
    library.remarkHiddenFindings()
    // Malformed input takes precedence: nothing can be evaluated over it, whatever the definitions say.
    if let dataset, dataset.isBad || strict && dataset.findings.contains(where: { $0.severity != .note }) {
      throw CommandFailure.silent(.unreadable)
    }
    if !library.isAccepted || strict && !library.findings.isEmpty { throw CommandFailure.silent(.rejected) }
    // An empty source in Swift and in C.
    if let stamp { try AtomicFile.write("// The metrics are accepted.\n".utf8, to: stamp) }
  }

  /// Applies the safe fixes, and says on standard error which.
  private func fixFiles() throws(CommandFailure) {
    let sources = try SourceDiscovery.sources(at: definitions.paths)
    for fixed in fixed(sources) {
      let path = sources[fixed.file].path
      try SourceFile.rewrite(path, fixed.bytes)
      for fix in fixed.fixes {
        let place = "\(printable(path)):\(fix.position.line):\(fix.position.column)"
        Remarks.say("\(place): fixed: \(printable(fix.title)) [\(fix.code)]")
      }
    }
  }

  private func text(
    _ library: MetricLibrary, _ findings: [Diagnostic], _ dataset: DatasetValidation?
  ) -> String {
    let summary = [library.summaryLine, dataset?.summaryLine].compactMap { $0.map { "\($0)\n" } }.joined()
    switch format {
    case .text:
      let isColored = Terminal.isColored(.output)
      let rendered = findings.perFile(in: library.sources)
        .map { $0.rendered(in: library.sources, color: isColored) }
      return rendered.joined() + (findings.isEmpty ? "" : "\n") + summary
    case .json:
      let metrics = library.metrics.map { metric in
        JSONText.object([
          "name": metric.name, "kind": metric.kind, "subject": metric.subject, "audience": metric.audience,
          "accepted": metric.isAccepted, "certificate": metric.certificate?.json,
        ])
      }
      let report: JSONText = .object([
        "findings": findings.map { $0.json(in: library.sources) }, "metrics": metrics,
        "data": dataset?.json ?? .omitted,
      ])
      return "\(report)\n"
    case .sarif: return "\(SARIFLog(findings: findings, sources: library.sources).json)\n"
    case .github:
      let commands = findings.perFile(in: library.sources).map { $0.workflowCommand(in: library.sources) }
      return commands.map { "\($0)\n" }.joined() + summary
    }
  }
}
