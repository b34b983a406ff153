import Foundation
import MetricData
import MetricDiagnostics
import MetricLanguage
import MetricTestSupport
import Testing

@testable import metricc_fuzz

/// Every input that once broke something (`Tests/Fuzzed`) is played again, and some mutations are tried.
@Suite struct FuzzTests {
  static let harnesses = Harness.allCases

  private func inputs(_ harness: Harness) throws -> [(path: String, bytes: [UInt8])] {
    var paths = Repository.files("", under: "Tests/Fuzzed/\(harness.rawValue)")
    if harness == .definitions || harness == .evaluation {
      paths += Repository.files(".metric", under: "Tests/Conformance")
    }
    return try paths.compactMap { path in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: Repository.path(path), isDirectory: &isFolder)
      if isFolder.boolValue { return nil }
      var bytes = Array(try Data(contentsOf: Repository.root.appending(path: path)))
      if harness == .evaluation, path.hasSuffix(".metric") {
        let file =
          "HabitEntry.csv\nid,habitId,dayKey,value\n1,a,2026-01-30,2\n2,a,2026-01-31,\n3,b,2026-01-01,7\n"
        bytes += [0] + Array(file.utf8)
      }
      return (path, bytes)
    }
  }

  @Test(arguments: harnesses)
  func everyInputIsSound(_ harness: Harness) throws {
    let inputs = try inputs(harness)
    #expect(!inputs.isEmpty)
    for input in inputs {
      #expect(harness.complaint(input.bytes) == nil, "\(input.path)")
    }
  }

  @Test(arguments: harnesses)
  func mutationsAreSound(_ harness: Harness) throws {
    let runs =
      switch harness {
      case .definitions, .editor: 25
      case .evaluation: 12
      case .csv, .ndjson, .json, .messages: 120
      case .imports: 800
      }
    for seed in seeds(1, from: 8_001) {
      var mutator = Mutator(seed: seed, words: try inputs(harness).map(\.bytes))
      for number in 0..<runs {
        let complaint = harness.complaint(mutator.next())
        #expect(complaint == nil, "mutation \(number), METRICC_SEED=\(seed)")
      }
    }
  }

  /// Random definitions over random datasets, whose files are then damaged.
  @Test func randomDefinitionsOverDamagedFiles() {
    for seed in seeds(12, from: 9_001) {
      var random = SeededGenerator(seed: seed)
      let world = randomWorld(&random)
      #expect(
        Harness.evaluation.complaint(world.joined(separator: [0]).map(\.self)) == nil, "\(random.replay)")
      var mutator = Mutator(seed: seed, words: Array(world.dropFirst()))
      let damaged =
        [world[0]]
        + world.dropFirst().map { file in
          file.prefix { $0 != 0x0A } + [0x0A] + mutator.next().filter { $0 != 0 }
        }
      #expect(
        Harness.evaluation.complaint(damaged.joined(separator: [0]).map(\.self)) == nil, "\(random.replay)")
    }
  }

  /// A library, and the files of a dataset for it, as the harness takes them.
  private func randomWorld(_ random: inout SeededGenerator) -> [[UInt8]] {
    let source = RandomLibrary.source(metrics: 6, using: &random)
    let library = MetricLibrary(sources: [SourceFile(path: "random.metric", text: source)]).plan
    let dataset = RandomDataset.make(for: library, using: &random)
    let files = library.records.enumerated().map { id, record in
      let format = random.pick(DataFormat.allCases)
      return "\(record.name).\(format.rawValue)\n" + dataset.text(of: id, in: library, as: format)
    }
    return ([source] + files).map { Array($0.utf8) }
  }

  /// What the readers' harness compares are two things.
  @Test func theSampleIsFolded() { #expect(Harness.foldsSample) }

  @Test func theSameSeedGivesTheSameInputs() {
    let words = [Array("abc,def".utf8), Array("1\n2".utf8)]
    var first = Mutator(seed: 5, words: words)
    var second = Mutator(seed: 5, words: words)
    for _ in 0..<50 { #expect(first.next() == second.next()) }
  }

  @Test func optionsAreRead() throws {
    #expect(FuzzOptions(["csv"]) == nil)
    #expect(FuzzOptions(["nothing", "x"]) == nil)
    let path = Repository.path("Tests/Fuzzed/csv")
    let options = try #require(FuzzOptions(["csv", path, "--runs", "7", "--seed", "9"]))
    #expect(options.runs == 7)
    #expect(options.seed == 9)
    #expect(options.inputs.count >= 1)
  }
}
