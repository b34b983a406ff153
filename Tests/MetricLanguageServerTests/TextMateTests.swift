import Foundation
import MetricLanguageServer
import MetricSyntax
import MetricTestSupport
import Testing

/// The TextMate grammar: its words are the parser's, and it colours the definitions as the parser reads them.
@Suite struct TextMateTests {
  /// A rule of the grammar. All rules match within a line, so a grammar is a list of them.
  private struct Rule {
    var name: String?
    /// Its group in the alternation of all rules; those of its captures come behind it.
    var group: Int
    var captures: [Int: String]
  }

  private let rules: [Rule]
  private let whole: NSRegularExpression
  private let words: Set<String>

  init() throws {
    let text = try Repository.text("Grammar/metric.tmLanguage.json")
    let json = try JSON(parsing: Array(text.utf8))
    var rules: [Rule] = []
    var patterns: [String] = []
    var groups = 1
    var words: Set<String> = []
    func add(_ node: JSON) throws {
      for item in node["patterns"].items { try add(item) }
      guard let match = node["match"].string else { return }
      var captures: [Int: String] = [:]
      if case .object(let members) = node["captures"] {
        for (key, value) in members { captures[Int(key) ?? 0] = value["name"].string }
      }
      rules.append(Rule(name: node["name"].string, group: groups, captures: captures))
      patterns.append("(\(match))")
      groups += 1 + (try NSRegularExpression(pattern: match).numberOfCaptureGroups)
      let scopes = [node["name"].string].compactMap { $0 } + captures.values
      let isKeyword = scopes.contains { Self.isKeyword($0) || $0.hasPrefix("invalid") }
      if isKeyword { words.formUnion(Self.alternatives(match)) }
    }
    for pattern in json["patterns"].items {
      let name = (pattern["include"].string ?? "").dropFirst()
      try add(json["repository"][String(name)])
    }
    self.rules = rules
    self.words = words
    whole = try NSRegularExpression(pattern: patterns.joined(separator: "|"))
  }

  /// The lower-case words of a pattern.
  private static func alternatives(_ pattern: String) -> [String] {
    pattern.replacing(/\\[a-zA-Z]/, with: " ").split { !$0.isLetter }.map(String.init)
      .filter { $0.count > 1 && $0.allSatisfy(\.isLowercase) }
  }

  private static func isKeyword(_ scope: String) -> Bool {
    scope.hasPrefix("keyword.other") || scope.hasPrefix("keyword.operator.word") || scope.hasPrefix("storage")
      || scope.hasPrefix("constant.language")
  }

  @Test func wordsAreTheParsers() {
    #expect(words == Set(Word.allCases.map(\.rawValue)))
  }

  /// The scopes of a line by UTF-16 offset, as an editor works them out: the earliest match wins, of equal
  /// ones the first rule's. That is what one alternation of all rules does.
  private func scopes(of line: String) -> [Int: (length: Int, scope: String)] {
    var found: [Int: (Int, String)] = [:]
    func add(_ range: NSRange, _ scope: String?) {
      if let scope, range.length > 0 { found[range.location] = (range.length, scope) }
    }
    for match in whole.matches(in: line, range: NSRange(location: 0, length: line.utf16.count)) {
      guard let rule = rules.first(where: { match.range(at: $0.group).location != NSNotFound }) else {
        continue
      }
      add(match.range, rule.name)
      for (group, scope) in rule.captures { add(match.range(at: rule.group + group), scope) }
    }
    return found
  }

  private static let wanted: [SemanticToken.Kind: [String]] = [
    .comment: ["comment.line"], .string: ["string.quoted"], .number: ["constant.numeric"],
    .keyword: ["keyword.other", "keyword.operator.word", "storage", "constant.language"],
    .operator: ["keyword.operator.metric"],
  ]

  /// Every token of the definitions and conformance files has the scope of what the parser reads.
  @Test func definitionsAreColoured() throws {
    let paths = Repository.definitions.filter {
      $0.hasPrefix("Definitions") || $0.hasPrefix("Tests/Conformance")
    }
    var count = 0
    var wrong: [String] = []
    for path in paths {
      let text = try Repository.text(path)
      let document = DocumentText(text)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { scopes(of: String($0)) }
      for token in analysis(text).semanticTokens(in: 0) {
        let start = document.position(of: token.span.start, in: .utf16)
        let end = document.position(of: token.span.end, in: .utf16)
        let scope = lines[start.line][start.character]
        count += 1
        if let problem = problem(
          token, scope?.scope, isWhole: scope?.length == end.character - start.character)
        {
          let word = String(decoding: document.bytes[token.span.start..<token.span.end], as: UTF8.self)
          wrong.append("\(path):\(start.line + 1):\(start.character + 1): `\(word)` \(problem)")
        }
      }
    }
    #expect(count > 10_000)
    #expect(wrong.prefix(20) == [], "\(wrong.count) in all")
  }

  private func problem(_ token: SemanticToken, _ scope: String?, isWhole: Bool) -> String? {
    let isDoc = token.modifiers.contains(.documentation)
    if let wanted = Self.wanted[token.kind] {
      guard let scope, wanted.contains(where: scope.hasPrefix) else {
        return "is \(token.kind), found \(scope ?? "none")"
      }
      if token.kind == .comment, isDoc != scope.hasPrefix("comment.line.documentation") {
        return "is \(scope)"
      }
      // The second word of `rest when` is coloured with the first.
      return isWhole || token.kind == .keyword ? nil : "is cut"
    }
    return scope.map(Self.isKeyword) == true ? "is a name, found \(scope ?? "")" : nil
  }
}
