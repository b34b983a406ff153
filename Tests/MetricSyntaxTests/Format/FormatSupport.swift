import MetricDiagnostics
import MetricSyntax
import Testing

/// The canonical layout of a text, which must have no syntax errors.
func formatted(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> String {
  let (tree, findings) = parse(SourceFile(path: "test.metric", text: text), file: 0)
  let errors = findings.filter { $0.severity == .error }
  #expect(errors.isEmpty, sourceLocation: sourceLocation)
  let output = format(tree)
  #expect(difference(between: tree, and: output) == nil, sourceLocation: sourceLocation)
  return output
}

/// What is wrong with the layout of a text; nil where all is well, `.some` with a reason otherwise.
/// A text with syntax errors has no layout.
enum Verdict: Equatable {
  case sound
  case unparsable
  case wrong(String)

  init(of text: String) {
    let (tree, findings) = parse(SourceFile(path: "test.metric", text: text), file: 0)
    guard !findings.contains(where: { $0.severity == .error }) else {
      self = .unparsable
      return
    }
    let output = format(tree)
    if let difference = difference(between: tree, and: output) {
      self = .wrong(difference)
    } else if format(parse(SourceFile(path: "test.metric", text: output), file: 0).tree) != output {
      self = .wrong("formatting it again changes it")
    } else if let line = Verdict.untidyLine(of: output) {
      self = .wrong("untidy: `\(line)`")
    } else {
      self = .sound
    }
  }

  /// A line with white space at its end, a second blank line, or a missing line end.
  private static func untidyLine(of output: String) -> String? {
    if output.isEmpty { return nil }
    if !output.hasSuffix("\n") || output.hasSuffix("\n\n") || output.hasPrefix("\n") { return "the ends" }
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (line, next) in zip(lines, lines.dropFirst() + ["end"]) {
      if line.last == " " || line.last == "\t" || line.utf8.last == 0x0D { return line }
      if line.isEmpty, next.isEmpty, next != lines.last { return "two blank lines" }
    }
    return nil
  }
}
