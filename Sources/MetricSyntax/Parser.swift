/// Parses one file of the metric language.
///
///     let file = SourceFile(path: "habits.metric", text: "streak s { of done }")
///     let (tree, diagnostics) = parse(file, file: 0)
///
/// It takes any bytes, never fails and never stops early: what no rule can use is in the tree as `unexpected`, what is
/// not there as a missing name or operand, and each of these has its finding. `file` is the index that the spans carry.
/// The findings come in the order of their places. Files from this size on are cut into tokens and parsed in two halves
/// at once.
///
/// - Parameter previous: what an earlier version of the file came to; what did not change at its start is taken over.
package func parse(
  _ source: SourceFile, file: Int, inHalvesFrom length: Int = 100_000,
  previous: (tree: SyntaxTree, diagnostics: [Diagnostic])? = nil
) -> (tree: SyntaxTree, diagnostics: [Diagnostic]) {
  let start = previous.flatMap { UnchangedStart(of: $0.tree, $0.diagnostics, in: source) }
  var lexer = Lexer(source, file: file)
  if let start { lexer.takeOver(start) }
  let isLong = source.bytes.count - lexer.offset >= length
  lexer.run(inHalves: isLong)
  var parser = Parser(lexer)
  if let start { parser.takeOver(start) }
  let declarations = Array(start?.declarations ?? []) + parser.parseFile(inHalves: isLong)
  let tree = SyntaxTree(
    source: source, tokens: lexer.tokens, trivia: lexer.trivia, declarations: declarations)
  let ofTokens = lexer.diagnostics.filter { finding in
    if case .source(let place) = finding.location { !parser.withdrawn.contains(place) } else { true }
  }
  let found = (ofTokens + parser.diagnostics).sorted(in: []).attributed(to: declarations)
  guard declarations.isEmpty, found.isEmpty else { return (tree, found) }
  let nothing = Diagnostic.warning(
    SyntaxCode.declaresNothing.code, "this file declares nothing", at: Span(file: file, start: 0, end: 0),
    notes: ["`metricc init FOLDER` writes a first metric with its tests and sample data"])
  return (tree, [nothing])
}

/// Parses a text as what follows the word of a clause: `--by country` is the clause `by country`.
package func parseClause(
  behind word: Word, _ source: SourceFile, file: Int
) -> (clause: Clause, diagnostics: [Diagnostic]) {
  var lexer = Lexer(source, file: file)
  lexer.run(inHalves: false)
  var parser = Parser(lexer)
  let clause = parser.parseOption(word)
  return (clause, (lexer.diagnostics + parser.diagnostics).sorted(in: []))
}

extension [Diagnostic] {
  /// The same with the metric in which each stands: the lexer knows of none, and the words before a name
  /// are read before it. Both are in the order of their places.
  fileprivate func attributed(to declarations: [Declaration]) -> [Diagnostic] {
    guard !isEmpty else { return [] }
    var metrics = declarations.compactMap { declaration -> MetricDeclaration? in
      if case .metric(let metric) = declaration, !metric.name.isMissing { metric } else { nil }
    }[...]
    return map { finding in
      guard finding.metric == nil, case .source(let place) = finding.location else { return finding }
      metrics = metrics.drop { $0.span.end <= place.start }
      guard let metric = metrics.first, metric.span.start <= place.start else { return finding }
      var finding = finding
      finding.metric = metric.name.text
      return finding
    }
  }
}

/// The recursive descent over the tokens of one file; one extension for each part of the grammar.
///
/// Two ways to report a mistake: `fail` for one after which the parser is lost until the next clause, member or
/// declaration (nothing is reported in between, so that one mistake is one finding), `mend` for one whose meaning is
/// plain, after which it continues as if corrected.
struct Parser {
  let source: SourceFile
  let file: Int
  let tokens: [Token]
  let trivia: [Trivia]
  /// The keyword that each token would be, where it is one.
  let words: [Word?]
  /// Tokens whose own finding speaks for what follows as well.
  let silencing: Set<Int>

  var index = 0
  var diagnostics: [Diagnostic] = []
  /// Tokens that the parser can say more about than the lexer.
  var withdrawn: Set<Span> = []
  /// Whether the parser is lost: set by a finding, cleared at the next clause or declaration.
  var isRecovering = false
  /// Whether the text of a `limit` follows the expression: a name may be before it that else would start a clause.
  var awaitsReason = false
  /// Whether a broken clause ran to the end of the file: open braces are not reported then.
  var isEndSpokenFor = false
  /// What the words at the current place belong to.
  var surroundings = Surroundings.file
  /// The metric that findings are about.
  var metric: String?
  /// How deeply the current expression is nested, and how many operators it has had.
  var depth = 0
  var operatorCount = 0
  /// Tokens whose doc comment found its owner.
  var documented: [Bool]
  /// What completion asks for: what fits at the end of the tokens.
  var asked: Awaited?

  enum Surroundings {
    case file, metric, record, test
  }

  init(_ lexer: Lexer) {
    source = lexer.source
    file = lexer.file
    tokens = lexer.tokens
    trivia = lexer.trivia
    words = lexer.words
    silencing = lexer.silencing
    documented = Array(repeating: false, count: tokens.count)
  }

  var current: Token { tokens[index] }

  /// The index of a token ahead; the last one at most.
  func ahead(_ distance: Int) -> Int { min(index + distance, tokens.count - 1) }

  func kind(_ distance: Int) -> TokenKind { tokens[ahead(distance)].kind }

  func word(_ distance: Int) -> Word? { words[ahead(distance)] }

  func at(_ kind: TokenKind) -> Bool { current.kind == kind }

  func at(_ word: Word) -> Bool { words[index] == word }

  func at(anyOf candidates: [Word]) -> Bool {
    words[index].map(candidates.contains) ?? false
  }

  func text(_ place: Int) -> String { source.text(tokens[place].span) }

  var currentText: String { text(index) }

  /// Whether no other token precedes this one on its line.
  func isFirstOnLine(_ place: Int) -> Bool {
    place == 0 || trivia[leading: tokens[place]].contains { $0.kind == .newline }
  }

  /// Takes a token; the end of the file is never taken.
  mutating func advance() {
    if index < tokens.count - 1 { index += 1 }
  }

  mutating func take(_ kind: TokenKind) -> Bool {
    guard at(kind) else { return false }
    advance()
    return true
  }

  mutating func take(_ word: Word) -> Bool {
    guard at(word) else {
      wants(.word(word))
      return false
    }
    advance()
    return true
  }

  /// Takes a word that has to be here; false, reported, where another stands.
  mutating func take(
    _ word: Word, orExpect what: String, _ code: SyntaxCode = .expectedWord, notes: [Note?] = []
  ) -> Bool {
    take(word) || expected(code, what, notes: notes) ?? false
  }

  /// The place right after the last token that was taken.
  var gap: Span {
    let end = index > 0 ? tokens[index - 1].span.end : tokens[0].span.start
    return Span(file: file, start: end, end: end)
  }

  /// From a token to the last one that was taken.
  func span(from start: Int) -> Span {
    guard index > start else { return gap }
    return tokens[start].span.union(tokens[index - 1].span)
  }

  func name(_ place: Int) -> Name { Name(text(place), tokens[place].span) }

  /// Takes the current token as a name, whatever word it is.
  mutating func takeName(_ kind: WrittenName = .name) -> Name {
    let name = takeWord()
    isWritten(name, as: kind)
    return name
  }

  /// Takes a word of the grammar that the tree holds by its text.
  mutating func takeWord() -> Name {
    defer { advance() }
    return name(index)
  }

  var missingName: Name { Name("", gap) }

  /// Reports a mistake after which the parser is lost.
  mutating func fail(_ code: SyntaxCode, _ message: String, at place: Span? = nil, notes: [Note?] = []) {
    // What is on a later line is missing here.
    let found = at(.endOfFile) || index > 0 && isFirstOnLine(index) ? gap : current.span
    // The lexer has spoken about a token that it does not know.
    if !at(.unknown) { mend(code, message, at: place ?? found, notes: notes) }
    endOfAsking()
    isRecovering = true
  }

  /// Reports a mistake that the parser can see through; `text` is what to write instead, nothing to remove it.
  mutating func mend(
    _ code: SyntaxCode, _ message: String, at place: Span? = nil, notes: [Note?] = [], fixes: [Fix] = [],
    writing text: String? = nil
  ) {
    guard !isRecovering, diagnostics.count <= Diagnostic.mostShown else { return }
    let place = place ?? current.span
    let fixes = text.map { [Fix(replace: place, with: $0)] } ?? fixes
    diagnostics.append(
      .error(code.code, message, at: place, metric: metric, notes: notes.compactMap(\.self), fixes: fixes))
  }

  /// The same; nil, for use in a `return`.
  mutating func fail<T>(
    _ code: SyntaxCode, _ message: String, at place: Span? = nil, notes: [Note?] = []
  ) -> T? {
    fail(code, message, at: place, notes: notes)
    return nil
  }

  /// Reports that something else is here than the grammar asks for.
  mutating func expected(_ code: SyntaxCode, _ what: String, notes: [Note?] = []) {
    fail(code, "expected \(what), found \(found)", notes: notes)
  }

  mutating func expected<T>(_ code: SyntaxCode, _ what: String, notes: [Note?] = []) -> T? {
    fail(code, "expected \(what), found \(found)", notes: notes)
  }

  /// Reports that none of the words of a place is here; the nearest is offered.
  mutating func expected<T>(
    _ code: SyntaxCode, oneOf candidates: [Word], _ what: String? = nil, notes: [Note?] = []
  ) -> T? {
    wants(candidates)
    let list = alternatives(candidates.map { "`\($0.rawValue)`" })
    return expected(code, what ?? list, notes: nearNote(among: candidates).map { [$0] } ?? notes)
  }

  /// "did you mean …" for the current word, where one of the candidates is near.
  func nearNote(among candidates: [Word]) -> Note? {
    near(candidates).map { .didYouMean($0.rawValue) }
  }

  /// What to write in place of the current word, where it is one of another language.
  func familiarNote(_ place: FamiliarWord.Place) -> Note? {
    let note = FamiliarWord.note(currentText, as: place)
    return at(.identifier) ? note : FamiliarWord.note(text(of: signs), as: place) ?? note
  }

  /// The signs around the current one that touch it: `??`, `===`.
  var signs: ClosedRange<Int> {
    func touches(_ place: Int) -> Bool {
      place > 0 && place < tokens.count && tokens[place].isSign && tokens[place - 1].isSign
        && tokens[place - 1].span.end == tokens[place].span.start
    }
    var (first, last) = (index, index)
    while touches(first) { first -= 1 }
    while touches(last + 1) { last += 1 }
    return first...last
  }

  func text(of run: ClosedRange<Int>) -> String {
    source.text(tokens[run.lowerBound].span.start, tokens[run.upperBound].span.end)
  }

  /// The word that was probably meant by the current one.
  func near(_ candidates: [Word]) -> Word? {
    guard at(.identifier) else { return nil }
    return nearestName(to: currentText, in: candidates.map(\.rawValue)).flatMap(Word.init(rawValue:))
  }

  /// Reports a misspelled word, in whose place the one is read that was meant.
  mutating func mendWord(to candidates: [Word], _ code: SyntaxCode, _ what: String) -> Word? {
    guard let meant = near(candidates) else { return nil }
    mend(code, "\(quoted(currentText)) does not start \(what)", notes: [.didYouMean(meant.rawValue)])
    return meant
  }

  /// The current token as a message names it.
  var found: String {
    switch current.kind {
    case .endOfFile: "the end of the file"
    case .string: "the text \(quoted(currentText))"
    case .number: "the number \(quoted(currentText))"
    case .day: "the day \(quoted(currentText))"
    default: quoted(currentText)
    }
  }

  /// `a`, `b` or `c`
  func alternatives(_ items: [String]) -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " or " + last
  }
}
