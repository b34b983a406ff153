/// Everything known about a library at one moment: what the editor features look at.
///
/// What only some features need is computed on request.
package final class Analysis {
  package let library: MetricLibrary
  /// Of the sources, in their order; the built-in records come last.
  package let trees: [SyntaxTree]
  let parsed: [ParsedSource]

  /// - Parameter previous: the state before some files changed, which makes the analysis quicker.
  package init(_ parsed: [ParsedSource], previous: Analysis? = nil) {
    library = MetricLibrary(parsed: parsed, searchesCounterexamples: false, previous: previous?.library)
    self.parsed = parsed
    let builtIn = SourceFile(path: BuiltIn.path, text: BuiltIn.source)
    trees = parsed.map(\.tree) + [ParsedSource(builtIn, file: parsed.count).tree]
  }

  package var plan: Library { library.plan }

  package var builtInFile: Int { trees.count - 1 }

  package private(set) lazy var names = NameIndex(self)

  /// The first declaration of each metric.
  package private(set) lazy var metrics: [String: MetricDeclaration] =
    Dictionary(trees.flatMap(\.metrics).map { ($0.name.text, $0) }) { first, _ in first }

  /// The metrics that have a plan, with what is proved of them.
  package private(set) lazy var planned: [String: PlannedMetric] =
    Dictionary(library.plannedMetrics.map { ($0.summary.name, $0) }) { first, _ in first }

  /// An entity by its name as a subject.
  func subject(named name: String) -> RecordID? {
    plan.records.firstIndex { $0.kind == .entity && $0.subjectName == name }
  }

  func text(_ span: Span) -> String {
    trees.indices.contains(span.file) ? trees[span.file].source.text(span) : ""
  }
}

extension SyntaxTree {
  /// The index of the token that holds an offset, or of the word that ends there.
  func tokenIndex(at offset: Int) -> Int? {
    let next = tokens.partitioningIndex { $0.span.start > offset }
    if next > 0, offset < tokens[next - 1].span.end { return next - 1 }
    // Right after a word, which may touch the next token.
    return tokens[..<next].suffix(2).lastIndex { $0.kind == .identifier && $0.span.end == offset }
  }

  func text(of token: Token) -> String { source.text(token.span) }
}
