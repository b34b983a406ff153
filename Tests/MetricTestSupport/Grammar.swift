/// The grammar page, read: a small reader of the EBNF that `Grammar/metric.ebnf` is written in.
package struct Grammar {
  package indirect enum Node {
    case text(String)
    case rule(String)
    case words(String)
    case sequence([Node])
    case choice([Node])
    case optional(Node)
    case repeated(Node)
  }

  package struct Failure: Error {
    package var message: String
  }

  package private(set) var rules: [String: Node] = [:]
  private var tokens: [String] = []
  private var index = 0

  package init(_ page: String) throws {
    tokens = try Self.tokens(of: page)
    while index < tokens.count {
      let name = take()
      try expect("=")
      guard rules[name] == nil else { throw Failure(message: "`\(name)` stands twice") }
      rules[name] = try parseChoice()
      try expect(";")
    }
  }

  /// Whether nothing stands between the parts of a rule.
  package static func isLexical(_ rule: String) -> Bool { rule == rule.uppercased() }

  /// The words that the syntactic rules ask for.
  package var keywords: Set<String> {
    var found: Set<String> = []
    for (name, node) in rules where !Self.isLexical(name) {
      visit(node) {
        if case .text(let text) = $0, text.allSatisfy({ $0.isLowercase }) { found.insert(text) }
      }
    }
    return found
  }

  /// Rules that are used and not defined, or defined and never used.
  package var loose: Set<String> {
    var used: Set<String> = ["file", "COMMENT"]
    for node in rules.values {
      visit(node) { if case .rule(let name) = $0 { used.insert(name) } }
    }
    return used.symmetricDifference(rules.keys)
  }

  private func visit(_ node: Node, _ body: (Node) -> Void) {
    body(node)
    switch node {
    case .sequence(let nodes), .choice(let nodes):
      for node in nodes { visit(node, body) }
    case .optional(let inner), .repeated(let inner): visit(inner, body)
    case .text, .rule, .words: break
    }
  }

  // MARK: Reading

  private mutating func parseChoice() throws -> Node {
    var branches = [try parseSequence()]
    while peek == "|" {
      index += 1
      branches.append(try parseSequence())
    }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func parseSequence() throws -> Node {
    var parts = [try parsePart()]
    while peek == "," {
      index += 1
      parts.append(try parsePart())
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func parsePart() throws -> Node {
    let token = take()
    switch token.first {
    case "\"", "'": return .text(String(token.dropFirst().dropLast()))
    case "?": return .words(token.dropFirst().dropLast().trimmingSpaces)
    case "[":
      let inner = try parseChoice()
      try expect("]")
      return .optional(inner)
    case "{":
      let inner = try parseChoice()
      try expect("}")
      return .repeated(inner)
    case "(":
      let inner = try parseChoice()
      try expect(")")
      return inner
    case let first? where first.isLetter: return .rule(token)
    default: throw Failure(message: "`\(token)` cannot stand here")
    }
  }

  private var peek: String? { index < tokens.count ? tokens[index] : nil }

  private mutating func take() -> String {
    defer { index += 1 }
    return peek ?? ""
  }

  private mutating func expect(_ token: String) throws {
    let found = take()
    guard found == token else { throw Failure(message: "`\(token)` expected, `\(found)` found") }
  }

  private static func tokens(of page: String) throws -> [String] {
    var rest = Substring(page)
    var tokens: [String] = []
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if rest.hasPrefix("(*") {
        while !rest.hasPrefix("*)") { rest.removeFirst() }
        rest.removeFirst(2)
      } else if "\"'?".contains(first) {
        guard let end = rest.dropFirst().firstIndex(of: first) else {
          throw Failure(message: "`\(first)` is not closed")
        }
        tokens.append(String(rest[...end]))
        rest = rest[rest.index(after: end)...]
      } else {
        let word = rest.prefix { $0.isLetter || $0 == "_" }
        let length = max(1, word.count)
        tokens.append(String(rest.prefix(length)))
        rest.removeFirst(length)
      }
    }
    return tokens
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
