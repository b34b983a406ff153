/// The page of a code: what it finds and why, with an example that triggers it and one that does not.
///
/// Both examples run in a test, so a page cannot say what the checker does not do.
public struct Page: Sendable {
  /// What an example is written in.
  public enum Language: String, Sendable {
    case metric, csv, ndjson, json
  }

  /// `C401 falls-when-logged`
  public let code: DiagnosticCode
  private let text: String
  /// What is found, in a line without a full stop.
  public var title: String { String(head.drop { $0 != ":" }.dropFirst(2)) }
  /// When it is reported, and why the rule exists.
  public var about: String {
    body.filter { !$0.hasPrefix("See: ") && !$0.hasPrefix("In: ") }.joined(separator: "\n")
  }
  public var language: Language {
    value(of: "In: ").flatMap { Language(rawValue: String($0)) } ?? .metric
  }
  /// Codes that are near to this one.
  public var seeAlso: [String] {
    value(of: "See: ")?.split(separator: ", ").map(String.init) ?? []
  }
  /// Both examples as one text: `-` marks the lines of the wrong one alone, `+` those of the right one.
  public var change: String { lines[(1 + body.count)...].map { "\($0)\n" }.joined() }

  /// Triggers the code. `\xE9` stands for one byte that is not UTF-8.
  public var wrong: String { example(without: "+") }
  public var right: String { example(without: "-") }

  private func example(without mark: Character) -> String {
    change.split(separator: "\n").filter { $0.first != mark }.map { $0.dropFirst() }.joined(separator: "\n")
  }

  /// A page as text:
  ///
  ///     S012 name-case: A name starts with the wrong case
  ///     A record's name starts with an upper-case letter, every other name with a lower-case one.
  ///     See: W005
  ///     -measure Visits { for user  value count(Event) }
  ///     +measure visits { for user  value count(Event) }
  ///
  /// The lines of the example start with a blank, `-` or `+`; `In: csv` names its language.
  ///
  /// Only the code is read at once: every rule has a page, and most runs show none.
  package init(_ text: String) {
    let code = text.prefix { $0 != ":" }.split(separator: " ")
    self.code = DiagnosticCode(String(code[0]), String(code[1]))
    self.text = text
  }

  private var lines: [Substring] { text.split(separator: "\n") }
  private var head: Substring { text.prefix { $0 != "\n" } }
  /// The lines between the head and the example.
  private var body: [Substring] { Array(lines.dropFirst().prefix { !" -+".contains($0.prefix(1)) }) }

  private func value(of key: String) -> Substring? {
    body.first { $0.hasPrefix(key) }?.dropFirst(key.count)
  }

  /// Several pages, with an empty line between them.
  package static func read(_ text: String) -> [Page] {
    // Lines of bytes: as texts, the pages of the checklist took an eighth of a run's start.
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.split(whereSeparator: \.isEmpty).compactMap { lines in
      guard let first = lines.first, let last = lines.last else { return nil }
      return Page(String(text[first.startIndex..<last.endIndex]))
    }
  }
}

/// The pages of a stage, in the order of their file.
package struct Pages: Sendable {
  package let all: [Page]
  private let byKey: [String: Page]

  package init(_ text: [UInt8]) {
    all = Page.read(String(decoding: text, as: UTF8.self))
    byKey = Dictionary(
      uniqueKeysWithValues: all.flatMap { [($0.code.id, $0), (Pages.key($0.code.name), $0)] })
  }

  /// The page of a code by its id, or by its name as Swift writes it: `expectedWord` is `expected-word`.
  package subscript(code: String) -> Page {
    guard let page = byKey[code] ?? byKey[Pages.key(code)] else { preconditionFailure("\(code) has no page") }
    return page
  }

  private static func key(_ name: String) -> String { name.lowercased().filter { $0 != "-" } }
}

/// The codes of a stage by their names. The page of each has its number.
package protocol StageCode: RawRepresentable<String> {
  static var pages: Pages { get }
}

extension StageCode {
  package var code: DiagnosticCode { Self.pages[rawValue].code }
}
