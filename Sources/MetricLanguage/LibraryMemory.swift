import MetricEvaluate

/// What a library leaves for the next version of itself, by the names of metrics: their places in the plan may change.
struct LibraryMemory: Sendable {
  let resolution: ResolutionMemory
  private var found: [String: Found] = [:]
  private var meanings: [String: String] = [:]
  /// The metrics of several users, in the order of the plan.
  private let ofSeveralUsers: [String]
  /// What the rules found of these together.
  private let foundTogether: [(metric: String, found: Found)]

  /// What the rules found of a metric.
  private struct Found {
    /// The metric's place when that was found.
    var span: Span
    /// Nil where a finding points at something else, which may move on its own.
    var findings: [Diagnostic]?

    func moved(to span: Span) -> [Diagnostic]? {
      findings?.map { $0.movingSpans { $0.moved(from: self.span, to: span) } }
    }
  }

  /// Nil where the resolution leaves nothing.
  init?(_ resolution: Resolution, _ checked: Checked, _ meanings: Meanings) {
    guard let memory = resolution.memory else { return nil }
    self.resolution = memory
    func found(_ metric: Metric, _ findings: [Diagnostic]) -> Found {
      let declaration = memory.declaration(of: metric)
      let isOwn = findings.allSatisfy { $0.spans.allSatisfy { declaration?.covers($0) == true } }
      return Found(span: metric.span, findings: isOwn ? findings : nil)
    }
    let metrics = resolution.library.metrics
    for (id, findings) in checked.own { self.found[metrics[id].name] = found(metrics[id], findings) }
    for (id, meaning) in meanings.known { self.meanings[metrics[id].name] = meaning }
    let together = LibraryMemory.ofSeveralUsers(resolution)
    ofSeveralUsers = together.map(\.name)
    let named = Dictionary(grouping: checked.ofSeveralUsers) { $0.metric }
    foundTogether = together.compactMap { metric in
      named[metric.name].map { (metric.name, found(metric, $0)) }
    }
  }

  private static func ofSeveralUsers(_ resolution: Resolution) -> [Metric] {
    resolution.ofSeveralUsers.sorted().map { resolution.library.metrics[$0] }
  }

  /// What is known of the metrics that have not changed, moved to where they are now.
  func findings(_ resolution: Resolution) -> [MetricID: [Diagnostic]] {
    resolution.unchanged.reduce(into: [:]) { known, id in
      let metric = resolution.library.metrics[id]
      known[id] = if let found = found[metric.name] { found.moved(to: metric.span) } else { [] }
    }
  }

  /// What is known of the metrics of several users together, moved to where they are now; nil if one of them has changed.
  func findingsOfSeveralUsers(_ resolution: Resolution) -> [Diagnostic]? {
    let metrics = LibraryMemory.ofSeveralUsers(resolution)
    guard metrics.map(\.name) == ofSeveralUsers, resolution.ofSeveralUsers.isSubset(of: resolution.unchanged)
    else { return nil }
    let spans = Dictionary(metrics.map { ($0.name, $0.span) }) { first, _ in first }
    var findings: [Diagnostic] = []
    for (metric, found) in foundTogether {
      guard let moved = spans[metric].flatMap(found.moved) else { return nil }
      findings += moved
    }
    return findings
  }

  /// The hashes of what the metrics mean that have not changed. A consent of one record is asked for others, too.
  func meanings(_ resolution: Resolution) -> [MetricID: String] {
    guard !meanings.isEmpty, resolution.hasKnownRecords else { return [:] }
    return resolution.unchanged.reduce(into: [:]) { known, id in
      known[id] = meanings[resolution.library.metrics[id].name]
    }
  }
}
