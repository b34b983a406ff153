extension Sequence<Diagnostic> {
  /// The findings in the order in which they are shown: errors first, then by path, place and code; equal
  /// ones keep their order. A span of a file that is not among `sources` sorts by its file's index.
  public func sorted(in sources: [SourceFile]) -> [Diagnostic] {
    let keyed = map { (key: OrderKey($0, in: sources), diagnostic: $0) }
    return keyed.sorted { $0.key < $1.key }.map(\.diagnostic)
  }
}

private struct OrderKey {
  /// 0 for an error, 2 for a note.
  private let severity: Int
  private let path: String
  /// Offsets in a source come in place of columns: they order alike.
  private let place: (file: Int, line: Int, column: Int)
  private let code: String

  init(_ finding: Diagnostic, in sources: [SourceFile]) {
    severity = finding.severity == .error ? 0 : finding.severity == .warning ? 1 : 2
    code = finding.code.id
    (path, place) =
      switch finding.location {
      case .source(let span):
        (sources.indices.contains(span.file) ? sources[span.file].path : "", (span.file, 0, span.start))
      case .data(let path, let line, let column): (path, (0, line, column))
      case .path(let path): (path, (0, 0, 0))
      }
  }

  static func < (left: Self, right: Self) -> Bool {
    if left.severity != right.severity { return left.severity < right.severity }
    if left.path != right.path { return left.path.utf8.lexicographicallyPrecedes(right.path.utf8) }
    return left.place == right.place ? left.code < right.code : left.place < right.place
  }
}
