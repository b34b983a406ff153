import MetricSyntax

/// A piece of a definition's text, all of one colour.
package struct CodePiece: Hashable, Sendable {
  /// What a piece of text is, for its colour.
  package enum Kind: String, Sendable {
    case keyword, function, record, metric, number, text, comment, plain
  }

  package var kind: Kind
  package var text: String
}

/// How a metric is written.
package struct MetricDefinition: Hashable, Sendable {
  package var path: String
  /// From 1; the line of the metric's first word, after its doc comment.
  package var line: Int
  /// The text without its doc comment, in order and without gaps.
  package var pieces: [CodePiece]
}

extension MetricLibrary {
  /// The text of each metric that can be parsed, by name. Of two with one name it is the first.
  package var definitions: [String: MetricDefinition] {
    let names = Set(metrics.map(\.name))
    var found: [String: MetricDefinition] = [:]
    for (file, source) in sources.enumerated() {
      let (tree, _) = parse(source, file: file)
      for metric in tree.metrics where found[metric.name.text] == nil {
        let painter = CodePainter(tree: tree, metric: metric, metricNames: names)
        found[metric.name.text] = MetricDefinition(
          path: source.path, line: source.position(of: metric.keyword.start).line, pieces: painter.pieces)
      }
    }
    return found
  }
}

/// Says of each token of a metric what it is.
private struct CodePainter {
  let tree: SyntaxTree
  let metric: MetricDeclaration
  let metricNames: Set<String>

  /// Words that are keywords wherever an operand or a name does not stand.
  private static let inner: Set<String> = Set(
    [
      Word.if, .then, .else, .and, .or, .not, .in, .is, .none, .true, .false, .offset, .where, .through,
      .over, .last, .all, .time, .calendar, .from, .day, .days, .week, .weeks, .window, .windows, .month,
      .months, .first, .each, .later, .cohort, .users, .any, .strict, .least, .team, .life, .best,
      .previous, .as,
    ].map(\.rawValue))

  var pieces: [CodePiece] {
    var pieces: [CodePiece] = []
    var end = metric.keyword.start
    for index in metric.tokens where tree.tokens[index].span.start >= metric.keyword.start {
      let token = tree.tokens[index]
      guard token.kind != .endOfFile else { break }
      for trivia in tree.trivia(before: token) where trivia.span.start >= end {
        let isComment = trivia.kind == .comment || trivia.kind == .docComment
        pieces.append(CodePiece(kind: isComment ? .comment : .plain, text: tree.source.text(trivia.span)))
      }
      pieces.append(CodePiece(kind: kind(of: index), text: tree.source.text(token.span)))
      end = token.span.end
    }
    return pieces
  }

  private func kind(of index: Int) -> CodePiece.Kind {
    let token = tree.tokens[index]
    switch token.kind {
    case .number, .day: return .number
    case .string: return .text
    case .identifier: break
    default: return .plain
    }
    let text = tree.source.text(token.span)
    if token.span == (metric.family ?? metric.name).span { return .metric }
    let isClause = metric.clauses.contains { $0.keyword.covers(token.span) }
    if isClause || metric.keyword.covers(token.span) { return .keyword }
    if index > 0, tree.tokens[index - 1].kind == .dot { return .plain }
    if text.first?.isUppercase == true { return .record }
    let next = index + 1 < tree.tokens.count ? tree.tokens[index + 1].kind : .endOfFile
    if next == .leftParenthesis, !["and", "or", "not", "if", "then", "else"].contains(text) {
      return .function
    }
    if metricNames.contains(text) { return .metric }
    return CodePainter.inner.contains(text) && next != .dot ? .keyword : .plain
  }
}
