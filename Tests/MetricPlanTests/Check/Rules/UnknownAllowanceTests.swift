import MetricTestSupport
import Testing

/// W013: an allowed code that does not exist.
@Suite struct UnknownAllowanceTests {
  @Test func allowances() {
    checks(
      """
      measure a { for habit  value 1  allow W999 "why" }  // warning: W013
      measure b { for habit  value 1  allow W007 "why" }
      """)
  }
}
