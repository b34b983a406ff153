extension Analysis {
  /// Runs tests of a file, chosen by the place of their name.
  ///
  /// - Throws: why they cannot be run: an error is in one, or a metric has no plan.
  package func runTests(
    in file: Int, where isChosen: (Span) -> Bool
  ) throws(ResponseError) -> [TestResult] {
    guard trees.indices.contains(file) else { throw .failed("the file is gone") }
    let tests = trees[file].tests.filter { isChosen($0.name.span) }
    guard !tests.isEmpty else { throw .failed("there is no test here") }
    for test in tests { try checkRunnable(test) }
    let spans = Set(tests.map(\.name.span))
    return library.runTests { spans.contains($0) }
  }

  private func checkRunnable(_ test: TestDeclaration) throws(ResponseError) {
    for finding in library.findings where finding.severity == .error {
      guard let span = finding.span, test.span.covers(span) else { continue }
      throw .failed("`\(test.name.value)` has an error: \(finding.message)")
    }
    for case .expect(let expect) in test.statements where planned[expect.metric.text] == nil {
      throw .failed("`\(expect.metric.text)` has errors and cannot be evaluated")
    }
  }
}
