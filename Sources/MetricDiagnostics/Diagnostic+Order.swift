extension Sequence<Diagnostic> {
  /// The findings in the order in which they are shown: errors first, then by path, place and code; equal
  /// ones keep their order.
  ///
  /// `sources` are the files that the spans index; a span of a file that is not there sorts by its
  /// file's index.
  public func sorted(in sources: [SourceFile]) -> [Diagnostic] {
    let keyed = enumerated().map { (key: $1.orderKey(in: sources, index: $0), diagnostic: $1) }
    return keyed.sorted { $0.key < $1.key }.map(\.diagnostic)
  }
}

private struct OrderKey: Comparable {
  /// 0 for an error, 2 for a note.
  var severity: Int
  var path: String
  var file: Int
  var line: Int
  var column: Int
  var code: String
  var index: Int

  static func < (left: Self, right: Self) -> Bool {
    if left.severity != right.severity { return left.severity < right.severity }
    if left.path != right.path { return left.path.utf8.lexicographicallyPrecedes(right.path.utf8) }
    return (left.file, left.line, left.column, left.code, left.index)
      < (right.file, right.line, right.column, right.code, right.index)
  }
}

extension Diagnostic {
  /// Offsets in a source come in place of columns: they order alike.
  fileprivate func orderKey(in sources: [SourceFile], index: Int) -> OrderKey {
    let severity = self.severity == .error ? 0 : self.severity == .warning ? 1 : 2
    let (path, file, line, column) =
      switch location {
      case .source(let span):
        (sources.indices.contains(span.file) ? sources[span.file].path : "", span.file, 0, span.start)
      case .data(let path, let line, let column): (path, 0, line, column)
      case .path(let path): (path, 0, 0, 0)
      }
    return OrderKey(
      severity: severity, path: path, file: file, line: line, column: column, code: code.id, index: index)
  }
}
