import MetricDiagnostics
import MetricLanguage
import MetricSyntax

/// Fixes that look beyond their finding.
extension Analysis {
  func quickFixes(_ finding: Diagnostic, _ span: Span) -> [CodeAction] {
    func fix(_ title: String, _ edits: [SourceEdit]) -> CodeAction {
      CodeAction(title: title, edits: edits, finding: finding)
    }
    switch finding.code.name {
    case "missing-test":
      guard let test = finding.metric.flatMap(library.exampleTest) else { return [] }
      return [fix("Write a test with a small dataset", [atEnd(of: span.file, test)])]
    case "name-style":
      guard let renaming = try? Renaming(self, file: span.file, offset: span.start),
        let (name, edits) = restyled(renaming, at: span)
      else { return [] }
      return [fix("Rename to `\(name)`", edits)]
    case "unknown-name":
      guard case .metric(let metric)? = declaration(in: span.file, at: span.start), isName(span) else {
        return []
      }
      let function = trees[span.file].source.bytes.dropFirst(span.end).first == UInt8(ascii: "(")
      guard !function, metrics[text(span)] == nil else { return [] }
      return [fix("Define `\(text(span))`", [definition(of: text(span), for: metric)])]
    case "unknown-field":
      // The message names the record between its first backticks.
      let parts = finding.message.split(separator: "`", omittingEmptySubsequences: false)
      guard parts.count > 3, isName(span), let record = recordIDs[String(parts[1])],
        parts[2].contains("no field")
      else { return [] }
      return [fix("Add `\(text(span))` to `\(parts[1])`", [field(text(span), of: plan.records[record].name)])]
    default: return []
    }
  }

  /// The value that came out, where an expectation was not met.
  func acceptance(of failure: TestFailure) -> CodeAction? {
    guard let got = failure.got,
      case .test(let test)? = declaration(in: failure.span.file, at: failure.span.start)
    else { return nil }
    for case .expect(let expect) in test.statements where expect.span.covers(failure.span) {
      return CodeAction(title: "Expect \(got)", edits: [SourceEdit(expect.value.span, got)])
    }
    return nil
  }

  private func isName(_ span: Span) -> Bool {
    text(span).allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// Text at the end of a file, behind an empty line.
  func atEnd(of file: Int, _ text: String) -> SourceEdit {
    let bytes = trees[file].source.bytes
    let isOnOwnLine = bytes.isEmpty || bytes.last == UInt8(ascii: "\n")
    return SourceEdit(
      Span(file: file, start: bytes.count, end: bytes.count), (isOnOwnLine ? "\n" : "\n\n") + text)
  }

  /// What is read as a completion is one, anything else a measure; of the same subject.
  private func definition(of name: String, for reader: MetricDeclaration) -> SourceEdit {
    let subject = reader.clauses.lazy.compactMap { clause -> String? in
      if case .subject(let name, _) = clause.content { name.text } else { nil }
    }.first
    let isCompletion = reader.kind == .streak || reader.kind == .momentum
    let body =
      isCompletion ? "  every day\n  when count(HabitEntry) >= 1\n" : "  value count(HabitEntry)\n"
    return SourceEdit(
      behind: reader.span,
      "\n\n/// What does it say?\n\(isCompletion ? "completion" : "measure") \(name) {\n  for \(subject ?? "habit")\n\(body)}"
    )
  }

  /// A text that may be missing: in the record's own braces, or in an extension of a built-in one.
  private func field(_ name: String, of record: String) -> SourceEdit {
    for declaration in trees.dropLast().flatMap(\.declarations) {
      guard case .record(let declared) = declaration, declared.name.text == record, declared.kind != .extend,
        let last = declared.members.last
      else { continue }
      return SourceEdit(behind: last.span, "\n  \(name) : Text?")
    }
    return atEnd(of: 0, "extend \(record) { \(name) : Text? }\n")
  }

  // MARK: Style

  /// The name in the style of its kind (TEXT-04).
  private func restyled(_ renaming: Renaming, at span: Span) -> (String, [SourceEdit])? {
    guard let target = names.occurrences(in: span.file, at: span.start).first?.target else { return nil }
    let words = renaming.placeholder.words
    let name: String
    switch target {
    case .metric, .part: name = words.joined(separator: "_")
    case .record: name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    case .field:
      name =
        (words.first ?? "") + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
    guard let edits = try? renaming.edits(to: name), !edits.isEmpty else { return nil }
    return (name, edits)
  }
}

extension String {
  /// `weeklyRun`, `Weekly_run` → `weekly`, `run`
  fileprivate var words: [String] {
    var words: [String] = []
    var wasLower = false
    for character in self {
      if character == "_" {
        words.append("")
      } else if words.isEmpty || character.isUppercase && wasLower {
        words.append(character.lowercased())
      } else {
        words[words.count - 1].append(character.lowercased())
      }
      wasLower = character.isLowercase || character.isNumber
    }
    return words.filter { !$0.isEmpty }
  }
}
