import MetricDiagnostics
import MetricPlan
import MetricSyntax
import MetricTestSupport
import Testing

/// W009, which the parser gives, and the order of findings.
@Suite struct ParserWarningTests {
  /// The parser's warning stands in the metric that it is about, and can be allowed there.
  @Test func misplacedDocs() {
    checks(
      """
      /// Above it.
      measure a { for habit  value 1 +
        /// Inside it.  // warning: W009
        2 }
      measure b { for habit  value 1 +
        /// Inside it.
        2  allow W009 "drawn beside the number" }
      /// Below all.  // warning: W009
      """)
  }

  @Test func theParsersWarningsAreKnown() {
    #expect(Rules.parserWarnings == Set(SyntaxCode.allCases.map(\.code.id).filter { $0.hasPrefix("W") }))
  }

  /// Errors cannot be silenced, and a rejected metric draws no warnings.
  @Test func errorsComeFirst() {
    checks(
      """
      measure missedDays { for habit  value nothing }  // error: T001
      """)
  }
}
