import Foundation
import MetricData
import MetricLanguage
import MetricSQL

/// A database with one question.
struct EngineCase {
  var setup: [String]
  var query: String
}

extension MetricLibrary {
  /// Statements whose rows are those of all metrics: on Spark a script, for it plans large statements slowly.
  func question(at days: [DayKey], _ dialect: SQLDialect) throws(SQLUnsupported) -> String {
    dialect == .spark
      ? try sqlScript(metrics: [], days: .list(days), dialect: dialect)
      : try sql(metrics: [], days: .list(days), dialect: dialect)
  }
}

enum EngineAnswer: Hashable {
  /// Each row's columns, a null as an empty text.
  case rows([[String]])
  case error(String)
}

/// A real engine, found on this machine.
struct Engine: Sendable {
  var dialect: SQLDialect
  private var executable: String
  private var arguments: [String]

  /// The engines that tests run on: those that `METRICC_SQL_ENGINES` names, in commas.
  static var chosen: [SQLDialect] {
    guard let names = ProcessInfo.processInfo.environment["METRICC_SQL_ENGINES"] else {
      return [.sqlite, .duckdb]
    }
    return names.split(separator: ",").compactMap { SQLDialect(rawValue: String($0)) }
  }

  /// The engine, or nil where it is not installed. `METRICC_PYTHON` names a Python that has the packages, and
  /// `METRICC_POSTGRES` a server (see `postgres.sh`).
  static func installed(_ dialect: SQLDialect) -> Engine? {
    switch dialect {
    case .sqlite:
      return run("/usr/bin/env", ["sqlite3", "--version"]).status == 0
        ? Engine(dialect: dialect, executable: "/usr/bin/env", arguments: ["sqlite3", "-batch"]) : nil
    case .duckdb, .postgres, .spark, .clickhouse:
      let environment = ProcessInfo.processInfo.environment
      let python = environment["METRICC_PYTHON"] ?? "python3"
      let needs =
        [
          SQLDialect.duckdb: "import duckdb", .spark: "import pyspark", .clickhouse: "import chdb",
        ][dialect] ?? "import csv"
      guard dialect != .postgres || environment["METRICC_POSTGRES"] != nil,
        run("/usr/bin/env", [python, "-c", needs]).status == 0
      else { return nil }
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "engine.py")
      return Engine(
        dialect: dialect, executable: "/usr/bin/env", arguments: [python, script.path, dialect.rawValue])
    }
  }

  /// The answers to many cases, in one process.
  func answers(_ cases: [EngineCase]) throws -> [EngineAnswer] {
    dialect == .sqlite ? try scripted(cases) : try driven(cases)
  }

  // MARK: sqlite3

  private func scripted(_ cases: [EngineCase]) throws -> [EngineAnswer] {
    // Unit and record separators cannot stand in the data.
    var script = ".mode ascii\n"
    for (index, item) in cases.enumerated() {
      script += ".open :memory:\n" + item.setup.joined(separator: "\n") + "\n.print @case \(index)\\036\n"
      // Where the query fails there is no table, and no end of the case.
      script += "CREATE TEMP TABLE answer AS\n\(item.query)\n"
      script += "SELECT * FROM answer ORDER BY rowid;\nSELECT '@end' FROM (SELECT COUNT(*) FROM answer);\n"
    }
    let file = try Engine.temporaryFile(script)
    defer { try? FileManager.default.removeItem(at: file) }
    let result = Engine.run(executable, arguments, input: file)
    var answers = [EngineAnswer](repeating: .error(result.error), count: cases.count)
    var current: Int?
    var rows: [[String]] = []
    var isFirst = false
    for record in result.output.split(separator: "\u{1E}", omittingEmptySubsequences: false) {
      // What is printed ends with a line; it stands before the first row.
      let text = isFirst && record.hasPrefix("\n") ? record.dropFirst() : record
      isFirst = text.hasPrefix("@case ")
      if text.hasPrefix("@case ") {
        current = Int(text.dropFirst("@case ".count))
        rows = []
      } else if text == "@end", let index = current {
        answers[index] = .rows(rows)
      } else {
        rows.append(text.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init))
      }
    }
    return answers
  }

  // MARK: Python

  private struct DrivenCase: Encodable {
    var setup: [String]
    var queries: [String]
  }

  private struct DrivenAnswer: Decodable {
    var rows: [[String?]]?
    var error: String?
  }

  private func driven(_ cases: [EngineCase]) throws -> [EngineAnswer] {
    let input = try JSONEncoder().encode(cases.map { DrivenCase(setup: $0.setup, queries: [$0.query]) })
    let file = try Engine.temporaryFile(String(decoding: input, as: UTF8.self))
    defer { try? FileManager.default.removeItem(at: file) }
    let result = Engine.run(executable, arguments + [file.path])
    guard result.status == 0 else { return cases.map { _ in .error(result.error) } }
    return try JSONDecoder().decode([DrivenAnswer].self, from: Data(result.output.utf8)).map { answer in
      if let error = answer.error { return .error(error) }
      return .rows((answer.rows ?? []).map { $0.map { $0 ?? "" } })
    }
  }

  // MARK: Processes

  private static func temporaryFile(_ text: String) throws -> URL {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("metricc-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    return file
  }

  private static func run(
    _ executable: String, _ arguments: [String], input: URL? = nil
  ) -> (status: Int32, output: String, error: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    let temporary = FileManager.default.temporaryDirectory
    let files = (0..<2).map { _ in temporary.appendingPathComponent("metricc-\(UUID().uuidString)") }
    for file in files { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    defer { for file in files { try? FileManager.default.removeItem(at: file) } }
    do {
      process.standardOutput = try FileHandle(forWritingTo: files[0])
      process.standardError = try FileHandle(forWritingTo: files[1])
      if let input { process.standardInput = try FileHandle(forReadingFrom: input) }
      try process.run()
    } catch {
      return (-1, "", "\(error)")
    }
    process.waitUntilExit()
    let texts = files.map { file in
      (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    return (process.terminationStatus, texts[0], texts[1])
  }
}
