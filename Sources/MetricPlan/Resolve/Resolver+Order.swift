import MetricSyntax

/// How deep a library may be; both limits keep the resolver and later stages far from the end of a stack of 8 MB. One
/// level takes up to 12 KB of it in a debug build.
enum Limits {
  /// Metrics in a chain in which each reads the next.
  static let chain = 500
  /// Days or windows of a length (WIN-08): about ten years.
  static let length = 3660
  /// Months of an offset (WIN-08).
  static let months = 120
  /// Expressions inside each other, counted across metrics and computed fields resolved on demand.
  static let nesting = 300
  /// What resolving a metric on demand adds to the nesting.
  static let metric = 4
}

/// The order in which metrics are resolved: whatever the order of the files, the same.
extension Resolver {
  /// Resolves all metrics, each after those that it names.
  ///
  /// The names are only a guess, since a field may be called like a metric: what is read in truth is
  /// resolved on demand. The guess keeps that from going deep.
  func resolveAllMetrics() {
    var visited: Set<String> = []
    for root in metricSyntax.keys.sorted() where visited.insert(root).inserted {
      var open = [(name: root, rest: mentionedMetrics(root)[...])]
      while let current = open.last {
        if let next = current.rest.first {
          open[open.count - 1].rest.removeFirst()
          if visited.insert(next).inserted { open.append((next, mentionedMetrics(next)[...])) }
        } else {
          _ = try? resolveMetric(named: current.name)
          open.removeLast()
        }
      }
    }
  }

  private func mentionedMetrics(_ name: String) -> [String] {
    knownMetrics[name]?.result.mentions ?? metricSyntax[name].map { mentionedMetrics($0) } ?? []
  }

  /// Names in a metric's clauses that are names of metrics, in the order of the source.
  func mentionedMetrics(_ declaration: MetricDeclaration) -> [String] {
    declaration.clauses.flatMap { mentionedNames($0.content) }.map(\.text)
      .filter { metricSyntax[$0] != nil }
  }

  private func mentionedNames(_ content: ClauseContent) -> [Name] {
    switch content {
    case .of(let path): path.names
    case .expression(let expression), .limit(let expression, _): mentionedNames(expression)
    case .step(_, let pattern), .start(_, let pattern), .fact(let pattern): [pattern.source]
    case .by(let groups): groups.flatMap(\.names)
    case .slice(let paths): paths.flatMap { $0 }
    case .nothing, .text, .number, .length, .name, .subject, .every, .forgive, .over, .overEach, .thresholds,
      .atLeast, .after, .tags, .approved, .metrics, .stepDays, .allow, .forbidden, .unexpected:
      []
    }
  }

  private func mentionedNames(_ expression: ExpressionSyntax) -> [Name] {
    var found: [Name] = []
    expression.visit { if case .path(let names) = $0.kind { found += names } }
    return found
  }

  /// Runs `body` one level deeper; too deep is a finding, reported once.
  func nested<T>(by levels: Int = 1, at span: Span, _ body: () throws -> T) throws -> T {
    guard nesting + levels <= Limits.nesting else {
      if reportedNesting { throw Reported() }
      reportedNesting = true
      throw fail(
        .tooDeep, "what is read here is nested too deeply", at: span,
        notes: ["metrics or computed fields read each other in a long chain; shorten it"])
    }
    nesting += levels
    defer { nesting -= levels }
    return try body()
  }
}
