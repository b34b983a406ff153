/// Where a cursor is, and what the parser asks for there.
struct CursorContext {
  let awaited: Awaited
  /// The words of the declaration before the cursor.
  let names: Set<String>
  /// The word or text that the cursor is in, which is replaced.
  let replaced: Span
  let isInText: Bool
  /// Whether it is in a day that is being written, such as `2026-0`.
  let isInDay: Bool
  /// Whether what is being written is the first on its line.
  let leadsLine: Bool

  /// Nil in a comment, where nothing is offered.
  init?(_ tree: SyntaxTree, file: Int, offset: Int) {
    guard !tree.isInComment(offset) else { return nil }
    let all = tree.tokens
    let touched = all.firstIndex { token in
      token.span.start < offset && offset <= token.span.end
        && (token.kind == .identifier || token.kind == .string && CursorContext.isInside(token, offset, tree))
    }
    let isInText = touched.map { all[$0].kind == .string } ?? false
    self.isInText = isInText
    let day = touched == nil ? CursorContext.day(offset, tree, file) : nil
    isInDay = day != nil
    let start = day?.start ?? offset
    replaced =
      touched.map { isInText ? CursorContext.whole(all[$0].span, offset, tree) : all[$0].span }
      ?? day ?? Span(file: file, start: offset, end: offset)
    let end = touched ?? all.firstIndex { $0.span.end > start || $0.kind == .endOfFile } ?? all.count - 1
    leadsLine = CursorContext.leadsLine(replaced.start, tree)
    let declaration = tree.declarations.last { $0.span.start <= offset }?.span.start ?? 0
    let first = min(all.partitioningIndex { $0.span.start >= declaration }, end)
    let place = Span(file: file, start: replaced.start, end: replaced.start)
    awaited = tree.awaited(behind: first..<end, at: place)
    names = Set(all[first..<end].map(tree.text))
  }

  /// The digits and dashes that an offset is in or after, if they start with a digit.
  private static func day(_ offset: Int, _ tree: SyntaxTree, _ file: Int) -> Span? {
    let bytes = tree.source.bytes
    func isPart(_ offset: Int) -> Bool {
      bytes.indices.contains(offset) && (bytes[offset] == 0x2D || (0x30...0x39).contains(bytes[offset]))
    }
    var (start, end) = (offset, offset)
    while isPart(start - 1) { start -= 1 }
    while isPart(end) { end += 1 }
    guard start < offset, bytes[start] != 0x2D else { return nil }
    return Span(file: file, start: start, end: end)
  }

  /// Whether an offset lies between the quotes of a text, or after one that is not closed.
  private static func isInside(_ token: Token, _ offset: Int, _ tree: SyntaxTree) -> Bool {
    offset < token.span.end || !isClosed(token.span, tree)
  }

  private static func isClosed(_ span: Span, _ tree: SyntaxTree) -> Bool {
    span.end - span.start > 1 && tree.source.bytes[span.end - 1] == UInt8(ascii: "\"")
  }

  /// A closed text as a whole, of an open one what precedes the cursor.
  private static func whole(_ span: Span, _ offset: Int, _ tree: SyntaxTree) -> Span {
    isClosed(span, tree) ? span : Span(file: span.file, start: span.start, end: offset)
  }

  private static func leadsLine(_ offset: Int, _ tree: SyntaxTree) -> Bool {
    let before = tree.source.bytes[..<offset].last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return before.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? true
  }
}
