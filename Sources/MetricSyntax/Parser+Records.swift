extension Parser {
  mutating func parseRecord(_ kind: RecordKeyword, from start: Int, doc: String?) -> RecordDeclaration {
    surroundings = .record
    let keyword = span(from: start)
    let name = parseDeclaredName("record", upperCase: true)
    let setting = takeSetting(kind)
    var members: [RecordMember] = []
    if let header = parseBraces(of: "field", { members.append($0.parseMember()) }) {
      members.append(.unexpected(header.isEmpty ? gap : tokens[header.lowerBound].span))
    }
    return RecordDeclaration(
      doc: doc, kind: kind, keyword: keyword, name: name, setting: setting, members: members,
      span: span(from: start), tokens: start..<index)
  }

  /// `fact HabitTarget setting {`
  private mutating func takeSetting(_ kind: RecordKeyword) -> Span? {
    if kind == .fact { wants([.setting]) }
    guard at(.setting) else { return nil }
    let place = current.span
    if kind != .fact {
      mend(.expectedWord, "only a fact can be a `setting`, not this `\(kind.rawValue)`", at: place)
    }
    advance()
    return place
  }

  private mutating func parseMember() -> RecordMember {
    let start = index
    operatorCount = 0
    if at(.consent), !startsField(index) { return parseConsent(from: start) }
    guard startsField(index) || isFieldWithoutColon || looseName(until: .colon) != nil else {
      return parseUnexpectedMember(from: start)
    }
    return .field(parseField())
  }

  private mutating func parseConsent(from start: Int) -> RecordMember {
    advance()
    let level = parseWord(oneOf: Word.consentLevels)
    // Before `:` or `=`, both words are the next field.
    let hasPurpose = !startsField(index) && take(.for)
    let purpose = hasPurpose ? parseString("a purpose, as `Consent` records name it,") : nil
    let hasStanding = !startsField(index) && take(.default)
    let standing = hasStanding ? parseWord(oneOf: Word.consentLevels) : nil
    return .consent(
      ConsentSyntax(level: level, purpose: purpose, standing: standing, span: span(from: start)))
  }

  /// `minutes Decimal`: a name and a type, on a line of their own if the type is a list of texts.
  private var isFieldWithoutColon: Bool {
    guard at(.identifier), !isFirstOnLine(ahead(1)) else { return false }
    if kind(1) == .string { return isFirstOnLine(index) }
    return kind(1) == .identifier && !startsField(ahead(1))
      && text(ahead(1)).utf8.first.map { $0 < UInt8(ascii: "a") } == true
  }

  private mutating func parseUnexpectedMember(from start: Int) -> RecordMember {
    let familiar = familiarNote(.modifier)
    if at(.identifier) || familiar != nil, !isFirstOnLine(index) {
      if at(.unknown) { withdrawn.insert(current.span) }
      let advice: Note =
        kind(1) == .question
        ? "write `?` after the type: `\(currentText) : Text?`"
        : nearNote(among: Self.modifiers)
          ?? "the modifiers are `min`, `stored`, `observed`, `pii` and `tombstone`"
      mend(
        .unknownModifier,
        at(.identifier)
          ? "\(quoted(currentText)) is not a modifier of a field"
          : "expected a modifier or another field, found \(found)",
        notes: [familiar ?? advice])
      isRecovering = true
    } else {
      fail(
        .expectedMember, "expected a field, found \(found)", at: current.span,
        notes: [
          nearNote(among: [.consent])
            ?? "a field is written like `minutes : Decimal min 0` or `pages = endPage - startPage`"
        ])
    }
    advancePastJunk()
    recover(from: start)
    return .unexpected(span(from: start))
  }

  private static let modifiers: [Word] = [.min, .stored, .observed, .pii, .tombstone]

  private mutating func parseField() -> FieldDeclaration {
    let start = index
    let doc = takeDoc()
    let name = takeLooseName(until: .colon, "field", upperCase: false) ?? takeName()
    checkCase(name, "field", upperCase: false)
    let content: FieldContent
    if take(.equal) {
      content = .computed(parseExpression())
    } else {
      if !take(.colon) {
        mend(
          .expectedMember, "expected `:` between `\(name.text)` and its type", at: gap,
          fixes: [Fix("write `:`", replace: gap, with: " :")])
      }
      content = parseStoredField()
    }
    recover(from: start)
    return FieldDeclaration(doc: doc, name: name, content: content, span: span(from: start))
  }

  private mutating func parseStoredField() -> FieldContent {
    let type = parseType()
    var isOptional = take(.question)
    var modifiers: [FieldModifier] = []
    while let modifier = parseModifier() {
      modifiers.append(modifier)
      guard at(.question), !isOptional else { continue }
      mend(.unknownModifier, "`?` is not a modifier of a field", notes: ["write `?` after the type"])
      advance()
      isOptional = true
    }
    return .stored(type, isOptional: isOptional, modifiers: modifiers)
  }

  private mutating func parseType() -> TypeSyntax {
    if at(.string) { return .choices(parseChoices()) }
    // A type has a capital, so `DayKey = …` after a colon is a default value, not the next field.
    let isDefaulted = kind(1) == .equal && !isFirstOnLine(index) && currentText.first?.isUppercase == true
    wants(.type)
    guard at(.identifier), isDefaulted || !startsField(index), !isFieldWithoutColon else {
      expected(
        .expectedType, "a type",
        notes: [
          familiarNote(.type)
            ?? "a type is `ID`, `Text`, `Int`, `Decimal`, `Bool`, `DayKey`, `Instant`, a list like `\"calm\" | \"tired\"`, or an entity"
        ])
      return .named(missingName)
    }
    return .named(takeName(.type))
  }

  private mutating func parseChoices() -> [StringSyntax] {
    var choices = [takeString()]
    while at(.bar) || (at(.unknown) && currentText == "||") {
      advance()
      guard let choice = parseString("an allowed text after `|`") else { break }
      choices.append(choice)
    }
    return choices
  }

  /// A modifier, unless its word is the name of the next field.
  private mutating func parseModifier() -> FieldModifier? {
    guard !isRecovering, !startsField(index) else { return nil }
    wants(Self.modifiers)
    let start = index
    guard let word = words[index], Self.modifiers.contains(word) else { return nil }
    advance()
    let kind: FieldModifierKind
    switch word {
    case .min: kind = .min(parseNumberLiteral("a number after `min`"))
    case .observed:
      guard let reason = parseString("a text that says how it was seen") else { return nil }
      kind = .observed(reason)
    case .stored: kind = .stored
    case .pii: kind = .pii
    default: kind = .tombstone
    }
    return FieldModifier(kind: kind, word: word.rawValue, span: span(from: start))
  }
}
