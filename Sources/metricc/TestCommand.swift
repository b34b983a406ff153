import ArgumentParser

struct TestCommand: DefinitionsCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Runs the test blocks.",
    discussion: """
      Examples:
        metricc test Definitions
        metricc test Definitions --filter "a missed day"
        metricc test Definitions --coverage
        metricc test Definitions --engine postgres
        metricc test Definitions --format junit > metricc.xml
        metricc test Definitions --format github

      A failed expectation shows the value, the expected value and the days that explain it.
      --coverage lists metrics, clauses and outcomes of conditions that no test reached.
      --engine runs the SQL of `metricc sql` on a real engine instead, on temporary tables that hold the \
      data of the block: sqlite with `sqlite3`, duckdb with `duckdb` or Python's module, postgres with \
      `psql` on the server of PGHOST etc., spark with Python's pyspark or `spark-submit`, clickhouse with Python's chdb, all found \
      on PATH. What the engine refuses, or its dialect cannot express, counts as a failure.
      A filter that matches no test is reported on standard error; it is not a failure.

      Exit status: 0 all tests passed; 1 a test failed or the definitions are rejected (their \
      findings are on standard error, and no test runs); 2 a path could not be read, or an engine could \
      not be used. Formats other than text name the reason of 2 in the output too.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, junit, github }

  @OptionGroup var definitions: DefinitionOptions

  @Option(help: .testFilter)
  var filter: String?

  @Flag(help: "Report what the tests do not exercise.")
  var coverage = false

  @Option(help: "Run the statements of `metricc sql` on this engine instead of evaluating.")
  var engine: SQLDialect?

  @Option(help: "The output format; junit is the XML that CI systems read, github writes workflow commands.")
  var format = Format.text

  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    try refuse(coverage && engine != nil, "--coverage does not work with --engine")
    try refuse(
      coverage && (format == .junit || format == .github),
      "--format \(format.rawValue) cannot show --coverage")
  }

  func run() throws {
    do {
      try runTests()
    } catch let failure as CommandFailure where failure.status == .unreadable {
      // A system that reads the output is informed too.
      try? write(TestReport(results: [], sources: [], problems: failure.messages), nil)
      throw failure
    }
  }

  private func runTests() throws {
    let library = try definitions.load()
    guard library.isAccepted else {
      try write(TestReport(results: [], sources: library.sources, rejection: library.findings), nil)
      return try library.requireAcceptance(before: "no test was run")
    }
    ProgressLine.show("running the tests")
    let results = try engine.map { try run(library, on: $0) } ?? timed(library)
    if results.isEmpty { Remarks.say(emptyRemark) }
    let report = TestReport(results: results, sources: library.sources)
    let covered = coverage ? library.coverage(filter: filter) : nil
    try write(report, covered.map { CoverageReport(coverage: $0, library: library) })
    if results.contains(where: { !$0.passed }) { throw CommandFailure.silent(.rejected) }
  }

  private func timed(_ library: MetricLibrary) -> [TestResult] {
    let clock = ContinuousClock()
    var start = clock.now
    return library.runTests(filter: filter) { result in
      let end = clock.now
      defer { start = end }
      return (end - start) / .seconds(1)
    }
  }

  private func write(_ report: TestReport, _ covered: CoverageReport?) throws(CommandFailure) {
    switch format {
    case .text where !report.rejection.isEmpty || !report.problems.isEmpty: return
    case .text:
      try BufferedOutput.print(report.text(.terminal) + (covered?.text ?? ""))
    case .json: try BufferedOutput.print("\(report.json(covered))\n")
    case .junit: try BufferedOutput.print(report.junit)
    case .github: try BufferedOutput.print(report.workflowCommands)
    }
  }

  private func run(_ library: MetricLibrary, on dialect: SQLDialect) throws(CommandFailure) -> [TestResult] {
    let tests = library.engineTests(filter: filter, dialect: dialect)
    guard !tests.isEmpty else { return [] }
    let answers = try EngineClients.found(for: dialect).answers(tests.map(\.question)) { count in
      ProgressLine.show(
        "\(Counting.grouped(count)) of \(Counting.of(tests.count, "test")) on \(dialect.rawValue)")
    }
    return zip(tests, answers).map { library.result(of: $0, answers: $1) }
  }

  private var emptyRemark: String {
    if let filter { return "no test has \(filter.quoted) in its name" }
    let paths = definitions.paths.map(\.quoted)
    let all = [paths.dropLast().joined(separator: ", "), paths.last ?? ""].filter { !$0.isEmpty }
    return "there is no test in \(all.joined(separator: " and "))"
  }
}
