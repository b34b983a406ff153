/// What follows from how declarations are built and name one another.
extension LanguageServer {
  func selectionRanges(_ params: JSON) throws(ResponseError) -> JSON {
    let document = try document(params)
    return .array(
      params["positions"].items.compactMap(\.position).map { position in
        let offset = document.text.offset(of: position, in: client.encoding)
        return document.analysis.selections(in: document.file, at: offset).reduce(JSON.null) { parent, span in
          .compact(["range": document.places.range(span), "parent": parent])
        }
      })
  }

  // MARK: Calls

  func prepareCallHierarchy(_ params: JSON) throws(ResponseError) -> JSON {
    let (document, offset) = try place(params)
    guard let end = document.analysis.callEnd(in: document.file, at: offset) else { return .null }
    return [item(end, document.places)]
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
    let document = try self.document(uri: uri)
    guard item["kind"] == 12 else { return [] }
    let ends = incoming ? document.analysis.readers(of: name) : document.analysis.read(by: name)
    return .array(
      ends.map { end in
        [
          incoming ? "from" : "to": self.item(end, document.places),
          "fromRanges": .array(end.places.map { document.places.range($0) }),
        ]
      })
  }

  // MARK: Links and signatures

  func documentLinks(_ params: JSON) throws(ResponseError) -> JSON {
    let document = try document(params)
    return .array(
      document.analysis.documentLinks(in: document.file).map { link in
        let target: String
        switch link.target {
        case .url(let url): target = url
        case .declaration(let span):
          let line = document.places.range(span)["start"]["line"].int ?? 0
          target = "\(document.places.uri(of: span.file))#L\(line + 1)"
        }
        return ["range": document.places.range(link.span), "target": .string(target)]
      })
  }

  func signatureHelp(_ params: JSON) throws(ResponseError) -> JSON {
    let (document, offset) = try place(params)
    guard let help = document.analysis.signatureHelp(in: document.file, at: offset) else { return .null }
    let signatures = help.calls.map { call -> JSON in
      let arguments = call.drop { $0 != "(" }.dropFirst().dropLast().split(separator: ", ").map(String.init)
      return [
        "label": .string(call), "documentation": markup(help.meaning, markdown: client.takesMarkdown),
        "parameters": .array(arguments.map { ["label": .string($0)] }),
      ]
    }
    return ["signatures": .array(signatures), "activeSignature": 0, "activeParameter": .int(help.argument)]
  }
}
