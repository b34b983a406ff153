import MetricData
import MetricPlan
import MetricSyntax

/// The pages of codes that are alike.
package struct PageFamily: Sendable {
  /// `Syntax`
  package let title: String
  /// What the codes of the family have in common.
  package let about: String
  /// By number.
  package var pages: [Page] {
    Page.declared.filter { $0.code.id.first == title.first }.sorted { $0.code.id < $1.code.id }
  }
}

extension Page {
  /// Each is next to the rule or in the stage that reports its code.
  fileprivate static let declared =
    SyntaxCode.pages.all + ResolveCode.pages.all + Rules.pages + data + dataset
  /// What only `check --data` looks for.
  private static let dataset = read(String(decoding: PackageResources.pages_txt, as: UTF8.self))

  package static let families: [PageFamily] = [
    PageFamily(
      title: "S: syntax",
      about: "The text is not valid in the language. The rest of the file is still checked."),
    PageFamily(
      title: "T: names and types",
      about: "The text is valid in the language but has no meaning."),
    PageFamily(
      title: "C: the checklist",
      about: """
        The four questions. C1: can it be recomputed from facts and DayKeys? C2: does truth remain when all
        metrics are deleted? C3: does a time-zone change preserve history? C4: is it free of punishment?
        None of these errors can be silenced.
        """),
    PageFamily(
      title: "W: warnings",
      about: """
        What is rarely intended. `allow W002 "why"` in a metric silences one there; `check --strict` rejects
        what is left.
        """),
    PageFamily(
      title: "D: data",
      about: """
        What is wrong with a file of records. The examples are files of this fact, except where they are
        tests in the language:

        ```metric
        \(dataRecord)
        ```
        """),
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
  package static let all: [Page] = families.flatMap(\.pages)

  /// The pages of a family, or of a part of one: `W`, `C4`.
  package static func family(_ prefix: String) -> [Page] {
    let isFamily = prefix.count <= 2 && prefix.dropFirst().allSatisfy(\.isNumber)
    return isFamily ? all.filter { $0.code.id.hasPrefix(prefix.uppercased()) } : []
  }

  /// The page of a code or of its readable name, whatever the capitals; of a name that two families
  /// share, all; of a word that the checklist refuses, such as `penalty`, the page that says why.
  package static func named(_ name: String) -> [Page] {
    let wanted = name.lowercased()
    let named = all.filter { $0.code.id.lowercased() == wanted || $0.code.name == wanted }
    return named.isEmpty ? [ForbiddenWord(rawValue: wanted)?.page].compactMap { $0 } : named
  }

  /// The code or name that was probably meant.
  package static func nearest(to name: String) -> String? {
    nearestName(to: name, in: all.flatMap { [$0.code.id, $0.code.name] })
  }
}
