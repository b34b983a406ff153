extension Parser {
  mutating func parseMetric(_ kind: MetricKind, from start: Int, doc: String?) -> MetricDeclaration {
    surroundings = .metric
    let keyword = span(from: start)
    let name = parseDeclaredName(kind.rawValue, upperCase: false)
    metric = name.isMissing ? nil : name.text
    return MetricDeclaration(
      doc: doc, kind: kind, keyword: keyword, name: name, clauses: parseClauses(), span: span(from: start),
      tokens: start..<index)
  }

  mutating func parseReport(from start: Int, doc: String?) -> ReportDeclaration {
    surroundings = .metric
    let name = parseDeclaredName("report", upperCase: false)
    return ReportDeclaration(
      doc: doc, name: name, clauses: parseClauses(), span: span(from: start), tokens: start..<index)
  }

  private mutating func parseClauses() -> [Clause] {
    var clauses: [Clause] = []
    if let header = parseBraces(of: "clause", { clauses.append($0.parseClause()) }) {
      let place = header.isEmpty ? gap : tokens[header.lowerBound].span
      clauses.append(Clause(word: nil, content: .unexpected, keyword: place, span: place))
    }
    return clauses
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
    let (clause, content) = parseContent(of: word, keyword: &keyword)
    recover(from: start)
    return Clause(doc: doc, word: clause, content: content, keyword: keyword, span: span(from: start))
  }

  /// The word that starts a clause here. A misspelled one that leads its line is reported, and the rest of the clause
  /// is read as if corrected.
  private mutating func clauseWord() -> Word? {
    if let word = words[index], word.startsClause, word != .order || self.word(1) != .by { return word }
    let leads = isFirstOnLine(index) || (index > 0 && tokens[index - 1].kind == .leftBrace)
    guard leads, familiarNote(.clause) == nil else { return nil }
    let meant = mendWord(to: Word.clauses, .expectedClause, "a clause")
    isRecovering = meant != nil
    return meant
  }

  /// `for: app`, `unit = days`
  mutating func takeForeignColon(after word: String) {
    guard at(.colon) || at(.equal) else { return }
    mend(.straySeparator, "\(quoted(currentText)) is not allowed after `\(word)`", writing: "")
    advance()
  }

  /// What is after the word of a clause, and nothing else: the text of an option.
  mutating func parseOption(_ word: Word) -> Clause {
    var keyword = gap
    let (clause, content) = parseContent(of: word, keyword: &keyword)
    if !isRecovering, !at(.endOfFile) {
      fail(.expectedClause, "expected nothing more, found \(found)", at: current.span)
    }
    let all = span(from: 0)
    return Clause(word: clause, content: content, keyword: all, span: all)
  }

  private mutating func parseUnexpectedClause(doc: String?, from start: Int) -> Clause {
    fail(
      .expectedClause, "expected a clause, found \(found)", at: current.span, notes: unexpectedClauseNotes)
    advancePastJunk()
    recover(from: start)
    return Clause(
      doc: doc, word: nil, content: .unexpected, keyword: tokens[start].span, span: span(from: start))
  }

  private var unexpectedClauseNotes: [Note?] {
    if at(.rightParenthesis) || at(.rightBracket) { return ["nothing is open here"] }
    if at(.string) { return ["clauses and names are written without quotes"] }
    if at(.number) {
      let note = word(1) == nil ? FamiliarWord.note(text(ahead(1)), as: .clause) : nil
      return [note ?? "numbers of a list are separated by commas: `at 7, 30`"]
    }
    let familiar = [familiarNote(.clause), familiarNote(.suffix), familiarNote(.sign)].filter { $0 != nil }
    if !familiar.isEmpty { return familiar }
    let candidates = Word.clauses + [.and, .or, .in, .is, .not, .offset]
    if let near = nearNote(among: candidates) { return [near] }
    guard at(.identifier), currentText.first?.isUppercase == true else { return [] }
    return [
      "a record is read in an expression, `value count(\(currentText))`, or in a step, `step NAME \(currentText)`"
    ]
  }

  /// What follows the word of a clause, `.unexpected` where nothing can be made of it.
  private mutating func parseContent(
    of word: Word, keyword: inout Span
  ) -> (clause: ClauseWord?, content: ClauseContent) {
    guard var clause = ClauseWord.starting[word] else { return (nil, parseForbidden()) }
    if let second = clause.second, !takeSecond(second, after: word.rawValue, &keyword) {
      return (nil, .unexpected)
    }
    let place = current.span
    if clause == .at, take(.least) { (clause, keyword) = (.atLeast, keyword.union(place)) }
    return parseRest(of: clause, &keyword).map { (clause, $0) } ?? (nil, .unexpected)
  }

  private mutating func parseRest(of clause: ClauseWord, _ keyword: inout Span) -> ClauseContent? {
    switch clause {
    case .best, .previous: return .nothing
    case .when, .rest, .value, .target: return .expression(parseExpression())
    case .without, .returns: return .fact(parseFactPattern())
    case .grace, .halfLife: return parseLength(Units.counted).map(ClauseContent.length)
    case .within: return parseLength(Units.rolling).map(ClauseContent.length)
    case .nearest: return parseNumber("a number to round to").map(ClauseContent.number)
    case .reading: return parseString("a text that says what is read").map(ClauseContent.text)
    case .title: return parseString("the title as a text").map(ClauseContent.text)
    case .owner: return parseString("a text that names who answers for it").map(ClauseContent.text)
    case .deprecated: return parseString("a text that says what to use instead").map(ClauseContent.text)
    case .subject: return parseSubject()
    case .every: return parseWindow().map(ClauseContent.every)
    case .limit:
      awaitsReason = true
      let condition = parseExpression()
      awaitsReason = false
      return parseString("a text that says why, as the person would").map { .limit(condition, reason: $0) }
    case .over: return take(.each) ? parseFamily() : parsePeriod().map(ClauseContent.over)
    case .forgive: return parseForgive()
    case .of:
      let start = index
      return .of(MetricPath(names: parsePath("the name of a metric", .metric), span: span(from: start)))
    case .at:
      let thresholds = parseCommas(until: nil) { $0.parseNumberLiteral("a threshold as a number") }
      // Before a number, `days` is a clause of its own.
      return .thresholds(thresholds, hasDays: kind(1) != .number && (take(Word.days) || take(Word.day)))
    case .metrics: return .metrics(parseCommas(until: nil) { $0.parseName("the name of a metric", .metric) })
    case .step: return parseStep()
    case .order: return .name(parseWord(oneOf: [.any, .strict]))
    case .start: return .start(takeStartMode(), parseFactPattern())
    case .after: return parseAfter()
    case .by: return parseBy(&keyword)
    case .slice: return .slice(parseCommas(until: nil) { $0.parseGroupField() })
    case .days:
      return .stepDays(parseCommas(until: nil) { $0.parseNumber("a percentile") }.compactMap { $0 })
    case .unit: return .name(parseUnitName())
    case .audience: return .name(parseWord(oneOf: [.user, .team], familiar: .audience))
    case .tags: return .tags(parseList(of: .tags))
    case .approved: return parseApproval()
    case .allow: return parseAllow()
    case .atLeast: return parseAtLeast()
    }
  }

  /// `unit minutes`. A sign such as `%` is a mistake of the clause, not of an expression.
  private mutating func parseUnitName() -> Name {
    guard !at(.identifier) else { return parseName("a name for the unit", .unit) }
    wants(.unit)
    let notes: [Note] = ["a unit is a word, such as `percent`, `euros` or `minutes`"]
    guard at(.unknown) else {
      return expected(.expectedName, "a name for the unit", notes: notes) ?? missingName
    }
    withdrawn.insert(current.span)
    mend(.expectedName, "expected a name for the unit, found \(found)", notes: notes)
    advance()
    isRecovering = true
    return missingName
  }

  private mutating func parseSubject() -> ClauseContent {
    let name = parseName("a subject", .subject)
    if at(.dot) {
      let notes: [Note] = ["name the subject alone, `for \(name.text)`; groups are `by FIELD`"]
      fail(.expectedClause, "expected a clause, found `.`", at: current.span, notes: notes)
    }
    let condition = take(.where) ? inside(.rows(of: name.text)) { $0.parseExpression() } : nil
    return .subject(name, condition: condition)
  }

  private mutating func parseForgive() -> ClauseContent? {
    guard let count = parseNumber("a number of windows to forgive") else { return nil }
    let written = "forgive \(count.text)"
    guard
      take(.in, orExpect: "`in` and a length after `\(written)`", notes: ["write `\(written) in 30 days`"])
    else { return nil }
    return parseLength(Units.counted).map { .forgive(count, in: $0) }
  }

  /// The second word of a clause that is named by two.
  private mutating func takeSecond(_ word: Word, after first: String, _ keyword: inout Span) -> Bool {
    let place = current.span
    let advice: [Note] = at(.minus) ? ["write `\(first) \(word.rawValue)`"] : []
    guard take(word, orExpect: "`\(word.rawValue)` after `\(first)`", notes: advice) else { return false }
    keyword = keyword.union(place)
    return true
  }

  mutating func parseGroupField() -> [Name] {
    inside(.group) { $0.parsePath("a field", .group) }
  }

  private mutating func parseAtLeast() -> ClauseContent? {
    guard let count = parseNumber("a number of users") else { return nil }
    let notes: [Note] = [
      "write `at least \(count.text) users`; a condition is `when sum(Record.field) >= \(count.text)`"
    ]
    return .atLeast(count, unit: parseWord(oneOf: [.users], notes: notes))
  }

  private mutating func parseAllow() -> ClauseContent? {
    wants(.code)
    guard at(.identifier) else {
      return expected(
        .expectedName, "the code of a warning",
        notes: ["it is written like `allow W012 \"why\"`; a streak forgives with `grace 1 day`"])
    }
    let code = takeName()
    return parseString("a text that says why").map { .allow(code: code, reason: $0) }
  }

  private mutating func parseApproval() -> ClauseContent? {
    let notes: [Note] = ["`metricc approve` writes the clause"]
    guard let who = parseString("who approved it, as a text"),
      take(.on, orExpect: "`on` and a day", notes: notes)
    else { return nil }
    let day = parseDay()
    guard take(.meaning, orExpect: "`meaning` and the hash of what was approved", notes: notes),
      let meaning = parseString("the hash of what was approved, as a text")
    else { return nil }
    return .approved(who, on: day, meaning: meaning)
  }

  /// A word of the anti-patterns takes the rest of its line; the resolver refuses it.
  private mutating func parseForbidden() -> ClauseContent {
    let word = name(index - 1)
    var rest: Set<String> = []
    var braces = 0
    while !at(.endOfFile), !isFirstOnLine(index), !at(.rightBrace) || braces > 0 {
      if at(.identifier) { rest.insert(currentText) }
      braces += at(.leftBrace) ? 1 : at(.rightBrace) ? -1 : 0
      advance()
    }
    return .forbidden(word, rest: rest)
  }

  /// One of a few words, else a missing name; `place` says whose words of other languages are answered.
  mutating func parseWord(
    oneOf candidates: [Word], familiar place: FamiliarWord.Place? = nil, notes: [Note] = []
  ) -> Name {
    at(anyOf: candidates)
      ? takeWord()
      : expected(.expectedWord, oneOf: candidates, notes: place.map { [familiarNote($0)] } ?? notes)
        ?? missingName
  }

  mutating func parseWindow() -> WindowSyntax? {
    if take(.calendar) { return parseCalendar().map { .calendar(unit: $0.unit, from: $0.from) } }
    if at(.number) { return parseLength(Units.rolling).map { .rolling(count: $0.count, unit: $0.unit) } }
    wants([.day, .week])
    wants(.length)
    if at(anyOf: Units.rolling) { return .rolling(count: nil, unit: takeWord()) }
    if let window = mendedWindow() { return window }
    let advice: Note =
      unitNote(count: 1, "every ") ?? familiarNote(.window)
      ?? nearNote(among: Units.rolling + [.calendar])
      ?? "a window is written like `day`, `week`, `10 days`, `calendar week` or `calendar month`"
    return expected(.expectedWindow, "a window", notes: [advice])
  }

  /// `every daily` and `every weekly`, read as what was meant.
  private mutating func mendedWindow() -> WindowSyntax? {
    let meant = ["daily": "day", "weekly": "week"][currentText.lowercased()]
    guard at(.identifier), let meant else { return nil }
    let place = current.span
    mend(
      .expectedWindow, "\(quoted(currentText)) is not a window; write `every \(meant)`", writing: meant)
    advance()
    return .rolling(count: nil, unit: Name(meant, place))
  }

  /// `week`, `week from sunday`, `month`, `quarter`, `year from july` after `calendar`.
  private mutating func parseCalendar() -> (unit: Name, from: Name?)? {
    guard at(anyOf: Units.calendar) else {
      return expected(
        .expectedWindow, oneOf: Units.namedCalendar, "`week`, `month`, `quarter` or `year` after `calendar`",
        notes: [unitNote(count: 1, text(index - 2) == "every" ? "every " : "over last ")])
    }
    let (isWeek, isMonth) = (at(anyOf: Units.weeks), at(anyOf: Units.months))
    let unit = takeWord()
    if !isMonth { wants([.from]) }
    guard at(.from) else { return (unit, nil) }
    if isMonth {
      return fail(.expectedWindow, "a calendar month starts on its first day, not `from` another")
    }
    advance()
    let starts = isWeek ? Word.weekdays : Word.monthNames
    guard at(anyOf: starts) else {
      return expected(
        .expectedWord, oneOf: starts, isWeek ? "a day of the week" : "a month that it starts with")
    }
    return (unit, takeWord())
  }

  mutating func parsePeriod() -> PeriodSyntax? {
    if take(.last) { return parseLength(Units.counted).map(PeriodSyntax.last) }
    if take(.calendar) { return parseCalendar().map { .calendar(unit: $0.unit, from: $0.from) } }
    if take(.previous) { return parsePreviousUnit() }
    if take(.all) { return take(.time, orExpect: "`time` after `all`", .expectedPeriod) ? .allTime : nil }
    if at(.number) { return parsePeriodWithoutLast() }
    return expected(.expectedPeriod, "a period", notes: [periodNote])
  }

  /// `calendar month` after `previous`.
  private mutating func parsePreviousUnit() -> PeriodSyntax? {
    if take(.calendar) { return parseCalendar().map { .previous(unit: $0.unit, from: $0.from) } }
    return expected(
      .expectedPeriod, "`calendar` after `previous`",
      notes: at(anyOf: Units.calendar)
        ? ["the whole unit before the reference day's is written `previous calendar \(currentText)`"]
        : ["write `previous calendar month`, or `offset 28 days` behind a metric to look back by days"])
  }

  private var periodNote: Note {
    if at(TokenKind.day) {
      return "a period ends at the reference day: `eval --from DAY --to DAY` chooses the days"
    }
    return unitNote(count: 1, "over last ") ?? familiarNote(.period)
      ?? nearNote(among: [.last, .calendar, .previous, .all])
      ?? "a period is written like `last 7 days`, `calendar month`, `previous calendar month` or `all time`"
  }

  /// `over 7 days`, read as `over last 7 days`.
  private mutating func parsePeriodWithoutLast() -> PeriodSyntax? {
    if silencing.contains(index) { isRecovering = true }
    let start = current.span
    let before = Span(file: file, start: start.start, end: start.start)
    mend(
      .expectedPeriod, "a period that ends at the reference day needs `last` before \(found)",
      at: start, fixes: [Fix("write `last \(currentText)`", replace: before, with: "last ")])
    return parseLength(Units.counted).map(PeriodSyntax.last)
  }
}
