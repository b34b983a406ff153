extension Parser {
  /// Reports an operator of another language that follows an operand: `name like "a%"`, `total ?? 0`,
  /// `count(Event)!`, `df[0]`, `e => e.value`. `FamiliarWord` has what to write instead.
  mutating func isForeignOperator(after operand: ExpressionSyntax) -> Bool {
    let place = at(.not) ? ahead(1) : index
    guard !isFirstOnLine(place) else { return false }
    if tokens[place].kind == .identifier {
      guard words[place] == nil, !startsField(place) else { return false }
      let small = text(place).lowercased()
      let isCapital = Word.operators.contains { $0.rawValue == small }
      let note =
        FamiliarWord.note(small, as: .comparison)
        ?? (isCapital ? "words are written in small letters: `\(small)`" : nil)
      return note.map { reportForeign(place...place, $0) } ?? false
    }
    guard place == index, surroundings != .file else { return false }
    switch current.kind {
    case .unknown:
      guard !["&&", "||", ";"].contains(currentText) else { return false }
      // `name !in ["a"]`
      if tokens[index - 1].span.end < current.span.start, signs.count == 1 { return leaveToLexer() }
    case .question, .leftBracket, .dot: break
    // The lexer takes `=>` for `>=`.
    case .greaterOrEqual where currentText == "=>": break
    default: guard current.isSign, tokens[ahead(1)].isSign else { return false }
    }
    if let note = suffixNote(after: operand) { return reportForeign(signs, note) }
    return at(.unknown) && leaveToLexer()
  }

  /// The lexer has reported what is here.
  private mutating func leaveToLexer() -> Bool {
    isRecovering = true
    return true
  }

  /// What to write instead of the signs here.
  private func suffixNote(after operand: ExpressionSyntax) -> Note? {
    let signs = text(of: signs)
    if ["=>", "->"].contains(signs), isParameter(operand) {
      return FamiliarWord.note("lambda", as: .operand)
    }
    let method = signs == "." ? FamiliarWord.note(text(ahead(1)), as: .function) : nil
    return method ?? FamiliarWord.note(signs, as: .suffix)
  }

  /// Reports once what the lexer has reported, too, but without knowing what comes before it.
  private mutating func reportForeign(_ run: ClosedRange<Int>, _ note: Note) -> Bool {
    withdrawn.formUnion(tokens[run].map(\.span))
    mend(
      .foreignOperator, "\(quoted(text(of: run))) is not an operator of the language",
      at: tokens[run.lowerBound].span.union(tokens[run.upperBound].span), notes: [note])
    isRecovering = true
    return true
  }

  /// Whether what is before an arrow is the parameter of a function: what follows names it again.
  private func isParameter(_ operand: ExpressionSyntax) -> Bool {
    var operand = operand
    if case .parenthesized(let inner) = operand.kind { operand = inner }
    guard operand.names.count == 1 else { return false }
    let rest = (index + 1..<tokens.count).prefix { !isFirstOnLine($0) && tokens[$0].kind != .rightBrace }
    return rest.contains { tokens[$0].kind == .identifier && text($0) == operand.names[0].text }
  }

  /// Takes `["value"]` after a record as `.value`.
  mutating func takeIndexedField(_ names: inout [Name]) -> Bool {
    guard at(.leftBracket), kind(1) == .string, kind(2) == .rightBracket, !isFirstOnLine(index) else {
      return false
    }
    let start = index
    advance()
    let field = takeString()
    advance()
    names.append(Name(field.value, field.span))
    let path = names.map(\.text).joined(separator: ".")
    mend(
      .foreignOperator, "a field follows a dot, not `[`", at: span(from: start), notes: ["write `\(path)`"])
    return true
  }
}
