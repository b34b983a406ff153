/// The one canonical layout of a tree without syntax errors.
///
///     format(parse(file, file: 0).tree)
///
/// The tokens and comments stay what they are, in their order; only the white space between them is
/// new. A comment on a line of its own stays above what follows it, one after a token at the end of
/// that token's line. Formatting what was formatted changes nothing.
package func format(_ tree: SyntaxTree) -> String {
  var printer = Printer(layout: Layout(tree))
  return printer.text()
}

/// The first way in which a text differs from the tree that it was printed from, beyond white space; nil if it means
/// the same.
///
/// It reads the text again and compares tokens, comments with their places, what each doc comment
/// belongs to, and which tokens make up each declaration, clause, field and statement.
package func difference(between tree: SyntaxTree, and text: String) -> String? {
  let (again, findings) = parse(SourceFile(path: tree.source.path, text: text), file: 0)
  if findings.contains(where: { $0.severity == .error }) { return "it can no longer be read" }
  guard tree.tokens.count == again.tokens.count else { return "it has other tokens" }
  for place in tree.tokens.indices {
    let (old, new) = (tree.tokens[place], again.tokens[place])
    guard old.kind == new.kind, tree.source.bytes(old.span) == again.source.bytes(new.span) else {
      return "token \(place) is another"
    }
    guard comments(before: place, in: tree) == comments(before: place, in: again) else {
      return "the comments before token \(place) are others"
    }
  }
  return outline(tree) == outline(again) ? nil : "its declarations are others"
}

/// The comments before a token, as bytes, and whether the first follows another token.
private func comments(before place: Int, in tree: SyntaxTree) -> [[UInt8]] {
  let gap = Gap(before: place, in: tree)
  let lines = gap.lines.map { Array($0.text.utf8) }
  let pieces = tree.comments(before: tree.tokens[place])
  let raw = pieces.map { Array(tree.source.commentText($0.span).utf8) }
  return raw + [Array((gap.trailing?.text ?? "").utf8)] + lines
}

/// What a tree is made of: the tokens of each part, and the doc comments of those that have one.
private func outline(_ tree: SyntaxTree) -> [String] {
  let places = TokenPlaces(tree)
  return tree.declarations.flatMap { declaration -> [String] in
    guard let block = Block(declaration, places: places) else { return [] }
    return ["\(block.tokens) \(docs(declaration))"] + block.items.map { "\($0.tokens) \($0.role)" }
  }
}

/// The doc comments in a declaration, without the white space at the ends of their lines.
private func docs(_ declaration: Declaration) -> [String?] {
  let docs = [declaration.doc] + declaration.members.map(\.doc)
  return docs.map { doc in
    doc?.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0.reversed().drop(while: \.isWhitespace).reversed()) }.joined(separator: "\n")
  }
}

extension SourceFile {
  fileprivate func bytes(_ span: Span) -> ArraySlice<UInt8> { bytes[span.start..<span.end] }
}
