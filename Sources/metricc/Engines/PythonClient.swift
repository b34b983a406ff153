import Foundation
import MetricLanguage

/// An engine that is a module of Python: one run answers all questions. For Spark, `spark-submit` may run the
/// program where Python has no module.
struct PythonClient: EngineClient {
  enum Module: String {
    case duckdb
    case spark = "pyspark"

    var engine: String { self == .duckdb ? "duckdb" : "spark" }
  }

  private var program: String
  private var module: Module

  /// Nil where neither is installed.
  static func with(_ module: Module) -> PythonClient? {
    for name in ["python3", "python"] {
      guard let program = ProgramRun.find(name),
        let run = try? ProgramRun.of(program, ["-c", "import \(module.rawValue)"], input: ""), run.status == 0
      else { continue }
      return PythonClient(program: program, module: module)
    }
    guard module == .spark, let program = ProgramRun.find("spark-submit") else { return nil }
    return PythonClient(program: program, module: module)
  }

  private struct Question: Encodable {
    var setup: [String]
    var queries: [String]
  }

  fileprivate struct Reply: Decodable {
    var rows: [[String?]]?
    var error: String?
  }

  func answers(
    _ questions: [EngineQuestion], progress: (Int) -> Void
  ) throws(CommandFailure) -> [[EngineAnswer]] {
    do {
      let folder = try ScratchFolder()
      let encoder = JSONEncoder()
      let lines = try questions.map { question in
        let data = try encoder.encode(Question(setup: question.setup, queries: question.queries))
        return String(decoding: data, as: UTF8.self)
      }
      let driver = try folder.write("driver.py", PythonDriver.source)
      let input = try folder.write("questions", lines.map { $0 + "\n" }.joined())
      let output = try folder.write("answers", "")
      let run = try ProgramRun.of(
        program, [driver.path, module.engine, input.path, output.path], input: "")
      let answers = try Data(contentsOf: output).split(separator: UInt8(ascii: "\n")).map {
        try JSONDecoder().decode([Reply].self, from: Data($0)).map(EngineAnswer.init)
      }
      progress(answers.count)
      guard answers.count == questions.count else {
        throw CommandFailure.unreadable(
          "\(Quoting.quoted(program)) answered \(answers.count) of \(questions.count) tests: \(Quoting.printable(run.lastError))"
        )
      }
      return answers
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw .unreadable("\(Quoting.quoted(program)) cannot be asked: \(error.localizedDescription)")
    }
  }
}

extension EngineAnswer {
  fileprivate init(_ answer: PythonClient.Reply) {
    // The first line of a message says what is wrong; a trace may follow.
    let error = answer.error.map { $0.split(whereSeparator: \.isNewline).first.map(String.init) ?? $0 }
    self = error.map { .error($0) } ?? .rows(answer.rows ?? [])
  }
}
