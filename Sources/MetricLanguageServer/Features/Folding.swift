/// Lines, from 0, that can be folded away; the first stays.
package struct FoldingRange: Hashable, Sendable {
  package var firstLine: Int
  package var lastLine: Int
  package var isComment: Bool
}

extension SyntaxTree {
  /// Braces over several lines, and runs of comment lines.
  package func foldingRanges(in text: DocumentText) -> [FoldingRange] {
    var ranges: [FoldingRange] = []
    var open: [Int] = []
    for token in tokens {
      ranges += commentRuns(before: token, in: text)
      let line = text.line(of: token.span.start)
      if token.kind == .leftBrace { open.append(line) }
      guard token.kind == .rightBrace, let first = open.popLast() else { continue }
      ranges.append(FoldingRange(firstLine: first, lastLine: line, isComment: false))
    }
    return ranges.filter { $0.lastLine > $0.firstLine }
      .sorted { ($0.firstLine, $0.lastLine) < ($1.firstLine, $1.lastLine) }
  }

  private func commentRuns(before token: Token, in text: DocumentText) -> [FoldingRange] {
    var runs: [FoldingRange] = []
    for comment in comments(before: token) {
      let line = text.line(of: comment.span.start)
      if let run = runs.last, run.lastLine == line - 1 {
        runs[runs.count - 1].lastLine = line
      } else {
        runs.append(FoldingRange(firstLine: line, lastLine: line, isComment: true))
      }
    }
    return runs
  }
}
