import MetricDiagnostics
import MetricPlan

/// A calendar window falls to nothing on its first day, whatever was done the day before.
enum CalendarWindow: Rule {
  static let code = DiagnosticCode("W002", "calendar-window")
  static let codes = [code]

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    scope.metrics.filter { $0.audience == .user }.compactMap { metric in
      guard case .completion(let completion) = metric.body else { return nil }
      let rolling: String
      switch completion.window {
      case .rolling: return nil
      case .calendarWeek: rolling = "every week"
      case .calendarMonth: rolling = "every 30 days"
      }
      return .warning(
        code, "`\(metric.name)` counts calendar windows, which start from nothing on their first day",
        at: metric.clauseSpans["every"] ?? metric.span, metric: metric.name,
        notes: [Note("`\(rolling)` looks back from the reference day; or say `allow \(code.id) \"why\"`")])
    }
  }
}
