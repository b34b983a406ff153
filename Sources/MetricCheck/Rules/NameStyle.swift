import MetricDiagnostics
import MetricPlan

/// Metrics and steps are written `snake_case`, records `PascalCase`, fields `lowerCamelCase`.
enum NameStyle: Rule {
  static let code = DiagnosticCode("W005", "name-style")
  static let codes = [code]

  static func findings(in library: Library) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for metric in library.metrics {
      if !isSnakeCase(metric.name) {
        findings.append(finding(metric.name, "a metric", "snake_case", at: metric.span, metric: metric.name))
      }
      if case .funnel(let funnel) = metric.body {
        for step in funnel.steps where !isSnakeCase(step.name) {
          findings.append(finding(step.name, "a step", "snake_case", at: metric.span, metric: metric.name))
        }
      }
    }
    for record in library.records {
      if !record.isBuiltIn, record.name.contains("_") {
        findings.append(finding(record.name, "a record", "PascalCase", at: record.span, metric: nil))
      }
      for field in record.fields where field.name.contains("_") {
        findings.append(finding(field.name, "a field", "lowerCamelCase", at: field.span, metric: nil))
      }
    }
    return findings
  }

  private static func isSnakeCase(_ name: String) -> Bool {
    !name.hasSuffix("_") && !name.contains("__")
      && name.unicodeScalars.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "_" }
  }

  private static func finding(
    _ name: String, _ what: String, _ style: String, at span: Span, metric: String?
  ) -> Diagnostic {
    .warning(code, "`\(name)` names \(what) and is not written in `\(style)`", at: span, metric: metric)
  }
}
