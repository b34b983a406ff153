import MetricDiagnostics
import MetricPlan

/// Whether edits change nothing but one name: the library is resolved with them and compared.
struct RenameProof {
  private let analysis: Analysis
  private let edits: [Int: [SourceEdit]]
  private let target: NameTarget
  private let name: String

  init(_ analysis: Analysis, edits: [SourceEdit], target: NameTarget, name: String) {
    self.analysis = analysis
    self.edits = Dictionary(grouping: edits, by: \.span.file)
    self.target = target
    self.name = name
  }

  func check() throws(ResponseError) {
    let renamed = analysis.edited(edits.values.flatMap { $0 })
    let before = Set(errors(of: analysis).map { Place(code: $0.code, start: $0.span.map(moved)) })
    let found = errors(of: renamed).first {
      !before.contains(Place(code: $0.code, start: $0.span.map(start)))
    }
    if let found { throw .failed(found.message) }
    let old = Set(analysis.library.uses.map { NameUse(moved($0.span), translated($0.target)) })
    let new = Set(renamed.library.uses.map { NameUse(start(of: $0.span), $0.target) })
    let changed = old.symmetricDifference(new).min {
      ($0.span.file, $0.span.start) < ($1.span.file, $1.span.start)
    }
    guard let changed else { return }
    let source = renamed.trees[changed.span.file].source
    let position = source.position(of: changed.span.start)
    throw .failed(
      "`\(name)` would change what another name means, at line \(position.line) of `\(Path.name(of: source.path))`"
    )
  }

  private func errors(of analysis: Analysis) -> [Diagnostic] {
    analysis.library.findings.filter { $0.severity == .error }
  }

  /// A finding's code and the start of its place after the edits.
  private struct Place: Hashable {
    var code: DiagnosticCode
    var start: Span?
  }

  /// Where a span starts after the edits, as an empty span.
  private func moved(_ span: Span) -> Span {
    var start = span.start
    for edit in edits[span.file] ?? [] where edit.span.end <= span.start {
      start += edit.text.utf8.count - (edit.span.end - edit.span.start)
    }
    return Span(file: span.file, start: start, end: start)
  }

  private func start(of span: Span) -> Span { Span(file: span.file, start: span.start, end: span.start) }

  /// What a target is called after the edits. Records and fields keep their numbers.
  private func translated(_ use: NameTarget) -> NameTarget {
    switch (use, target) {
    case (.metric, .metric) where use == target: .metric(name)
    case (.part(let metric, let part), .metric(let old)) where metric == old: .part(metric: name, name: part)
    case (.part(let metric, _), .part) where use == target: .part(metric: metric, name: name)
    default: use
    }
  }
}
