import Foundation
import MetricDiagnostics
import MetricExplain
import MetricLanguage

/// What a run of tests says.
struct TestReport {
  var results: [TestResult]
  /// The files that the results' spans index.
  var sources: [SourceFile]
  /// Why no test ran: what was found in definitions that are rejected.
  var rejection: [Diagnostic] = []
  /// Why nothing could be run at all, such as a path that cannot be read.
  var problems: [String] = []

  private var passedCount: Int { results.count(where: \.passed) }

  /// A line for each failure with the days behind it, then `12 tests: 11 passed, 1 failed`.
  func text(_ layout: Layout) -> String {
    var lines: [String] = []
    for result in results {
      for failure in result.failures {
        let place = place(of: failure.span)
        let name = Quoting.printable(result.name)
        lines.append(
          "\(Quoting.printable(place.path)):\(place.line):\(place.column): "
            + "failed: \"\(name)\": \(Quoting.printable(failure.message))")
        lines += strip(failure, width: layout.width - 2).map { $0.isEmpty ? "" : "  \($0)" }
      }
    }
    if !lines.isEmpty { lines.append("") }
    return (lines + [summary, ""]).joined(separator: "\n")
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

  // MARK: JSON

  /// The tests with their failures, and how many passed and failed.
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

  private func place(of span: Span) -> (path: String, line: Int, column: Int) {
    guard sources.indices.contains(span.file) else { return ("", 1, 1) }
    let position = sources[span.file].position(of: span.start)
    return (sources[span.file].path, position.line, position.column)
  }
}

// MARK: - JUnit

extension TestReport {
  /// The results as CI systems read them: a suite for each file, a case for each test.
  ///
  /// Definitions that are rejected are a suite in which each error is a case.
  var junit: String {
    var paths: [String] = []
    var byPath: [String: [TestResult]] = [:]
    for result in results {
      let path = place(of: result.span).path
      if byPath[path] == nil { paths.append(path) }
      byPath[path, default: []].append(result)
    }
    let failed = results.count - passedCount
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let errors = rejection.filter { $0.severity == .error }.map(rejectedCase) + problems.map(problemCase)
    text +=
      "<testsuites name=\"metricc\" tests=\"\(results.count + errors.count)\" failures=\"\(failed)\" errors=\"\(errors.count)\" time=\"\(seconds(of: results))\">\n"
    if !errors.isEmpty { text += rejectionSuite(errors) }
    for path in paths { text += suite(path, byPath[path] ?? []) }
    return text + "</testsuites>\n"
  }

  private func suite(_ path: String, _ results: [TestResult]) -> String {
    let failed = results.count { !$0.passed }
    let name = XMLText.attribute(path)
    var text =
      "  <testsuite name=\"\(name)\" tests=\"\(results.count)\" failures=\"\(failed)\" errors=\"0\" skipped=\"0\" time=\"\(seconds(of: results))\" file=\"\(name)\">\n"
    for result in results {
      let line = place(of: result.span).line
      let head =
        "    <testcase name=\"\(XMLText.attribute(result.name))\" classname=\"\(name)\" file=\"\(name)\" line=\"\(line)\" time=\"\(seconds(of: [result]))\""
      if result.passed {
        text += head + "/>\n"
      } else {
        text += head + ">\n" + result.failures.map(failure).joined() + "    </testcase>\n"
      }
    }
    return text + "  </testsuite>\n"
  }

  private func rejectionSuite(_ cases: [String]) -> String {
    let count = cases.count
    return
      "  <testsuite name=\"definitions\" tests=\"\(count)\" failures=\"0\" errors=\"\(count)\" skipped=\"0\" time=\"0\">\n"
      + cases.joined() + "  </testsuite>\n"
  }

  private func rejectedCase(_ error: Diagnostic) -> String {
    errorCase(
      "\(error.code)" + (error.metric.map { ": \($0)" } ?? ""), error.message, type: error.code.id,
      error.rendered(in: sources, color: false))
  }

  private func problemCase(_ problem: String) -> String {
    errorCase("metricc test", problem, type: "unreadable", problem)
  }

  private func errorCase(_ name: String, _ message: String, type: String, _ body: String) -> String {
    "    <testcase name=\"\(XMLText.attribute(name))\" classname=\"definitions\" time=\"0\">\n      <error message=\"\(XMLText.attribute(message))\" type=\"\(type)\">\(XMLText.content(body))</error>\n    </testcase>\n"
  }

  /// As JUnit writes a time: in seconds, without an exponent.
  private func seconds(of results: [TestResult]) -> String {
    String(format: "%.6f", results.reduce(0) { $0 + ($1.seconds ?? 0) })
  }

  private func failure(_ failure: TestFailure) -> String {
    let place = place(of: failure.span)
    let lines = ["\(place.path):\(place.line):\(place.column): \(failure.message)"]
    let body = (lines + strip(failure, width: Layout.fileWidth)).joined(separator: "\n")
    return
      "      <failure message=\"\(XMLText.attribute(failure.message))\" type=\"expectation\">\(XMLText.content(body))</failure>\n"
  }
}

// MARK: - GitHub

extension TestReport {
  /// An annotation at each expectation that was not met, or at what the definitions are rejected for, then the summary.
  var workflowCommands: String {
    if !problems.isEmpty { return WorkflowCommand.errors(problems) }
    let failures = results.flatMap { result in
      result.failures.map { failure in
        let place = place(of: failure.span)
        let lines = [failure.message] + strip(failure, width: Layout.fileWidth)
        return WorkflowCommand.error(
          path: place.path, lines: place.line...place.line, title: "test: \(result.name)",
          lines.joined(separator: "\n")
        ).text
      }
    }
    let rejected = rejection.map { $0.workflowCommand(in: sources) }
    return (rejected + failures + (rejection.isEmpty ? [summary] : [])).map { "\($0)\n" }.joined()
  }
}

/// Text inside XML 1.0. What XML has no way to write is shown as `�`.
enum XMLText {
  /// Between quotes: line ends and tabs would be read as blanks.
  static func attribute(_ text: String) -> String {
    escaped(text) { scalar in
      switch scalar {
      case "\"": "&quot;"
      case "\n": "&#10;"
      case "\r": "&#13;"
      case "\t": "&#9;"
      default: nil
      }
    }
  }

  static func content(_ text: String) -> String {
    escaped(text) { $0 == "\r" ? "&#13;" : nil }
  }

  private static func escaped(_ text: String, _ special: (Unicode.Scalar) -> String?) -> String {
    var written = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": written += "&amp;"
      case "<": written += "&lt;"
      case ">": written += "&gt;"
      default:
        if let text = special(scalar) {
          written += text
        } else {
          written.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
        }
      }
    }
    return written
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
