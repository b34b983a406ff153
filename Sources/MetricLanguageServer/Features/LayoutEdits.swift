/// The edits of the canonical layout, as few lines as differ: all, or those inside some lines, counted from 0.
package func layoutEdits(
  of source: SourceFile, file: Int = 0, in lines: ClosedRange<Int>?
) throws(ResponseError) -> [SourceEdit] {
  switch formatted(source) {
  case .unchanged: []
  case .rejected(let findings):
    throw .failed("the file has \(Counting.of(findings.count, "syntax error")) and is unchanged")
  case .failed(let reason):
    throw .failed("the formatter would change the meaning (\(reason)); the file is unchanged")
  case .changed(let text): lineEdits(of: source, file: file, to: text, in: lines)
  }
}

/// Edits of whole lines, as few as differ, that make another text of a source.
func lineEdits(
  of source: SourceFile, file: Int, to text: String, in limits: ClosedRange<Int>? = nil
) -> [SourceEdit] {
  let old = DocumentText(source.bytes)
  let (before, after) = (old.lines, DocumentText(text).lines)
  var edits: [SourceEdit] = []
  func add(_ lines: Range<Int>, _ new: ArraySlice<String>) {
    if let limits, !limits.contains(lines.lowerBound) || lines.upperBound > limits.upperBound + 1 { return }
    let (start, end) = (old.start(ofLine: lines.lowerBound), old.start(ofLine: lines.upperBound))
    edits.append(SourceEdit(Span(file: file, start: start, end: end), new.joined()))
  }
  for change in LineDifference(from: before, to: after).changes {
    if limits != nil, change.old.count == change.new.count {
      // One for each line, so that those outside the limits can stay.
      for (line, new) in zip(change.old, change.new) { add(line..<line + 1, after[new...new]) }
    } else {
      add(change.old, after[change.new])
    }
  }
  return edits
}

extension DocumentText {
  /// The lines with their ends; `\r\n` and `\r` end a line too, as for an editor.
  fileprivate var lines: [String] {
    (0..<lineCount).map { String(decoding: bytes[start(ofLine: $0)..<start(ofLine: $0 + 1)], as: UTF8.self) }
      .filter { !$0.isEmpty }
  }
}
