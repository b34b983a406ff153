/// Metrics and steps are written `snake_case`, records `PascalCase`, fields `lowerCamelCase`.
enum NameStyle: Rule {
  static let page = Page.checklist("W005")

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    var findings: [Diagnostic] = []
    for metric in scope.metrics {
      if !isSnakeCase(metric.name) {
        findings.append(finding(metric.name, "a metric", "snake_case", at: metric.span, metric: metric.name))
      }
      if case .funnel(let funnel) = metric.body {
        for step in funnel.steps where !isSnakeCase(step.name) {
          let span = metric.clauseSpans["step \(step.name)"] ?? metric.span
          findings.append(finding(step.name, "a step", "snake_case", at: span, metric: metric.name))
        }
      }
    }
    for record in library.records {
      if !record.isBuiltIn, record.name.utf8.contains(UInt8(ascii: "_")) {
        findings.append(finding(record.name, "a record", "PascalCase", at: record.span, metric: nil))
      }
      for field in record.fields where field.name.utf8.contains(UInt8(ascii: "_")) {
        findings.append(finding(field.name, "a field", "lowerCamelCase", at: field.span, metric: nil))
      }
    }
    return findings
  }

  private static func isSnakeCase(_ name: String) -> Bool {
    // Bytes, since an editor asks for all names with every keystroke.
    let underscore = UInt8(ascii: "_")
    var last: UInt8?
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
      case underscore where last != underscore: break
      default: return false
      }
      last = byte
    }
    return last != underscore
  }

  private static func finding(
    _ name: String, _ what: String, _ style: String, at span: Span, metric: String?
  ) -> Diagnostic {
    .warning(page.code, "`\(name)` names \(what) and is not written in `\(style)`", at: span, metric: metric)
  }
}
