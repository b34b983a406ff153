extension LanguageServer {
  func completion(_ request: DocumentRequest) -> JSON {
    guard let list = request.analysis.completions(in: request.file, at: request.offset) else { return [] }
    let range = request.places.range(list.replaced)
    let items = JSON.list(list.items) { item in
      let isSnippet = item.isSnippet && client.takesSnippets
      let text = item.isSnippet && !client.takesSnippets ? item.label : item.insert
      return .compact([
        "label": .string(item.label), "kind": .int(item.kind.rawValue),
        "detail": .string(orNull: item.detail),
        "documentation": item.documentation.map { markup($0, markdown: client.takesMarkdownItems) } ?? .null,
        "tags": item.isDeprecated && client.takesItemTags ? [1] : .null,
        "sortText": .string("\(item.rank)\(item.label)"), "filterText": .string(item.label),
        "insertTextFormat": isSnippet ? 2 : .null, "textEdit": ["range": range, "newText": .string(text)],
      ])
    }
    return ["isIncomplete": false, "items": items]
  }

  func formatting(_ request: DocumentRequest) throws(ResponseError) -> JSON {
    let range = request.params["range"]
    var lines: ClosedRange<Int>?
    if let start = range["start"].position, let end = range["end"].position {
      // A range that ends where a line starts does not touch that line.
      let last = end.character == 0 && end.line > start.line ? end.line - 1 : end.line
      lines = start.line...max(start.line, last)
    }
    let edits = try layoutEdits(of: request.tree.source, file: request.file, in: lines)
    return .list(edits, request.places.textEdit)
  }

  /// Lays out the declaration after `}`, and what is above a new line; a file with syntax errors stays as it is.
  func formattingOnType(_ request: DocumentRequest) -> JSON {
    let text = request.text
    let line = text.line(of: request.offset) - (request.params["ch"] == "\n" ? 1 : 0)
    let end = text.start(ofLine: line + 1) - 1
    let first = request.analysis.declaration(in: request.file, at: end).map { text.line(of: $0.span.start) }
    guard line >= 0, let first, first <= line,
      let edits = try? layoutEdits(of: request.tree.source, file: request.file, in: first...line)
    else { return [] }
    return .list(edits, request.places.textEdit)
  }

  func codeActions(_ request: DocumentRequest) throws(ResponseError) -> JSON {
    guard let range = request.range else { throw .invalidParams("`range` is missing") }
    let wanted = request.params["context"]["only"].items.compactMap(\.string)
    let actions = request.analysis.codeActions(
      in: request.file, from: range.lowerBound, to: range.upperBound,
      findings: witnesses.completed(request.analysis), failures: testFailures[request.key] ?? [],
      approver: approver)
    let asked = actions.filter { action in
      let kind = action.kind.rawValue
      return wanted.isEmpty || wanted.contains { kind == $0 || kind.hasPrefix($0 + ".") }
    }
    return .list(asked) { action in
      .compact([
        "title": .string(action.title), "kind": .string(action.kind.rawValue),
        "isPreferred": action.isPreferred ? true : .null, "edit": request.places.changes(action.edits),
      ])
    }
  }
}
