extension Analysis {
  /// Runs tests of a file, chosen by the place of their name; fails where one has an error, or a metric has no plan.
  package func runTests(
    in file: Int, where isChosen: (Span) -> Bool
  ) throws(ResponseError) -> [TestResult] {
    guard trees.indices.contains(file) else { throw .failed("the file is gone") }
    let tests = trees[file].tests.filter { isChosen($0.name.span) }
    guard !tests.isEmpty else { throw .failed("there is no test here") }
    for test in tests {
      let error = library.findings.first { $0.severity == .error && $0.span.map(test.span.covers) == true }
      if let error { throw .failed("`\(test.name.value)` has an error: \(error.message)") }
      for case .expect(let expect) in test.statements where planned[expect.metric.text] == nil {
        throw .failed("`\(expect.metric.text)` has errors and cannot be evaluated")
      }
    }
    return library.runTests(where: Set(tests.map(\.name.span)).contains)
  }
}
