import Foundation

/// An engine that is a module of Python: one run answers all questions. For Spark, `spark-submit` may run the
/// program where Python has no module.
struct PythonClient: EngineClient {
  enum Module: String {
    case duckdb
    case spark = "pyspark"
    case clickhouse = "chdb"
  }

  /// `driver.py ENGINE ADDRESS QUESTIONS ANSWERS`: QUESTIONS holds a question in JSON on each line, ANSWERS gets what
  /// `EngineTranscript` reads. Without an address a question has a database of its own.
  private static let driver = String(decoding: PackageResources.driver_py, as: UTF8.self)

  private var program: String
  private var module: Module
  private var address: String?

  /// Nil if neither is installed.
  static func with(_ module: Module, at address: String?) -> PythonClient? {
    let interpreter = ["python3", "python"].lazy.compactMap(ProgramRun.find).first {
      (try? ProgramRun.of($0, ["-c", "import \(module.rawValue)"], input: ""))?.status == 0
    }
    let program = interpreter ?? (module == .spark ? ProgramRun.find("spark-submit") : nil)
    return program.map { PythonClient(program: $0, module: module, address: address) }
  }

  func answers(
    _ questions: [EngineQuestion], progress: (Int) -> Void
  ) throws(CommandFailure) -> [[EngineAnswer]] {
    do {
      let folder = try ScratchFolder()
      let encoder = JSONEncoder()
      let lines = try questions.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
      let driver = try folder.write("driver.py", PythonClient.driver)
      let input = try folder.write("questions", lines.joined())
      let output = try folder.write("answers", "")
      let run = try ProgramRun.of(
        program, [driver.path, "\(module)", address ?? "", input.path, output.path], input: "")
      var answers = EngineTranscript.answers(Array(try Data(contentsOf: output)))[...]
      var taken: [[EngineAnswer]] = []
      for question in questions where answers.count >= question.queries.count {
        taken.append(Array(answers.prefix(question.queries.count)))
        answers = answers.dropFirst(question.queries.count)
      }
      progress(taken.count)
      guard taken.count == questions.count, run.status == 0 else {
        throw CommandFailure.unreadable(
          "\(program.quoted) answered \(taken.count) of \(Counting.of(questions.count, "question")): \(printable(run.lastError))"
        )
      }
      return taken
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw .unreadable("\(program.quoted) cannot be used: \(error.localizedDescription)")
    }
  }
}
