import MetricValues

/// `approved "Ana" on 2026-06-30 meaning "3f1c27a09be4d856"`: who agreed to a meaning, and when.
package struct Approval: Hashable, Sendable {
  package var who: String
  package var day: DayKey
  /// The hash of the meaning that was approved.
  package var meaning: String

  /// `Ana on 2026-06-30`
  package var text: String { "\(who) on \(day)" }
}
