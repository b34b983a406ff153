extension Diagnostic {
  /// The finding as one JSON object, with the keys of the tool's `--format json`.
  ///
  /// `sources` are the files that the spans index. Line and column are null where the finding has
  /// no lines; a place in a data file ends where it starts. `counterexample` is the smallest
  /// dataset that shows the harm, for findings that have one.
  package func json(in sources: [SourceFile]) -> JSONText {
    .object(
      [
        ("path", .string(orNull: place(in: sources).path))
      ]
        + place(in: sources).members + [
          ("severity", .string(severity.rawValue)),
          ("code", .string(code.id)),
          ("name", .string(code.name)),
          ("message", .string(message)),
          ("metric", .string(orNull: metric)),
          ("notes", .array(notes.map { $0.json(in: sources) })),
          ("fixes", .array(fixes.map { $0.json(in: sources) })),
          ("counterexample", counterexample?.json ?? .null),
        ])
  }

  private func place(in sources: [SourceFile]) -> JSONPlace { JSONPlace(location, in: sources) }
}

extension Note {
  fileprivate func json(in sources: [SourceFile]) -> JSONText {
    let place = location.map { JSONPlace($0, in: sources) }
    return .object([
      ("message", .string(message)),
      ("path", .string(orNull: place?.path)),
      ("line", place?.line ?? .null),
      ("column", place?.column ?? .null),
    ])
  }
}

extension Fix {
  fileprivate func json(in sources: [SourceFile]) -> JSONText {
    let place = JSONPlace(.source(span), in: sources)
    return .object(
      [("title", .string(title)), ("path", .string(orNull: place.path))] + place.members
        + [("replacement", .string(replacement))])
  }
}

/// A location as JSON shows it.
private struct JSONPlace {
  var path: String?
  var line = JSONText.null
  var column = JSONText.null
  var endLine = JSONText.null
  var endColumn = JSONText.null

  init(_ location: Location, in sources: [SourceFile]) {
    switch location {
    case .source(let span):
      guard sources.indices.contains(span.file) else { return }
      let source = sources[span.file]
      path = source.path
      set(source.position(of: span.start), source.position(of: span.end))
    case .data(let path, let line, let column):
      self.path = path
      let position = Position(line: line, column: column)
      set(position, position)
    case .path(let path):
      self.path = path
    }
  }

  private mutating func set(_ start: Position, _ end: Position) {
    line = .number(start.line)
    column = .number(start.column)
    endLine = .number(end.line)
    endColumn = .number(end.column)
  }

  var members: [(String, JSONText)] {
    [("line", line), ("column", column), ("endLine", endLine), ("endColumn", endColumn)]
  }
}

extension Diagnostic.Counterexample {
  fileprivate var json: JSONText {
    .object([
      ("summary", .string(summary)), ("before", .string(before)), ("after", .string(after)),
      ("test", .string(test)),
    ])
  }
}
