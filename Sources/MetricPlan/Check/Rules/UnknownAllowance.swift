/// An `allow` that names no warning silences nothing.
enum UnknownAllowance: Rule {
  static let page = Page.checklist("W013")

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let known = Rules.parserWarnings.union(Rules.codes.map(\.id))
    return scope.metrics.flatMap { metric in
      metric.allowed.keys.sorted().filter { !known.contains($0) }.map { unknown in
        metric.warning(page.code, "`\(metric.name)` allows `\(unknown)`, and there is no such warning")
      }
    }
  }
}
