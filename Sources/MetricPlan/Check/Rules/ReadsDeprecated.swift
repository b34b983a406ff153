/// A deprecated metric will be removed; nothing new should rest on it.
enum ReadsDeprecated: Rule {
  static let page = Page.checklist("W012")

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    let listed = library.reports.flatMap { report in
      report.metrics.compactMap { listed -> Diagnostic? in
        let metric = library.metrics[listed.metric]
        return metric.deprecated.map {
          .warning(
            page.code, "the report `\(report.name)` lists `\(metric.name)`, which is deprecated: \($0)",
            at: listed.span)
        }
      }
    }
    return listed
      + scope.metrics.flatMap { metric in
        library.metricsRead(by: metric).compactMap { read in
          read.deprecated.map {
            metric.warning(page.code, "`\(metric.name)` reads `\(read.name)`, which is deprecated: \($0)")
          }
        }
      }
  }
}
