import MetricCheck
import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricResolve
import MetricSyntax

/// The page of a code: what it finds and why, with an example that triggers it and one that does not.
///
/// Both examples run in a test, so a page cannot say what the checker does not do.
public struct Page: Hashable, Sendable {
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
  /// The wrong example at its full length, where it would only fill a page.
  package let wrongInFull: String
  /// Codes that are near to this one.
  public let seeAlso: [String]

  init(
    _ id: String, _ name: String, _ title: String, what: String, why: String, language: Language = .metric,
    wrong: String, wrongInFull: String? = nil, right: String, seeAlso: [String] = []
  ) {
    code = DiagnosticCode(id, name)
    self.title = title
    self.what = what
    self.why = why
    self.language = language
    self.wrong = wrong
    self.wrongInFull = wrongInFull ?? wrong
    self.right = right
    self.seeAlso = seeAlso
  }
}

/// The pages of codes that are alike.
public struct PageFamily: Sendable {
  /// `Syntax`
  public let title: String
  /// What the codes of the family have in common.
  public let about: String
  /// By number.
  public let pages: [Page]

  fileprivate init(title: String, about: String, pages: [Page]) {
    self.title = title
    self.about = about
    self.pages = pages.sorted { $0.code.id < $1.code.id }
  }
}

extension Page {
  public static let families: [PageFamily] = [
    PageFamily(
      title: "S: syntax",
      about: "What is written is not in the language. The rest of the file is checked all the same.",
      pages: syntax),
    PageFamily(
      title: "T: names and types",
      about: "What is written is in the language and means nothing.", pages: namesAndTypes),
    PageFamily(
      title: "C: the checklist",
      about: """
        The four questions. C1: can it be recomputed from facts and DayKeys? C2: does truth remain when all
        metrics are deleted? C3: does a time-zone change preserve history? C4: is it free of punishment?
        None of these errors can be silenced.
        """, pages: checklist),
    PageFamily(
      title: "W: warnings",
      about: """
        What is rarely meant. `allow W002 "why"` in a metric silences one there; `check --strict` rejects
        what is left.
        """, pages: warnings),
    PageFamily(
      title: "D: data",
      about: """
        What is wrong with a file of records. The examples are files of this fact, except where they are
        tests in the language:

        ```metric
        \(dataRecord)
        ```
        """, pages: data),
  ]

  /// The record that the examples of data belong to.
  package static let dataRecord = """
    fact Reading {
      id        : ID
      userId    : User
      dayKey    : DayKey
      minutes   : Decimal? min 0
      pages     : Int?
      mood      : "calm" | "tired" ?
      aloud     : Bool?
      startedAt : Instant?
    }
    """

  /// All pages, by family and number.
  public static let all: [Page] = families.flatMap(\.pages)

  /// The page of a code or of its readable name, whatever the capitals; of a name that two families
  /// share, all.
  public static func named(_ name: String) -> [Page] {
    let wanted = name.lowercased()
    return all.filter { $0.code.id.lowercased() == wanted || $0.code.name == wanted }
  }

  /// The code or name that was probably meant.
  public static func nearest(to name: String) -> String? {
    nearestName(to: name, in: all.flatMap { [$0.code.id, $0.code.name] })
  }
}

extension DiagnosticCode {
  /// The codes of all stages.
  package static let all: [DiagnosticCode] =
    SyntaxCodes.all + ResolveCodes.all + Rules.codes + DataCodes.all + EvaluateCodes.all
    + DatasetCodes.all
}
