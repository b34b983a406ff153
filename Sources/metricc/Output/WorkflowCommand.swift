/// A line of a log that GitHub Actions shows as an annotation.
enum WorkflowCommand {
  /// One annotation at whole lines of a file, from 1.
  static func error(path: String, lines: ClosedRange<Int>, title: String, _ message: String) -> String {
    let lines = [("line", "\(lines.lowerBound)"), ("endLine", "\(lines.upperBound)")]
    return text("error", [("file", path)] + lines + [("title", title)], message)
  }

  /// Errors at no place, a line each.
  static func errors(_ messages: [String]) -> String {
    messages.map { "\(text("error", [], $0))\n" }.joined()
  }

  fileprivate static func text(_ level: String, _ properties: [(String, String)], _ message: String) -> String
  {
    let written = properties.map { "\($0)=\(escaped($1, [":": "%3A", ",": "%2C"]))" }.joined(separator: ",")
    return "::\(level)\(written.isEmpty ? "" : " ")\(written)::\(escaped(message))"
  }

  private static func escaped(_ text: String, _ more: [Unicode.Scalar: String] = [:]) -> String {
    let codes = more.merging(["%": "%25", "\r": "%0D", "\n": "%0A"]) { first, _ in first }
    return text.unicodeScalars.map { codes[$0] ?? String($0) }.joined()
  }
}

extension Diagnostic {
  /// The finding as a workflow command of GitHub Actions, which shows it at its line:
  ///
  ///     ::error file=habits.metric,line=3,col=9,title=T001 unknown-name::no metric is named `dnoe`
  ///
  /// Notes and fixes follow in the same message, a line each (`%0A`). See "Workflow commands for
  /// GitHub Actions", *Setting an error message*.
  func workflowCommand(in sources: [SourceFile]) -> String {
    let lines = [message] + notes.map { "note: \($0.message)" } + fixes.map { "fix: \($0.title)" }
    return WorkflowCommand.text(
      severity == .note ? "notice" : severity.rawValue,
      place(in: sources) + [("title", code.description)], lines.joined(separator: "\n"))
  }

  private func place(in sources: [SourceFile]) -> [(String, String)] {
    guard let place = Place(location, in: sources) else { return [] }
    var numbers = [("line", place.start?.line), ("endLine", place.end?.line)]
    // Columns are taken only where the finding lies in one line.
    if place.start?.line == (place.end ?? place.start)?.line {
      numbers += [("col", place.start?.column), ("endColumn", place.end?.column)]
    }
    return [("file", place.path)] + numbers.compactMap { name, number in number.map { (name, "\($0)") } }
  }
}
