/// The comments and blank lines between a token and the one before it.
struct Gap: Equatable {
  struct Comment: Equatable {
    var text: String
    var isDoc: Bool
    /// Whether a blank line is above.
    var isAfterBlank: Bool
  }

  /// The comment after the token before, on its line.
  var trailing: Comment?
  /// The comments on lines of their own.
  var lines: [Comment] = []
  /// Whether a blank line is right above the token.
  var isAfterBlank = false
  var startsLine = false

  var hasComments: Bool { trailing != nil || !lines.isEmpty }

  /// Whether a blank line is anywhere in the gap.
  var hasBlank: Bool { isAfterBlank || lines.contains(where: \.isAfterBlank) }

  init(before place: Int, in tree: SyntaxTree) {
    var newlines = 0
    for piece in tree.trivia(before: tree.tokens[place]) {
      switch piece.kind {
      case .whitespace: break
      case .newline:
        newlines += 1
        startsLine = true
      case .comment, .docComment:
        let comment = Comment(
          text: tree.source.commentText(piece.span), isDoc: piece.kind == .docComment,
          isAfterBlank: newlines > 1)
        if place > 0, !startsLine, trailing == nil {
          trailing = comment
        } else {
          lines.append(comment)
        }
        newlines = 0
      }
    }
    isAfterBlank = newlines > 1
    if place == 0 { startsLine = true }
  }
}

extension SourceFile {
  /// The text of a comment without the white space at its end.
  func commentText(_ span: Span) -> String {
    var end = span.end
    while end > span.start, [0x20, 0x09, 0x0D].contains(bytes[end - 1]) { end -= 1 }
    return text(span.start, end)
  }
}
