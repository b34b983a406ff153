import MetricSyntax

/// The result of formatting a file.
public enum FormatResult: Sendable {
  /// The file is laid out as it should be.
  case unchanged
  /// The text in the canonical layout.
  case changed(String)
  /// The file cannot be read: its syntax errors. `Span.file` is 0.
  case rejected([Diagnostic])
  /// The new text would not mean the same, so it is not returned. This is a bug in the formatter.
  case failed(String)
}

/// The canonical layout of a file.
///
///     switch formatted(SourceFile(path: "habits.metric", text: text)) { … }
///
/// It needs nothing but the file: names may be unknown and types wrong, as long as it can be parsed.
/// The new text has been read again: its tokens, comments and declarations are those of the old one.
public func formatted(_ source: SourceFile) -> FormatResult {
  let (tree, findings) = parse(source, file: 0)
  let errors = findings.filter { $0.severity == .error }
  guard errors.isEmpty else { return .rejected(errors) }
  let text = format(tree)
  if let difference = difference(between: tree, and: text) { return .failed(difference) }
  return Array(text.utf8) == source.bytes ? .unchanged : .changed(text)
}

extension SourceFile {
  /// In the canonical layout, if it can be.
  var tidied: SourceFile {
    if case .changed(let text) = formatted(self) { SourceFile(path: path, text: text) } else { self }
  }
}
