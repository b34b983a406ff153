import MetricSyntax

struct RequestedDocument {
  var library: OpenLibrary
  var analysis: Analysis
  var places: Places
  var file: Int
  var key: String
  var text: DocumentText
  var tree: SyntaxTree { library.sources[file].tree }
}

/// Hover, definitions, references, renaming.
extension LanguageServer {
  func document(_ params: JSON) throws(ResponseError) -> RequestedDocument {
    guard let uri = params["textDocument"]["uri"].string else {
      throw .invalidParams("`textDocument.uri` is missing")
    }
    return try document(uri: uri)
  }

  func document(uri: String) throws(ResponseError) -> RequestedDocument {
    let key = Workspace.key(of: uri)
    let library = workspace.library(of: key)
    guard let file = library.index(of: key) else { throw .failed("`\(uri)` cannot be read") }
    let places = Places(workspace, library, client.encoding)
    return RequestedDocument(
      library: library, analysis: library.analysis, places: places, file: file, key: key,
      text: places.text(of: file))
  }

  /// The document of a request and the offset it points to.
  func place(_ params: JSON) throws(ResponseError) -> (RequestedDocument, Int) {
    let document = try document(params)
    guard let position = params["position"].position else { throw .invalidParams("`position` is missing") }
    return (document, document.text.offset(of: position, in: client.encoding))
  }

  // MARK: Requests

  func hover(_ params: JSON) throws(ResponseError) -> JSON {
    let (document, offset) = try place(params)
    guard let hover = document.analysis.hover(in: document.file, at: offset) else { return .null }
    return [
      "contents": markup(hover.markdown, markdown: client.takesMarkdown),
      "range": document.places.range(hover.span),
    ]
  }

  func definition(_ params: JSON) throws(ResponseError) -> JSON {
    let (document, offset) = try place(params)
    let spans = document.analysis.definitions(in: document.file, at: offset)
    return .array(spans.compactMap { document.places.location($0) })
  }

  func references(_ params: JSON) throws(ResponseError) -> JSON {
    let (document, offset) = try place(params)
    let spans = document.analysis.references(
      in: document.file, at: offset, withDeclaration: params["context"]["includeDeclaration"].bool ?? true)
    return .array(spans.compactMap { document.places.location($0) })
  }

  func highlights(_ params: JSON) throws(ResponseError) -> JSON {
    let (document, offset) = try place(params)
    let spans = document.analysis.references(in: document.file, at: offset, withDeclaration: true)
    return .array(
      spans.filter { $0.file == document.file }.map { ["range": document.places.range($0), "kind": 1] })
  }

  func prepareRename(_ params: JSON) throws(ResponseError) -> JSON {
    let (document, offset) = try place(params)
    let renaming = try Renaming(document.analysis, file: document.file, offset: offset)
    return ["range": document.places.range(renaming.span), "placeholder": .string(renaming.placeholder)]
  }

  func rename(_ params: JSON) throws(ResponseError) -> JSON {
    let (document, offset) = try place(params)
    guard let name = params["newName"].string else { throw .invalidParams("`newName` is missing") }
    let renaming = try Renaming(document.analysis, file: document.file, offset: offset)
    return document.places.changes(try renaming.edits(to: name))
  }
}
