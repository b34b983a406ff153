import Foundation
import MetricTestSupport
import Testing

/// `metricc swift` as a process.
@Suite struct SwiftProcessTests {
  /// What could break Swift: its words as names, names that are one in camel case, texts that are no identifiers,
  /// types that a record hides, groups, parts, quotes.
  private let awkward = ##"""
    entity Class { id : ID  default : Text?  mode : "a b" | "A-B" | "1st" | "@"  day : "in" | "for" | "x_y" }
    entity Days { id : ID }
    entity Sendable { id : ID }
    fact String { id : ID?  classId : Class  daysId : Days?  dayKey : DayKey  value : Decimal min 0  kind : Text?  twice = value * 2 }
    /// Says "yes" """# and */ and \(x) \#(x)
    completion done { for class  every day  when count(String) >= 1 }
    streak day_streak { of done  unit days }
    streak dayStreak { of done  best  deprecated "use \"day_streak\"" }
    progress repeat { for class  value sum(String.value)  target 5  over last 7 days }
    progress of_days { for days  value sum(String.value)  over last 7 days }
    retention back { for class  start String  return String  after 1, 7 days }
    measure by_kind { for app  value count(String) by kind  over last 7 days  audience team }
    """##

  @Test func awkwardNamesAreSwift() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", awkward)
    let run = try runMetricc(["swift", "a.metric", "--public", "--embed"], in: folder.path)
    #expect(run.exit == 0, "\(run.err)")
    for line in [
      "public struct Class: Codable, Hashable, Identifiable, Swift.Sendable {",
      "  public var `default`: Swift.String?",
      "    case `in`", "  public enum DayChoice: Swift.String, Codable, Swift.Sendable {",
      "  public func `repeat`(", "class subject: Swift.String, on day: DayKey",
      "  public func day_streak(", "  public func dayStreak(", "days subject: Swift.String, on day: DayKey",
      "  @available(*, deprecated, message: \"use \\\"day_streak\\\"\")", "group: Swift.String",
      "  public func backD7Rate(on day: DayKey)", "part: \"d7.rate\"",
    ] {
      #expect(run.out.contains(line), "\(line)\n\(run.out)")
    }
    #expect(!run.out.contains("var twice"), "a computed field is not stored")
    #expect(run.out.split(separator: "\n").allSatisfy { $0.count <= 100 || $0.hasPrefix("          ") })
    let again = try runMetricc(["swift", "a.metric", "--public", "--embed"], in: folder.path)
    #expect(again.out == run.out)
    try folder.write("Sources.swift", run.out)
    #expect(try parses("Sources.swift", in: folder) == "")
  }

  @Test func allDefinitionsAreSwift() throws {
    let folder = try TemporaryFolder()
    let names = try FileManager.default.contentsOfDirectory(atPath: Repository.path("Definitions"))
      .filter { !$0.hasPrefix(".") }
    #expect(names.count >= 5)
    for name in names {
      let run = try runMetricc(
        ["swift", "Definitions/\(name)", "--output", folder.path + "/\(name).swift"], in: Repository.root.path
      )
      #expect(run.exit == 0, "\(run.err)")
      #expect(try parses("\(name).swift", in: folder) == "")
    }
  }

  /// What the compiler's parser says of a file; empty where there is no compiler to ask.
  private func parses(_ path: String, in folder: TemporaryFolder) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc", "-frontend", "-parse", folder.path + "/" + path]
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let said = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 127 ? "" : String(decoding: said, as: UTF8.self)
  }

  @Test func nothingIsWrittenForRejectedDefinitions() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", "measure mean { for habit  value average(HabitEntry.value) }\n")
    let run = try runMetricc(["swift", "a.metric", "--output", "Metrics.swift"], in: folder.path)
    #expect(run.exit == 1)
    #expect(run.err.contains("C401") && run.err.contains("nothing was written"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/Metrics.swift"))
  }
}
