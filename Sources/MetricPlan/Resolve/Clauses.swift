import MetricSyntax

/// The clauses of one metric by their word, each once; what does not belong has been reported.
struct ClauseTable {
  let kind: MetricKind
  private var clauses: [ClauseWord: Clause] = [:]
  private(set) var steps: [Clause] = []
  private(set) var allows: [Clause] = []
  private(set) var isComplete = true
  /// Whether a clause could not be parsed. It has its finding; what it may have been is not missed.
  private(set) var hasBroken = false

  subscript(word: ClauseWord) -> Clause? { clauses[word] }

  /// The span of each clause by its word, and of each step's name as `step name`.
  var spans: [String: Span] {
    var spans = Dictionary(uniqueKeysWithValues: clauses.map { ($0.key.rawValue, $0.value.span) })
    for case .step(let name, _) in steps.map(\.content) { spans["step \(name.text)"] = name.span }
    return spans
  }

  init(_ declaration: MetricDeclaration, resolver: Resolver) {
    kind = declaration.kind
    // A clause on the same line as a forbidden word may be meant; it is not missed.
    var swallowed: Set<String> = []
    for clause in declaration.clauses {
      if case .forbidden(let word, let rest) = clause.content {
        _ = resolver.reportAntiPattern(word)
        swallowed.formUnion(rest)
      }
      if case .unexpected = clause.content { hasBroken = true }
      guard let word = clause.word else {
        isComplete = false
        continue
      }
      add(clause, word, resolver: resolver)
    }
    for word in kind.required where !has(word) && !hasBroken && !swallowed.contains(word.rawValue) {
      resolver.fail(
        .missingClause, "the \(kind.rawValue) `\(declaration.name.text)` has no `\(word.rawValue)` clause",
        at: declaration.name.span, notes: ["for example `\(word.example(in: kind))`"])
      isComplete = false
    }
  }

  private func has(_ word: ClauseWord) -> Bool {
    // A retention has a value in place of what is returned to.
    word == .step ? !steps.isEmpty : clauses[word] != nil || word == .returns && clauses[.value] != nil
  }

  private mutating func add(_ clause: Clause, _ word: ClauseWord, resolver: Resolver) {
    guard word.belongs(to: kind) || ClauseWord.common.contains(word) else {
      resolver.fail(
        .misplacedClause, "a \(kind.rawValue) has no `\(word.rawValue)` clause", at: clause.keyword,
        notes: [
          "it belongs to \(quoted(word.owners))",
          "a \(kind.rawValue) takes \(quoted(kind.clauses.map(\.rawValue)))",
        ])
      isComplete = false
      return
    }
    switch word {
    case .step: steps.append(clause)
    case .allow: allows.append(clause)
    default:
      if let first = clauses[word] {
        resolver.fail(
          .repeatedClause, "the `\(word.rawValue)` clause is repeated", at: clause.keyword,
          notes: [
            Note("it is already here", at: .source(first.keyword)),
            word == .by ? "a comma separates fields: `by country, plan`" : nil,
          ])
        isComplete = false
      } else {
        clauses[word] = clause
      }
    }
  }
}
