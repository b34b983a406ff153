import Foundation
import MetricTestSupport
import Testing

/// Which stage knows which, and what must be absent below the command (`Documentation/Architecture.md`).
@Suite struct ArrowTests {
  private static let sources = Repository.files(".swift", under: "Sources")

  private static func target(_ path: String) -> String { String(path.split(separator: "/")[1]) }

  private static func imports(_ path: String) throws -> [String] {
    try Repository.lines(path).filter { NSString(string: String($0)).contains("import ") }.compactMap {
      line in
      line.firstMatch(of: /^(?:@\w+\s+|public\s+|package\s+|internal\s+)*import\s+(?:\w+\s+)?(\w+)/)
        .map { String($0.output.1) }
    }
  }

  @Test func onlyTheResolverBehindTheParserKnowsTheSyntax() throws {
    let behind: Set = [
      "MetricPlan", "MetricPlan/Check", "MetricEvaluate", "MetricEvaluate/Explain", "MetricEvaluate/Search",
      "MetricEvaluate/DatasetCheck", "MetricSQL", "MetricData", "MetricValues",
    ]
    for path in Self.sources where behind.contains(Self.stage(path)) {
      let known = try Self.imports(path)
      #expect(!known.contains("MetricSyntax"), "\(path)")
      #expect(!known.contains("MetricLanguage"), "\(path)")
    }
  }

  /// Stages that are a folder of a target; the rest of the target is its first one.
  private static let folders = [
    "MetricSyntax/Format", "MetricPlan/Check", "MetricPlan/Resolve", "MetricEvaluate/Explain",
    "MetricEvaluate/Search", "MetricEvaluate/DatasetCheck",
  ]

  private static func stage(_ path: String) -> String {
    folders.first { path.hasPrefix("Sources/\($0)/") } ?? target(path)
  }

  /// The build refuses a circle of targets; inside of one, this test does.
  @Test(arguments: [
    ("MetricSyntax", ["MetricSyntax/Format"]),
    ("MetricPlan", ["MetricPlan/Check", "MetricPlan/Resolve"]),
    ("MetricPlan/Check", ["MetricPlan/Resolve"]),
    ("MetricSQL", ["MetricPlan/Check", "MetricPlan/Resolve"]),
    ("MetricEvaluate", folders.filter { $0 != "MetricSyntax/Format" }),
    ("MetricEvaluate/Explain", folders.filter { !$0.hasSuffix("/Explain") }),
    ("MetricEvaluate/Search", folders.filter { !$0.hasSuffix("/Search") }),
    ("MetricEvaluate/DatasetCheck", folders.filter { !$0.hasSuffix("/DatasetCheck") }),
  ])
  func noStageNamesATypeOfALaterOne(_ stage: String, _ later: [String]) throws {
    let names = try Self.types(of: later, seenFrom: stage)
      .subtracting(Self.types(of: [stage], seenFrom: stage))
    #expect(names.count > 2)
    for path in Self.sources where Self.stage(path) == stage {
      let text = NSString(string: try Repository.text(path))
      let near = names.filter { text.contains($0) }
      for (number, line) in try Repository.lines(path).enumerated() where !near.isEmpty {
        let words = Self.code(line).split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        for name in near.intersection(words) { Issue.record("\(path):\(number + 1): `\(name)`") }
      }
    }
  }

  /// The types at the top level of the files of some stages: all in a target of one's own, the open ones of another.
  private static func types(of stages: [String], seenFrom own: String) throws -> Set<String> {
    let files = sources.filter { stages.contains(stage($0)) }
    return try files.reduce(into: []) { found, path in
      for line in try Repository.lines(path) where line.first?.isLetter == true && !line.hasPrefix("private ")
      {
        guard
          let type = line.firstMatch(of: /^(?:\w+ )*?(?:struct|enum|class|protocol|typealias) (\w+)/),
          target(path) == target("Sources/\(own)/") || line.hasPrefix("package ") || line.hasPrefix("public ")
        else { continue }
        found.insert(String(type.output.1))
      }
    }
  }

  @Test func diagnosticsAndValuesImportNothing() throws {
    for path in Self.sources where ["MetricDiagnostics", "MetricValues"].contains(Self.target(path)) {
      #expect(try Self.imports(path) == [], "\(path)")
    }
  }

  @Test func whatNeedsOnlyValuesKnowsNoReaders() throws {
    let readerless: Set = ["MetricSyntax", "MetricPlan", "MetricSQL"]
    for path in Self.sources where readerless.contains(Self.target(path)) {
      #expect(try !Self.imports(path).contains("MetricData"), "\(path)")
    }
  }

  @Test func theEmbeddedLibrariesNeedTheToolchainAlone() throws {
    // A header of C, which has no file of Swift.
    let own = Set(Self.sources.map(Self.target)).union(["MetricIntrinsics"])
    let toolchain: Set = ["Foundation", "Dispatch", "Synchronization", "Glibc", "Darwin", "Musl"]
    for path in Self.sources where !Self.target(path).hasPrefix("metricc") {
      let foreign = try Self.imports(path).filter { !own.contains($0) && !toolchain.contains($0) }
      #expect(foreign == [], "\(path)")
      #expect(try !Self.imports(path).contains("metricc"), "\(path)")
    }
  }

  /// What opens files, prints, reads the environment or a clock.
  private static let absent = [
    "print(", "getenv(", "fopen(", "readLine()", "ProcessInfo", "FileManager", "FileHandle",
    "contentsOfFile:",
    "Data(contentsOf:", "String(contentsOf:", "Date()", "Date.now", "DispatchTime.now", "ContinuousClock",
    "SuspendingClock",
    "clock_gettime", "gettimeofday", "TimeZone", "Calendar(", "Locale",
  ]

  @Test func nothingBelowTheCommandTouchesTheWorld() throws {
    let outer: Set = ["metricc", "MetricImport", "MetricFoundation"]
    for path in Self.sources where !outer.contains(Self.target(path)) {
      // A debug build searches a text slowly: only what a file holds is looked for line by line.
      let text = NSString(string: try Repository.text(path))
      let words = Self.absent.filter { text.contains($0) }
      for (number, line) in try Repository.lines(path).enumerated() where !words.isEmpty {
        for word in words where Self.calls(word, in: Self.code(line)) {
          Issue.record("\(path):\(number + 1): `\(word)`")
        }
      }
    }
  }

  /// The line without its comment.
  private static func code(_ line: Substring) -> Substring {
    line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
  }

  /// Whether the word stands in the line, and is not the end of a longer name or inside a text.
  private static func calls(_ word: String, in code: Substring) -> Bool {
    guard let range = code.firstRange(of: word) else { return false }
    let before = code[..<range.lowerBound]
    if let last = before.last, last.isLetter || last.isNumber || last == "_" || last == "." { return false }
    return before.count { $0 == "\"" }.isMultiple(of: 2) && !before.hasSuffix("func ")
  }

  /// `approve` dates what it writes.
  @Test func noClockAnywhere() throws {
    for path in Self.sources where !path.hasSuffix("metricc/ApproveCommand.swift") {
      let text = NSString(string: try Repository.text(path))
      for word in ["Date()", "Date.now", "DispatchTime.now", "clock_gettime", "gettimeofday"] {
        #expect(!text.contains(word), "\(path): \(word)")
      }
    }
  }
}
