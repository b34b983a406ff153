/// Metrics and steps are written `snake_case`, records `PascalCase`, fields `lowerCamelCase`.
enum NameStyle: Rule {
  static let page = Page.checklist("W005")

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let metrics = scope.metrics.flatMap { metric in
      var names = [(name: metric.name, what: "a metric", span: metric.span)]
      if case .funnel(let funnel) = metric.body {
        names += funnel.steps.map {
          ($0.name, "a step", metric.clauseSpans["step \($0.name)"] ?? metric.span)
        }
      }
      return names.filter { !isSnakeCase($0.name) }.map {
        finding($0.name, $0.what, "snake_case", at: $0.span, metric: metric.name)
      }
    }
    let records = scope.library.records.flatMap { record in
      let isBad = !record.isBuiltIn && record.name.utf8.contains(UInt8(ascii: "_"))
      let fields = record.fields.filter { $0.name.utf8.contains(UInt8(ascii: "_")) }
      return (isBad ? [finding(record.name, "a record", "PascalCase", at: record.span)] : [])
        + fields.map { finding($0.name, "a field", "lowerCamelCase", at: $0.span) }
    }
    return metrics + records
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
    _ name: String, _ what: String, _ style: String, at span: Span, metric: String? = nil
  ) -> Diagnostic {
    .warning(page.code, "`\(name)` names \(what) and is not written in `\(style)`", at: span, metric: metric)
  }
}
