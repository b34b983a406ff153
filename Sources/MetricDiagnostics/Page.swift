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
  /// What is found, in a line without a full stop.
  public let title: String
  /// When it is reported, and why the rule exists.
  public let about: String
  public private(set) var language = Language.metric
  /// Codes that are near to this one.
  public private(set) var seeAlso: [String] = []
  /// Both examples as one text: `-` marks the lines of the wrong one alone, `+` those of the right one.
  public let change: String
  /// The wrong example at its full length, where it would only fill a page. Made when it is requested: one of them
  /// has 17 MB.
  package var wrongInFull: String { full?() ?? wrong }
  private let full: (@Sendable () -> String)?

  /// Triggers the code. `\xE9` stands for one byte that is no UTF-8.
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
  package init(_ text: String, inFull full: (@Sendable () -> String)? = nil) {
    let lines = text.split(separator: "\n")
    let head = lines[0].split(separator: ": ", maxSplits: 1)
    let code = head[0].split(separator: " ")
    self.code = DiagnosticCode(String(code[0]), String(code[1]))
    title = String(head[1])
    let example = lines.firstIndex { " -+".contains($0.prefix(1)) } ?? lines.endIndex
    var about: [Substring] = []
    for line in lines[1..<example] {
      if line.hasPrefix("See: ") {
        seeAlso = line.dropFirst(5).split(separator: ", ").map(String.init)
      } else if line.hasPrefix("In: ") {
        language = Language(rawValue: String(line.dropFirst(4))) ?? .metric
      } else {
        about.append(line)
      }
    }
    self.about = about.joined(separator: "\n")
    change = lines[example...].map { "\($0)\n" }.joined()
    self.full = full
  }

  /// Several pages, with an empty line between them.
  package static func read(_ text: String, inFull: [String: @Sendable () -> String] = [:]) -> [Page] {
    text.split(separator: "\n\n").map { Page(String($0), inFull: inFull[String($0.prefix { $0 != " " })]) }
  }
}
