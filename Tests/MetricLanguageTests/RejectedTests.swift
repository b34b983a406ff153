import MetricTestSupport
import Testing

/// Definitions that must be rejected: `Tests/Rejected`, a folder for each system, with a mark on each
/// line that is at fault.
@Suite struct RejectedTests {
  static let folder = "Tests/Rejected"
  /// Systems whose rejected files are read together with the definitions of the same name.
  static let extending: Set = ["StoryReading"]

  @Test(arguments: ConformanceTests.files(in: folder))
  func rejectedWhereMarked(_ path: String) throws {
    let system = try #require(path.split(separator: "/").dropFirst(2).first.map(String.init))
    let paths =
      [path] + (Self.extending.contains(system) ? ConformanceTests.files(in: "Definitions/\(system)") : [])
    let texts = try paths.map { String(decoding: try ConformanceTests.source($0).bytes, as: UTF8.self) }
    #expect(texts[0].contains("// error: "))
    let complaints = mismatches(texts, ignoresWarnings: system != "Language")
    #expect(complaints.isEmpty, "\(Comment(rawValue: complaints.joined(separator: "\n")))")
  }

  @Test func rejectedFilesAreThere() {
    #expect(ConformanceTests.files(in: "\(Self.folder)/FamilyRewards").count >= 14)
    #expect(ConformanceTests.files(in: "\(Self.folder)/StoryReading").count >= 6)
  }
}
