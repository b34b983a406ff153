import MetricDiagnostics
import MetricEvaluate
import MetricPlan

/// What a library leaves for the next version of itself, by the names of metrics: their places in the plan may change.
struct LibraryMemory: Sendable {
  let resolution: ResolutionMemory
  private var found: [String: Found] = [:]
  private var meanings: [String: String] = [:]

  /// What the rules found of a metric for itself.
  private struct Found {
    /// The metric's place when that was found.
    var span: Span
    /// Nil where a finding points at something else, which may move on its own.
    var findings: [Diagnostic]?
  }

  /// Nil where the resolution leaves nothing.
  init?(_ resolution: Resolution, _ checked: Checked, _ meanings: Meanings) {
    guard let memory = resolution.memory else { return nil }
    self.resolution = memory
    for (id, findings) in checked.own {
      let metric = resolution.library.metrics[id]
      let declaration = memory.declaration(of: metric)
      let isOwn = findings.allSatisfy { $0.spans.allSatisfy { declaration?.covers($0) == true } }
      found[metric.name] = Found(span: metric.span, findings: isOwn ? findings : nil)
    }
    for (id, meaning) in meanings.known { self.meanings[resolution.library.metrics[id].name] = meaning }
  }

  /// What is known of the metrics that have not changed, moved to where they are now.
  func findings(_ resolution: Resolution) -> [MetricID: [Diagnostic]] {
    var known: [MetricID: [Diagnostic]] = [:]
    for id in resolution.unchanged {
      let metric = resolution.library.metrics[id]
      guard let found = found[metric.name] else {
        known[id] = []
        continue
      }
      known[id] = found.findings?.map { $0.movingSpans { $0.moved(from: found.span, to: metric.span) } }
    }
    return known
  }

  /// The hashes of what the metrics mean that have not changed. A consent of one record is asked for others, too.
  func meanings(_ resolution: Resolution) -> [MetricID: String] {
    guard !meanings.isEmpty, resolution.hasKnownRecords else { return [:] }
    return resolution.unchanged.reduce(into: [:]) { known, id in
      known[id] = meanings[resolution.library.metrics[id].name]
    }
  }
}
