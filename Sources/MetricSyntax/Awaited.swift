/// What the grammar asks for where a text ends: completion offers what fits, and reads no token a second time.
package struct Awaited: Sendable {
  package enum Item: Hashable, Sendable {
    case word(Word)
    case declaration
    /// A clause, field or statement in the braces of the declaration.
    case member
    /// A name of a new declaration, field or step.
    case newName
    case subject, fact, metric, record, route, group, unit, code, type
    /// What follows a dot after these names.
    case part(of: [String])
    case operand
    /// What may follow an operand, such as a metric.
    case operators(after: [String])
    case literal, text, day, version
    case length
    /// The name of a field of a `given`.
    case given
  }

  /// What a place is in.
  package enum Frame: Sendable {
    case call(String, argument: Int)
    /// Conditions and paths over the rows of a record, or of a subject.
    case rows(of: String)
    case comparison(ExpressionSyntax)
    case given(record: String, field: String)
    /// A text or day after a word of a test.
    case option(Word)
    case group
  }

  /// In the order in which the parser looked for them, each with the frames that it is in, the innermost last.
  package fileprivate(set) var items: [(item: Item, frames: [Frame])] = []
  /// The declaration that the text ends in; nil where it is in none.
  package fileprivate(set) var declaration: Declaration?
  /// Whether the text ends before its braces do.
  package fileprivate(set) var isInBraces = false
  /// The words of the whole text that were taken for names, by where they start.
  package fileprivate(set) var names: [Int: WrittenName] = [:]
  fileprivate var frames: [Frame] = []
  /// Whether the text has ended where something had to follow: what the parser looks for then counts no more.
  fileprivate var isOver = false
}

/// What a word is that the grammar takes for a name, whatever it stands for.
package enum WrittenName: Hashable, Sendable {
  case name, function, type
}

extension SyntaxTree {
  /// The words that are names and no keywords, by where they start.
  package var writtenNames: [Int: WrittenName] {
    awaited(after: tokens).names
  }

  /// What the grammar asks for after some tokens.
  package func awaited(behind range: TokenRange, at place: Span) -> Awaited {
    let trivia = tokens[range.upperBound].leadingTrivia
    return awaited(after: tokens[range] + [Token(kind: .endOfFile, span: place, leadingTrivia: trivia)])
  }

  private func awaited(after tokens: [Token]) -> Awaited {
    var parser = Parser(Lexer(source, tokens: tokens, trivia: trivia))
    parser.asked = Awaited()
    let declarations = parser.parseFile(inHalves: false)
    parser.wants(.declaration)
    var awaited = parser.asked ?? Awaited()
    if awaited.isInBraces { awaited.declaration = declarations.last }
    return awaited
  }
}

extension Parser {
  /// Records an item that the grammar allows here, if the text ends here and completion asked.
  mutating func wants(_ item: @autoclosure () -> Awaited.Item) {
    guard asked?.isOver == false, at(.endOfFile), !isRecovering, !isEndSpokenFor,
      let frames = asked?.frames
    else { return }
    asked?.items.append((item(), frames))
  }

  mutating func wants(_ words: [Word]) {
    guard asked != nil else { return }
    for word in words { wants(.word(word)) }
  }

  /// Notes that the text ends where a member of the declaration may follow.
  mutating func wantsMember() {
    if at(.endOfFile) { asked?.isInBraces = true }
    wants(.member)
  }

  /// Notes what a word was taken for; nil for one that is not a name after all.
  mutating func isWritten(_ name: Name, as kind: WrittenName?) {
    asked?.names[name.span.start] = kind
  }

  mutating func endOfAsking() {
    if asked != nil, at(.endOfFile) { asked?.isOver = true }
  }

  /// Whether somebody asks what follows the current token.
  var isAskedBehind: Bool { asked != nil && kind(1) == .endOfFile }

  mutating func inside<Result>(
    _ frame: @autoclosure () -> Awaited.Frame, _ parse: (inout Parser) -> Result
  ) -> Result {
    guard asked != nil else { return parse(&self) }
    asked?.frames.append(frame())
    defer { asked?.frames.removeLast() }
    return parse(&self)
  }
}
