import MetricDiagnostics

extension DiagnosticCode {
  // What is wrong with records only together; single values are D001–D026.
  package static let bundleCycle = DiagnosticCode("D030", "bundle-cycle")
  package static let bundleTooDeep = DiagnosticCode("D031", "bundle-too-deep")
  package static let linkedUnitMismatch = DiagnosticCode("D032", "unit-mismatch")
  package static let identityCycle = DiagnosticCode("D034", "identity-cycle")
  package static let identityTargets = DiagnosticCode("D035", "identity-targets")
  package static let overflow = DiagnosticCode("D033", "overflow")
}

extension EvaluationError {
  package var code: DiagnosticCode {
    switch self {
    case .overflow: .overflow
    case .bundleCycle: .bundleCycle
    case .bundleTooDeep: .bundleTooDeep
    case .identityCycle: .identityCycle
    case .identityTargets: .identityTargets
    case .unitMismatch: .linkedUnitMismatch
    }
  }
}
