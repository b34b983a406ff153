import MetricDiagnostics

enum Findings {
  /// Writes findings; those about data are in no source.
  static func report(_ findings: [Diagnostic], in sources: [SourceFile] = []) {
    let isColored = Terminal.isColored(.error) && !Capture.isActive
    for finding in findings {
      ProgressLine.writeInItsPlace(finding.rendered(in: sources, color: isColored))
    }
  }
}
