/// Where each token of a tree goes: on a line of its own, or how far after the one before.
///
/// All of it is decided from the tokens, the comments between them and which blank lines there are,
/// so that what comes out is laid out as it is: the layout is idempotent. A line break of the source
/// counts in two places only: a declaration that is on one line may stay there, and a list of
/// allowed texts that is too long for a line keeps its lines.
struct Layout {
  struct Line {
    var column: Int
    var blank = Blank.drop
    /// Whether an item or declaration starts here, from whose column others are counted.
    var isItem = true
    /// Whether it is the closing brace: comments above it are inside of the declaration.
    var isClosing = false

    var commentColumn: Int { isClosing ? Layout.indentation : column }
  }

  /// What becomes of a blank line above.
  enum Blank {
    case drop, keep, force
  }

  static let width = 110
  static let oneLineWidth = 100
  static let oneLineItems = 4
  static let indentation = 2
  /// How far a line goes in that continues an item and has no better column.
  static let continuation = 4

  let tree: SyntaxTree
  let places: TokenPlaces
  let texts: [String]
  let gaps: [Gap]
  let blocks: [Block]
  var spaces: [Int]
  var lines: [Line?]
  /// The column of each token if all stood on one line.
  private(set) var flat: [Int] = []
  /// How many tokens up to each have comments before them.
  private var comments: [Int] = []
  var line: (token: Int, column: Int) = (0, 0)

  init(_ tree: SyntaxTree) {
    self.tree = tree
    places = TokenPlaces(tree)
    texts = tree.tokens.map { tree.source.text($0.span) }
    gaps = tree.tokens.indices.map { Gap(before: $0, in: tree) }
    let places = places
    blocks = tree.declarations.compactMap { Block($0, places: places) }
    let spacing = Spacing(tree, blocks: blocks, places: places)
    spaces = tree.tokens.indices.map { spacing.spaces(before: $0) }
    lines = tree.tokens.map { _ in nil }
    layOutBlocks()
    measure()
    for block in blocks { breakLongItems(block) }
  }

  /// Sums up what precedes each token.
  private mutating func measure() {
    var column = 0
    var count = 0
    for place in texts.indices {
      column += spaces[place]
      flat.append(column)
      column += texts[place].count
      if gaps[place].hasComments { count += 1 }
      comments.append(count)
    }
  }

  private mutating func layOutBlocks() {
    var isTall = false
    for (index, block) in blocks.enumerated() {
      let wasTall = isTall
      isTall = layOut(block)
      let blank: Blank = index == 0 ? .drop : wasTall || isTall ? .force : .keep
      lines[block.tokens.lowerBound] = Line(column: 0, blank: blank)
    }
    lines[tree.tokens.count - 1] = Line(column: 0, blank: blocks.isEmpty ? .drop : .keep)
  }

  /// Starts the lines of a declaration; says whether it takes more than one.
  private mutating func layOut(_ block: Block) -> Bool {
    if isOneLine(block) {
      for item in block.items.dropFirst() { spaces[item.tokens.lowerBound] = 2 }
      return false
    }
    for (index, item) in block.items.enumerated() {
      lines[item.tokens.lowerBound] = Line(column: Self.indentation, blank: index == 0 ? .drop : .keep)
    }
    lines[block.closing] = Line(column: 0, blank: block.items.isEmpty ? .drop : .keep, isClosing: true)
    align(block)
    return true
  }

  /// Whether a declaration stays on one line: it is on one, and is short.
  private func isOneLine(_ block: Block) -> Bool {
    let inner = block.tokens.dropFirst()
    if inner.contains(where: { gaps[$0].hasComments }) { return false }
    if block.items.isEmpty { return true }
    guard block.mayBeOneLine, block.items.count <= Self.oneLineItems else { return false }
    if inner.contains(where: { gaps[$0].startsLine }) { return false }
    let width = block.tokens.reduce(0) { $0 + spaces[$1] + texts[$1].count }
    // The items are two spaces apart, and the first token has none before it.
    return width - spaces[block.tokens.lowerBound] + block.items.count - 1 <= Self.oneLineWidth
  }

  /// Lets a token start a line that continues its item.
  mutating func breakLine(before token: Int, column: Int) {
    lines[token] = Line(column: column, isItem: false)
    line = (token, column)
  }

  /// The column at which a token is on the line that is being laid out.
  func column(of token: Int) -> Int { line.column + flat[token] - flat[line.token] }

  /// Whether tokens can stay on the line, together with what closes after them.
  func fits(_ range: TokenRange) -> Bool {
    guard let last = range.last else { return true }
    if comments[last] > comments[range.lowerBound] { return false }
    let closing = (last + 1..<texts.count).prefix {
      lines[$0] == nil && [.rightParenthesis, .rightBracket, .comma].contains(places.kinds[$0])
    }
    let end = closing.last ?? last
    return column(of: end) + texts[end].count <= Self.width
  }
}
