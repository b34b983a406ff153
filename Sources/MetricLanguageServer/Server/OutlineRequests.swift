/// What is shown beside or between the lines: symbols, folding, colours, hints, lenses.
extension LanguageServer {
  func documentSymbols(_ request: DocumentRequest) -> JSON {
    let (symbols, places) = (request.tree.symbols, request.places)
    return .array(
      client.takesSymbolTrees
        ? symbols.map { tree($0, places) } : symbols.flatMap { flat($0, in: nil, places) })
  }

  private func tree(_ symbol: SymbolNode, _ places: Places) -> JSON {
    let children = symbol.children.map { tree($0, places) }
    return .compact([
      "name": .string(symbol.name), "detail": .string(symbol.detail), "kind": .int(symbol.kind.rawValue),
      "range": places.range(symbol.span), "selectionRange": places.range(symbol.nameSpan),
      "tags": symbol.isDeprecated ? [1] : .null, "children": children.isEmpty ? .null : .array(children),
    ])
  }

  private func flat(_ symbol: SymbolNode, in container: String?, _ places: Places) -> [JSON] {
    let own = JSON.compact([
      "name": .string(symbol.name), "kind": .int(symbol.kind.rawValue),
      "location": places.location(symbol.nameSpan) ?? .null, "containerName": .string(orNull: container),
      "tags": symbol.isDeprecated ? [1] : .null,
    ])
    return [own] + symbol.children.flatMap { flat($0, in: symbol.name, places) }
  }

  /// Metrics and records before fields, steps and tests; at most 500.
  func workspaceSymbols(_ params: JSON) -> JSON {
    let query = params["query"].string ?? ""
    workspace.loadFolders()
    var declared: [JSON] = []
    var others: [JSON] = []
    for library in workspace.ordered {
      let places = Places(workspace, library, client.encoding)
      for symbol in library.sources.flatMap(\.tree.symbols) {
        if symbol.matches(query) {
          let found = flat(symbol, in: nil, places).prefix(1)
          if symbol.kind == .test { others += found } else { declared += found }
        }
        for child in symbol.children where child.matches(query) {
          others += flat(child, in: symbol.name, places)
        }
      }
    }
    return .array(Array((declared + others).prefix(500)))
  }

  // MARK: Folding and colours

  func foldingRanges(_ request: DocumentRequest) -> JSON {
    .array(
      request.tree.foldingRanges(in: request.text).map { range in
        .compact([
          "startLine": .int(range.firstLine), "endLine": .int(range.lastLine),
          "kind": range.isComment ? "comment" : .null,
        ])
      })
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

  // MARK: Hints and lenses

  func inlayHints(_ request: DocumentRequest) -> JSON {
    let bounds = request.range ?? 0...request.text.bytes.count
    let hints = request.analysis.inlayHints(in: request.file).filter { bounds.contains($0.offset) }
    return .array(
      hints.map { hint in
        [
          "position": request.places.position(hint.offset, in: request.file), "label": .string(hint.label),
          "paddingLeft": true, "tooltip": .string(hint.tooltip),
        ]
      })
  }

  func codeLenses(_ request: DocumentRequest) -> JSON {
    let uri = JSON.string(workspace.uri(of: request.key))
    let lenses = request.analysis.codeLenses(in: request.file, hasSample: sample(request) != nil)
    return .array(
      lenses.map { lens in
        let (command, arguments): (Command, [JSON]) =
          switch lens.action {
          case .test: (.runTest, [uri, .int(request.places.line(lens.span))])
          case .tests: (.runTests, [uri])
          case .value(let metric): (.value, [uri, .string(metric)])
          }
        return [
          "range": request.places.range(lens.span),
          "command": [
            "title": .string(lens.title), "command": .string(command.rawValue),
            "arguments": .array(arguments),
          ],
        ]
      })
  }
}
