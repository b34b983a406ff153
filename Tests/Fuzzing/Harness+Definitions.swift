import MetricDiagnostics
import MetricLanguage

extension Harness {
  /// Parses, resolves, checks, runs the tests and formats; formatting twice changes nothing more.
  func definitions(_ bytes: [UInt8]) -> String? {
    let source = SourceFile(path: "fuzz.metric", bytes: bytes)
    let library = MetricLibrary(sources: [source])
    _ = library.findings.map { $0.rendered(in: library.sources) }
    if library.isAccepted { _ = library.runTests(filter: nil) }
    switch formatted(source) {
    case .unchanged, .rejected: return nil
    case .failed(let why): return "the formatter would change the meaning: \(why)"
    case .changed(let text):
      guard case .unchanged = formatted(SourceFile(path: "fuzz.metric", text: text)) else {
        return "formatting is not idempotent"
      }
      return nil
    }
  }
}
