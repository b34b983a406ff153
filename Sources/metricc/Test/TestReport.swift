import Foundation

struct TestReport {
  var results: [TestResult]
  /// The files that the results' spans index.
  var sources: [SourceFile]
  /// Why no test ran: what was found in definitions that are rejected.
  var rejection: [Diagnostic] = []
  /// Why nothing could be run at all, such as a path that cannot be read.
  var problems: [String] = []

  private var passedCount: Int { results.count(where: \.passed) }

  /// A line for each failure with the days that explain it, then `12 tests: 11 passed, 1 failed`.
  func text(_ layout: Layout) -> String {
    let failures = results.flatMap { result in result.failures.map { (result.name, $0) } }
    let lines = failures.flatMap { name, failure in
      [printable("\(text(of: failure.span)): failed: \"\(name)\": \(failure.message)")]
        + strip(failure, width: layout.width - 2).map { $0.isEmpty ? "" : "  \($0)" }
    }
    return (lines + (lines.isEmpty ? [] : [""]) + [summary, ""]).joined(separator: "\n")
  }

  /// `12 tests: 11 passed, 1 failed`
  private var summary: String {
    let failed = results.count - passedCount
    return "\(Counting.of(results.count, "test")): \(Counting.grouped(passedCount)) passed"
      + (failed > 0 ? ", \(Counting.grouped(failed)) failed" : "")
  }

  /// The days of the subject: its windows, or those with a record that was examined.
  private func strip(_ failure: TestFailure, width: Int) -> [String] {
    guard let marks = failure.explanation?.marks, !marks.days.isEmpty else { return [] }
    return marks.strip(width: width) + [marks.legend]
  }

  func json(_ coverage: CoverageReport?) -> JSONText {
    .object([
      "tests": results.map(json), "passed": passedCount, "failed": results.count - passedCount,
      "rejected": rejection.isEmpty ? .omitted : rejection.map { $0.json(in: sources) }.json,
      "errors": problems.isEmpty ? .omitted : problems.json, "coverage": coverage?.json ?? .omitted,
    ])
  }

  private func json(_ result: TestResult) -> JSONText {
    let place = place(of: result.span)
    return .object([
      "name": result.name, "path": place.path, "line": place.line, "column": place.column,
      "passed": result.passed, "expectations": result.expectationCount,
      "failures": result.failures.map(json),
    ])
  }

  private func json(_ failure: TestFailure) -> JSONText {
    let place = place(of: failure.span)
    return .object([
      "message": failure.message, "path": place.path, "line": place.line, "column": place.column,
      "got": failure.got, "wanted": failure.wanted, "strip": strip(failure, width: Layout.fileWidth),
    ])
  }

  private func text(of span: Span) -> String {
    let place = place(of: span)
    return "\(place.path):\(place.line):\(place.column)"
  }

  private func place(of span: Span) -> (path: String, line: Int, column: Int) {
    guard sources.indices.contains(span.file) else { return ("", 1, 1) }
    let position = sources[span.file].position(of: span.start)
    return (sources[span.file].path, position.line, position.column)
  }

  /// The results as CI systems read them: a suite for each file, a case for each test. Definitions that are
  /// rejected are a suite in which each error is a case.
  var junit: String {
    let errors =
      rejection.filter { $0.severity == .error }.map { error in
        errorCase(
          "\(error.code)" + (error.metric.map { ": \($0)" } ?? ""), error.message, type: error.code.id,
          error.rendered(in: sources, color: false))
      } + problems.map { errorCase("metricc test", $0, type: "unreadable", $0) }
    let rejected = Element(
      "testsuite",
      [
        "name": "definitions", "tests": "\(errors.count)", "failures": "0", "errors": "\(errors.count)",
        "skipped": "0", "time": "0",
      ], .elements(errors))
    let all = Element(
      "testsuites",
      [
        "name": "metricc", "tests": "\(results.count + errors.count)",
        "failures": "\(results.count - passedCount)", "errors": "\(errors.count)",
        "time": seconds(of: results),
      ], .elements((errors.isEmpty ? [] : [rejected]) + results.runs { place(of: $0.span).path }.map(suite)))
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + all.text()
  }

  /// The tests of one file.
  private func suite(_ results: ArraySlice<TestResult>) -> Element {
    let path = results.first.map { place(of: $0.span).path } ?? ""
    let cases = results.map { result in
      Element(
        "testcase",
        [
          "name": result.name, "classname": path, "file": path, "line": "\(place(of: result.span).line)",
          "time": seconds(of: [result]),
        ], result.passed ? .nothing : .elements(result.failures.map(failure)))
    }
    return Element(
      "testsuite",
      [
        "name": path, "tests": "\(results.count)", "failures": "\(results.count { !$0.passed })",
        "errors": "0", "skipped": "0", "time": seconds(of: results), "file": path,
      ], .elements(cases))
  }

  private func failure(_ failure: TestFailure) -> Element {
    let lines = ["\(text(of: failure.span)): \(failure.message)"] + strip(failure, width: Layout.fileWidth)
    return Element(
      "failure", ["message": failure.message, "type": "expectation"], .text(lines.joined(separator: "\n")))
  }

  private func errorCase(_ name: String, _ message: String, type: String, _ body: String) -> Element {
    Element(
      "testcase", ["name": name, "classname": "definitions", "time": "0"],
      .elements([Element("error", ["message": message, "type": type], .text(body))]))
  }

  /// As JUnit writes a time: in seconds, without an exponent.
  private func seconds(of results: some Sequence<TestResult>) -> String {
    String(format: "%.6f", results.reduce(0) { $0 + ($1.seconds ?? 0) })
  }

  /// An annotation at each expectation that was not met, or at what the definitions are rejected for, then the summary.
  var workflowCommands: String {
    if !problems.isEmpty { return WorkflowCommand.errors(problems) }
    let failures = results.flatMap { result in
      result.failures.map { failure in
        let place = place(of: failure.span)
        let lines = [failure.message] + strip(failure, width: Layout.fileWidth)
        return WorkflowCommand.error(
          path: place.path, lines: place.line...place.line, title: "test: \(result.name)",
          lines.joined(separator: "\n"))
      }
    }
    let rejected = rejection.map { $0.workflowCommand(in: sources) }
    return (rejected + failures + (rejection.isEmpty ? [summary] : [])).map { "\($0)\n" }.joined()
  }
}

/// An element of XML 1.0. What XML has no way to write is shown as `�`.
private struct Element {
  enum Content {
    case nothing
    case text(String)
    case elements([Element])
  }

  let name: String
  let attributes: KeyValuePairs<String, String>
  let content: Content

  init(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: Content) {
    (self.name, self.attributes, self.content) = (name, attributes, content)
  }

  func text(indent: String = "") -> String {
    let start = "\(indent)<\(name)" + attributes.map { " \($0)=\"\(Self.attribute($1))\"" }.joined()
    switch content {
    case .nothing: return "\(start)/>\n"
    case .text(let text): return "\(start)>\(Self.escaped(text, Self.marks))</\(name)>\n"
    case .elements(let elements):
      return "\(start)>\n\(elements.map { $0.text(indent: indent + "  ") }.joined())\(indent)</\(name)>\n"
    }
  }

  private static let marks: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;",
  ]

  /// Between quotes: line ends and tabs would be read as blanks.
  private static func attribute(_ text: String) -> String {
    escaped(text, marks.merging(["\"": "&quot;", "\n": "&#10;", "\t": "&#9;"]) { first, _ in first })
  }

  private static func escaped(_ text: String, _ codes: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.map { codes[$0] ?? (isAllowed($0) ? String($0) : "\u{FFFD}") }.joined()
  }

  /// The characters of XML 1.0, section 2.2, without the control characters that it discourages.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA: true
    case 0..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}

extension Explanation {
  /// The days that tell most about the number: its own windows, those of a metric that it reads, or the
  /// days with a record.
  var marks: DayMarks? {
    if let windows { return DayMarks(windows) }
    for read in reads { if let marks = read.marks, !marks.days.isEmpty { return marks } }
    return DayMarks(recordDays: Array(Set(records.compactMap(\.day))).sorted(), through: at)
  }
}
