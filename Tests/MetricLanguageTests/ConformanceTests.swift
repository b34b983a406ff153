import Foundation
import MetricDiagnostics
import MetricLanguage
import MetricTestSupport
import Testing

/// The language's own test blocks: `Tests/Conformance`, one file a subject of the language page, and
/// the definitions that the repository ships.
@Suite struct ConformanceTests {
  static func files(in folder: String) -> [String] { Repository.files(".metric", under: folder) }

  static func source(_ path: String) throws -> SourceFile {
    SourceFile(path: path, bytes: Array(try Data(contentsOf: Repository.root.appending(path: path))))
  }

  @Test(arguments: files(in: "Tests/Conformance"))
  func conformanceFile(path: String) throws {
    let library = MetricLibrary(sources: [try Self.source(path)])
    let errors = library.findings.filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(errors.map { $0.rendered(in: library.sources) }.joined())")
    let results = library.runTests(filter: nil)
    #expect(!results.isEmpty)
    #expect(results.allSatisfy { $0.expectationCount > 0 })
    for failure in results.flatMap(\.failures) {
      let line = library.sources[failure.span.file].position(of: failure.span.start).line
      Issue.record("\(path):\(line): \(failure.message)")
    }
  }

  @Test func conformanceFilesAreThere() {
    #expect(Self.files(in: "Tests/Conformance").count >= 6)
  }
}
