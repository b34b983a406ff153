import MetricDiagnostics

/// Turns spans of a library into places as the client counts them.
struct Places {
  let workspace: Workspace
  let library: OpenLibrary
  let encoding: PositionEncoding
  private var texts: [Int: DocumentText] = [:]

  init(_ workspace: Workspace, _ library: OpenLibrary, _ encoding: PositionEncoding) {
    self.workspace = workspace
    self.library = library
    self.encoding = encoding
  }

  /// The text of a file as it was analysed.
  mutating func text(of file: Int) -> DocumentText {
    if let text = texts[file] { return text }
    let text =
      workspace.documents[library.paths[file]]?.text ?? DocumentText(library.sources[file].tree.source.bytes)
    texts[file] = text
    return text
  }

  mutating func range(_ span: Span) -> JSON {
    guard library.paths.indices.contains(span.file) else { return .range(0, 0, 0, 0) }
    let text = text(of: span.file)
    let start = text.position(of: span.start, in: encoding)
    let end = text.position(of: span.end, in: encoding)
    return .range(start.line, start.character, end.line, end.character)
  }

  mutating func position(_ offset: Int, in file: Int) -> JSON {
    text(of: file).position(of: offset, in: encoding).json
  }

  /// Nil for a span of the built-in records, which are in no file.
  mutating func location(_ span: Span) -> JSON? {
    guard library.paths.indices.contains(span.file) else { return nil }
    return ["uri": .string(uri(of: span.file)), "range": range(span)]
  }

  func uri(of file: Int) -> String { workspace.uri(of: library.paths[file]) }

  /// A workspace edit.
  mutating func changes(_ edits: [SourceEdit]) -> JSON {
    var changes: [String: [JSON]] = [:]
    for edit in edits where library.paths.indices.contains(edit.span.file) {
      changes[uri(of: edit.span.file), default: []].append(
        ["range": range(edit.span), "newText": .string(edit.text)])
    }
    return ["changes": .object(changes.mapValues(JSON.array))]
  }
}

extension LanguageServer {
  /// `MarkupContent`; plain text for a client that shows no Markdown.
  func markup(_ text: String, markdown: Bool) -> JSON {
    [
      "kind": markdown ? "markdown" : "plaintext", "value": .string(markdown ? text : Markdown.plain(text)),
    ]
  }
}

extension JSON {
  static func range(_ line: Int, _ character: Int, _ endLine: Int, _ endCharacter: Int) -> JSON {
    [
      "start": ["line": .int(line), "character": .int(character)],
      "end": ["line": .int(endLine), "character": .int(endCharacter)],
    ]
  }

  /// A position of the protocol.
  var position: TextPosition? {
    guard let line = self["line"].int, let character = self["character"].int else { return nil }
    return TextPosition(line: line, character: character)
  }
}

extension TextPosition {
  var json: JSON { ["line": .int(line), "character": .int(character)] }
}
