/// Metrics that people look at together. It is presentation: no metric reads one, and no value depends on it.
package struct Report: Hashable, Sendable {
  package struct Listed: Hashable, Sendable {
    package var metric: MetricID
    /// Where the report names it.
    package var span: Span
  }

  package var name: String
  package var title: String?
  package var doc: String?
  /// What a series has a value for; nil for the days that are asked for.
  package var every: CalendarUnit?
  /// In the order they are shown.
  package var metrics: [Listed] = []
  /// The span of the name.
  package var span: Span
}
