import Foundation
import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import Testing

import enum MetricTestSupport.Repository

/// The definitions that the repository ships, and the samples beside them.
@Suite struct DefinitionsTests {
  static let systems = ["FamilyRewards", "Habits", "KnowledgeApp", "ReadingLessons", "StoryReading"]
  static let folders = systems.map { "Definitions/\($0)" }

  private func library(_ folder: String) throws -> MetricLibrary {
    MetricLibrary(sources: try ConformanceTests.files(in: folder).map(ConformanceTests.source))
  }

  @Test func allFoldersAreKnown() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appending(path: "Definitions").path)
    #expect(folders.filter { !$0.hasPrefix(".") }.sorted() == Self.systems)
  }

  // MARK: Definitions

  /// Each alone, and all as one library: nothing is found, not even a warning.
  @Test(arguments: folders + ["Definitions"])
  func nothingIsFound(_ folder: String) throws {
    let library = try library(folder)
    #expect(library.findings.isEmpty, "\(library.findings.map { $0.rendered(in: library.sources) }.joined())")
    #expect(!library.metrics.isEmpty)
    #expect(library.metrics.allSatisfy { $0.isAccepted })
  }

  @Test(arguments: folders + ["Definitions"])
  func theTestBlocksPass(_ folder: String) throws {
    let library = try library(folder)
    let results = library.runTests(filter: nil)
    #expect(!results.isEmpty)
    #expect(results.allSatisfy { $0.expectationCount > 0 })
    for failure in results.flatMap(\.failures) {
      let source = library.sources[failure.span.file]
      let line = source.position(of: failure.span.start).line
      Issue.record("\(source.path):\(line): \(failure.message)")
    }
  }

  /// Of a series that differs by numbers some are named.
  @Test func systemsNameEveryMetric() throws {
    func stem(_ name: some StringProtocol) -> String { String(name).replacing(/[0-9]+/, with: "#") }
    let named = Set(try Repository.text("Documentation/Systems.md").matches(of: /`(\w+)`/).map { stem($0.1) })
    let metrics = try Self.folders.flatMap { try library($0).metrics.map(\.name) }
    #expect(metrics.count > 250 && metrics.filter { !named.contains(stem($0)) } == [])
  }

  // MARK: Samples

  /// A file of a sample.
  private struct DataFile {
    var record: String
    var path: String
    var format: DataFormat
    var bytes: Data
  }

  private func sample(_ folder: String) throws -> [DataFile] {
    let base = Repository.root.appending(path: folder).appending(path: "Sample")
    return try FileManager.default.contentsOfDirectory(at: base, includingPropertiesForKeys: nil)
      .sorted { $0.path < $1.path }
      .compactMap { url in
        guard let format = DataFormat(fileExtension: url.pathExtension) else { return nil }
        return DataFile(
          record: url.deletingPathExtension().lastPathComponent, path: url.path, format: format,
          bytes: try Data(contentsOf: url))
      }
  }

  private func read(_ file: DataFile, _ schema: TableSchema, _ pool: StringPool) -> Table {
    let result = file.bytes.withUnsafeBytes {
      readTable($0, format: file.format, schema: schema, path: file.path, pool: pool)
    }
    let findings = result.findings.map { $0.rendered(in: []) }.joined()
    #expect(result.findingCount == 0, "\(findings)")
    return result.table
  }

  /// Every field of every record is what its declaration says, those too that no metric reads.
  @Test(arguments: folders)
  func theSampleFitsItsRecords(_ folder: String) throws {
    let library = try library(folder)
    let files = try sample(folder)
    #expect(!files.isEmpty)
    for file in files {
      let schema = try #require(library.fullSchema(of: file.record), "\(file.path) holds no record")
      let table = read(file, schema, StringPool())
      #expect(table.rowCount > 0)
    }
  }

  @Test(arguments: folders)
  func theSampleEvaluates(_ folder: String) throws {
    let library = try library(folder)
    let files = Dictionary(try sample(folder).map { ($0.record, $0) }) { first, _ in first }
    let pool = StringPool()
    var tables: [String: Table] = [:]
    for schema in library.schemas(for: []) {
      if let file = files[schema.record] { tables[schema.record] = read(file, schema, pool) }
    }
    let day = try #require(DayKey("2026-06-30"))
    let rows = try library.evaluate(
      metrics: [], subjects: [], days: [day], tables: tables, pool: pool, threads: 2, progress: nil)
    let silent = Set(library.metrics.map(\.name)).subtracting(rows.map(\.metric)).sorted()
    #expect(silent == [], "no row at all")
    #expect(rows.contains { $0.value != Value.none })
  }

  /// The script beside a sample writes the same bytes again.
  @Test(
    .enabled(if: python != nil, "there is no python3 to make the samples with"), arguments: folders)
  func theSampleIsWhatItsScriptMakes(_ folder: String) throws {
    let fresh = FileManager.default.temporaryDirectory.appending(path: "metricc-sample-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: fresh, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: fresh) }
    let script = fresh.appending(path: "make.py")
    try FileManager.default.copyItem(
      at: Repository.root.appending(path: "\(folder)/Sample/make.py"), to: script)
    let process = Process()
    process.executableURL = Self.python
    process.arguments = ["-B", script.path]
    process.currentDirectoryURL = fresh
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    try FileManager.default.removeItem(at: script)
    let made = try FileManager.default.contentsOfDirectory(atPath: fresh.path).sorted()
    let files = try sample(folder)
    #expect(made == files.map { URL(filePath: $0.path).lastPathComponent }.sorted())
    for file in files {
      let name = URL(filePath: file.path).lastPathComponent
      let bytes = try? Data(contentsOf: fresh.appending(path: name))
      #expect(bytes == file.bytes, "\(file.path) is not what make.py makes")
    }
  }

  /// The first python3 on the path.
  static let python = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(filePath: "\($0)/python3") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}
