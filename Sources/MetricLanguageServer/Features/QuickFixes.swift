/// Who approves a metric, and on which day.
package struct Approver: Sendable {
  package var who: String
  package var day: DayKey

  package init(who: String, day: DayKey) {
    self.who = who
    self.day = day
  }
}

/// Fixes that look beyond their finding.
extension Analysis {
  func quickFixes(_ finding: Diagnostic, _ span: Span, _ approver: () -> Approver?) -> [CodeAction] {
    switch finding.code.name {
    case "missing-test":
      guard let test = finding.metric.flatMap(library.exampleTest) else { return [] }
      return [CodeAction(title: "Write a test with a small dataset", edits: [atEnd(of: span.file, test)])]
    case "name-style":
      return [restyling(at: span)].compactMap { $0 }
    case "unknown-name", "unknown-record", "unknown-field":
      return declaring(finding, span)
    case "voided-approval":
      guard let name = finding.metric, let approver = approver(),
        let approved = library.approving([name], by: approver.who, on: approver.day).sources[span.file]
      else { return [] }
      let text = approved.text(0, approved.bytes.count)
      let edits = lineEdits(of: trees[span.file].source, file: span.file, to: text)
      return [CodeAction(title: "Approve what `\(name)` means now, as \(approver.who)", edits: edits)]
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

  /// Text at the end of a file, after an empty line.
  func atEnd(of file: Int, _ text: String) -> SourceEdit {
    let bytes = trees[file].source.bytes
    let isOnOwnLine = bytes.isEmpty || bytes.last == UInt8(ascii: "\n")
    return SourceEdit(Span(file: file, at: bytes.count), (isOnOwnLine ? "\n" : "\n\n") + text)
  }

  /// A field and a metric of that name, as far as fewer errors are left with them.
  private func declaring(_ finding: Diagnostic, _ span: Span) -> [CodeAction] {
    let (name, errors) = (text(span), nameErrors)
    guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return [] }
    func action(_ title: String, _ edits: [SourceEdit]) -> CodeAction? {
      edits.first { edited([$0]).nameErrors < errors }.map { CodeAction(title: title, edits: [$0]) }
    }
    var actions: [CodeAction?] = []
    if let record = finding.recordWithoutField {
      let fields = ["Text", "Decimal", "Bool", "DayKey"].map { type in
        field("\(name) : \(type)?", of: record, from: span.file)
      }
      actions.append(action("Add `\(name)` to `\(record)`", fields))
    }
    if finding.code.name != "unknown-field", metrics[name] == nil,
      let reader = declaration(in: span.file, at: span.start)
    {
      actions.append(action("Define `\(name)`", definitions(of: name, for: reader)))
    }
    return actions.compactMap { $0 }
  }

  /// The errors without those of the checklist, which sees a metric only after its names are known.
  private var nameErrors: Int {
    library.findings.count { $0.severity == .error && !$0.code.id.hasPrefix("C") }
  }

  /// A measure and a completion of each subject that the reader can ask, over facts that lead to it.
  private func definitions(of name: String, for reader: Declaration) -> [SourceEdit] {
    var (subjects, facts, window) = (["habit"], ["HabitEntry"], "day")
    switch reader {
    case .metric(let metric):
      for clause in metric.clauses {
        if case .subject(let subject, _) = clause.content { subjects[0] = subject.text }
        if case .every = clause.content { window = String(text(clause.span).dropFirst("every ".count)) }
        for expression in clause.content.expressions {
          expression.visit { part in
            guard case .path(let names) = part.kind else { return }
            if subject(named: names[0].text) != nil { subjects.append(names[0].text) }
            if plan.record(named: names[0].text) != nil { facts.insert(names[0].text, at: 0) }
          }
        }
      }
    case .test: subjects = ["habit", "user", "goal", "app"]
    case .report, .record, .language, .unexpected: return []
    }
    return subjects.once(by: \.self).flatMap { subject in
      sources(for: subject, facts).flatMap { source in
        [
          ("measure", "value count(\(source))"),
          ("completion", "every \(window)\n  when count(\(source)) >= 1"),
        ].map { kind, body in
          SourceEdit(
            behind: reader.span,
            "\n\n/// What does it say?\n\(kind) \(name) {\n  for \(subject)\n  \(body)\n}")
        }
      }
    }
  }

  /// What may be counted for a subject: a fact that leads to it, else one that a link joins to it.
  private func sources(for subject: String, _ wanted: [String]) -> [String] {
    let facts = plan.records.filter { $0.kind == .fact && !$0.isSetting }.map(\.name)
    let known = wanted.filter(facts.contains) + facts
    guard let entity = self.subject(named: subject) else { return Array(known.prefix(1)) }
    let leading = known.first { name in
      plan.record(named: name).map { !plan.records.shortestPaths(from: $0, to: entity).isEmpty } ?? false
    }
    if let leading { return [leading] }
    return plan.records.filter { record in
      record.kind == .link && record.fields.contains { $0.type == .reference(entity) }
    }.map { "\(known[0]) through \($0.name)" }
  }

  /// A field in the record's own braces, or in an extension of a built-in one.
  private func field(_ text: String, of record: String, from file: Int) -> SourceEdit {
    let declared = trees.dropLast().flatMap(\.records).filter { $0.name.text == record && $0.kind != .extend }
    return declared.lazy.compactMap(\.members.last).first
      .map { SourceEdit(behind: Member.record($0).span, "\n  \(text)") }
      ?? atEnd(of: file, "extend \(record) { \(text) }\n")
  }

  /// The name in the style of its kind (TEXT-04).
  private func restyling(at span: Span) -> CodeAction? {
    guard let renaming = try? Renaming(self, file: span.file, offset: span.start),
      let target = names.occurrences(in: span.file, at: span.start).first?.target
    else { return nil }
    let words = renaming.placeholder.words
    let name =
      switch target {
      case .metric, .part, .report: words.joined(separator: "_")
      case .record: words.map(\.capitalizedFirst).joined()
      case .field: (words.prefix(1) + words.dropFirst().map(\.capitalizedFirst)).joined()
      }
    guard let edits = try? renaming.edits(to: name), !edits.isEmpty else { return nil }
    return CodeAction(title: "Rename to `\(name)`", edits: edits)
  }
}

extension String {
  /// `weeklyRun`, `Weekly_run` → `weekly`, `run`; `userIDs` → `user`, `ids`; `URLCount` → `url`, `count`
  fileprivate var words: [String] {
    var words: [String] = [""]
    let characters = Array(self)
    for (index, character) in characters.enumerated() {
      let next = index + 1 < characters.count ? characters[index + 1] : "_"
      let previous = index > 0 ? characters[index - 1] : "_"
      let ends = next.isLowercase && !characters[index...].dropFirst().elementsEqual("s")
      if character == "_" || character.isUppercase && (!previous.isUppercase || ends) { words.append("") }
      if character != "_" { words[words.count - 1].append(character.lowercased()) }
    }
    return words.filter { !$0.isEmpty }
  }
}
