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
    let document = try document(uri: uri, params)
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
    let ran = Set(results.map(\.span))
    let kept =
      line == nil ? [] : (testFailures[document.key] ?? []).filter { !isInside($0.span, ran, document) }
    testFailures[document.key] = kept + results.flatMap(\.failures)
    say(document.library)
    let failed = results.count { !$0.passed }
    let count = results.count
    let summary =
      count == 1
      ? "\(failed == 0 ? "passed" : "failed"): \(results[0].name)"
      : "\(count) tests: \(count - failed) passed\(failed == 0 ? "" : ", \(failed) failed")"
    show(
      ([summary] + results.flatMap(\.failures).map(\.message)).joined(separator: "\n"), isWarning: failed > 0)
    let tests = results.map { result -> JSON in
      [
        "name": .string(result.name), "passed": .bool(result.passed),
        "failures": .array(
          result.failures.map { ["message": .string($0.message), "range": document.places.range($0.span)] }),
      ]
    }
    return ["passed": .int(count - failed), "failed": .int(failed), "tests": .array(tests)]
  }

  /// Whether a failure belongs to one of the tests that ran, by the names that stand before it.
  private func isInside(_ span: Span, _ ran: Set<Span>, _ document: DocumentRequest) -> Bool {
    document.tree.tests.contains { ran.contains($0.name.span) && $0.span.covers(span) }
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
    let list = rows.map { row -> JSON in
      [
        "metric": .string(metric), "subject": .string(row.subject),
        "group": row.group.isOfSeveralFields
          ? .array(row.group.fields.map { .string($0) }) : .string(row.group.text),
        "part": .string(row.part), "at": .string(day.description), "value": row.value.json,
      ]
    }
    return ["at": .string(day.description), "rows": .array(list)]
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
