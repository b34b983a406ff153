/// An engine with a command line that reads statements from its standard input and writes CSV: `sqlite3`, `duckdb`,
/// `psql`, `clickhouse-client`. One run answers a question; where it fails, each query has a run of its own, so that
/// the others are answered.
struct ShellClient: EngineClient {
  private var program: String
  private var arguments: [String]
  /// Statements before and after those of a question.
  private var prologue: [String] = []
  private var epilogue: [String] = []
  /// Prints a line.
  private var echo: (String) -> String
  private var environment: [String: String] = [:]
  /// The exit statuses that say that a statement failed; any other one is about the program or its server.
  private var statementFailures: Set<Int32>

  /// No settings of the user are read, and a null is nothing.
  private static let plain = ["-init", "/dev/null", "-batch", "-bail", "-csv", "-noheader", "-nullvalue", ""]

  /// A database of `sqlite3` or `duckdb` in a file, which is only read, or an empty one in memory.
  static func file(_ name: String, at path: String?) -> ShellClient? {
    ProgramRun.find(name).map {
      let database = path.map { ["-readonly", $0] } ?? [":memory:"]
      return ShellClient(
        program: $0, arguments: plain + database, echo: { ".print \($0)" }, statementFailures: [1])
    }
  }

  /// The server of a connection string, or the one that PGHOST and its kin name. Everything happens in a transaction
  /// that is taken back.
  static func postgres(at connection: String?) -> ShellClient? {
    ProgramRun.find("psql").map {
      ShellClient(
        program: $0,
        arguments: ["-X", "-q", "-t", "--csv", "-v", "ON_ERROR_STOP=1"]
          + (connection.map { ["-d", $0] } ?? []),
        // Compiling the expressions takes longer than running them.
        prologue: ["BEGIN;", "SET LOCAL jit = off;"], epilogue: ["ROLLBACK;"], echo: { "\\echo \($0)" },
        environment: ["PGCLIENTENCODING": "UTF8"], statementFailures: [3])
    }
  }

  /// The server of an address `clickhouse://USER@HOST:9000/DATABASE`.
  static func clickhouse(at address: String?) -> ShellClient? {
    let (own, all) = (ProgramRun.find("clickhouse-client"), ProgramRun.find("clickhouse"))
    return (own ?? all).map {
      ShellClient(
        program: $0,
        arguments: (own == nil ? ["client"] : []) + (address.map { [$0] } ?? [])
          + [
            "--multiquery", "--format", "CSV", "--format_csv_null_representation", "", "--max_query_size",
            "100000000", "--max_ast_elements", "100000000", "--max_expanded_ast_elements", "100000000",
          ],
        echo: { "SELECT '\($0)';" },
        // Not those of a server that is out of reach (209, 210, DNS) or refuses the user.
        statementFailures: Set(1...255).subtracting([209, 210, 198, 516 % 256]))
    }
  }

  func answers(
    _ questions: [EngineQuestion], progress: (Int) -> Void
  ) throws(CommandFailure) -> [[EngineAnswer]] {
    var answers: [[EngineAnswer]] = []
    for question in questions {
      answers.append(try self.answers(question))
      progress(answers.count)
    }
    return answers
  }

  private func answers(_ question: EngineQuestion) throws(CommandFailure) -> [EngineAnswer] {
    let run = try run(question)
    if run.status == 0 {
      let answers = EngineTranscript.answers(run.output)
      if answers.count == question.queries.count { return answers }
      throw .unreadable("\(program.quoted) gave no answer: \(printable(run.lastError))")
    }
    guard statementFailures.contains(run.status) else {
      throw .unreadable("\(program.quoted) failed: \(printable(run.message))")
    }
    if question.queries.count <= 1 { return [.error(run.message)] }
    let answers = try question.queries.map { query throws(CommandFailure) in
      var single = question
      single.queries = [query]
      return try self.answers(single)
    }
    return Array(answers.joined())
  }

  private func run(_ question: EngineQuestion) throws(CommandFailure) -> ProgramRun {
    let queries = question.queries.flatMap { query in
      query.relations.map { $0.creation + $0.query } + [echo(EngineTranscript.query), query.query]
    }
    let script = (prologue + question.setup + queries + epilogue).joined(separator: "\n") + "\n"
    return try ProgramRun.of(program, arguments, input: script, environment: environment)
  }
}
