import MetricDiagnostics

extension DiagnosticCode {
  // What is wrong with records only together; single values are D001–D026.
  package static let bundleCycle = DiagnosticCode("D030", "bundle-cycle")
  package static let bundleTooDeep = DiagnosticCode("D031", "bundle-too-deep")
  package static let linkedUnitMismatch = DiagnosticCode("D032", "unit-mismatch")
  package static let overflow = DiagnosticCode("D033", "overflow")
}

/// All codes of this stage.
package enum EvaluateCodes {
  package static let all: [DiagnosticCode] = [.bundleCycle, .bundleTooDeep, .linkedUnitMismatch, .overflow]
}

extension EvaluationError {
  package var code: DiagnosticCode {
    switch self {
    case .overflow: .overflow
    case .bundleCycle: .bundleCycle
    case .bundleTooDeep: .bundleTooDeep
    case .unitMismatch: .linkedUnitMismatch
    }
  }
}
