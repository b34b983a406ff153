/// A piece of text to put in place of a span.
package struct SourceEdit: Hashable, Sendable {
  package var span: Span
  package var text: String

  init(_ span: Span, _ text: String) {
    self.span = span
    self.text = text
  }

  init(behind span: Span, _ text: String) {
    self.init(Span(file: span.file, at: span.end), text)
  }
}

/// Renames a metric, a report, a record, a field or a funnel's step in all files of a library.
///
/// A rename is sound when nothing but names changes: the edited library is resolved again, and each name
/// has to stand for what it stood for, without a new error.
package struct Renaming {
  private let analysis: Analysis
  private let target: NameTarget
  /// Where the name is that was pointed at.
  package let span: Span
  /// The name as it is there.
  package let placeholder: String

  package init(_ analysis: Analysis, file: Int, offset: Int) throws(ResponseError) {
    guard let (span, targets) = analysis.targets(in: file, at: offset), let target = targets.first else {
      throw .failed("nothing here can be renamed")
    }
    guard targets.count == 1 else {
      throw .failed(
        "`\(analysis.text(span))` stands for fields of \(targets.count) records here; rename each at its declaration"
      )
    }
    self.analysis = analysis
    self.target = target
    self.span = span
    placeholder = analysis.unquoted(span)
    if let obstacle { throw .failed(obstacle) }
  }

  /// Why the target cannot have another name; nil where it can.
  private var obstacle: String? {
    switch target {
    case .record(let id) where analysis.plan.records[id].isBuiltIn: "`\(currentName)` is built in"
    case .field(let reference) where analysis.plan[reference].span.file == analysis.builtInFile:
      "`\(analysis.plan.name(of: reference))` is built in"
    case .part(let metric, let part) where analysis.metrics[metric]?.step(named: part) == nil:
      "the part `\(part)` of `\(metric)` is named by the language"
    case .metric, .report, .record, .field, .part: nil
    }
  }

  /// The edits that give the name another text, by file and place.
  package func edits(to newName: String) throws(ResponseError) -> [SourceEdit] {
    let name = try checked(newName)
    guard name != currentName else { return [] }
    let spans = analysis.names.occurrences(of: target).map(\.span).filter { $0.file != analysis.builtInFile }
    let own = spans.map { SourceEdit(unquotedSpan($0), text(of: $0, name)) }
    let edits = (own + recommendations(name)).once(by: \.self).sorted { $0.span.precedes($1.span) }
    try prove(edits, name)
    return edits
  }

  /// The name as it is declared.
  private var currentName: String {
    switch target {
    case .metric(let name), .report(let name): name
    case .record(let id): analysis.plan.records[id].name
    case .field(let reference): analysis.plan[reference].name
    case .part(_, let part): part
    }
  }

  /// The name in the capitals of its kind; a record may be named by its subject.
  private func checked(_ newName: String) throws(ResponseError) -> String {
    var name = newName
    let isRecord = if case .record = target { true } else { false }
    if isRecord { name = name.prefix(1).uppercased() + name.dropFirst() }
    if let reason = taken(name) { throw .failed(reason) }
    let pattern = isRecord ? /[A-Z][A-Za-z0-9_]*/ : /[a-z][A-Za-z0-9_]*/
    guard name.wholeMatch(of: pattern.matchingSemantics(.unicodeScalar)) != nil else {
      throw .failed(
        "`\(newName)` is not a name: write \(isRecord ? "an upper-case" : "a lower-case") letter, then letters, digits and `_`"
      )
    }
    return name
  }

  /// Why a name is not free; nil where it is.
  private func taken(_ name: String) -> String? {
    guard name != currentName else { return nil }
    let reasons: [(holds: Bool, reason: String)]
    switch target {
    case .metric:
      let isSubject = analysis.subject(named: name) != nil || name == "app" || name == "day"
      let isOperand = Word(rawValue: name).map(Word.operandWords.contains) == true
      reasons = [
        (analysis.metrics[name] != nil, "`\(name)` is the name of another metric"),
        (isSubject, "`\(name)` is the name of a subject and cannot name a metric"),
        (Functions.all.contains(name), "`\(name)` is the name of a function and cannot name a metric"),
        (isOperand, "`\(name)` is a word of expressions and cannot name a metric"),
      ]
    case .report:
      let isOther = analysis.plan.reports.contains { $0.name == name }
      reasons = [(isOther, "`\(name)` is the name of another report")]
    case .record:
      reasons = [
        (analysis.plan.record(named: name) != nil, "`\(name)` is the name of another record"),
        (TypeNames.all.contains(name), "`\(name)` is the name of a type and cannot name a record"),
        (["App", "Day"].contains(name), "no record can be called `\(name)`: the name already has a meaning"),
      ]
    case .field(let reference):
      let record = analysis.plan.records[reference.record]
      reasons = [(record.field(named: name) != nil, "`\(record.name)` has another field `\(name)`")]
    case .part(let metric, _):
      let isStep = analysis.metrics[metric]?.step(named: name) != nil
      reasons = [(isStep, "`\(metric)` has another step `\(name)`")]
    }
    return reasons.first(where: \.holds)?.reason
  }

  /// What is at an occurrence afterwards: `habit` for `Habit`, `book` for `bookId`.
  private func text(of span: Span, _ name: String) -> String {
    let written = analysis.unquoted(span)
    switch target {
    case .record:
      let isSubject = written != currentName && written.first?.isLowercase == true
      return isSubject ? name.prefix(1).lowercased() + name.dropFirst() : name
    case .field where written != currentName && name.hasSuffix("Id") && name.count > 2:
      return String(name.dropLast(2))
    case .field, .metric, .part, .report: return name
    }
  }

  /// A part is named by a text in `expect … part "read"`: only what is between the quotes changes.
  private func unquotedSpan(_ span: Span) -> Span {
    guard analysis.text(span).hasPrefix("\"") else { return span }
    return Span(file: span.file, start: span.start + 1, end: span.end - 1)
  }

  /// `deprecated "use other_metric"`: the name in what is said to people.
  private func recommendations(_ name: String) -> [SourceEdit] {
    guard case .metric(let old) = target else { return [] }
    return analysis.metrics.values.flatMap(\.clauses).flatMap { clause -> [SourceEdit] in
      guard clause.word == .deprecated, let span = clause.content.text?.span else { return [] }
      let words = analysis.text(span).matches(of: /[A-Za-z0-9_]+/.matchingSemantics(.unicodeScalar))
      return words.filter { $0.output == old }.map { SourceEdit(span.part($0.output), name) }
    }
  }

  /// Fails if the edits change more than one name: the library is resolved with them and compared.
  private func prove(_ edits: [SourceEdit], _ name: String) throws(ResponseError) {
    let byFile = Dictionary(grouping: edits, by: \.span.file)
    /// Where a span starts after the edits, as an empty span.
    func moved(_ span: Span) -> Span {
      var start = span.start
      for edit in byFile[span.file] ?? [] where edit.span.end <= span.start {
        start += edit.text.utf8.count - (edit.span.end - edit.span.start)
      }
      return Span(file: span.file, at: start)
    }
    func start(of span: Span) -> Span { Span(file: span.file, at: span.start) }
    func errors(_ analysis: Analysis, _ place: (Span) -> Span) -> [(place: ErrorPlace, message: String)] {
      analysis.library.findings.filter { $0.severity == .error }
        .map { (ErrorPlace(code: $0.code, start: $0.span.map(place)), $0.message) }
    }
    let renamed = analysis.edited(edits)
    let before = Set(errors(analysis, moved).map(\.place))
    let found = errors(renamed, start(of:)).first { !before.contains($0.place) }
    if let found { throw .failed(found.message) }
    let old = Set(analysis.library.uses.map { NameUse(moved($0.span), translated($0.target, name)) })
    let new = Set(renamed.library.uses.map { NameUse(start(of: $0.span), $0.target) })
    guard let changed = old.symmetricDifference(new).min(by: { $0.span.precedes($1.span) }) else { return }
    let source = renamed.trees[changed.span.file].source
    let line = source.position(of: changed.span.start).line
    throw .failed(
      "`\(name)` would change what another name means, at line \(line) of `\(Path.name(of: source.path))`")
  }

  private struct ErrorPlace: Hashable {
    var code: DiagnosticCode
    var start: Span?
  }

  /// What a target is called after the edits. Records and fields keep their numbers.
  private func translated(_ use: NameTarget, _ name: String) -> NameTarget {
    switch (use, target) {
    case (.metric, .metric) where use == target: .metric(name)
    case (.part(let metric, let part), .metric(let old)) where metric == old: .part(metric: name, name: part)
    case (.part(let metric, _), .part) where use == target: .part(metric: metric, name: name)
    default: use
    }
  }
}

extension Analysis {
  fileprivate func unquoted(_ span: Span) -> String {
    let text = text(span)
    return text.hasPrefix("\"") && text.count > 1 ? String(text.dropFirst().dropLast()) : text
  }
}
