import MetricTestSupport
import Testing

/// W026: a metric means something else than was approved. `ApprovalTests` has what a meaning is.
@Suite struct VoidedApprovalTests {
  @Test func approvals() {
    checks(
      """
      measure a { for habit  value count(HabitEntry)  approved "Ana" on 2026-06-30 meaning "0" }  // warning: W026
      measure b {
        for habit
        value count(HabitEntry)
        approved "Ana" on 2026-06-30 meaning "0"
        allow W026 "until the team has met"
      }
      """)
  }
}
