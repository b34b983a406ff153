extension Parser {
  mutating func parseFile(inHalves: Bool) -> [Declaration] {
    var declarations: [Declaration] = []
    if inHalves, let middle = probableMiddle { declarations = parseHalves(at: middle) }
    declarations += parseDeclarations(until: tokens.count)
    reportMisplacedDocs(in: declarations)
    return declarations
  }

  private mutating func parseDeclarations(until end: Int) -> [Declaration] {
    var declarations: [Declaration] = []
    while index < end, !at(.endOfFile) {
      declarations.append(parseDeclaration())
      isRecovering = false
    }
    return declarations
  }

  /// A token in the middle at which a declaration seems to start.
  private var probableMiddle: Int? {
    (max(1, (index + tokens.count) / 2)..<max(1, tokens.count)).first {
      tokens[$0 - 1].kind == .rightBrace && words[$0]?.isDeclaration == true && isFirstOnLine($0)
    }
  }

  /// Parses both halves of a file at once, since a declaration does not depend on those before it. Where the first half
  /// turns out to end elsewhere, the second is parsed again.
  private mutating func parseHalves(at middle: Int) -> [Declaration] {
    var halves = [self, self]
    halves[1].index = middle
    let declarations = atOnce(&halves) { $1.parseDeclarations(until: $0 == 0 ? middle : tokens.count) }
    self = halves[0]
    guard index == middle else { return declarations[0] }
    index = halves[1].index
    diagnostics += halves[1].diagnostics
    withdrawn.formUnion(halves[1].withdrawn)
    isEndSpokenFor = halves[1].isEndSpokenFor
    documented.replaceSubrange(middle..., with: halves[1].documented[middle...])
    return declarations[0] + declarations[1]
  }

  private mutating func parseDeclaration() -> Declaration {
    let start = index
    let doc = takeDoc()
    guard let word = declarationWord() else { return parseUnexpectedDeclaration(from: start) }
    advance()
    defer {
      surroundings = .file
      metric = nil
    }
    if let kind = MetricKind(rawValue: word.rawValue) {
      return .metric(parseMetric(kind, from: start, doc: doc))
    }
    if let kind = RecordKeyword(rawValue: word.rawValue) {
      return .record(parseRecord(kind, from: start, doc: doc))
    }
    switch word {
    case .language:
      wants(.version)
      let version = parseNumber("the version of the language, for example `language 1`")
      return .language(
        LanguageDeclaration(doc: doc, version: version, span: span(from: start), tokens: start..<index))
    case .report: return .report(parseReport(from: start, doc: doc))
    default: return .test(parseTest(from: start, doc: doc))
    }
  }

  /// The word that starts a declaration here. A misspelled one is reported and taken for what was
  /// meant, so that the names in the declaration are not lost.
  private mutating func declarationWord() -> Word? {
    if let word = words[index], word.isDeclaration { return word }
    let hasShape = kind(2) == .leftBrace && (kind(1) == .identifier || kind(1) == .string)
    guard hasShape, familiarNote(.declaration) == nil else { return nil }
    return mendWord(to: Word.declarations, .expectedDeclaration, "a declaration")
  }

  private mutating func parseUnexpectedDeclaration(from start: Int) -> Declaration {
    if at(.rightBrace) {
      fail(
        .unbalancedBrace, "this `}` has no matching `{`", at: current.span,
        notes: ["the declaration before it has already ended"])
    } else {
      fail(
        .expectedDeclaration, "expected a declaration, found \(found)", at: current.span,
        notes: [unexpectedDeclarationNote])
    }
    // The junk also ends at a declaration whose header is broken.
    func isHeader() -> Bool {
      words[index]?.isDeclaration == true && isFirstOnLine(index) && kind(1) == .identifier
    }
    repeat { advance() } while !at(.endOfFile) && !startsDeclaration(index) && !isHeader()
    claimDocs(from: start)
    return .unexpected(start..<index, span(from: start))
  }

  private var unexpectedDeclarationNote: Note {
    let known = familiarNote(.declaration) ?? familiarNote(.sign) ?? nearNote(among: Word.declarations)
    if let known { return known }
    if words[index]?.startsClause == true { return "clauses belong inside the braces of a metric" }
    return "a declaration starts with \(alternatives(Word.declarations.map { "`\($0.rawValue)`" }))"
  }

  /// A name in the head of a declaration: any word will do.
  mutating func parseDeclaredName(_ what: String, upperCase: Bool) -> Name {
    if let name = takeLooseName(until: .leftBrace, what, upperCase: upperCase) { return name }
    guard at(.identifier) else {
      let isExtended = index > 0 && words[index - 1] == .extend
      wants(isExtended ? .record : .newName)
      return expected(
        .expectedName, "a name for the \(what)",
        notes: [surroundings == .metric ? familiarNote(.header) : nil]) ?? missingName
    }
    let name = takeName()
    checkCase(name, what, upperCase: upperCase)
    return name
  }

  /// Takes a name that is not one word, such as `total-visits`, `"Total visits"` or `7day_visits`, as what was meant.
  mutating func takeLooseName(until end: TokenKind, _ what: String, upperCase: Bool) -> Name? {
    guard let range = looseName(until: end) else { return nil }
    let place = tokens[range.lowerBound].span.union(tokens[range.upperBound - 1].span)
    let meant = oneWord(source.text(place), upperCase: upperCase)
    withdrawn.formUnion(tokens[range].map(\.span))
    let isName = meant.first?.isLetter == true
    mend(
      .expectedName, "expected a name for the \(what), found \(quoted(source.text(place)))", at: place,
      notes: ["a name is one word of letters, digits and `_`\(isName ? "" : ", and starts with a letter")"],
      writing: isName ? meant : nil)
    index = range.upperBound
    return isName ? Name(meant, place) : missingName
  }

  /// The tokens before the sign that ends a name, where they are not one word.
  func looseName(until end: TokenKind) -> Range<Int>? {
    var place = index
    while place < tokens.count, tokens[place].kind != end {
      let isPart =
        switch tokens[place].kind {
        case .identifier:
          place == index || words[place] == nil && FamiliarWord.note(text(place), as: .header) == nil
        case .string, .number: end == .leftBrace && place == index
        case .minus, .slash, .dot: true
        case .unknown: end == .leftBrace && !silencing.contains(place)
        default: false
        }
      // Fields are adjacent: the parts of a field's name touch.
      let touches = place == index || tokens[place - 1].span.end == tokens[place].span.start
      guard isPart, touches || end == .leftBrace, place == index || !isFirstOnLine(place), place < index + 9
      else {
        return nil
      }
      place += 1
    }
    let isWord = place == index + 1 && at(.identifier)
    return place < tokens.count && place > index && !isWord ? index..<place : nil
  }

  /// `total visits` as `total_visits` or `TotalVisits`.
  private func oneWord(_ text: String, upperCase: Bool) -> String {
    let words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    return upperCase
      ? words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
      : words.joined(separator: "_").lowercased()
  }

  /// A record's name starts with an upper-case letter, every other one with a lower-case one.
  mutating func checkCase(_ name: Name, _ what: String, upperCase: Bool) {
    guard let first = name.text.unicodeScalars.first else { return }
    let isRight = upperCase ? first.properties.isUppercase : first.properties.isLowercase
    // A name beyond ASCII has its own finding.
    guard !isRight, first.isASCII else { return }
    let letter = upperCase ? "an upper-case" : "a lower-case"
    let meant =
      upperCase
      ? oneWord(name.text, upperCase: true) : name.text.prefix(1).lowercased() + name.text.dropFirst()
    mend(
      .nameCase, "the name of a \(what) starts with \(letter) letter, found \(quoted(name.text))",
      at: name.span, notes: ["write `\(meant)`"])
  }

  /// A reference to something by its name; not where a clause starts instead.
  mutating func parseName(_ what: String, _ item: Awaited.Item) -> Name {
    wants(item)
    guard at(.identifier), !startsClause(index), !startsField(index) else {
      let isInBrackets = at(.leftParenthesis) || at(.leftBracket)
      let extra = at(.string) ? "quotes" : isInBrackets ? "brackets" : nil
      return expected(.expectedName, what, notes: [extra.map { Note("a name is written without \($0)") }])
        ?? missingName
    }
    return takeName()
  }

  mutating func parsePath(_ what: String, _ item: Awaited.Item) -> [Name] {
    var names = [parseName(what, item)]
    guard !names[0].isMissing else { return names }
    parsePathTail(&names)
    return names
  }

  /// `.name` as often as it is here.
  mutating func parsePathTail(_ names: inout [Name]) {
    while take(.dot) {
      guard at(.identifier) else {
        wants(.part(of: names.map(\.text)))
        expected(.expectedName, "a name after the point")
        return
      }
      names.append(takeName())
    }
  }
}
