import MetricDiagnostics
import MetricLanguage

/// Whole lines, from 0, in place of others.
package struct LineEdit: Hashable, Sendable {
  /// Empty if lines are only added, before `lowerBound`.
  package var lines: Range<Int>
  package var text: String
}

extension LineEdit {
  /// An edit for each line, where as many lines come as go.
  fileprivate var parts: [LineEdit] {
    let new = MetricLanguageServer.lines(of: text)
    guard new.count == lines.count else { return [self] }
    return zip(lines, new).map { LineEdit(lines: $0..<$0 + 1, text: $1) }
  }
}

/// What brings a file into the canonical layout.
package enum LayoutResult: Hashable, Sendable {
  case edits([LineEdit])
  /// The file cannot be laid out; why.
  case refused(String)
}

/// The edits of the canonical layout, as few lines as differ.
///
/// - Parameter lines: only edits inside these lines, where it is not nil.
package func layoutEdits(of source: SourceFile, in lines: ClosedRange<Int>?) -> LayoutResult {
  switch formatted(source) {
  case .unchanged: return .edits([])
  case .rejected(let findings):
    let count = findings.count
    return .refused("the file has \(Counting.of(count, "syntax error")) and is unchanged")
  case .failed(let reason):
    return .refused("the formatter would change the meaning (\(reason)); the file is unchanged")
  case .changed(let text):
    let edits = lineEdits(from: source.text(0, source.bytes.count), to: text)
    guard let lines else { return .edits(edits) }
    return .edits(
      edits.flatMap(\.parts).filter {
        lines.lowerBound <= $0.lines.lowerBound && $0.lines.upperBound <= lines.upperBound + 1
          && $0.lines.lowerBound <= lines.upperBound
      })
  }
}

/// The lines that differ between two texts, each with its line end.
func lineEdits(from old: String, to new: String) -> [LineEdit] {
  let (before, after) = (lines(of: old), lines(of: new))
  let difference = LineDifference(from: before, to: after)
  var edits: [LineEdit] = []
  var (i, j) = (0, 0)
  while i < before.count || j < after.count {
    let (first, firstNew) = (i, j)
    while difference.removed.contains(i) { i += 1 }
    while difference.inserted.contains(j) { j += 1 }
    if i > first || j > firstNew {
      edits.append(LineEdit(lines: first..<i, text: after[firstNew..<j].joined()))
    } else {
      i += 1
      j += 1
    }
  }
  return edits
}

/// The lines of a text with their ends; `\r\n` and `\r` end a line too, as for an editor.
private func lines(of text: String) -> [String] {
  let document = DocumentText(text)
  return (0..<document.lineCount).map { line in
    let bytes = document.bytes[document.start(ofLine: line)..<document.start(ofLine: line + 1)]
    return String(decoding: bytes, as: UTF8.self)
  }.filter { !$0.isEmpty }
}
