import MetricDiagnostics

/// Findings about data, on standard error.
enum Findings {
  /// Writes findings that stand in no source.
  static func report(_ findings: [Diagnostic]) {
    let isColored = Terminal.isColored(.error)
    for finding in findings {
      BufferedOutput.writeToStandardError(finding.rendered(in: [], color: isColored))
    }
  }
}
