/// What is shown beside or between the lines: symbols, folding, colours, hints, lenses.
extension LanguageServer {
  // MARK: Symbols

  func documentSymbols(_ params: JSON) throws(ResponseError) -> JSON {
    let document = try document(params)
    let symbols = document.tree.symbols
    guard client.takesSymbolTrees else {
      return .array(symbols.flatMap { flat($0, in: nil, document.places) })
    }
    return .array(symbols.map { tree($0, document.places) })
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

  func foldingRanges(_ params: JSON) throws(ResponseError) -> JSON {
    let document = try document(params)
    let ranges = document.tree.foldingRanges(in: document.text)
    return .array(
      ranges.map { range in
        .compact([
          "startLine": .int(range.firstLine), "endLine": .int(range.lastLine),
          "kind": range.isComment ? "comment" : .null,
        ])
      })
  }

  /// Five numbers for each token, places relative to the one before.
  func semanticTokens(_ params: JSON) throws(ResponseError) -> JSON {
    let document = try document(params)
    let bounds = offsets(params["range"], in: document) ?? 0...document.text.bytes.count
    var data: [JSON] = []
    var last = TextPosition(line: 0, character: 0)
    for token in document.analysis.semanticTokens(in: document.file)
    where token.span.end >= bounds.lowerBound && token.span.start <= bounds.upperBound {
      let start = document.text.position(of: token.span.start, in: client.encoding)
      let end = document.text.position(of: token.span.end, in: client.encoding)
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

  func inlayHints(_ params: JSON) throws(ResponseError) -> JSON {
    let document = try document(params)
    let bounds = offsets(params["range"], in: document) ?? 0...document.text.bytes.count
    let hints = document.analysis.inlayHints(in: document.file).filter { bounds.contains($0.offset) }
    return .array(
      hints.map { hint in
        [
          "position": document.places.position(hint.offset, in: document.file), "label": .string(hint.label),
          "paddingLeft": true, "tooltip": .string(hint.tooltip),
        ]
      })
  }

  func codeLenses(_ params: JSON) throws(ResponseError) -> JSON {
    let document = try document(params)
    let uri = JSON.string(workspace.uri(of: document.key))
    let lenses = document.analysis.codeLenses(in: document.file, hasSample: sample(document) != nil)
    return .array(
      lenses.map { lens in
        let (command, arguments): (Command, [JSON]) =
          switch lens.action {
          case .test: (.runTest, [uri, document.places.range(lens.span)["start"]["line"]])
          case .tests: (.runTests, [uri])
          case .value(let metric): (.value, [uri, .string(metric)])
          }
        return [
          "range": document.places.range(lens.span),
          "command": [
            "title": .string(lens.title), "command": .string(command.rawValue),
            "arguments": .array(arguments),
          ],
        ]
      })
  }
}
