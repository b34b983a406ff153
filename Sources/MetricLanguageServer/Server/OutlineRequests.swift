/// What is shown beside or between the lines: symbols, folding, colours, hints, lenses.
extension LanguageServer {
  func documentSymbols(_ request: DocumentRequest) -> JSON {
    let (symbols, places) = (request.tree.symbols, request.places)
    if client.takesSymbolTrees { return .list(symbols) { tree($0, places) } }
    return .list(symbols.flatMap(\.withChildren)) { item($0, in: $1, places) }
  }

  private func tree(_ symbol: SymbolNode, _ places: Places) -> JSON {
    let children = symbol.children.map { tree($0, places) }
    return .compact([
      "name": .string(symbol.name), "detail": .string(symbol.detail), "kind": .int(symbol.kind.rawValue),
      "range": places.range(symbol.span), "selectionRange": places.range(symbol.nameSpan),
      "tags": symbol.isDeprecated ? [1] : .null, "children": children.isEmpty ? .null : .array(children),
    ])
  }

  private func item(_ symbol: SymbolNode, in container: String?, _ places: Places) -> JSON {
    .compact([
      "name": .string(symbol.name), "kind": .int(symbol.kind.rawValue),
      "location": places.location(symbol.nameSpan) ?? .null, "containerName": .string(orNull: container),
      "tags": symbol.isDeprecated ? [1] : .null,
    ])
  }

  /// Metrics and records before fields, steps and tests; at most 500.
  func workspaceSymbols(_ params: JSON) -> JSON {
    let query = params["query"].string ?? ""
    workspace.loadFolders()
    var declared: [JSON] = []
    var others: [JSON] = []
    for library in workspace.ordered {
      let places = Places(workspace, library, client.encoding)
      for (symbol, container) in library.sources.flatMap(\.tree.symbols).flatMap(\.withChildren)
      where symbol.matches(query) {
        let found = item(symbol, in: container, places)
        if container == nil, symbol.kind != .test { declared.append(found) } else { others.append(found) }
      }
    }
    return .array(Array((declared + others).prefix(500)))
  }

  func foldingRanges(_ request: DocumentRequest) -> JSON {
    .list(request.tree.foldingRanges(in: request.text)) { range in
      .compact([
        "startLine": .int(range.firstLine), "endLine": .int(range.lastLine),
        "kind": range.isComment ? "comment" : .null,
      ])
    }
  }

  /// Five numbers for each token, places relative to the one before.
  func semanticTokens(_ request: DocumentRequest) -> JSON {
    let text = request.text
    let bounds = request.range ?? 0...text.bytes.count
    var data: [JSON] = []
    var last = TextPosition(line: 0, character: 0)
    for token in request.analysis.semanticTokens(in: request.file)
    where token.span.end >= bounds.lowerBound && token.span.start <= bounds.upperBound {
      let start = text.position(of: token.span.start, in: client.encoding)
      let end = text.position(of: token.span.end, in: client.encoding)
      guard start.line == end.line else { continue }
      let character = start.line == last.line ? start.character - last.character : start.character
      let modifiers = token.modifiers.reduce(0) { $0 | 1 << $1.rawValue }
      data += [
        .int(start.line - last.line), .int(character), .int(end.character - start.character),
        .int(token.kind.rawValue), .int(modifiers),
      ]
      last = start
    }
    return ["data": .array(data)]
  }

  func inlayHints(_ request: DocumentRequest) -> JSON {
    let bounds = request.range ?? 0...request.text.bytes.count
    let hints = request.analysis.inlayHints(in: request.file).filter { bounds.contains($0.offset) }
    return .list(hints) { hint in
      [
        "position": request.places.position(hint.offset, in: request.file), "label": .string(hint.label),
        "paddingLeft": true, "tooltip": .string(hint.tooltip),
      ]
    }
  }

  func codeLenses(_ request: DocumentRequest) -> JSON {
    let uri = JSON.string(workspace.uri(of: request.key))
    let lenses = request.analysis.codeLenses(in: request.file, hasSample: sample(request) != nil)
    return .list(lenses) { lens in
      let (command, arguments): (Command, [JSON]) =
        switch lens.action {
        case .test: (.runTest, [uri, .int(request.places.line(lens.span))])
        case .tests: (.runTests, [uri])
        case .value(let metric): (.value, [uri, .string(metric)])
        }
      return [
        "range": request.places.range(lens.span),
        "command": [
          "title": .string(lens.title), "command": .string(command.rawValue), "arguments": .array(arguments),
        ],
      ]
    }
  }
}
