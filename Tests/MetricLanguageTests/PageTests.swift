import Foundation
import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricPlan
import MetricSyntax
import MetricTestSupport
import Testing

@testable import MetricLanguage

/// Every code has one page, and what a page shows is what the stages do.
@Suite struct PageTests {
  @Test func everyCodeHasOnePage() throws {
    var declared = Set(SyntaxCode.allCases.map(\.code) + ResolveCode.allCases.map(\.code))
    for file in Repository.files(".swift", under: "Sources") {
      for match in try Repository.text(file).matches(
        of: /DiagnosticCode\(\s*"\s*(\w+)", "([\w-]+)/)
      {
        declared.insert(DiagnosticCode(String(match.output.1), String(match.output.2)))
      }
    }
    // The page of a rule declares its code.
    let rules = try Repository.files(".swift", under: "Sources/MetricPlan/Check").flatMap { file in
      try Repository.text(file).matches(of: /Page\.checklist\("(\w+)"\)/).map { String($0.output.1) }
    }
    let pages = Page.read(try Repository.text("Sources/MetricPlan/Resources/check_pages.txt"))
    #expect(pages.map(\.code.id).sorted() == rules.sorted())
    declared.formUnion(pages.map(\.code))
    #expect(Page.all.map(\.code.id).sorted() == declared.map(\.id).sorted())
    #expect(Set(Page.all.map(\.code)) == declared)
  }

  @Test func pagesStandInTheOrderOfTheirNumbers() {
    for family in Page.families {
      let ids = family.pages.map(\.code.id)
      #expect(ids == ids.sorted(), "\(family.title)")
      #expect(family.pages.allSatisfy { $0.code.id.first == family.title.first })
    }
  }

  @Test func referencesLeadSomewhere() {
    let codes = Set(Page.all.map(\.code.id))
    for page in Page.all {
      #expect(codes.isSuperset(of: page.seeAlso), "\(page.code)")
      #expect(!page.seeAlso.contains(page.code.id), "\(page.code)")
    }
  }

  @Test func pagesFollowTheirStyle() {
    for page in Page.all {
      #expect(!page.title.hasSuffix("."), "\(page.code)")
      #expect(page.about.hasSuffix("."), "\(page.code)")
      for text in [page.title, page.about] {
        #expect(text.count { $0 == "`" }.isMultiple(of: 2), "\(page.code)")
      }
    }
  }

  @Test(arguments: Page.all)
  func theWrongExampleTriggersTheCode(_ page: Page) {
    let found = page.findings(page.wrongInFull)
    let errors = Set(found.filter { $0.severity == .error }.map(\.code))
    let isWarning =
      page.code.id.hasPrefix("W") || found.contains { $0.code == page.code && $0.severity == .warning }
    #expect(found.contains { $0.code == page.code }, "\(page.code): \(found.map(\.message))")
    #expect(errors == (isWarning ? [] : [page.code]), "\(page.code): \(found.map(\.message))")
  }

  @Test(arguments: Page.all)
  func theRightExampleDoesNot(_ page: Page) {
    let found = page.findings(page.right)
    #expect(!found.contains { $0.code == page.code }, "\(page.code): \(found.map(\.message))")
    #expect(!found.contains { $0.severity == .error }, "\(page.code): \(found.map(\.message))")
  }

  @Test func theDocumentIsFresh() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = try String(contentsOf: root.appending(path: "Documentation/Diagnostics.md"), encoding: .utf8)
    #expect(file == Page.document, "run `\(Page.documentCommand)`")
  }

  @Test func pagesAreFoundByCodeAndName() {
    #expect(Page.named("c401").map(\.code.name) == ["falls-when-logged"])
    #expect(Page.named("falls-when-logged").map(\.code.id) == ["C401"])
    #expect(Page.named("no-real-date").map(\.code.id) == ["T018", "D011"])
    #expect(Page.named("nothing").isEmpty)
    #expect(Page.nearest(to: "falls-when-loged") == "falls-when-logged")
  }
}

extension Page: CustomTestStringConvertible {
  public var testDescription: String { code.id }
}

extension Page {
  /// What the stages find in an example.
  fileprivate func findings(_ example: String) -> [Diagnostic] {
    if let format = DataFormat(rawValue: language.rawValue) { return readFindings(example, format) }
    let library = MetricLibrary(sources: [SourceFile(path: "page.metric", bytes: bytes(of: example))])
    return library.findings + (code.id.hasPrefix("D") ? evaluationFindings(library) : [])
  }

  private func readFindings(_ example: String, _ format: DataFormat) -> [Diagnostic] {
    let library = MetricLibrary(sources: [SourceFile(path: "page.metric", text: Page.dataRecord)])
    guard library.isAccepted, let schema = library.fullSchema(of: "Reading") else { return library.findings }
    let pool = StringPool()
    let result = bytes(of: example).withUnsafeBytes {
      readTable($0, format: format, schema: schema, path: "Reading", pool: pool)
    }
    return result.findings + Page.datasetFindings(library, [result.table], pool)
  }

  /// What `check --data` finds beyond single records.
  private static func datasetFindings(
    _ library: MetricLibrary, _ tables: [Table], _ pool: StringPool
  ) -> [Diagnostic] {
    var check = DatasetCheck(library: library.plan, pool: pool)
    let facts = tables.filter { library.factNames.contains($0.schema.record) }
    for table in tables where !library.factNames.contains(table.schema.record) {
      check.add(table, isIncomplete: false)
    }
    let problems = check.problemsOfKept() + facts.flatMap { check.problems(ofFact: $0, pool: pool) }
    return problems.map { Diagnostic($0.severity, $0.code, $0.mend, at: .path($0.record)) }
  }

  /// What stops the evaluation of the tests, or makes one fail.
  private func evaluationFindings(_ library: MetricLibrary) -> [Diagnostic] {
    library.plan.tests.flatMap { test -> [Diagnostic] in
      let pool = StringPool()
      let tables = library.plan.tables(test.rows, pool: pool)
      do throws(EvaluationError) {
        let request = EvaluationRequest(
          metrics: test.expectations.map(\.metric), days: test.expectations.map(\.day))
        _ = try evaluate(request, library: library.plan, tables: tables, pool: pool)
      } catch {
        return [.error(error.code, error.message, at: test.span)]
      }
      let found = Page.datasetFindings(library, Array(tables.values), pool)
      if found.contains(where: { $0.severity == .error }) { return found }
      let failures = library.runTests(filter: nil).flatMap(\.failures)
      return found + failures.map { .error(DiagnosticCode("X", "failed"), $0.message, at: $0.span) }
    }
  }

  /// `\xE9` as a byte.
  private func bytes(of example: String) -> [UInt8] {
    var bytes = Array(example.utf8)
    let mark = Array(#"\xE9"#.utf8)
    if let range = bytes.firstRange(of: mark) { bytes.replaceSubrange(range, with: [0xE9]) }
    return bytes
  }
}

extension Page {
  /// The wrong example at its full length, where it would only fill a page. Made when it is requested: one of them
  /// has 17 MB.
  fileprivate var wrongInFull: String { Page.longExamples[code.id]?() ?? wrong }

  private static let longExamples: [String: @Sendable () -> String] = [
    "S019": {
      let nested = String(repeating: "(", count: 120) + "1" + String(repeating: ")", count: 120)
      return "measure points { for user  value \(nested) }"
    },
    "S038": { "measure visits { for user  value count(Event) + 1\(String(repeating: "0", count: 70)) }" },
    "T034": {
      "measure m0 { for user  value count(Event) }\n"
        + (1...501).map { "measure m\($0) { for user  value m\($0 - 1) }" }.joined(separator: "\n")
    },
    "T036": {
      "funnel way {\n  for user\n"
        + (1...32).map { "  step s\($0) Event where name == \"\($0)\"\n" }.joined() + "}"
    },
    "D026": {
      #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "extra": "#
        + String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000) + "}"
    },
    "D027": {
      #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "note": ""#
        + String(repeating: "a", count: 17 << 20) + #""}"#
    },
    "D031": { nestedBundles },
  ]

  /// Nine bundles, each in the next, and a link to the outermost.
  private static let nestedBundles =
    """
    progress total { for goal  value contribution(HabitEntry through GoalLink) }
    test "bundles" {
      given Goal { id: "g" }
      given GoalLink { goalId: "g", bundleId: "b1", contribution: "count" }

    """
    + (1...9).map { number in
      "  given BundleMember { bundleId: \"b\(number)\", childBundleId: \"b\(number + 1)\" }\n"
    }.joined() + "  expect total for \"g\" at 2026-01-01 = 0\n}"
}
