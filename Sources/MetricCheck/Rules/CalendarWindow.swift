import MetricDiagnostics
import MetricPlan

/// A calendar window falls to nothing on its first day, whatever was done the day before.
enum CalendarWindow: Rule {
  static let page = Page(
    """
    W002 calendar-window: A calendar window in a number that a person sees
    `every calendar week`, `over calendar month` and the like are empty on their first day. A rolling window
    looks back from every day.
    -completion met { for habit  every calendar week  when count(HabitEntry) >= 3 }
    +completion met { for habit  every week  when count(HabitEntry) >= 3 }
    """)

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    scope.metrics.filter { $0.audience == .user }.compactMap { metric in
      guard case .completion(let completion) = metric.body else { return overPeriod(metric) }
      let rolling: String
      switch completion.window {
      case .rolling: return nil
      case .calendarWeek: rolling = "every week"
      case .calendarMonth: rolling = "every 30 days"
      }
      return metric.warning(
        page.code, "`\(metric.name)` counts calendar windows, which are empty on their first day",
        at: "every",
        notes: [
          Note("`\(rolling)` looks back from the reference day; or write `allow \(page.code.id) \"why\"`")
        ])
    }
  }

  /// `over calendar week` in a metric or in one of its aggregates.
  private static func overPeriod(_ metric: Metric) -> Diagnostic? {
    var periods = metric.body.over.map { [(period: $0, word: "over")] } ?? []
    for part in metric.body.parts {
      switch part {
      case .aggregate(let aggregate): periods += aggregate.period.map { [($0, "value")] } ?? []
      case .completions(let aggregate): periods += aggregate.period.map { [($0, "value")] } ?? []
      default: break
      }
    }
    for (period, word) in periods {
      let rolling: String
      switch period {
      case .lastDays, .allTime: continue
      case .calendarWeek: rolling = "over last 7 days"
      case .calendarMonth: rolling = "over last 30 days"
      }
      return metric.warning(
        page.code, "`\(metric.name)` reads a calendar period, which is empty on its first day",
        at: word,
        notes: [
          Note("`\(rolling)` looks back from the reference day; or write `allow \(page.code.id) \"why\"`")
        ])
    }
    return nil
  }
}
