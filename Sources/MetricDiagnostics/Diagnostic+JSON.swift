extension Diagnostic {
  /// The finding as one JSON object, with the keys of the tool's `--format json`.
  ///
  /// `sources` are the files that the spans index. Line and column are null where the finding has
  /// no lines; a place in a data file ends where it starts. `counterexample` is the smallest
  /// dataset that shows the harm, for findings that have one.
  package func json(in sources: [SourceFile]) -> JSONText {
    let place = JSONPlace(location, in: sources)
    return .object([
      "path": place.path, "line": place.start?.line, "column": place.start?.column,
      "endLine": place.end?.line, "endColumn": place.end?.column, "severity": severity.rawValue,
      "code": code.id, "name": code.name, "message": message, "metric": metric,
      "notes": notes.map { $0.json(in: sources) }, "fixes": fixes.map { $0.json(in: sources) },
      "counterexample": counterexample,
    ])
  }
}

extension Note {
  fileprivate func json(in sources: [SourceFile]) -> JSONText {
    let place = location.map { JSONPlace($0, in: sources) }
    return .object([
      "message": message, "path": place?.path, "line": place?.start?.line, "column": place?.start?.column,
    ])
  }
}

extension Fix {
  fileprivate func json(in sources: [SourceFile]) -> JSONText {
    let place = JSONPlace(.source(span), in: sources)
    return .object([
      "title": title, "path": place.path, "line": place.start?.line, "column": place.start?.column,
      "endLine": place.end?.line, "endColumn": place.end?.column, "replacement": replacement,
    ])
  }
}

/// A location as JSON shows it.
private struct JSONPlace {
  var path: String?
  var start: Position?
  var end: Position?

  init(_ location: Location, in sources: [SourceFile]) {
    switch location {
    case .source(let span):
      guard sources.indices.contains(span.file) else { return }
      let source = sources[span.file]
      path = source.path
      (start, end) = (source.position(of: span.start), source.position(of: span.end))
    case .data(let path, let line, let column):
      self.path = path
      start = Position(line: line, column: column)
      end = start
    case .path(let path):
      self.path = path
    }
  }
}

extension Diagnostic.Counterexample: JSONWritable {
  package var json: JSONText {
    .object(["summary": summary, "before": before, "after": after, "test": test])
  }
}
