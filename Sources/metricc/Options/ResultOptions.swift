import ArgumentParser
import MetricEvaluate

/// How results are written.
enum ResultFormat: String, CaseIterable, ExpressibleByArgument {
  case table, csv, json, ndjson
}

extension ResultFormat {
  /// The format for programs; nil for the table.
  var rowFormat: RowFormat? {
    switch self {
    case .table: nil
    case .csv: .csv
    case .json: .json
    case .ndjson: .ndjson
    }
  }
}

/// What a row of the results is.
enum ResultLayout: String, CaseIterable, ExpressibleByArgument {
  case tidy, wide
}

/// Where results go, and how they look there.
struct ResultOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How results are written; table is for people. Without it, what the name after --output ends with, else table.",
      valueName: "format"))
  var format: ResultFormat?

  @Option(
    help: ArgumentHelp(
      "tidy has a row for each value; wide has one for each subject and day, with a column for each metric and part.",
      valueName: "layout"))
  var layout: ResultLayout = .tidy

  @Option(
    help: ArgumentHelp(
      "Write the results to a file, which appears whole or not at all.", valueName: "file"),
    completion: .file())
  var output: String?

  /// The format asked for, or the one that the file's name ends with.
  var chosenFormat: ResultFormat {
    if let format { return format }
    let fileExtension = output.flatMap { Folder.fileExtension(of: $0) }
    return fileExtension.flatMap { ResultFormat(rawValue: $0.lowercased()) } ?? .table
  }
}
