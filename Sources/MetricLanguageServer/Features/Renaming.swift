import MetricDiagnostics
import MetricPlan
import MetricSyntax

/// A piece of text to put in place of a span.
package struct SourceEdit: Hashable, Sendable {
  package var span: Span
  package var text: String

  init(_ span: Span, _ text: String) {
    self.span = span
    self.text = text
  }

  init(behind span: Span, _ text: String) {
    self.init(Span(file: span.file, start: span.end, end: span.end), text)
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

  /// Takes the name at an offset.
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
    try checkTarget()
  }

  private func checkTarget() throws(ResponseError) {
    switch target {
    case .metric, .report: return
    case .record(let id):
      guard analysis.plan.records[id].isBuiltIn else { return }
      throw .failed("`\(analysis.plan.records[id].name)` is built in")
    case .field(let reference):
      guard analysis.plan[reference].span.file == analysis.builtInFile else { return }
      let record = analysis.plan.records[reference.record].name
      throw .failed("`\(record).\(analysis.plan[reference].name)` is built in")
    case .part(let metric, let part):
      guard analysis.metrics[metric]?.step(named: part) == nil else { return }
      throw .failed("the part `\(part)` of `\(metric)` is named by the language")
    }
  }

  /// The edits that give the name another text, by file and place.
  package func edits(to newName: String) throws(ResponseError) -> [SourceEdit] {
    let name = try checked(newName)
    guard name != currentName else { return [] }
    var edits: [SourceEdit] = []
    for occurrence in analysis.names.occurrences(of: target)
    where occurrence.span.file != analysis.builtInFile {
      let edit = SourceEdit(unquotedSpan(occurrence.span), text(of: occurrence.span, name))
      if !edits.contains(edit) { edits.append(edit) }
    }
    edits += recommendations(name)
    edits.sort { ($0.span.file, $0.span.start) < ($1.span.file, $1.span.start) }
    try RenameProof(analysis, edits: edits, target: target, name: name).check()
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
    let isRecord: Bool
    if case .record = target { isRecord = true } else { isRecord = false }
    if isRecord { name = name.prefix(1).uppercased() + name.dropFirst() }
    let first: ClosedRange<Unicode.Scalar> = isRecord ? "A"..."Z" : "a"..."z"
    let isName = name.unicodeScalars.enumerated().allSatisfy { index, scalar in
      if index == 0 { return first.contains(scalar) }
      return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        || scalar == "_"
    }
    if let reason = taken(name) { throw .failed(reason) }
    guard isName, !name.isEmpty else {
      throw .failed(
        "`\(newName)` is not a name: write \(isRecord ? "an upper-case" : "a lower-case") letter, then letters, digits and `_`"
      )
    }
    return name
  }

  /// Why a name is not free; nil where it is.
  private func taken(_ name: String) -> String? {
    guard name != currentName else { return nil }
    switch target {
    case .metric:
      if analysis.metrics[name] != nil { return "`\(name)` is the name of another metric" }
      if analysis.subjectIDs[name] != nil || name == "app" || name == "day" {
        return "`\(name)` is the name of a subject and cannot name a metric"
      }
      if Functions.all.contains(name) {
        return "`\(name)` is the name of a function and cannot name a metric"
      }
      if let word = Word(rawValue: name), Word.operandWords.contains(word) {
        return "`\(name)` is a word of expressions and cannot name a metric"
      }
    case .report:
      if analysis.plan.reports.contains(where: { $0.name == name }) {
        return "`\(name)` is the name of another report"
      }
    case .record:
      if analysis.recordIDs[name] != nil { return "`\(name)` is the name of another record" }
      if TypeNames.all.contains(name) { return "`\(name)` is the name of a type and cannot name a record" }
      if name == "App" || name == "Day" {
        return "no record can be called `\(name)`: the name already has a meaning"
      }
    case .field(let reference):
      let record = analysis.plan.records[reference.record]
      if record.field(named: name) != nil { return "`\(record.name)` has another field `\(name)`" }
    case .part(let metric, _):
      if analysis.metrics[metric]?.step(named: name) != nil {
        return "`\(metric)` has another step `\(name)`"
      }
    }
    return nil
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
      guard case .deprecated(let text) = clause.content else { return [] }
      return words(old, in: text.span).map { SourceEdit($0, name) }
    }
  }

  /// Where a name is as a whole word.
  private func words(_ word: String, in span: Span) -> [Span] {
    let bytes = Array(analysis.text(span).utf8)
    let wanted = Array(word.utf8)
    func isPart(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || byte < 0x80 && Character(Unicode.Scalar(byte)).isLetter
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return bytes.indices.compactMap { start in
      let end = start + wanted.count
      guard bytes[start...].starts(with: wanted), start == 0 || !isPart(bytes[start - 1]),
        end >= bytes.count || !isPart(bytes[end])
      else { return nil }
      return Span(file: span.file, start: span.start + start, end: span.start + end)
    }
  }
}

extension Analysis {
  /// The text of a span without quotes around it.
  fileprivate func unquoted(_ span: Span) -> String {
    let text = text(span)
    return text.hasPrefix("\"") && text.count > 1 ? String(text.dropFirst().dropLast()) : text
  }
}
