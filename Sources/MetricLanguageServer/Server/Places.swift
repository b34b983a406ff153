/// Turns spans of a library into places as the client counts them.
final class Places {
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
  func text(of file: Int) -> DocumentText {
    if let text = texts[file] { return text }
    let text =
      workspace.documents[library.paths[file]]?.text ?? DocumentText(library.sources[file].tree.source.bytes)
    texts[file] = text
    return text
  }

  func range(_ span: Span) -> JSON {
    guard library.paths.indices.contains(span.file) else {
      let start = TextPosition(line: 0, character: 0).json
      return ["start": start, "end": start]
    }
    return ["start": position(span.start, in: span.file), "end": position(span.end, in: span.file)]
  }

  /// The line that a span starts in, from 0.
  func line(_ span: Span) -> Int { text(of: span.file).line(of: span.start) }

  func position(_ offset: Int, in file: Int) -> JSON {
    text(of: file).position(of: offset, in: encoding).json
  }

  /// Nil for a span of the built-in records, which are in no file.
  func location(_ span: Span) -> JSON? {
    guard library.paths.indices.contains(span.file) else { return nil }
    return ["uri": .string(uri(of: span.file)), "range": range(span)]
  }

  func uri(of file: Int) -> String { workspace.uri(of: library.paths[file]) }

  func textEdit(_ edit: SourceEdit) -> JSON {
    ["range": range(edit.span), "newText": .string(edit.text)]
  }

  func changes(_ edits: [SourceEdit]) -> JSON {
    let known = edits.filter { library.paths.indices.contains($0.span.file) }
    let changes = Dictionary(grouping: known) { uri(of: $0.span.file) }
    return ["changes": .object(changes.mapValues { .array($0.map(textEdit)) })]
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
  var position: TextPosition? {
    guard let line = self["line"].int, let character = self["character"].int else { return nil }
    return TextPosition(line: line, character: character)
  }
}

extension TextPosition {
  var json: JSON { ["line": .int(line), "character": .int(character)] }
}
