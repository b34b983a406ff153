import MetricDiagnostics

/// All codes of this stage; each is declared beside the rule that uses it.
package enum SyntaxCodes {
  package static let all: [DiagnosticCode] = [
    .notUTF8, .unexpectedCharacter, .unterminatedString, .invalidEscape, .malformedNumber,
    .malformedDay, .quoteStyle, .foreignOperator, .foreignComment, .expectedDeclaration,
    .expectedName, .nameCase, .unbalancedBrace, .expectedClause, .straySeparator,
    .expectedExpression, .chainedComparison, .needsParentheses, .nestedTooDeeply,
    .unclosedParenthesis, .expectedWindow, .expectedPeriod, .expectedLength, .expectedNumber,
    .expectedText, .expectedWord, .expectedMember, .expectedType, .unknownModifier,
    .expectedStatement, .misplacedDoc, .misplacedList, .callOrder, .offsetOperand, .nonASCIIName,
    .expectedLiteral, .expectedSign, .tooLong,
  ]
}
