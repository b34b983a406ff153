struct DocumentRequest {
  let library: OpenLibrary
  let places: Places
  let file: Int
  let key: String
  let params: JSON
  /// What it points to, where it has a position.
  var offset = 0

  var analysis: Analysis { library.analysis }
  var text: DocumentText { places.text(of: file) }
  var tree: SyntaxTree { library.sources[file].tree }

  /// The offsets of its range; nil where it has none.
  var range: ClosedRange<Int>? {
    guard let start = params["range"]["start"].position, let end = params["range"]["end"].position else {
      return nil
    }
    let first = text.offset(of: start, in: places.encoding)
    return first...max(first, text.offset(of: end, in: places.encoding))
  }
}

extension LanguageServer {
  func document(_ params: JSON, uri: String? = nil) throws(ResponseError) -> DocumentRequest {
    guard let uri = uri ?? params["textDocument"]["uri"].string else {
      throw .invalidParams("`textDocument.uri` is missing")
    }
    let key = Workspace.key(of: uri)
    let library = workspace.library(of: key)
    guard let file = library.index(of: key) else { throw .failed("`\(uri)` cannot be read") }
    let places = Places(workspace, library, client.encoding)
    return DocumentRequest(library: library, places: places, file: file, key: key, params: params)
  }

  /// The document of a request and the offset it points to.
  func place(_ params: JSON) throws(ResponseError) -> DocumentRequest {
    var request = try document(params)
    guard let position = params["position"].position else { throw .invalidParams("`position` is missing") }
    request.offset = request.text.offset(of: position, in: client.encoding)
    return request
  }

  func hover(_ request: DocumentRequest) -> JSON {
    guard let hover = request.analysis.hover(in: request.file, at: request.offset) else { return .null }
    return [
      "contents": markup(hover.markdown, markdown: client.takesMarkdown),
      "range": request.places.range(hover.span),
    ]
  }

  func definition(_ request: DocumentRequest) -> JSON {
    let spans = request.analysis.definitions(in: request.file, at: request.offset)
    return .array(spans.compactMap(request.places.location))
  }

  func references(_ request: DocumentRequest) -> JSON {
    let withDeclaration = request.params["context"]["includeDeclaration"].bool ?? true
    let spans = request.analysis.references(
      in: request.file, at: request.offset, withDeclaration: withDeclaration)
    return .array(spans.compactMap(request.places.location))
  }

  func highlights(_ request: DocumentRequest) -> JSON {
    let spans = request.analysis.references(in: request.file, at: request.offset, withDeclaration: true)
    return .list(spans.filter { $0.file == request.file }) { ["range": request.places.range($0), "kind": 1] }
  }

  func prepareRename(_ request: DocumentRequest) throws(ResponseError) -> JSON {
    let renaming = try Renaming(request.analysis, file: request.file, offset: request.offset)
    return ["range": request.places.range(renaming.span), "placeholder": .string(renaming.placeholder)]
  }

  func rename(_ request: DocumentRequest) throws(ResponseError) -> JSON {
    guard let name = request.params["newName"].string else { throw .invalidParams("`newName` is missing") }
    let renaming = try Renaming(request.analysis, file: request.file, offset: request.offset)
    return request.places.changes(try renaming.edits(to: name))
  }
}
