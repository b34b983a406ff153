import MetricSyntax

/// The clauses of one metric or report by their word, each once; what does not belong has been reported.
struct ClauseTable {
  /// Nil for a report.
  let kind: MetricKind?
  private var owner: String { kind?.rawValue ?? "report" }
  private var clauses: [ClauseWord: Clause] = [:]
  private(set) var steps: [Clause] = []
  private(set) var allows: [Clause] = []
  private(set) var isComplete = true
  /// Whether a clause could not be parsed. It has its finding; what it may have been is not missed.
  private(set) var hasBroken = false

  subscript(word: ClauseWord) -> Clause? { clauses[word] }

  /// The expression of a clause; one that is not there has been reported.
  func expression(_ word: ClauseWord) throws -> ExpressionSyntax {
    guard let expression = clauses[word]?.content.expression else { throw Reported() }
    return expression
  }

  /// The path of `of`, which has a name.
  func path() throws -> MetricPath {
    guard case .of(let path) = clauses[.of]?.content, !path.names[0].isMissing else { throw Reported() }
    return path
  }

  /// The span of each clause by its word, and of each step's name as `step name`.
  var spans: [String: Span] {
    var spans = Dictionary(uniqueKeysWithValues: clauses.map { ($0.key.rawValue, $0.value.span) })
    for case .step(let name, _) in steps.map(\.content) { spans["step \(name.text)"] = name.span }
    return spans
  }

  init(of kind: MetricKind?, _ name: Name, _ written: [Clause], resolver: Resolver) {
    self.kind = kind
    // A clause on the same line as a forbidden word may be meant; it is not missed.
    var swallowed: Set<String> = []
    for clause in written {
      if case .forbidden(let word, let rest) = clause.content {
        try? resolver.refuseForbidden(word)
        if kind != nil { swallowed.formUnion(rest) }
      }
      if case .unexpected = clause.content { hasBroken = true }
      if (try? add(clause, resolver: resolver)) == nil { isComplete = false }
    }
    let required = kind?.required ?? [.metrics]
    for word in required where !has(word) && !hasBroken && !swallowed.contains(word.rawValue) {
      let example = kind.map(word.example) ?? word.example
      resolver.fail(
        .missingClause, "the \(owner) `\(name.text)` has no `\(word.rawValue)` clause", at: name.span,
        notes: ["for example `\(example)`"])
      isComplete = false
    }
  }

  private func has(_ word: ClauseWord) -> Bool {
    // A retention has a value in place of what is returned to.
    word == .step ? !steps.isEmpty : clauses[word] != nil || word == .returns && clauses[.value] != nil
  }

  private mutating func add(_ clause: Clause, resolver: Resolver) throws {
    guard let word = clause.word else { throw Reported() }
    let ofMetrics = kind.map { word.belongs(to: $0) || ClauseWord.common.contains(word) }
    try resolver.require(
      ofMetrics ?? ClauseWord.ofReports.contains(word), .misplacedClause,
      "a \(owner) has no `\(word.rawValue)` clause", at: clause.keyword,
      notes: [
        kind.map { _ in "it belongs to \(quoted(word.owners))" },
        "a \(owner) takes \(quoted((kind?.clauses ?? ClauseWord.ofReports).map(\.rawValue)))",
      ])
    switch word {
    case .step: steps.append(clause)
    case .allow: allows.append(clause)
    default:
      if let first = clauses[word] {
        throw resolver.fail(
          .repeatedClause, "the `\(word.rawValue)` clause is repeated", at: clause.keyword,
          notes: [
            Note("it is already here", at: .source(first.keyword)),
            word == .by ? "a comma separates fields: `by country, plan`" : nil,
          ])
      }
      clauses[word] = clause
    }
  }
}
