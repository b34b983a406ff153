import ArgumentParser
import MetricDiagnostics
import MetricLanguage

/// The definitions that a command works on.
struct DefinitionOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A .metric file, or a folder that is read with its subfolders. All together are one library.",
      valueName: "path"), completion: .definitions)
  var paths: [String]
}

extension MetricLibrary {
  /// Says on standard error where not all findings are shown.
  func remarkHiddenFindings() {
    guard hasMoreFindings else { return }
    let shown = Counting.of(Diagnostic.mostShown, "finding")
    Remarks.say("there are more than \(shown); the first are shown")
  }

  /// Ends the run where the definitions are rejected, with the findings on standard error.
  ///
  /// - Parameter consequence: `nothing was evaluated`.
  func requireAcceptance(before consequence: String) throws(CommandFailure) {
    guard !isAccepted else { return }
    Findings.report(findings, in: sources)
    remarkHiddenFindings()
    throw CommandFailure(messages: ["\(consequence): \(summaryLine)"], status: .rejected)
  }
}
