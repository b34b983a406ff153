import ArgumentParser
import MetricDiagnostics
import MetricLanguage

/// `metricc test`: runs the `test` blocks of the definitions.
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Runs the test blocks.",
    discussion: """
      Examples:
        metricc test Definitions
        metricc test Definitions --filter "a missed day"

      A filter that matches no test is said on standard error and is no failure.

      Exit status: 0 all tests passed; 1 a test failed or the definitions are rejected (their \
      findings are on standard error, and no test runs); 2 a path could not be read.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @OptionGroup var definitions: DefinitionOptions

  @Option(help: ArgumentHelp("Run only the tests whose name contains the text.", valueName: "text"))
  var filter: String?

  @Option(help: "How results are written.")
  var format = Format.text

  func run() throws {
    let library = try definitions.load()
    try library.requireAcceptance(before: "no test was run")
    let results = library.runTests(filter: filter)
    if results.isEmpty { Remarks.say(emptyRemark(library)) }
    let output = BufferedOutput.standardOutput
    switch format {
    case .text: output.write(TestReport(results: results, sources: library.sources).text)
    case .json: output.write("\(TestReport(results: results, sources: library.sources).json)\n")
    }
    try output.finish()
    if results.contains(where: { !$0.passed }) { throw CommandFailure.silent(.rejected) }
  }

  private func emptyRemark(_ library: MetricLibrary) -> String {
    guard let filter else { return "there is no test in \(Quoting.list(definitions.paths))" }
    return "no test has \(Quoting.quoted(filter)) in its name"
  }
}

/// What a run of tests says.
struct TestReport {
  var results: [TestResult]
  /// The files that the results' spans index.
  var sources: [SourceFile]

  private var passedCount: Int { results.count(where: \.passed) }

  /// A line for each failure, then `12 tests: 11 passed, 1 failed`.
  var text: String {
    var lines: [String] = []
    for result in results {
      for failure in result.failures {
        let place = place(of: failure.span)
        let name = Quoting.printable(result.name)
        lines.append(
          "\(Quoting.printable(place.path)):\(place.line):\(place.column): "
            + "failed: \"\(name)\": \(Quoting.printable(failure.message))")
      }
    }
    var summary = "\(Counting.of(results.count, "test")): \(Counting.grouped(passedCount)) passed"
    if passedCount < results.count {
      summary += ", \(Counting.grouped(results.count - passedCount)) failed"
    }
    if !lines.isEmpty { lines.append("") }
    return (lines + [summary, ""]).joined(separator: "\n")
  }

  /// The tests with their failures, and how many passed and failed.
  var json: JSONText {
    .object([
      ("tests", .array(results.map(json))),
      ("passed", .number(passedCount)),
      ("failed", .number(results.count - passedCount)),
    ])
  }

  private func json(_ result: TestResult) -> JSONText {
    .object(
      [("name", .string(result.name))] + members(of: result.span) + [
        ("passed", .bool(result.passed)),
        ("expectations", .number(result.expectationCount)),
        ("failures", .array(result.failures.map(json))),
      ])
  }

  private func json(_ failure: TestFailure) -> JSONText {
    .object([("message", .string(failure.message))] + members(of: failure.span))
  }

  private func members(of span: Span) -> [(String, JSONText)] {
    let place = place(of: span)
    return [
      ("path", .string(place.path)), ("line", .number(place.line)), ("column", .number(place.column)),
    ]
  }

  private func place(of span: Span) -> (path: String, line: Int, column: Int) {
    guard sources.indices.contains(span.file) else { return ("", 1, 1) }
    let position = sources[span.file].position(of: span.start)
    return (sources[span.file].path, position.line, position.column)
  }
}
