extension Parser {
  /// Whether a declaration starts at a token, beyond doubt: `streak NAME {`, `test "…" {`, `streak {`.
  func startsDeclaration(_ place: Int) -> Bool {
    guard let word = words[place], word.isDeclaration, place + 1 < tokens.count else { return false }
    let next = tokens[place + 1].kind
    if next == .leftBrace { return isFirstOnLine(place) }
    if word == .test { return next == .string }
    if word == .language { return next == .number && isFirstOnLine(place) }
    guard next == .identifier, place + 2 < tokens.count else { return false }
    return tokens[place + 2].kind == .leftBrace
      || (words[place + 2] == .setting && word == .fact)
  }

  /// Whether a clause starts at a token, with certainty: what follows cannot follow a name.
  func startsClause(_ place: Int) -> Bool {
    guard surroundings == .metric, words[place]?.startsClause == true, place + 1 < tokens.count
    else { return false }
    switch tokens[place + 1].kind {
    case .string: return !awaitsReason
    case .number, .day: return true
    case .identifier:
      // The second word of `rest when` starts a clause by itself.
      return words[place] == .rest && words[place + 1] == .when
        || words[place + 1].map { !$0.followsOperand }
          ?? (FamiliarWord.note(text(place + 1), as: .comparison) == nil)
    default: return false
    }
  }

  /// Whether a field of a record starts at a token: `name :` or `name =`.
  func startsField(_ place: Int) -> Bool {
    guard surroundings == .record, tokens[place].kind == .identifier, place + 1 < tokens.count
    else { return false }
    let next = tokens[place + 1].kind
    return next == .colon || next == .equal
  }

  /// Whether a clause, field or statement starts at a token, for a parser that lost its way.
  private func isBoundary(_ place: Int, insideParentheses: Bool) -> Bool {
    if startsDeclaration(place) { return true }
    let leadsLine = isFirstOnLine(place)
    switch surroundings {
    case .file:
      return false
    case .metric:
      guard let word = words[place], word.startsClause else { return false }
      return leadsLine
        || (!insideParentheses && (startsClause(place) || ClauseWord.starting[word]?.isAlone == true))
    case .record:
      if leadsLine { return startsField(place) || (!insideParentheses && maybeMember(place)) }
      return !insideParentheses && startsField(place)
    case .test:
      guard tokens[place].kind == .identifier else { return false }
      return leadsLine || (!insideParentheses && Self.statementWords.contains(words[place]))
    }
  }

  /// Whether a word that leads its line may be a broken field: no expression goes on with it.
  private func maybeMember(_ place: Int) -> Bool {
    tokens[place].kind == .identifier && words[place].map(Word.operators.contains) != true
  }

  static let statementWords: Set<Word?> = [.given, .log, .expect]

  /// If the parser is lost, moves on to the next clause, field or statement, the closing brace or the next declaration;
  /// then findings count again.
  mutating func recover() {
    guard isRecovering else { return }
    skipToBoundary()
    isRecovering = false
    isEndSpokenFor = at(.endOfFile)
  }

  /// The same, and makes all doc comments since a token owned: what is in skipped tokens has its finding.
  mutating func recover(from start: Int) {
    guard isRecovering else { return }
    recover()
    claimDocs(from: start)
  }

  /// Skips a token that starts nothing; one that opens braces is left to be skipped with them.
  mutating func advancePastJunk() {
    if !at(.leftBrace) { advance() }
  }

  /// The way itself. Braces that open on it are skipped as a whole, unless a declaration starts in
  /// them: then they were never closed.
  mutating func skipToBoundary() {
    var braces = 0
    var parentheses = 0
    let start = index
    while !at(.endOfFile) {
      if startsDeclaration(index) { return }
      if braces == 0, isBoundary(index, insideParentheses: parentheses > 0) { return }
      switch current.kind {
      case .leftBrace: braces += 1
      case .rightBrace where braces == 0: return
      case .rightBrace: braces -= 1
      case .leftParenthesis, .leftBracket: parentheses += 1
      case .rightParenthesis, .rightBracket: parentheses = max(0, parentheses - 1)
      default:
        // What follows a mistake is not answered by the lexer either.
        if index > start, current.isSign, !silencing.contains(index) { withdrawn.insert(current.span) }
      }
      advance()
    }
  }

  /// Takes the token that closes a group. Where another stands, that is the finding, and the
  /// parser moves on to the closing one if it comes before the next clause.
  mutating func close(_ kind: TokenKind, openedAt opening: Int, _ code: SyntaxCode, _ what: String) {
    if take(kind) { return }
    if !isRecovering { expected(code, what, notes: closingNotes(openedAt: opening)) }
    skipToCloser()
    _ = take(kind)
  }

  private func closingNotes(openedAt opening: Int) -> [Note?] {
    let inside: [Word] = [.where, .over, .through, .and, .or, .is, .in, .not]
    let advice =
      familiarNote(.clause) ?? familiarNote(.suffix) ?? familiarNote(.sign)
      ?? (words[index] == nil ? nearNote(among: inside) : nil)
      ?? (at(.identifier)
        ? "`through`, `where` and `over` may follow a record: `count(Record where …)`" : nil)
    return [advice, Note("`\(text(opening))` opens here", at: .source(tokens[opening].span))]
  }

  private mutating func skipToCloser() {
    var open = 0
    while !at(.endOfFile), !at(.rightBrace), !isBoundary(index, insideParentheses: true) {
      switch current.kind {
      case .leftParenthesis, .leftBracket: open += 1
      case .rightParenthesis, .rightBracket:
        if open == 0 { return }
        open -= 1
      default: break
      }
      advance()
    }
  }

  /// Parses `{ … }`, calling `parseItem` at each token that is neither the closing brace nor a
  /// stray separator. Ends at the closing brace, the end of the file or the next declaration.
  ///
  /// - Returns: The tokens of a broken header before the brace; nil if there are none.
  mutating func parseBraces(of item: String, _ parseItem: (inout Parser) -> Void) -> Range<Int>? {
    let start = index
    var header: Range<Int>?
    if !at(.leftBrace) {
      let advice: Note = "a record has the fields in its own braces; `extend Record { … }` adds fields"
      expected(
        .unbalancedBrace, "`{` and the \(item)s",
        notes: [surroundings == .metric ? familiarNote(.header) : surroundings == .record ? advice : nil])
      // A broken header ends at the brace on its line.
      while !at(.endOfFile), !at(.leftBrace), !at(.rightBrace), !isFirstOnLine(index),
        !isBoundary(index, insideParentheses: false)
      {
        advance()
      }
      header = start..<index
    }
    let opening = index
    let isOpen = take(.leftBrace)
    isRecovering = false
    guard isOpen || isBoundary(index, insideParentheses: false) && !startsDeclaration(index) else {
      _ = take(.rightBrace)
      return header
    }
    while !at(.rightBrace) {
      if at(.endOfFile) || startsDeclaration(index) {
        wantsMember()
        guard !isEndSpokenFor else { return header }
        fail(
          .unbalancedBrace, "expected `}`, found \(found)", at: gap,
          notes: [
            hiddenBrace(after: opening), Note("the braces open here", at: .source(tokens[opening].span)),
          ])
        isRecovering = false
        return header
      }
      if takeSeparator(after: "a \(item)") { continue }
      let start = index
      parseItem(&self)
      recover()
      if index == start { advance() }
    }
    advance()
    return header
  }

  /// `value a // b }`: the closing brace is part of a comment.
  private func hiddenBrace(after opening: Int) -> Note? {
    let end = index + 1 < tokens.count ? index + 1 : tokens.count
    let hidden = tokens[opening..<end].lazy.flatMap { trivia[leading: $0] }
      .first { $0.kind == .comment && source.text($0.span).contains("}") }
    return hidden.map {
      Note(
        "`//` starts a comment, to the end of the line; `floor(a / b)` divides whole numbers",
        at: .source($0.span))
    }
  }

  /// Skips a `;` (the lexer has reported it) or a comma where nothing is to be separated.
  private mutating func takeSeparator(after what: String) -> Bool {
    if at(.unknown), currentText == ";" {
      advance()
      return true
    }
    guard at(.comma) else { return false }
    let next = ahead(1)
    let message = "a comma is not allowed after \(what)"
    if kind(1) == .rightBrace || isFirstOnLine(next) || isBoundary(next, insideParentheses: false) {
      mend(.straySeparator, message, writing: "")
      advance()
    } else {
      // What follows would be read as part of a list, which this is not.
      let advice =
        surroundings == .record
        ? "fields need nothing between them; allowed texts are separated by `|`"
        : "a clause holds one thing; write a metric for each"
      fail(.straySeparator, message, at: current.span, notes: [Note(advice)])
      advance()
      recover()
    }
    return true
  }
}
