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
    func touches(_ span: Span) -> Bool { span.start < offset && offset <= span.end }
    guard !tree.comments.contains(where: { touches($0.span) }) else { return nil }
    let (all, bytes) = (tree.tokens, tree.source.bytes)
    func isClosed(_ text: Span) -> Bool {
      text.end - text.start > 1 && bytes[text.end - 1] == UInt8(ascii: "\"")
    }
    let touched = all.firstIndex { token in
      touches(token.span)
        && (token.kind == .identifier
          || token.kind == .string && (offset < token.span.end || !isClosed(token.span)))
    }
    isInText = touched.map { all[$0].kind == .string } ?? false
    let day = touched == nil ? CursorContext.day(offset, bytes, file) : nil
    isInDay = day != nil
    var replaced = touched.map { all[$0].span } ?? day ?? Span(file: file, at: offset)
    // Of a text that is not closed, what precedes the cursor.
    if isInText, !isClosed(replaced) { replaced.end = offset }
    self.replaced = replaced
    let (start, place) = (replaced.start, Span(file: file, at: replaced.start))
    let before = bytes[..<start].last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    leadsLine = before.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? true
    let end = touched ?? all.firstIndex { $0.span.end > start || $0.kind == .endOfFile } ?? all.count - 1
    let declaration = tree.declarations.last { $0.span.start <= offset }?.span.start ?? 0
    let first = min(all.partitioningIndex { $0.span.start >= declaration }, end)
    awaited = tree.awaited(behind: first..<end, at: place)
    names = Set(all[first..<end].map(tree.text))
  }

  /// The digits and dashes that an offset is in or after, if they start with a digit.
  private static func day(_ offset: Int, _ bytes: [UInt8], _ file: Int) -> Span? {
    func isPart(_ offset: Int) -> Bool {
      bytes.indices.contains(offset) && (bytes[offset] == 0x2D || (0x30...0x39).contains(bytes[offset]))
    }
    var (start, end) = (offset, offset)
    while isPart(start - 1) { start -= 1 }
    while isPart(end) { end += 1 }
    guard start < offset, bytes[start] != 0x2D else { return nil }
    return Span(file: file, start: start, end: end)
  }
}
