/// Something that fixes a finding or a file.
package struct CodeAction: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case quickFix = "quickfix"
    case fixAll = "source.fixAll"
    case extract = "refactor.extract"
    case inline = "refactor.inline"
  }

  package var title: String
  package var kind = Kind.quickFix
  package var edits: [SourceEdit]
  /// Whether it certainly is what was meant.
  package var isPreferred = false
}

extension Analysis {
  /// What can be done about the findings and failures that touch a range of offsets, and with the expression there.
  ///
  /// - Parameters:
  ///   - findings: the library's, perhaps with the counterexamples that were found since.
  ///   - approver: who approves today; nil if nobody is known.
  package func codeActions(
    in file: Int, from start: Int, to end: Int, findings: [Diagnostic], failures: [TestFailure] = [],
    approver: () -> Approver? = { nil }
  ) -> [CodeAction] {
    let touched = findings.filter { finding in
      finding.span.map { $0.file == file && $0.start <= end && start <= $0.end } ?? false
    }
    var actions: [CodeAction] = []
    for finding in library.withSafeFixes(touched, of: parsed) {
      guard let span = finding.span else { continue }
      actions += finding.fixes.map { fix in
        CodeAction(title: fix.title, edits: [SourceEdit(fix.span, fix.replacement)], isPreferred: true)
      }
      actions += nearNames(finding, span) + quickFixes(finding, span, approver)
      // The dataset that shows the harm.
      let counterexample = finding.counterexample.map {
        CodeAction(title: "Write the counterexample as tests", edits: [atEnd(of: file, $0.test)])
      }
      actions += [allowance(finding), documentation(finding), counterexample].compactMap { $0 }
    }
    actions += failures.filter { $0.span.start <= end && start <= $0.span.end }.compactMap(acceptance)
    // Several findings may have one remedy.
    return actions.once(by: \.edits)
      + [refactoring(in: file, from: start, to: end), fixAll(file)].compactMap { $0 }
  }

  /// ``did you mean `done`?`` as an edit: not certain, so it is never preferred.
  private func nearNames(_ finding: Diagnostic, _ span: Span) -> [CodeAction] {
    finding.notes.compactMap(\.replacement).map { name in
      let isText = text(span).hasPrefix("\"") && !name.hasPrefix("\"")
      return CodeAction(
        title: "Change to `\(name)`", edits: [SourceEdit(span, isText ? "\"\(name)\"" : name)])
    }
  }

  /// `allow W012 "…"` as the metric's last clause.
  private func allowance(_ finding: Diagnostic) -> CodeAction? {
    guard finding.severity == .warning, let name = finding.metric, let metric = metrics[name],
      let clause = metric.clauses.last
    else { return nil }
    return CodeAction(
      title: "Allow \(finding.code) in `\(name)`",
      edits: [SourceEdit(behind: clause.span, "\n  allow \(finding.code.id) \"say why\"")])
  }

  /// An empty doc comment above a metric that has none.
  private func documentation(_ finding: Diagnostic) -> CodeAction? {
    guard finding.code.name == "missing-doc", let name = finding.metric, let metric = metrics[name] else {
      return nil
    }
    let place = Span(file: metric.span.file, at: metric.keyword.start)
    return CodeAction(title: "Write a doc comment", edits: [SourceEdit(place, "/// What does it say?\n")])
  }

  /// The safe fixes of a file that do not overlap.
  private func fixAll(_ file: Int) -> CodeAction? {
    library.safeRound(of: parsed, in: file).map { round in
      CodeAction(
        title: "Apply all safe fixes", kind: .fixAll,
        edits: round.fixes.map { SourceEdit($0.fix.span, $0.fix.replacement) })
    }
  }
}
