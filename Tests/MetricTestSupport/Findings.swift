import MetricDiagnostics
import MetricLanguage
import Testing

/// Warnings that every small source would draw; they count only where a mark asks for them.
package let quietCodes: Set = ["W006", "W007"]

/// Codes of the checklist that small sources about something else draw in most lines; in `checks` they count
/// only where a mark asks for them, in the gallery everywhere.
private let quietBeside: Set = ["C102", "C408", "C409", "W002", "W004", "W014", "W015", "W016", "W017"]

/// Checks a library of definitions against the marks on its lines, one string a file.
///
/// A line on which something is found ends in a comment that names the codes; every other line,
/// and every other code, is a failure. Several files are one library.
///
///     checks("""
///       measure a { for habit  value sum(HabitEntry.size) }  // error: T003
///       measure b { for habit  value 1  unit minutes }
///       """)
package func checks(_ files: String..., sourceLocation: SourceLocation = #_sourceLocation) {
  let complaints = mismatches(files, quiet: quietCodes.union(quietBeside))
  #expect(
    complaints.isEmpty, "\(Comment(rawValue: complaints.joined(separator: "\n")))",
    sourceLocation: sourceLocation)
}

/// What differs between the marks and the findings, a line each.
///
/// - Parameter ignoresWarnings: Whether findings that are no errors need no mark.
package func mismatches(
  _ files: [String], ignoresWarnings: Bool = false, quiet quietCodes: Set<String> = quietCodes
) -> [String] {
  let library = MetricLibrary(unsearched: files)
  var expected: [FindingMark: Int] = [:]
  for (file, text) in files.enumerated() {
    for (line, content) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      for code in marks(on: content) {
        expected[FindingMark(file: file, line: line + 1, code: code), default: 0] += 1
      }
    }
  }
  let quiet = quietCodes.subtracting(expected.keys.map { String($0.code.suffix(4)) })
  var complaints: [String] = []
  for finding in library.findings where !quiet.contains(finding.code.id) {
    if ignoresWarnings, finding.severity == .warning { continue }
    guard let mark = FindingMark(finding, in: library), let count = expected[mark], count > 0 else {
      complaints.append("unexpected " + finding.rendered(in: library))
      continue
    }
    expected[mark] = count - 1
  }
  for (mark, count) in expected where count > 0 {
    complaints.append("missing \(mark.code) on line \(mark.line) of file \(mark.file)")
  }
  return complaints.sorted()
}

/// The findings of a source as text: message, then its notes behind dashes, one finding a line.
///
/// Quiet warnings are left out.
package func findings(of files: String...) -> [String] {
  let library = MetricLibrary(unsearched: files)
  return library.findings.filter { !quietCodes.union(quietBeside).contains($0.code.id) }.map { finding in
    ([finding.message] + finding.notes.map(\.message)).joined(separator: " — ")
  }
}

/// `error T003` on a line of a file.
private struct FindingMark: Hashable {
  var file: Int
  var line: Int
  var code: String

  init(file: Int, line: Int, code: String) {
    self.file = file
    self.line = line
    self.code = code
  }

  init?(_ finding: Diagnostic, in library: MetricLibrary) {
    guard case .source(let span) = finding.location else { return nil }
    file = span.file
    line = library.sources[span.file].position(of: span.start).line
    code = "\(finding.severity.rawValue) \(finding.code.id)"
  }
}

/// The marks of a line: `// error: T003 T012`, `// warning: W001`, also both.
private func marks(on line: Substring) -> [String] {
  guard let comment = line.firstRange(of: "// ") else { return [] }
  var severity: String?
  var marks: [String] = []
  for word in line[comment.upperBound...].split(separator: " ") {
    switch word {
    case "error:", "warning:": severity = String(word.dropLast())
    case "//": severity = nil
    default: if let severity { marks.append("\(severity) \(word)") }
    }
  }
  return marks
}

extension Diagnostic {
  fileprivate func rendered(in library: MetricLibrary) -> String {
    var place = "?"
    if case .source(let span) = location {
      let source = library.sources[span.file]
      place = "line \(source.position(of: span.start).line) of \(source.path)"
    }
    return "\(severity.rawValue) \(code.id) on \(place): \(message)"
  }
}

/// The codes of all findings of a source.
package func findingCodes(of text: String) -> [String] {
  MetricLibrary(unsearched: text).findings.map(\.code.id)
}
