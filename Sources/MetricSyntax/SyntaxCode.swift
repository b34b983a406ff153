/// The codes of the lexer and the parser, in their order.
package enum SyntaxCode: String, CaseIterable, StageCode {
  case notUTF8, unexpectedCharacter, unterminatedString, invalidEscape, malformedNumber, malformedDay
  case quoteStyle, foreignOperator, foreignComment, expectedDeclaration, expectedName, nameCase
  case unbalancedBrace, expectedClause, straySeparator, expectedExpression, chainedComparison
  case needsParentheses, nestedTooDeeply, unclosedParenthesis, expectedWindow, expectedPeriod
  case expectedLength, expectedNumber, expectedText, expectedWord, expectedMember, expectedType
  case unknownModifier, expectedStatement, misplacedList, callOrder, offsetOperand, nonASCIIName
  case expectedLiteral, expectedSign, tooLong, misplacedDoc, declaresNothing

  package static let pages = Pages(PackageResources.pages_txt)
}
