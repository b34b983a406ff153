import MetricDiagnostics
import MetricEvaluate
import MetricLanguage

extension DiagnosticCode {
  // What is wrong with records only together; single values are D001–D026.
  static let bundleCycle = DiagnosticCode("D030", "bundle-cycle")
  static let bundleTooDeep = DiagnosticCode("D031", "bundle-too-deep")
  static let unitMismatch = DiagnosticCode("D032", "unit-mismatch")
  static let overflow = DiagnosticCode("D033", "overflow")
}

extension EvaluationError {
  /// The error as a finding about the dataset, at the file of the record that is at fault.
  func diagnostic(in dataset: Dataset) -> Diagnostic {
    let all = dataset.paths.values.sorted(by: Folder.bytesPrecede)
    func location(_ record: String) -> Location {
      .path(dataset.paths[record] ?? all.first ?? "the dataset")
    }
    switch self {
    case .overflow(let metric, _, _):
      return Diagnostic(
        .error, .overflow, message, at: .path(all.first ?? "the dataset"), metric: metric)
    case .bundleCycle:
      return Diagnostic(.error, .bundleCycle, message, at: location("BundleMember"))
    case .bundleTooDeep:
      return Diagnostic(.error, .bundleTooDeep, message, at: location("BundleMember"))
    case .unitMismatch:
      return Diagnostic(.error, .unitMismatch, message, at: location("GoalLink"))
    }
  }
}
