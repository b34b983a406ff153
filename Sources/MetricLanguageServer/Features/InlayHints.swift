/// Text shown in a line that is not in the file.
package struct InlayHint: Hashable, Sendable {
  /// The offset that it follows.
  package var offset: Int
  package var label: String
  package var tooltip: String
}

extension Analysis {
  /// What is proved of each metric of a file, after its name: `Int, rising, 0 to 7`.
  package func inlayHints(in file: Int) -> [InlayHint] {
    trees[file].declarations.compactMap { declaration in
      guard case .metric(let metric) = declaration, metrics[metric.name.text]?.name.span == metric.name.span,
        let planned = planned[metric.name.text], let certificate = planned.summary.certificate,
        let part = planned.parts.first, let proved = certificate.parts.first
      else { return nil }
      let tooltip = zip(planned.parts, certificate.parts).map { part, proved in
        "\(part.name.isEmpty ? "value" : part.name): \(part.type), \(proved.text)"
      }
      let label =
        part.name.isEmpty
        ? "\(part.type), \(proved.directionAndRange)"
        : "\(planned.parts.count) parts, \(certificate.direction)"
      return InlayHint(offset: metric.name.span.end, label: label, tooltip: tooltip.joined(separator: "\n"))
    }
  }
}
