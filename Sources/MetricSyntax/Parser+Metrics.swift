import MetricDiagnostics

extension DiagnosticCode {
  package static let expectedClause = DiagnosticCode("S014", "expected-clause")
  package static let expectedWord = DiagnosticCode("S026", "expected-word")
}

// MARK: The declaration

extension Parser {
  mutating func parseMetric(_ kind: MetricKeyword, doc: String?) -> MetricDeclaration {
    surroundings = .metric
    let start = index
    advance()
    let keyword = span(from: start)
    let name = parseDeclaredName(kind.rawValue, upperCase: false)
    metric = name.isMissing ? nil : name.text
    var clauses: [Clause] = []
    if let header = parseBraces(of: "clause", { clauses.append($0.parseClause()) }) {
      let place = header.isEmpty ? gap : tokens[header.lowerBound].span
      clauses.append(Clause(doc: nil, content: .unexpected, keyword: place, span: place, tokens: header))
    }
    return MetricDeclaration(
      doc: doc, kind: kind, keyword: keyword, name: name, clauses: clauses, span: span(from: start),
      tokens: start..<index)
  }

  private mutating func parseClause() -> Clause {
    let start = index
    let doc = takeDoc()
    operatorCount = 0
    guard let word = clauseWord() else {
      return parseUnexpectedClause(doc: doc, from: start)
    }
    advance()
    var keyword = span(from: start)
    takeForeignColon(after: word.rawValue)
    let content = parseContent(of: word, keyword: &keyword) ?? .unexpected
    if isRecovering {
      recover()
      claimDocs(from: start)
    }
    return Clause(
      doc: doc, content: content, keyword: keyword, span: span(from: start), tokens: start..<index)
  }

  /// The word that starts a clause here. A misspelled one that leads its line is reported, and the
  /// rest of the clause is read as if mended.
  private mutating func clauseWord() -> Word? {
    if let word = words[index], word.startsClause, word != .order || self.word(1) != .by { return word }
    let leads = isFirstOnLine(index) || (index > 0 && tokens[index - 1].kind == .leftBrace)
    guard leads, familiarNote(.clause).isEmpty, let meant = near(Word.clauses) else { return nil }
    let place = current.span
    fail(
      .expectedClause, "\(quoted(currentText)) does not start a clause", at: place,
      notes: [Note("did you mean `\(meant.rawValue)`?")])
    return meant
  }

  /// `for: app`, `unit = days`
  mutating func takeForeignColon(after word: String) {
    guard at(.colon) || at(.equal) else { return }
    mend(
      .straySeparator, "\(quoted(currentText)) is not allowed after `\(word)`",
      fixes: [Fix("remove it", replace: current.span, with: "")])
    advance()
  }

  private mutating func parseUnexpectedClause(doc: String?, from start: Int) -> Clause {
    fail(
      .expectedClause, "expected a clause, found \(found)", at: current.span,
      notes: unexpectedClauseNotes)
    advancePastJunk()
    recover()
    claimDocs(from: start)
    return Clause(
      doc: doc, content: .unexpected, keyword: tokens[start].span, span: span(from: start),
      tokens: start..<index)
  }

  private var unexpectedClauseNotes: [Note] {
    if at(.rightParenthesis) || at(.rightBracket) { return [Note("nothing is open here")] }
    if at(.string) { return [Note("clauses and names are written without quotes")] }
    if at(.number) { return [Note("numbers of a list are separated by commas: `at 7, 30`")] }
    let familiar = familiarNote(.clause) + familiarNote(.suffix) + familiarNote(.sign)
    if !familiar.isEmpty { return familiar }
    let candidates = Word.clauses + [.and, .or, .in, .is, .not, .offset]
    if let near = nearNote(among: candidates) { return [near] }
    guard at(.identifier), currentText.first?.isUppercase == true else { return [] }
    return [
      Note(
        "a record is read in an expression, `value count(\(currentText))`, or in a step, `step NAME \(currentText)`"
      )
    ]
  }
}

// MARK: The clauses

extension Parser {
  /// What follows the word of a clause; nil where nothing can be made of it.
  private mutating func parseContent(of word: Word, keyword: inout Span) -> ClauseContent? {
    switch word {
    case .for: return parseSubject()
    case .every: return parseWindow().map(ClauseContent.every)
    case .when: return .when(parseExpression())
    case .rest: return parseRest(&keyword)
    case .value: return .value(parseExpression())
    case .target: return .target(parseExpression())
    case .over: return parsePeriod().map(ClauseContent.over)
    case .best: return .best
    case .previous: return .previous
    case .nearest: return parseNumber("a number to round to").map { .nearest($0) }
    case .grace: return parseLength(Units.counted).map(ClauseContent.grace)
    case .half: return parseHalfLife(&keyword)
    case .of: return parseMetricPath()
    case .at: return parseAt(&keyword)
    default: return parseFactClause(word, keyword: &keyword) ?? parseDescription(word)
    }
  }

  /// The clauses of funnels and retentions.
  private mutating func parseFactClause(_ word: Word, keyword: inout Span) -> ClauseContent? {
    switch word {
    case .step: return parseStep()
    case .within: return parseLength(Units.rolling).map(ClauseContent.within) ?? .unexpected
    case .order: return .order(parseWord(oneOf: [.any, .strict]))
    case .start: return parseStart()
    case .return: return .returns(parseFactPattern())
    case .after: return parseAfter()
    case .by: return parseBy(&keyword)
    default: return nil
    }
  }

  /// The clauses that every metric takes, and the anti-patterns.
  private mutating func parseDescription(_ word: Word) -> ClauseContent? {
    switch word {
    case .title: return parseString("the title as a text").map(ClauseContent.title)
    case .unit: return .unit(parseUnitName())
    case .audience: return .audience(parseWord(oneOf: [.user, .team], notes: familiarNote(.audience)))
    case .deprecated:
      return parseString("a text that says what to use instead").map(ClauseContent.deprecated)
    case .allow: return parseAllow()
    case .reading: return parseString("a text that says what is read").map(ClauseContent.reading)
    default: return word.isForbidden ? parseForbidden() : nil
    }
  }

  /// `unit minutes`. A sign such as `%` is a mistake of the clause, not of an expression.
  private mutating func parseUnitName() -> Name {
    guard !at(.identifier) else { return parseName("a name for the unit") }
    let notes = [Note("a unit is a word, such as `percent`, `euros` or `minutes`")]
    guard at(.unknown) else {
      expected(.expectedName, "a name for the unit", notes: notes)
      return missingName
    }
    withdrawn.insert(current.span)
    mend(.expectedName, "expected a name for the unit, found \(found)", notes: notes)
    advance()
    isRecovering = true
    return missingName
  }

  /// `for habit`, `for habit where E`
  private mutating func parseSubject() -> ClauseContent {
    let name = parseName("a subject")
    let condition = take(.where) ? parseExpression() : nil
    return .subject(name, condition: condition)
  }

  private mutating func parseRest(_ keyword: inout Span) -> ClauseContent? {
    guard takeSecond(.when, after: "rest", &keyword) else { return nil }
    return .rest(parseExpression())
  }

  private mutating func parseHalfLife(_ keyword: inout Span) -> ClauseContent? {
    guard takeSecond(.life, after: "half", &keyword) else { return nil }
    return parseLength(Units.counted).map(ClauseContent.halfLife)
  }

  /// The second word of a clause that is named by two.
  private mutating func takeSecond(_ word: Word, after first: String, _ keyword: inout Span) -> Bool {
    let place = current.span
    guard take(word) else {
      expected(
        .expectedWord, "`\(word.rawValue)` after `\(first)`",
        notes: at(.minus) ? [Note("write `\(first) \(word.rawValue)`")] : [])
      return false
    }
    keyword = keyword.union(place)
    return true
  }

  private mutating func parseMetricPath() -> ClauseContent {
    let start = index
    let names = parsePath("the name of a metric")
    return .of(MetricPath(names: names, span: span(from: start)))
  }

  /// `at 7, 30, 100` or `at least 5 users`
  private mutating func parseAt(_ keyword: inout Span) -> ClauseContent? {
    let place = current.span
    guard take(.least) else {
      return .thresholds(parseCommas(until: nil) { $0.parseNumberLiteral("a threshold as a number") })
    }
    keyword = keyword.union(place)
    guard let count = parseNumber("a number of users") else { return nil }
    let notes = [Note("write `at least \(count.text) users`")]
    return .atLeast(count, unit: parseWord(oneOf: [.users], notes: notes))
  }

  /// `allow W012 "why"`
  private mutating func parseAllow() -> ClauseContent? {
    guard at(.identifier) else {
      expected(
        .expectedName, "the code of a warning", notes: [Note("it is written like `allow W012 \"why\"`")])
      return nil
    }
    let code = takeName()
    return parseString("a text that says why").map { .allow(code: code, reason: $0) }
  }

  /// A word of the anti-patterns takes the rest of its line; the resolver refuses it.
  private mutating func parseForbidden() -> ClauseContent {
    let word = name(index - 1)
    var rest: Set<String> = []
    var braces = 0
    while !at(.endOfFile), !isFirstOnLine(index) {
      if at(.identifier) { rest.insert(name(index).text) }
      if at(.leftBrace) { braces += 1 }
      if at(.rightBrace) {
        if braces == 0 { break }
        braces -= 1
      }
      advance()
    }
    return .forbidden(word, rest: rest)
  }

  /// One of a few words; a missing name where another stands.
  mutating func parseWord(oneOf candidates: [Word], notes: [Note] = []) -> Name {
    if at(anyOf: candidates) { return takeName() }
    expected(.expectedWord, oneOf: candidates, notes: notes)
    return missingName
  }
}
