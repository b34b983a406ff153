/// The kinds of metrics, by the words that start them.
package enum MetricKind: String, CaseIterable, Sendable {
  case completion, streak, momentum, progress, measure, level, funnel, retention
}
