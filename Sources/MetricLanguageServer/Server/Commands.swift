/// What `workspace/executeCommand` carries out.
enum Command: String, CaseIterable {
  /// `[uri, line]`: the test whose name is on a line, from 0.
  case runTest = "metricc.runTest"
  /// `[uri]`: all tests of a file.
  case runTests = "metricc.runTests"
  /// `[uri, metric]`: the metric on the sample data next to the file.
  case value = "metricc.value"
}

extension LanguageServer {
  func executeCommand(_ params: JSON) throws(ResponseError) -> JSON {
    let name = params["command"].string ?? ""
    guard let command = Command(rawValue: name) else { throw .invalidParams("there is no command `\(name)`") }
    let arguments = params["arguments"]
    guard let uri = arguments[0].string else { throw .invalidParams("`\(name)` takes the URI of a document") }
    let document = try document(params, uri: uri)
    switch command {
    case .runTest:
      guard let line = arguments[1].int else { throw .invalidParams("`\(name)` takes the line of a test") }
      return try runTests(document, line: line)
    case .runTests: return try runTests(document, line: nil)
    case .value:
      guard let metric = arguments[1].string else {
        throw .invalidParams("`\(name)` takes the name of a metric")
      }
      // As `metricc eval`: only what `check` accepts has a value.
      guard document.analysis.planned[metric]?.summary.isAccepted == true else {
        throw .failed("`\(metric)` is not accepted, or is not a metric of this library; it has no value")
      }
      return try value(of: metric, document)
    }
  }

  /// Runs tests, marks the expectations that are not met, and reports the result.
  private func runTests(_ document: DocumentRequest, line: Int?) throws(ResponseError) -> JSON {
    let results = try document.analysis.runTests(in: document.file) { span in
      line.map { document.text.line(of: span.start) == $0 } ?? true
    }
    // A failure belongs to the test around it, which has run if its name is among those of the results.
    let names = Set(results.map(\.span))
    let ran = document.tree.tests.filter { names.contains($0.name.span) }
    let others = (testFailures[document.key] ?? []).filter { failure in
      line != nil && !ran.contains { $0.span.covers(failure.span) }
    }
    testFailures[document.key] = others + results.flatMap(\.failures)
    say(document.library)
    let (count, failed) = (results.count, results.count { !$0.passed })
    let summary =
      count == 1
      ? "\(failed == 0 ? "passed" : "failed"): \(results[0].name)"
      : "\(count) tests: \(count - failed) passed\(failed == 0 ? "" : ", \(failed) failed")"
    show(
      ([summary] + results.flatMap(\.failures).map(\.message)).joined(separator: "\n"), isWarning: failed > 0)
    let tests = JSON.list(results) { result in
      let failures = JSON.list(result.failures) { failure in
        ["message": .string(failure.message), "range": document.places.range(failure.span)]
      }
      return ["name": .string(result.name), "passed": .bool(result.passed), "failures": failures]
    }
    return ["passed": .int(count - failed), "failed": .int(failed), "tests": tests]
  }

  private func show(_ text: String, isWarning: Bool) {
    notify("window/showMessage", ["type": isWarning ? 2 : 3, "message": .string(text)])
  }

  func sample(_ document: DocumentRequest) -> SampleData? {
    let top =
      switch document.library.root {
      case .tree(let folder), .folder(let folder): folder
      case .single(let path): Path.folder(of: path)
      }
    return SampleData(for: document.key, upTo: top, in: workspace)
  }

  private func value(of metric: String, _ document: DocumentRequest) throws(ResponseError) -> JSON {
    guard let sample = sample(document) else { throw .failed("there is no folder `Sample` beside the file") }
    let (day, rows) = try sample.rows(of: metric, in: document.analysis.library)
    let shown = rows.prefix(12).map { row in
      let name = [row.subject, row.group.text, row.part].filter { !$0.isEmpty }.joined(separator: " ")
      return name.isEmpty ? row.value.shown : "\(name): \(row.value.shown)"
    }
    let rest = rows.count > shown.count ? ["… and \(rows.count - shown.count) more"] : []
    show("\(metric) at \(day)\n" + (shown + rest).joined(separator: "\n"), isWarning: false)
    let list = JSON.list(rows) { row in
      let fields = JSON.list(row.group.fields, JSON.string)
      let group = row.group.isOfSeveralFields ? fields : .string(row.group.text)
      return [
        "metric": .string(metric), "subject": .string(row.subject), "group": group,
        "part": .string(row.part), "at": .string(day.description), "value": row.value.json,
      ]
    }
    return ["at": .string(day.description), "rows": list]
  }
}

extension Value {
  fileprivate var json: JSON {
    switch self {
    case .none: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(Int(value))
    case .decimal(let value): Double(value.description).map(JSON.double) ?? .null
    case .day(let day): .string(day.description)
    case .text(let text): .string(text)
    }
  }

  fileprivate var shown: String { self == .none ? "no value" : plainText }
}
