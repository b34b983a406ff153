/// Completion, layout, code actions.
extension LanguageServer {
  func completion(_ params: JSON) throws(ResponseError) -> JSON {
    let (document, offset) = try place(params)
    guard let list = document.analysis.completions(in: document.file, at: offset) else { return [] }
    let range = document.places.range(list.replaced)
    let items = list.items.map { item -> JSON in
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
    return ["isIncomplete": false, "items": .array(items)]
  }

  func formatting(_ params: JSON) throws(ResponseError) -> JSON {
    let document = try document(params)
    var lines: ClosedRange<Int>?
    if let start = params["range"]["start"].position, let end = params["range"]["end"].position {
      // A range that ends where a line starts does not touch that line.
      let last = end.character == 0 && end.line > start.line ? end.line - 1 : end.line
      lines = start.line...max(start.line, last)
    }
    let edits = try layoutEdits(of: document.tree.source, file: document.file, in: lines)
    return .array(edits.map(document.places.textEdit))
  }

  /// After `}` the declaration is laid out, after a line end what is above the new line; a file with syntax
  /// errors stays as it is.
  func formattingOnType(_ params: JSON) throws(ResponseError) -> JSON {
    let (document, offset) = try place(params)
    let line = document.text.line(of: offset) - (params["ch"] == "\n" ? 1 : 0)
    guard line >= 0,
      let declaration = document.analysis.declaration(
        in: document.file, at: document.text.start(ofLine: line + 1) - 1)
    else { return [] }
    let first = document.text.line(of: declaration.span.start)
    guard first <= line,
      let edits = try? layoutEdits(of: document.tree.source, file: document.file, in: first...line)
    else { return [] }
    return .array(edits.map(document.places.textEdit))
  }

  func codeActions(_ params: JSON) throws(ResponseError) -> JSON {
    let document = try document(params)
    guard let range = offsets(params["range"], in: document) else {
      throw .invalidParams("`range` is missing")
    }
    let wanted = params["context"]["only"].items.compactMap(\.string)
    let actions = document.analysis.codeActions(
      in: document.file, from: range.lowerBound, to: range.upperBound,
      findings: witnesses.completed(document.analysis), failures: testFailures[document.key] ?? [],
      approver: approver)
    return .array(
      actions.filter { action in
        let kind = action.kind.rawValue
        return wanted.isEmpty || wanted.contains { kind == $0 || kind.hasPrefix($0 + ".") }
      }.map { action in
        .compact([
          "title": .string(action.title), "kind": .string(action.kind.rawValue),
          "isPreferred": action.isPreferred ? true : .null, "edit": document.places.changes(action.edits),
        ])
      })
  }
}
