extension Parser {
  /// The doc comment above the current token, which becomes its owner.
  mutating func takeDoc() -> String? {
    documented[index] = true
    return ownDoc(index)?.map(docText).joined(separator: "\n")
  }

  /// Makes all doc comments since a token owned: what is in skipped tokens has its finding.
  mutating func claimDocs(from start: Int) {
    for place in start..<max(start, index) { documented[place] = true }
  }

  /// Warns about each doc comment above nothing that it could describe, of a metric in its name, so that it
  /// can allow it.
  mutating func reportMisplacedDocs(in declarations: [Declaration]) {
    // What precedes the first token is above the metric.
    func metric(around place: Int) -> String? {
      for case .metric(let metric) in declarations where metric.tokens.dropFirst().contains(place) {
        return metric.name.isMissing ? nil : metric.name.text
      }
      return nil
    }
    for place in tokens.indices {
      for run in docRuns(place) where !documented[place] || run != ownDoc(place) {
        guard let first = run.first, let last = run.last else { continue }
        diagnostics.append(
          .warning(
            SyntaxCode.misplacedDoc.code, "this doc comment describes nothing",
            at: first.span.union(last.span), metric: metric(around: place),
            notes: ["`///` goes above a declaration, a clause or a field; elsewhere write `//`"]))
      }
    }
  }

  /// The last run of doc lines above a token; none that follows another token on its line.
  private func ownDoc(_ place: Int) -> [Trivia]? {
    guard let last = docRuns(place).last, let first = last.first else { return nil }
    let isTrailing =
      place > 0
      && !trivia[leading: tokens[place]].contains {
        $0.kind == .newline && $0.span.start < first.span.start
      }
    return isTrailing ? nil : last
  }

  /// The doc lines before a token, in runs of consecutive lines.
  private func docRuns(_ place: Int) -> [[Trivia]] {
    guard trivia[leading: tokens[place]].contains(where: { $0.kind == .docComment }) else { return [] }
    var runs: [[Trivia]] = []
    var newlines = 2
    for piece in trivia[leading: tokens[place]] {
      switch piece.kind {
      case .docComment:
        if newlines > 1 { runs.append([]) }
        runs[runs.count - 1].append(piece)
        newlines = 0
      case .comment: newlines = 2
      case .newline: newlines += 1
      case .whitespace: break
      }
    }
    return runs
  }

  /// The text of one line, without the slashes and the space after them.
  private func docText(_ line: Trivia) -> String {
    let start = line.span.start + 3
    let isSpaced = start < line.span.end && source.bytes[start] == UInt8(ascii: " ")
    return source.text(isSpaced ? start + 1 : start, line.span.end)
  }
}
