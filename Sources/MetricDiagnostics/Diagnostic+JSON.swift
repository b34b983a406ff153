extension Diagnostic {
  /// The finding as one JSON object, with the keys of the tool's `--format json`.
  ///
  /// `sources` are the files that the spans index. Line and column are null where the finding has
  /// no lines; a place in a data file ends where it starts.
  package func json(in sources: [SourceFile]) -> JSONText {
    let place = Place(location, in: sources)
    let end = place?.end ?? place?.start
    return .object([
      "path": place?.path, "line": place?.start?.line, "column": place?.start?.column,
      "endLine": end?.line, "endColumn": end?.column, "severity": severity.rawValue,
      "code": code.id, "name": code.name, "message": message, "metric": metric,
      "notes": notes.map { $0.json(in: sources) }, "fixes": fixes.map { $0.json(in: sources) },
      "counterexample": counterexample,
    ])
  }
}

extension Note {
  fileprivate func json(in sources: [SourceFile]) -> JSONText {
    let place = location.flatMap { Place($0, in: sources) }
    return .object([
      "message": message, "path": place?.path, "line": place?.start?.line, "column": place?.start?.column,
    ])
  }
}

extension Fix {
  fileprivate func json(in sources: [SourceFile]) -> JSONText {
    let place = Place(.source(span), in: sources)
    return .object([
      "title": title, "path": place?.path, "line": place?.start?.line, "column": place?.start?.column,
      "endLine": place?.end?.line, "endColumn": place?.end?.column, "replacement": replacement,
    ])
  }
}

extension Diagnostic.Counterexample: JSONWritable {
  package var json: JSONText {
    .object(["summary": summary, "before": before, "after": after, "test": test])
  }
}
