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
  public let what: String
  /// Why the rule exists.
  public let why: String
  public let language: Language
  /// Triggers the code. `\xE9` stands for one byte that is no UTF-8.
  public let wrong: String
  public let right: String
  /// The wrong example at its full length, where it would only fill a page. Made when it is requested: one of them
  /// has 17 MB.
  package var wrongInFull: String { full?() ?? wrong }
  private let full: (@Sendable () -> String)?
  /// Codes that are near to this one.
  public let seeAlso: [String]

  package init(
    _ id: String, _ name: String, _ title: String, what: String, why: String, language: Language = .metric,
    wrong: String, wrongInFull: (@Sendable () -> String)? = nil, right: String, seeAlso: [String] = []
  ) {
    code = DiagnosticCode(id, name)
    self.title = title
    self.what = what
    self.why = why
    self.language = language
    self.wrong = wrong
    full = wrongInFull
    self.right = right
    self.seeAlso = seeAlso
  }
}
