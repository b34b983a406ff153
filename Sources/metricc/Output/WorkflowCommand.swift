import MetricDiagnostics

/// A line of a log that GitHub Actions shows as an annotation.
struct WorkflowCommand {
  /// `error` or `warning`
  var level: String
  /// `file`, `line`, `title`
  var properties: [(String, String)]
  var message: String

  /// One annotation at whole lines of a file, from 1.
  static func error(path: String, lines: ClosedRange<Int>, title: String, _ message: String) -> Self {
    WorkflowCommand(
      level: "error",
      properties: [
        ("file", path), ("line", "\(lines.lowerBound)"), ("endLine", "\(lines.upperBound)"), ("title", title),
      ], message: message)
  }

  /// Errors at no place, a line each.
  static func errors(_ messages: [String]) -> String {
    messages.map { "\(WorkflowCommand(level: "error", properties: [], message: $0).text)\n" }.joined()
  }

  var text: String {
    let written = properties.map { "\($0)=\(Self.escaped($1, [":": "%3A", ",": "%2C"]))" }.joined(
      separator: ",")
    return "::\(level)\(written.isEmpty ? "" : " ")\(written)::\(Self.escaped(message))"
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
    let properties = place(in: sources) + [("title", code.description)]
    let lines = [message] + notes.map { "note: \($0.message)" } + fixes.map { "fix: \($0.title)" }
    return WorkflowCommand(
      level: severity == .note ? "notice" : severity.rawValue, properties: properties,
      message: lines.joined(separator: "\n")
    ).text
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
