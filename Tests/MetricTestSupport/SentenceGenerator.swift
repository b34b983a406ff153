import MetricSyntax

/// Derives random sentences from the grammar page.
package struct SentenceGenerator {
  private let grammar: Grammar
  private var random: SeededGenerator
  private var text = ""
  private var depth = 0
  /// What must stand before the next part, where it is not free.
  private var separator: String?
  private let heights: [String: Int]

  package init(_ grammar: Grammar, seed: UInt64) {
    self.grammar = grammar
    random = SeededGenerator(seed: seed)
    heights = Self.heights(of: grammar)
  }

  package mutating func sentence(from rule: String) -> String {
    text = ""
    depth = 0
    separator = ""
    derive(.rule(rule), isLexical: false)
    return text
  }

  // MARK: Deriving

  private mutating func derive(_ node: Grammar.Node, isLexical: Bool) {
    switch node {
    case .text(let terminal): append(terminal, isLexical: isLexical)
    case .words(let words): append(character(words), isLexical: isLexical)
    case .rule(let name): derive(rule: name, isLexical: isLexical)
    case .sequence(let nodes):
      for node in nodes { derive(node, isLexical: isLexical) }
    case .choice(let nodes): derive(choose(nodes), isLexical: isLexical)
    case .optional(let inner): if isFree { derive(inner, isLexical: isLexical) }
    case .repeated(let inner):
      var count = 0
      while count < 4, isFree {
        derive(inner, isLexical: isLexical)
        count += 1
      }
    }
  }

  private mutating func derive(rule: String, isLexical: Bool) {
    depth += 1
    defer { depth -= 1 }
    if isLexical {
      grammar.rules[rule].map { derive($0, isLexical: true) }
    } else if Grammar.isLexical(rule) {
      deriveToken(rule)
    } else {
      grammar.rules[rule].map { derive($0, isLexical: false) }
    }
  }

  /// One token from a lexical rule.
  private mutating func deriveToken(_ rule: String) {
    if rule == "REST_OF_LINE" { separator = " " }
    if rule == "DOC_COMMENT", !text.hasSuffix("\n") { separator = "\n" }
    separate()
    let start = text.endIndex
    switch rule {
    case "NAME": text += name()
    case "REST_OF_LINE": text += restOfLine()
    case "DOC_COMMENT": text += "/// " + restOfLine()
    default: derive(rule: rule, isLexical: true)
    }
    if rule == "REST_OF_LINE" || rule == "DOC_COMMENT" { separator = "\n" }
    if rule == "NUMBER", text[start...].isEmpty { text += "0" }
  }

  private mutating func append(_ piece: String, isLexical: Bool) {
    if !isLexical { separate() }
    text += piece
  }

  private mutating func separate() {
    text +=
      separator ?? ["", "\n", "\t", " // aside\n", "  \r\n"].randomElement(using: &random).map { $0 + " " }
      ?? " "
    separator = nil
  }

  /// Whether there is still room to grow; the deeper, the less.
  private var isFree: Bool {
    mutating get { random.chance(max(3, 55 - depth - text.utf8.count / 100)) }
  }

  private mutating func choose(_ nodes: [Grammar.Node]) -> Grammar.Node {
    let lowest = nodes.map(height).min() ?? 0
    let candidates = depth > 25 || text.utf8.count > 3000 ? nodes.filter { height($0) == lowest } : nodes
    return candidates.randomElement(using: &random) ?? nodes[0]
  }

  // MARK: Words and characters

  /// A name; sometimes one that is a keyword elsewhere.
  private mutating func name() -> String {
    let keywords = [
      "value", "level", "unit", "target", "title", "day", "week", "days", "life", "part", "group",
      "streak", "fact", "min", "last", "consent", "calendar", "monday", "users", "step", "order",
    ]
    if random.chance(20) { return keywords.randomElement(using: &random) ?? "value" }
    while true {
      let letters = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        "abcdefghijklmnopqrstuvwxyzABC_0123".randomElement(using: &random) ?? "a"
      }
      let name = String(letters)
      if name.first?.isLowercase == true, Word(rawValue: name) == nil { return name }
    }
  }

  private mutating func restOfLine() -> String {
    ["monthly", "5 windows", "goal by 2026-01-31", "{ again } and again"].randomElement(using: &random) ?? ""
  }

  private mutating func character(_ words: String) -> String {
    let sets = [
      "a to z": "abcdefghijklmnopqrstuvwxyz", "A to Z": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "1 to 9": "123456789",
      "any character but a quotation mark, a backslash or a line end": "ab '/#{}é📖%;\t",
    ]
    if let set = sets[words] { return set.randomElement(using: &random).map(String.init) ?? "" }
    return ["41", "1F4D6", "e9"].randomElement(using: &random) ?? ""
  }

  // MARK: Heights

  /// How many rules each rule needs at the least: how a derivation finds its end.
  private static func heights(of grammar: Grammar) -> [String: Int] {
    var heights: [String: Int] = [:]
    for _ in grammar.rules {
      for (name, node) in grammar.rules {
        heights[name] = min(heights[name] ?? 1000, 1 + height(node, heights))
      }
    }
    return heights
  }

  private func height(_ node: Grammar.Node) -> Int { Self.height(node, heights) }

  private static func height(_ node: Grammar.Node, _ heights: [String: Int]) -> Int {
    switch node {
    case .text, .words, .optional, .repeated: 0
    case .rule(let name): heights[name] ?? 1000
    case .sequence(let nodes): nodes.map { height($0, heights) }.max() ?? 0
    case .choice(let nodes): nodes.map { height($0, heights) }.min() ?? 0
    }
  }
}
