import MetricDiagnostics
import MetricPlan
import MetricSyntax

/// A clause by its word, as messages and tables name it.
package enum ClauseWord: String, CaseIterable {
  case subject = "for"
  case every, when, limit
  case rest = "rest when"
  case of, best, previous, grace, forgive
  case halfLife = "half life"
  case over, value, target, at
  case atLeast = "at least"
  case nearest
  case step, within, order, days, without, start
  case returns = "return"
  case after, by
  case slice = "slice by"
  case title, unit, audience, deprecated, allow, reading, metrics

  /// The word of a clause; nil for clauses that are findings already.
  init?(_ content: ClauseContent) {
    switch content {
    case .subject: self = .subject
    case .every: self = .every
    case .when: self = .when
    case .limit: self = .limit
    case .rest: self = .rest
    case .of: self = .of
    case .best: self = .best
    case .previous: self = .previous
    case .grace: self = .grace
    case .forgive: self = .forgive
    case .halfLife: self = .halfLife
    case .over, .overEach: self = .over
    case .value: self = .value
    case .target: self = .target
    case .thresholds: self = .at
    case .atLeast: self = .atLeast
    case .nearest: self = .nearest
    case .step: self = .step
    case .within: self = .within
    case .order: self = .order
    case .start: self = .start
    case .returns: self = .returns
    case .after: self = .after
    case .by: self = .by
    case .slice: self = .slice
    case .title: self = .title
    case .unit: self = .unit
    case .audience: self = .audience
    case .deprecated: self = .deprecated
    case .allow: self = .allow
    case .reading: self = .reading
    case .metrics: self = .metrics
    case .stepDays: self = .days
    case .without: self = .without
    case .forbidden, .unexpected: return nil
    }
  }

  /// Clauses of every metric.
  package static let common: [ClauseWord] = [.title, .unit, .audience, .deprecated, .allow]
}

extension MetricKind {
  init(_ keyword: MetricKeyword) {
    self =
      switch keyword {
      case .completion: .completion
      case .streak: .streak
      case .momentum: .momentum
      case .progress: .progress
      case .measure: .measure
      case .level: .level
      case .funnel: .funnel
      case .retention: .retention
      }
  }

  /// The clauses of the kind beside the common ones.
  package var clauses: [ClauseWord] {
    switch self {
    case .completion: [.subject, .every, .when, .limit, .rest]
    case .streak: [.of, .best, .previous, .grace, .forgive]
    case .momentum: [.of, .over, .halfLife]
    case .progress: [.subject, .value, .target, .over]
    case .measure: [.subject, .value, .over, .by, .slice, .atLeast, .nearest, .reading]
    case .level: [.of, .at]
    case .funnel: [.subject, .step, .within, .order, .days, .without, .over, .by, .slice, .atLeast, .nearest]
    case .retention: [.subject, .start, .returns, .value, .after, .over, .by, .slice, .atLeast, .nearest]
    }
  }

  package var required: [ClauseWord] {
    switch self {
    case .completion: [.subject, .every, .when]
    case .streak, .momentum: [.of]
    case .progress, .measure: [.subject, .value]
    case .level: [.of, .at]
    case .funnel: [.subject, .step]
    case .retention: [.subject, .start, .returns, .after]
    }
  }
}

/// The clauses of one metric by their word, each once; what does not belong has been reported.
struct ClauseTable {
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
    let kind = MetricKind(declaration.kind)
    // A clause on the same line as a forbidden word may be meant; it is not missed.
    var swallowed: Set<String> = []
    for clause in declaration.clauses {
      if case .forbidden(let word, let rest) = clause.content {
        _ = resolver.reportAntiPattern(word)
        swallowed.formUnion(rest)
      }
      if case .unexpected = clause.content { hasBroken = true }
      guard let word = ClauseWord(clause.content) else {
        isComplete = false
        continue
      }
      add(clause, word, kind: kind, resolver: resolver)
    }
    for word in kind.required where !has(word) && !hasBroken && !swallowed.contains(word.rawValue) {
      resolver.fail(
        .missingClause, "the \(kind.rawValue) `\(declaration.name.text)` has no `\(word.rawValue)` clause",
        at: declaration.name.span, notes: [Note("for example `\(word.example(in: kind))`")])
      isComplete = false
    }
  }

  private func has(_ word: ClauseWord) -> Bool {
    // A retention has a value in place of what is returned to.
    word == .step ? !steps.isEmpty : clauses[word] != nil || word == .returns && clauses[.value] != nil
  }

  private mutating func add(_ clause: Clause, _ word: ClauseWord, kind: MetricKind, resolver: Resolver) {
    guard kind.clauses.contains(word) || ClauseWord.common.contains(word) else {
      let kinds = MetricKind.allCases.filter { $0.clauses.contains(word) }.map(\.rawValue)
      let owners = word == .metrics ? ["report"] : kinds
      resolver.fail(
        .misplacedClause, "a \(kind.rawValue) has no `\(word.rawValue)` clause", at: clause.keyword,
        notes: [
          Note("it belongs to \(quoted(owners))"),
          Note("a \(kind.rawValue) takes \(quoted(kind.clauses.map(\.rawValue)))"),
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
          notes: [Note("it is already here", at: .source(first.keyword))]
            + (word == .by ? [Note("a comma separates fields: `by country, plan`")] : []))
        isComplete = false
      } else {
        clauses[word] = clause
      }
    }
  }
}

extension ClauseWord {
  /// How the clause is written in a metric of a kind.
  package func example(in kind: MetricKind) -> String {
    switch self {
    case .subject: "for habit"
    case .every: "every day"
    case .when: "when count(HabitEntry) >= 1"
    case .limit: "limit count(Event where name == \"smoked\") == 0 \"my own choice\""
    case .rest: "rest when weekday(day) in [\"saturday\", \"sunday\"]"
    case .of: kind == .level ? "of best_streak" : "of done"
    case .best: "best"
    case .previous: "previous"
    case .grace: "grace 1 day"
    case .forgive: "forgive 2 in 30 days"
    case .halfLife: "half life 10 days"
    case .over: "over last 7 days"
    case .value: kind == .retention ? "value sum(Event.value)" : "value sum(HabitEntry.value)"
    case .target: "target habit.weeklyTarget"
    case .at: "at 7, 30, 100"
    case .atLeast: "at least 5 users"
    case .nearest: "nearest 5"
    case .step: "step opened Event where name == \"opened\""
    case .within: "within 7 days"
    case .order: "order any"
    case .days: "days 50, 90"
    case .without: "without Event where name == \"cancelled\""
    case .start: "start Event where name == \"signed_up\""
    case .returns: "return Event"
    case .after: "after 1, 7, 30 days"
    case .by: kind == .measure ? "by name" : "by cohort week"
    case .slice: "slice by name"
    case .title: "title \"Days in a row\""
    case .unit: "unit days"
    case .audience: "audience team"
    case .deprecated: "deprecated \"use daily_streak\""
    case .allow: "allow W003 \"why\""
    case .metrics: "metrics dau, wau"
    case .reading: "reading \"the weight that was measured last\""
    }
  }
}

extension MetricKind {
  /// The clauses of the shortest metric of the kind.
  package var exampleClauses: [String] {
    var clauses = required.map { $0.example(in: self) }
    if self == .momentum { clauses.append(ClauseWord.over.example(in: self)) }
    if self == .funnel { clauses.append("step started Event where name == \"started\"") }
    return clauses
  }

  package var example: String { "\(rawValue) NAME { \(exampleClauses.joined(separator: "  ")) }" }
}
