import MetricTestSupport
import Testing

/// W006: a metric without a doc comment.
@Suite struct MissingDocTests {
  @Test func docs() {
    checks(
      """
      /// Said.
      measure a { for habit  value 1 }
      // Not said.
      measure b { for habit  value 1 }  // warning: W006
      measure c { for habit  value 1  allow W006 "internal" }
      """)
  }
}
