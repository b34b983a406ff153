/// The codes of what only `check --data` looks for; bundles and units are D030–D032.
extension DiagnosticCode {
  static let duplicateID = DiagnosticCode("D040", "duplicate-id")
  static let danglingReference = DiagnosticCode("D041", "dangling-reference")
  static let dayFarFromInstant = DiagnosticCode("D042", "day-far-from-instant")
  static let countedMeasure = DiagnosticCode("D043", "counted-measure")
}
