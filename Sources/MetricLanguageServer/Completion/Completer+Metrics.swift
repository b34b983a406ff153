import MetricDiagnostics
import MetricPlan
import MetricResolve
import MetricSyntax

/// Completion in a metric: the clause that the cursor is in, and what fits it.
extension Completer {
  /// A clause with the tokens behind its word, up to the cursor.
  struct OpenClause {
    var word: Word
    var tail: [CursorToken] = []
  }

  func metricItems(_ body: [CursorToken]) -> [CompletionItem] {
    let clauses = Completer.clauses(body)
    guard let kind = context.keyword else { return [] }
    guard let clause = clauses.last else { return clauseWords(of: kind, besides: []) }
    var items = items(in: clause, of: clauses)
    if Completer.isWhole(clause), Completer.openCalls(clause.tail).isEmpty, !context.isInText {
      items += clauseWords(of: kind, besides: clauses.map(\.word))
    }
    return items
  }

  func reportItems(_ body: [CursorToken]) -> [CompletionItem] {
    let clauses = Completer.clauses(body)
    var found: [CompletionItem] = []
    if let clause = clauses.last {
      let wantsName = clause.tail.isEmpty || clause.tail.last?.kind == .comma
      switch clause.word {
      case .metrics: found = wantsName ? metrics { _ in true } : []
      case .every: found = windowItems(clause.tail, units: [])
      default: break
      }
      guard Completer.isWhole(clause), !context.isInText else { return found }
    }
    let written = clauses.map(\.word)
    return found + words([.title, .every, .metrics].filter { !written.contains($0) }, rank: 0)
  }

  /// Whether a clause may end at the cursor.
  private static func isWhole(_ clause: OpenClause) -> Bool {
    if Word.loneClauses.contains(clause.word) { return true }
    guard let last = clause.tail.last, last.endsOperand else { return false }
    let wanting: [Word] =
      switch clause.word {
      case .over, .every: [.last, .calendar, .previous, .all]
      case .start: [.first, .each]
      case .rest: [.when]
      case .half: [.life]
      case .forgive: [.in]
      case .at: [.least]
      case .by: [.cohort]
      case .slice: [.by]
      default: []
      }
    return last.word.map(wanting.contains) != true && (clause.word != .step || clause.tail.count > 1)
  }

  /// The clauses of a body up to the cursor. A word starts one where it leads its line or follows
  /// something whole, outside parentheses.
  static func clauses(_ body: [CursorToken]) -> [OpenClause] {
    var clauses: [OpenClause] = []
    var depth = 0
    for token in body {
      if depth == 0, let word = token.word, Word.clauses.contains(word), starts(token, clauses.last) {
        clauses.append(OpenClause(word: word))
        continue
      }
      switch token.kind {
      case .leftParenthesis, .leftBracket: depth += 1
      case .rightParenthesis, .rightBracket: depth = max(0, depth - 1)
      default: break
      }
      if !clauses.isEmpty { clauses[clauses.count - 1].tail.append(token) }
    }
    return clauses
  }

  private static func starts(_ token: CursorToken, _ clause: OpenClause?) -> Bool {
    guard let clause else { return true }
    guard let last = clause.tail.last else {
      return Word.loneClauses.contains(clause.word) || token.leadsLine && token.word != .when
    }
    if clause.word == .step, clause.tail.count == 1 { return false }
    // `within 7 days`
    if token.word == .days, last.kind == .number { return false }
    return last.endsOperand
  }

  // MARK: Words of clauses

  private func clauseWords(of kind: Word, besides written: [Word]) -> [CompletionItem] {
    guard let kind = MetricKind(rawValue: kind.rawValue) else { return [] }
    func items(_ clauses: [ClauseWord], rank: Int) -> [CompletionItem] {
      clauses.compactMap { clause in
        guard let word = Word(rawValue: String(clause.rawValue.prefix { $0 != " " })),
          !written.contains(word) || word == .step || word == .allow
        else { return nil }
        return CompletionItem(clause.rawValue, .keyword, documentation: word.help).ranked(rank)
      }
    }
    let optional = kind.clauses.filter { !kind.required.contains($0) }
    return items(kind.required, rank: 0) + items(optional, rank: 1) + items(ClauseWord.common, rank: 4)
  }

  // MARK: What is in a clause

  private func items(in clause: OpenClause, of all: [OpenClause]) -> [CompletionItem] {
    let tail = clause.tail
    let last = tail.last
    let subject = subject(of: all)
    switch clause.word {
    case .for: return subjectItems(tail)
    case .every: return windowItems(tail, units: ["day", "days", "week", "weeks"])
    case .when, .limit, .value, .target: return expressionItems(tail, scope: .value(subject))
    case .rest:
      guard tail.first?.word == .when else { return words([.when]) }
      return expressionItems(Array(tail.dropFirst()), scope: .value(subject))
    case .over: return periodItems(tail)
    case .forgive:
      guard let place = tail.firstIndex(where: { $0.word == .in }) else {
        return last?.kind == .number ? words([.in], rank: 0) : []
      }
      return lengthItems(place == tail.count - 1 ? nil : last, clause.word)
    case .grace, .half, .within:
      return lengthItems(clause.word == .half && tail.isEmpty ? nil : last, clause.word)
    case .of: return ofItems(tail)
    case .at: return atItems(tail)
    case .audience: return tail.isEmpty ? words([.user, .team]) : []
    case .order: return tail.isEmpty ? words([.any, .strict]) : []
    case .unit: return tail.isEmpty ? phrases(units, .unit) : []
    case .allow: return tail.isEmpty ? warningCodes : []
    case .step: return tail.isEmpty ? [] : factItems(Array(tail.dropFirst()), subject)
    case .start:
      if tail.isEmpty { return words([.first, .each], rank: 0) + factItems(tail, subject) }
      let isMode = tail[0].word == .first || tail[0].word == .each
      return factItems(isMode ? Array(tail.dropFirst()) : tail, subject)
    case .return, .without: return factItems(tail, subject)
    case .after:
      if last?.kind == .number { return words([.days, .weeks], rank: 0) }
      if last?.word == .or { return words([.later]) }
      return last?.kind == .identifier && tail.count > 1 ? phrases(["or later"], rank: 0) : []
    case .by: return groupItems(tail, all, hasCohorts: context.keyword != .measure)
    case .slice:
      guard tail.first?.word == .by else { return words([.by]) }
      let field = tail.split(omittingEmptySubsequences: false) { $0.kind == .comma || $0.word == .by }.last
      return groupItems(field.map(Array.init) ?? [], all, hasCohorts: false)
    default: return []
    }
  }

  /// The entity of the `for` clause, or of the metric that `of` names; nil for `app` and unknown ones.
  func subject(of clauses: [OpenClause]) -> RecordID? {
    guard let name = clauses.first(where: { $0.word == .for })?.tail.first?.text else { return nil }
    return analysis.subjectIDs[name]
  }

  private func subjectItems(_ tail: [CursorToken]) -> [CompletionItem] {
    guard let name = tail.first else {
      return subjects() + [CompletionItem("app", .subject, detail: "the whole dataset").ranked(3)]
    }
    guard let entity = analysis.subjectIDs[name.text] else { return [] }
    if tail.count == 1 { return words([.where], rank: 0) }
    return expressionItems(Array(tail.dropFirst(2)), scope: .subjectCondition(entity))
  }

  private func windowItems(_ tail: [CursorToken], units: [String]) -> [CompletionItem] {
    guard let last = tail.last else {
      return phrases(["day", "2 days", "week"] + calendarPhrases)
    }
    if last.kind == .number { return phrases(units, rank: 0) }
    return calendarItems(tail)
  }

  private var calendarPhrases: [String] { ["week", "month", "quarter", "year"].map { "calendar \($0)" } }

  /// What follows `calendar`, `calendar year` and `from`.
  private func calendarItems(_ tail: [CursorToken]) -> [CompletionItem] {
    switch tail.last?.word {
    case .previous: words([.calendar], rank: 0)
    case .calendar: phrases(["week", "month", "quarter", "year"], rank: 0)
    case .week, .quarter, .year: words([.from])
    case .from: words(tail.contains { $0.word == .week } ? Word.weekdays : Word.monthNames)
    default: []
    }
  }

  func periodItems(_ tail: [CursorToken]) -> [CompletionItem] {
    guard let last = tail.last else {
      return phrases(
        ["last 7 days", "last 28 days", "last 4 weeks"] + calendarPhrases + [
          "previous calendar month", "all time",
        ])
        + words([.last])
    }
    if last.word == .last { return phrases(["7 days", "28 days", "4 weeks"], rank: 0) }
    if last.kind == .number {
      return words(context.keyword == .momentum ? [.days, .weeks, .windows] : [.days, .weeks], rank: 0)
    }
    if last.word == .all { return words([.time]) }
    return calendarItems(tail)
  }

  private func lengthItems(_ last: CursorToken?, _ clause: Word) -> [CompletionItem] {
    guard let last else { return clause == .half ? words([.life]) : [] }
    guard last.kind == .number else { return [] }
    return words(clause == .within ? [.days, .weeks] : [.days, .weeks, .windows], rank: 0)
  }

  private func ofItems(_ tail: [CursorToken]) -> [CompletionItem] {
    if tail.last?.kind == .dot { return parts(of: tail.dropLast().map(\.text)) }
    guard tail.isEmpty else { return [] }
    guard context.keyword == .level else { return metrics { $0.kind == .completion } }
    return metrics { metric in metric.kind != .level && metric.parts.contains { $0.type.isNumber } }
  }

  private func atItems(_ tail: [CursorToken]) -> [CompletionItem] {
    if context.keyword == .level { return tail.last?.kind == .number ? words([.days]) : [] }
    if tail.isEmpty { return phrases(["least 5 users"], rank: 0) }
    return tail.count == 2 && tail[0].word == .least ? words([.users], rank: 0) : []
  }

  private var units: [String] { Set(plan.metrics.compactMap(\.unit)).filter { !$0.isEmpty }.sorted() }

  private var warningCodes: [CompletionItem] {
    Page.all.filter { $0.code.id.hasPrefix("W") }.map { page in
      CompletionItem(page.code.id, .code, detail: page.code.name, documentation: page.about)
    }
  }

  /// A fact or a completion in its place, and the condition behind a fact.
  private func factItems(_ tail: [CursorToken], _ subject: RecordID?) -> [CompletionItem] {
    guard let name = tail.first else {
      return facts()
        + metrics { metric in
          if case .completion(let completion) = metric.body { return completion.window == .rolling(days: 1) }
          return false
        }
    }
    guard let record = analysis.recordIDs[name.text] else { return [] }
    if tail.count == 1 { return words([.where], rank: 0) }
    guard tail[1].word == .where else { return [] }
    return expressionItems(Array(tail.dropFirst(2)), scope: .fact(record, subject: subject))
  }

  /// Fields of the facts that the metric reads, and metrics of the subjects that it counts.
  private func groupItems(_ clause: [CursorToken], _ all: [OpenClause], hasCohorts: Bool) -> [CompletionItem]
  {
    // The field behind the last comma.
    let tail = Array(clause.suffix(from: clause.lastIndex { $0.kind == .comma }.map { $0 + 1 } ?? 0))
    let sources = all.flatMap(\.tail).compactMap { token in
      analysis.recordIDs[token.text].flatMap { plan.records[$0].kind == .fact ? $0 : nil }
    }
    if tail.first?.word == .cohort {
      return tail.count == 1 ? words([.day, .week, .month, .quarter, .year]) : []
    }
    if tail.last?.kind == .dot {
      return sources.flatMap { source in
        follow(tail.dropLast().filter { $0.kind == .identifier }.map(\.text)[...], from: source).map {
          fields(of: $0) + references(of: $0)
        } ?? []
      }
    }
    guard tail.isEmpty else { return [] }
    let counted = Set(
      all.filter { $0.word != .for }.flatMap(\.tail).compactMap { analysis.subjectIDs[$0.text] })
    let ofCounted = metrics { metric in
      metric.subject.entity.map(counted.contains) ?? false && metric.parts.contains { $0.type != .decimal }
        && !metric.kind.countsSubjects
    }
    return (hasCohorts ? words([.cohort]) : []) + sources.flatMap { fields(of: $0) + references(of: $0) }
      + (sources.isEmpty ? ofCounted : [])
  }
}
