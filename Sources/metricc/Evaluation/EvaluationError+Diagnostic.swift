import MetricDiagnostics
import MetricEvaluate
import MetricLanguage

extension EvaluationError {
  /// The error as a finding about the dataset, at the file of the record that is at fault.
  func diagnostic(in dataset: Dataset) -> Diagnostic {
    let first = dataset.paths.values.sorted(by: Folder.bytesPrecede).first ?? "the dataset"
    func at(_ record: String) -> Location { .path(dataset.paths[record] ?? first) }
    switch self {
    case .overflow(let metric, _, _):
      return Diagnostic(.error, code, message, at: .path(first), metric: metric)
    case .bundleCycle, .bundleTooDeep: return Diagnostic(.error, code, message, at: at("BundleMember"))
    case .identityCycle, .identityTargets: return Diagnostic(.error, code, message, at: at("Identity"))
    case .unitMismatch: return Diagnostic(.error, code, message, at: at("GoalLink"))
    }
  }
}
