/// A location as lines and columns, which are what a reader of a finding has.
package struct Place {
  package var path: String
  /// Nil if nothing has lines.
  package var start: Position?
  /// Nil in data, where a place is a point.
  package var end: Position?

  /// Nil for a span of a file that is not among the sources.
  package init?(_ location: Location, in sources: [SourceFile]) {
    switch location {
    case .source(let span):
      guard sources.indices.contains(span.file) else { return nil }
      let source = sources[span.file]
      path = source.path
      (start, end) = (source.position(of: span.start), source.position(of: span.end))
    case .data(let path, let line, let column):
      self.path = path
      start = Position(line: line, column: column)
    case .path(let path):
      self.path = path
    }
  }

  /// `path:line:column`
  package var text: String { path + (start.map { ":\($0.line):\($0.column)" } ?? "") }
}
