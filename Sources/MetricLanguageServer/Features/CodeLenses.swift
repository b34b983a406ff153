/// Something that can be done with a declaration, shown above it.
package struct CodeLens: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// Run the test whose name is at the lens.
    case test
    case tests
    /// Evaluate the metric on the sample data.
    case value(metric: String)
  }

  package var span: Span
  package var title: String
  package var action: Action
}

extension Analysis {
  /// The lenses of a file; those of metrics only where there is sample data to evaluate them on.
  package func codeLenses(in file: Int, hasSample: Bool) -> [CodeLens] {
    let lenses = trees[file].declarations.compactMap { declaration -> CodeLens? in
      switch declaration {
      case .test(let test): CodeLens(span: test.name.span, title: "run this test", action: .test)
      case .metric(let metric) where hasSample && planned[metric.name.text]?.summary.isAccepted == true:
        CodeLens(
          span: metric.name.span, title: "value on the sample data", action: .value(metric: metric.name.text))
      case .metric, .report, .record, .language, .unexpected: nil
      }
    }
    let tests = lenses.filter { $0.action == .test }
    guard tests.count > 1 else { return lenses }
    let title = "run the \(tests.count) tests of this file"
    return lenses + [CodeLens(span: tests[0].span, title: title, action: .tests)]
  }
}
