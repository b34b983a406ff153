import Foundation
import MetricDiagnostics
import MetricLanguage
import MetricTestSupport
import Testing

/// Mistakes that teams make (`Tests/Gallery/Bad`), each with the codes marked on its line; and
/// definitions one change away from them that are accepted without a finding (`Tests/Gallery/Good`).
@Suite struct GalleryTests {
  static let folder = Repository.root.appending(path: "Tests/Gallery")

  /// Names of the files of one half of the gallery.
  static func files(_ half: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: half).path())
    return (names ?? []).filter { $0.hasSuffix(".metric") }.sorted()
  }

  private func text(_ half: String, _ name: String) throws -> String {
    try String(contentsOf: Self.folder.appending(path: half).appending(path: name), encoding: .utf8)
  }

  @Test func galleryIsLarge() {
    #expect(Self.files("Bad").count >= 120)
    #expect(Self.files("Good").count >= 120)
  }

  @Test(arguments: files("Bad")) func badIsFound(name: String) throws {
    let text = try text("Bad", name)
    #expect(text.hasPrefix("// "), "the first line says what the mistake is")
    #expect(text.contains("// error: ") || text.contains("// warning: "))
    #expect(mismatches([text]) == [])
  }

  @Test(arguments: files("Good")) func goodIsAccepted(name: String) throws {
    let text = try text("Good", name)
    #expect(text.hasPrefix("// "), "the first line says what makes it good")
    #expect(!text.contains("// error: ") && !text.contains("// warning: "))
    #expect(mismatches([text]) == [])
  }

  /// Metrics of well-known apps, written down before they were checked. `Documentation/Checker.md` says why
  /// those with a mark are rejected.
  @Test(arguments: files("Natural")) func naturalMetrics(name: String) throws {
    #expect(mismatches([try text("Natural", name)], ignoresWarnings: true) == [])
  }

  @Test func naturalMetricsAreMany() throws {
    let texts = try Self.files("Natural").map { try text("Natural", $0) }
    let library = MetricLibrary(
      sources: texts.enumerated().map { SourceFile(path: "\($0).metric", text: $1) })
    #expect(library.metrics.count >= 60)
    #expect(library.metrics.count { !$0.isAccepted } == 2)
  }
}
