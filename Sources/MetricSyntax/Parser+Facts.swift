extension Parser {
  mutating func parseStep() -> ClauseContent? {
    let name = parseStepName()
    guard !name.isMissing else { return nil }
    checkCase(name, "step", upperCase: false)
    return .step(name, parseFactPattern())
  }

  /// The name of a step, which a fact must follow: one that stands alone is the fact.
  private mutating func parseStepName() -> Name {
    wants(.newName)
    guard at(.identifier) else { return expected(.expectedName, "a name for the step") ?? missingName }
    if isAskedBehind { return takeName() }
    if kind(1) == .colon, kind(2) == .identifier {
      defer { takeForeignColon(after: text(index - 1)) }
      return takeName()
    }
    if kind(1) != .identifier || word(1) == .where || word(1) == .step {
      return fail(
        .expectedName, "a step needs a name and a fact, found only \(found)",
        notes: ["it is written like `step opened Event where name == \"app_opened\"`"]) ?? missingName
    }
    return takeName()
  }

  mutating func parseFactPattern() -> FactPattern {
    let start = index
    let source = parseName("a fact", .fact)
    if at(.dot), kind(1) == .identifier {
      let field = text(ahead(1))
      fail(
        .expectedWord, "expected a fact, found one of its fields", at: current.span,
        notes: ["a condition follows `where`: `\(source.text) where \(field) == …`"])
    }
    let condition = take(.where) ? inside(.rows(of: source.text)) { $0.parseExpression() } : nil
    return FactPattern(source: source, condition: condition, span: span(from: start))
  }

  /// `first` and `each` are the mode where a fact follows, else they are a completion's name.
  mutating func takeStartMode() -> StartMode {
    wants([.first, .each])
    let isFactAhead = kind(1) == .identifier && word(1) != .where && !startsClause(ahead(1))
    guard let word = words[index], let mode = StartMode(rawValue: word.rawValue),
      isFactAhead || isAskedBehind
    else { return .plain }
    advance()
    return mode
  }

  mutating func parseAfter() -> ClauseContent? {
    wants([.days])
    if at(.days), kind(1) == .number { return parseBrackets(unit: takeWord()) }
    if at(.identifier), kind(1) == .number {
      return expected(.expectedNumber, "a number of days", notes: ["write `after 1, 7 days`"])
    }
    var numbers = parseCommas(until: nil) { $0.parseNumber("a number of days") }.compactMap { $0 }
    let count = numbers.last.flatMap { Int($0.text) }
    guard !isRecovering, let unit = parseUnit(Units.rolling, count: count) else { return nil }
    if at(.comma), kind(1) == .number {
      guard let more = parseAfterUnit(unit) else { return nil }
      numbers += more
    }
    let after = numbers.map { AfterSyntax(through: $0) }
    guard take(.or) else { return .after(after, unit: unit, orLater: false) }
    if !take(.later) { expected(.expectedWord, "`later` after `or`") }
    return .after(after, unit: unit, orLater: true)
  }

  private mutating func parseBrackets(unit: Name) -> ClauseContent? {
    let brackets = parseCommas(until: nil) { parser -> AfterSyntax? in
      let notes: [Note] = ["write `after 1, 7 days`, or brackets as in `after days 1 to 7, 8 to 14`"]
      guard let from = parser.parseNumber("a number of days"),
        parser.take(.to, orExpect: "`to` after the first day", notes: notes)
      else { return nil }
      return parser.parseNumber("the last day").map { AfterSyntax(from: from, through: $0) }
    }
    return isRecovering ? nil : .after(brackets.compactMap { $0 }, unit: unit, orLater: false)
  }

  /// `, 4 weeks` after `after 1 week`, read as `after 1, 4 weeks`.
  private mutating func parseAfterUnit(_ unit: Name) -> [NumberSyntax]? {
    let before = text(index - 2)
    advance()
    let number = takeNumber()
    let isSameUnit = at(.identifier) && Counting.singular(currentText) == Counting.singular(unit.text)
    let meant = "`after \(before), \(source.text(number.span)) …`"
    guard isSameUnit else {
      return fail(.expectedLength, "the numbers after `after` share one unit; write \(meant)", at: unit.span)
    }
    advance()
    mend(
      .expectedLength, "the unit comes once, after the last number; write \(meant)", at: unit.span,
      writing: "")
    guard at(.comma), kind(1) == .number else { return [number] }
    return parseAfterUnit(name(index - 1)).map { [number] + $0 }
  }

  /// `by book.level, plan`, `by cohort week, plan`
  mutating func parseBy(_ keyword: inout Span) -> ClauseContent {
    if isCohort { keyword = keyword.union(current.span) }
    var fields = [parseGroup()]
    while take(.comma) { fields.append(parseGroup()) }
    if at(.and) {
      fail(
        .straySeparator, "a comma separates the fields of a group, found \(found)", at: current.span,
        notes: ["write for example `by country, plan`"])
    }
    return .by(fields)
  }

  /// `cohort` alone is a field.
  private var isCohort: Bool {
    let next = ahead(1)
    return at(.cohort)
      && (tokens[next].kind == .identifier && words[next]?.startsClause != true || isAskedBehind)
  }

  private mutating func parseGroup() -> GroupSyntax {
    wants([.cohort])
    guard isCohort else { return .field(parseGroupField()) }
    advance()
    return .cohort(unit: parseWord(oneOf: [.day] + Units.namedCalendar))
  }
}
