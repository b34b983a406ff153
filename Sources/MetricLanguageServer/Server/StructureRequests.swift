/// What follows from how declarations are built and name one another.
extension LanguageServer {
  func selectionRanges(_ request: DocumentRequest) -> JSON {
    .list(request.params["positions"].items.compactMap(\.position)) { position in
      let offset = request.text.offset(of: position, in: client.encoding)
      return request.analysis.selections(in: request.file, at: offset).reduce(JSON.null) { parent, span in
        .compact(["range": request.places.range(span), "parent": parent])
      }
    }
  }

  func prepareCallHierarchy(_ request: DocumentRequest) -> JSON {
    let end = request.analysis.callEnd(in: request.file, at: request.offset)
    return end.map { [item($0, request.places)] } ?? .null
  }

  private func item(_ end: CallEnd, _ places: Places) -> JSON {
    [
      "name": .string(end.name), "kind": end.isTest ? 6 : 12, "uri": .string(places.uri(of: end.span.file)),
      "range": places.range(end.span), "selectionRange": places.range(end.nameSpan),
    ]
  }

  func calls(_ params: JSON, incoming: Bool) throws(ResponseError) -> JSON {
    let item = params["item"]
    guard let uri = item["uri"].string, let name = item["name"].string else {
      throw .invalidParams("`item` is missing")
    }
    let request = try document(params, uri: uri)
    guard item["kind"] == 12 else { return [] }
    let ends = incoming ? request.analysis.readers(of: name) : request.analysis.read(by: name)
    return .list(ends) { end in
      [
        incoming ? "from" : "to": self.item(end, request.places),
        "fromRanges": .list(end.places, request.places.range),
      ]
    }
  }

  func documentLinks(_ request: DocumentRequest) -> JSON {
    .list(request.analysis.documentLinks(in: request.file)) { link in
      let target =
        switch link.target {
        case .url(let url): url
        case .declaration(let span): "\(request.places.uri(of: span.file))#L\(request.places.line(span) + 1)"
        }
      return ["range": request.places.range(link.span), "target": .string(target)]
    }
  }

  func signatureHelp(_ request: DocumentRequest) -> JSON {
    guard let help = request.analysis.signatureHelp(in: request.file, at: request.offset) else {
      return .null
    }
    let signatures = JSON.list(help.calls) { call in
      let arguments = call.drop { $0 != "(" }.dropFirst().dropLast().split(separator: ", ").map(String.init)
      return [
        "label": .string(call), "documentation": markup(help.meaning, markdown: client.takesMarkdown),
        "parameters": .list(arguments) { ["label": .string($0)] },
      ]
    }
    return ["signatures": signatures, "activeSignature": 0, "activeParameter": .int(help.argument)]
  }
}
