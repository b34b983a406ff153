import MetricEvaluate
import MetricTimeline

extension MetricSession {
  /// The values of the next days if nothing more is logged, for a widget that cannot evaluate.
  ///
  ///     let timeline = try session.timeline(of: ["daily_streak", "kind_run"], for: "read", from: today)
  ///     try JSONEncoder().encode(timeline).write(to: file, options: .atomic)
  ///
  /// Make a new one after each change of the records, when the day turns in the app, and when `today` moves otherwise.
  ///
  /// - Parameters:
  ///   - metrics: without groups; each adds a line for its value and one for each of its parts.
  ///   - subject: empty for metrics of the whole app.
  ///   - today: the first day.
  ///   - count: how many days, at least one; days after 2199 are left out.
  /// - Throws: as `value` does, for the first metric that does.
  public func timeline(
    of metrics: [String], for subject: String = "", from today: DayKey, days count: Int = 7
  ) throws(SessionError) -> ValueTimeline {
    guard DayKey.all.contains(today) else { throw .invalidDay(today) }
    let room = Int(DayKey.last.number - today.number)
    let days = today...today.advanced(by: min(max(count, 1) - 1, room))
    var lines: [ValueTimeline.Line] = []
    for name in metrics {
      let plan = self.plan.metrics[try known.id(name)]
      for part in plan.parts {
        let points: [SeriesPoint<Value>] = try series(of: name, part: part.name, for: subject, days: days)
        lines.append(
          ValueTimeline.Line(
            metric: name, part: part.name, title: plan.title, unit: part.role.hasUnit ? plan.unit : nil,
            values: points.map { $0.value.map { ValueTimeline.Cell($0.plainText) } }))
      }
    }
    return ValueTimeline(subject: subject, days: days.days.map(\.description), lines: lines)
  }
}
