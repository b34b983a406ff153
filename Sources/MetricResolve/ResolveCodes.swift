import MetricDiagnostics

/// Codes of names and types.
extension DiagnosticCode {
  package static let unknownName = DiagnosticCode("T001", "unknown-name")
  package static let unknownRecord = DiagnosticCode("T002", "unknown-record")
  package static let unknownField = DiagnosticCode("T003", "unknown-field")
  package static let duplicateName = DiagnosticCode("T004", "duplicate-name")
  package static let reservedName = DiagnosticCode("T006", "reserved-name")
  package static let repeatedClause = DiagnosticCode("T007", "repeated-clause")
  package static let misplacedClause = DiagnosticCode("T008", "misplaced-clause")
  package static let missingClause = DiagnosticCode("T009", "missing-clause")
  package static let unknownType = DiagnosticCode("T010", "unknown-type")
  package static let recursion = DiagnosticCode("T011", "recursion")
  package static let typeMismatch = DiagnosticCode("T012", "type-mismatch")
  package static let unknownChoice = DiagnosticCode("T013", "unknown-choice")
  package static let noPath = DiagnosticCode("T014", "no-path")
  package static let ambiguousPath = DiagnosticCode("T015", "ambiguous-path")
  package static let badLength = DiagnosticCode("T016", "bad-length")
  package static let numberRange = DiagnosticCode("T017", "number-out-of-range")
  package static let badDate = DiagnosticCode("T018", "no-real-date")
  package static let unitMismatch = DiagnosticCode("T019", "unit-mismatch")
  package static let otherSubject = DiagnosticCode("T020", "other-subject")
  package static let unknownPart = DiagnosticCode("T021", "unknown-part")
  package static let personalField = DiagnosticCode("T022", "personal-field")
  package static let wrongArguments = DiagnosticCode("T023", "wrong-arguments")
  package static let readsNoFact = DiagnosticCode("T024", "reads-no-fact")
  package static let badRecord = DiagnosticCode("T025", "bad-record")
  package static let badAudience = DiagnosticCode("T026", "bad-audience")
  package static let badThresholds = DiagnosticCode("T027", "bad-thresholds")
  package static let badGroup = DiagnosticCode("T028", "bad-group")
  package static let badTest = DiagnosticCode("T029", "bad-test")
  package static let badAllow = DiagnosticCode("T030", "bad-allow")
  package static let badMetricOperand = DiagnosticCode("T031", "bad-operand")
  package static let equalSteps = DiagnosticCode("T032", "equal-steps")
  package static let tooDeep = DiagnosticCode("T034", "too-deep")
  package static let tooManySteps = DiagnosticCode("T036", "too-many-steps")
  package static let unsupportedLanguage = DiagnosticCode("T035", "unsupported-language")
}

/// All codes of this target.
package enum ResolveCodes {
  package static let all: [DiagnosticCode] = [
    .unknownName, .unknownRecord, .unknownField, .duplicateName, .reservedName,
    .repeatedClause, .misplacedClause, .missingClause, .unknownType, .recursion, .typeMismatch,
    .unknownChoice, .noPath, .ambiguousPath, .badLength, .numberRange, .badDate, .unitMismatch,
    .otherSubject, .unknownPart, .personalField, .wrongArguments, .readsNoFact, .badRecord,
    .badAudience, .badThresholds, .badGroup, .badTest, .badAllow, .badMetricOperand, .equalSteps,
    .tooDeep, .unsupportedLanguage, .tooManySteps,
  ]
}
