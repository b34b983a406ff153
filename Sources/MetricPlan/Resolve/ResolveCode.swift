/// The codes of names and types, in their order.
package enum ResolveCode: String, CaseIterable, StageCode {
  case unknownName, unknownRecord, unknownField, duplicateName, reservedName, repeatedClause
  case misplacedClause, missingClause, unknownType, recursion, typeMismatch, unknownChoice, noPath
  case ambiguousPath, badLength, numberOutOfRange, noRealDate, unitMismatch, otherSubject, unknownPart
  case personalField, wrongArguments, readsNoFact, badRecord, badAudience, badThresholds, badGroup
  case badTest, badAllow, badOperand, equalSteps, tooDeep, unsupportedLanguage, tooManySteps

  package static let pages = Pages(PackageResources.resolve_pages_txt)
}
