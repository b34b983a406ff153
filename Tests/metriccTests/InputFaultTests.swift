import Foundation
import MetricTestSupport
import Testing

@testable import metricc

/// Input that is broken in ways that definitions and data never are by themselves: each has its exit status
/// and its place, nothing hangs, and no output file is left behind.
@Suite(.serialized)
struct InputFaultTests {
  private static let header = "id,habitId,dayKey\n"

  /// A data file of HabitEntry with what is wrong in it, and what the message says.
  struct Broken: Sendable, CustomTestStringConvertible {
    var name: String
    var file: String
    var bytes: [UInt8]
    var message: String

    var testDescription: String { "\(file), \(name)" }

    init(_ name: String, _ file: String, _ text: String, _ message: String, tail: [UInt8] = []) {
      self.name = name
      self.file = file
      bytes = Array(text.utf8) + tail
      self.message = message
    }
  }

  private static let object = #"{"id":"1","habitId":"read","dayKey":"2026-01-01"}"#

  static let broken = [
    Broken(
      "cut in a row", "HabitEntry.csv", header + "1,read,2026-01-01\n2,re", ":3:1: error: found 2 cells"),
    Broken("cut in quotes", "HabitEntry.csv", header + "1,\"read", ":2:3: error: found no closing quote"),
    Broken(
      "cut", "HabitEntry.ndjson", object + "\n{\"id\":\"2\",", ":2:11: error: found the end of the line"),
    Broken(
      "cut", "HabitEntry.json", "[\(object),\n{\"id\":\"2\",\"ha", ":2:14: error: found the end of the file"),
    Broken("not UTF-8", "HabitEntry.csv", header + "1,re", "[D007 not-utf8]", tail: [0xFF, 0x2C] + day),
    Broken(
      "not UTF-8", "HabitEntry.ndjson", #"{"id":"1","dayKey":"2026-01-01","habitId":"re"#, "[D007 not-utf8]",
      tail: [0xFF, 0x22, 0x7D]),
    Broken(
      "not UTF-8", "HabitEntry.json", #"[{"id":"1","dayKey":"2026-01-01","habitId":"re"#, "[D007 not-utf8]",
      tail: [0xC0, 0x22, 0x7D, 0x5D]),
    Broken(
      "two equal headers", "HabitEntry.csv", "id,habitId,habitId,dayKey\n",
      "found `habitId` twice in the header"),
    Broken(
      "two equal keys", "HabitEntry.ndjson", #"{"id":"1","dayKey":"2026-01-01","habitId":"a","habitId":"b"}"#,
      "twice in one object"),
    Broken(
      "a NUL in a day", "HabitEntry.csv", header + "1,read,2026-01-\0",
      ":2:8: error: `dayKey` is `2026-01-\\u{0}`"),
    Broken(
      "a NUL in JSON", "HabitEntry.ndjson", "{\"id\":\"1\0\"}\n", "expected no control character in a string"),
    Broken(
      "only NULs", "HabitEntry.csv", String(repeating: "\0", count: 5_000), "in the header, which every"),
    Broken(
      "line ends of an old Mac", "HabitEntry.csv", "id,habitId,dayKey\r1,read,2026-01-01\r",
      "a carriage return alone"),
    Broken("nothing", "HabitEntry.csv", "", "found an empty file"),
    Broken("nothing", "HabitEntry.json", " \n", "found an empty file"),
    Broken(
      "a record without an end", "HabitEntry.json", "[\(object),\n{\"id\":\"" + long,
      ":1:51: error: found a record of more than 16777216 bytes"),
  ]

  private static let day = Array("2026-01-01\n".utf8)
  /// Longer than any record may be.
  private static let long = String(repeating: "a", count: 17 << 20)

  @Test(arguments: broken)
  func brokenData(_ broken: Broken) throws {
    let folder = try Example.folder()
    try FileManager.default.removeItem(atPath: folder.path("data/HabitEntry.csv"))
    try Data(broken.bytes).write(to: URL(fileURLWithPath: folder.path("data/\(broken.file)")))
    let run = try runShell(
      "$metricc eval defs --data data --at 2026-01-03 --metric done --output rows.csv", in: folder)
    #expect(run.exit == 2, "\(broken.name)")
    #expect(run.err.contains(broken.message), "\(broken.name): \(run.err.prefix(400))")
    #expect(folder.names == ["data", "defs"])
    let check = try runShell("$metricc check defs --data data", in: folder)
    #expect(check.exit == 2, "\(broken.name)")
    #expect(check.out.contains(broken.message), "\(broken.name): \(check.out.prefix(400))")
  }

  @Test func mixedLineEndsAreLineEnds() throws {
    let folder = try Example.folder()
    let run = "$metricc eval defs --data data --at 2026-01-03 --format csv"
    let plain = try runShell(run, in: folder)
    let rows = Example.entries.split(separator: "\n")
    let mixed = rows.enumerated().map { $1 + ($0.isMultiple(of: 2) ? "\r\n" : "\n\r\n") }.joined()
    try folder.write("data/HabitEntry.csv", "\u{FEFF}" + mixed)
    try folder.write("defs/habits.metric", Example.definitions.replacing("\n", with: "\r\n"))
    #expect(try runShell(run, in: folder).out == plain.out)
    #expect(plain.exit == 0)
  }

  @Test func brokenDefinitions() throws {
    let folder = try Example.folder()
    let hostile: [(String, [UInt8], Int32, String)] = [
      ("no UTF-8", Array("streak s { of d".utf8) + [0xFF, 0x7D], 1, "[S001 not-utf8]"),
      ("NULs", [UInt8](repeating: 0, count: 2_000), 1, "[S002 unexpected-character]"),
      ("a name", Array("measure \(Self.long.prefix(1 << 16)) { }".utf8), 1, "[S038 too-long]"),
      (
        "a number", Array("measure m { for habit  value \(String(repeating: "9", count: 100)) }".utf8), 1,
        "[S038 "
      ),
      ("too large", Array("// \(Self.long)".utf8), 2, "it has more than 16,777,216 bytes"),
    ]
    for (name, bytes, status, message) in hostile {
      try Data(bytes).write(to: URL(fileURLWithPath: folder.path("x.metric")))
      let run = try runShell("$metricc check x.metric", in: folder)
      #expect(run.exit == status, "\(name)")
      #expect((run.out + run.err).contains(message), "\(name): \(run.err.prefix(300))")
      let stdin = try runShell("$metricc fmt - < x.metric", in: folder)
      #expect(stdin.exit == 2, "\(name)")
      #expect(stdin.out == "", "\(name)")
    }
  }

  // MARK: What is no file

  @Test(arguments: [
    ("HabitEntry=data", "Is a directory"), ("HabitEntry=nothing.csv", "No such file"),
    ("link", "cannot read `link/HabitEntry.csv`: No such file"),
    ("empty", "cannot read `empty/HabitEntry.csv`: Is a directory"),
    ("HabitEntry=/proc/self/mem", "cannot read `/proc/self/mem`: Input/output error"),
    ("HabitEntry=/dev/zero", "cannot read `/dev/zero`: Cannot allocate memory"),
  ])
  func whatIsNoDataFile(_ data: String, _ message: String) throws {
    let folder = try Example.folder()
    try folder.write("link/README", "")
    try folder.link("link/HabitEntry.csv", to: folder.path("gone.csv"))
    try folder.write("empty/HabitEntry.csv/README", "")
    let run = try runShell(
      "ulimit -v 1500000; $metricc eval defs --data \(data) --at 2026-01-03 --output rows.csv", in: folder)
    #expect(run.exit == 2)
    #expect(run.err.contains(message), "\(run.err)")
    #expect(!folder.names.contains { $0.contains("rows") })
  }

  @Test(arguments: [
    "check /dev/zero", "check nothing.metric", "fmt - < /dev/zero", "check < /dev/null -- /dev/stdin x",
  ])
  func whatIsNoDefinition(_ arguments: String) throws {
    let run = try runShell("ulimit -v 1500000; $metricc \(arguments)", in: try Example.folder())
    #expect(run.exit == 2)
    #expect(run.out == "")
  }

  /// What a pipe gives is held, up to a limit; the byte behind it ends the reading.
  @Test func aPipeHasALimit() throws {
    func held(_ count: Int) throws -> Int {
      let pipe = Pipe()
      try pipe.fileHandleForWriting.write(contentsOf: Data(count: count))
      try pipe.fileHandleForWriting.close()
      let descriptor = pipe.fileHandleForReading.fileDescriptor
      return try HeldBytes(reading: descriptor, path: "pipe", most: 10_000).bytes.count
    }
    #expect(try held(10_000) == 10_000)
    let failure = #expect(throws: CommandFailure.self) { try held(10_001) }
    #expect(
      failure?.messages == ["cannot read `pipe`: it has more than 10,000 bytes, the most that is read of it"])
    #expect(failure?.status == .unreadable)
  }

  /// A pipe gives the same as a file.
  @Test func namedPipes() throws {
    let folder = try Example.folder()
    let plain = try runShell("$metricc eval defs --data data --at 2026-01-03 --format csv", in: folder)
    let run = try runShell(
      """
      mkfifo pipe.csv defs.pipe
      cat data/HabitEntry.csv > pipe.csv & cat defs/habits.metric > defs.pipe &
      $metricc eval defs.pipe --data HabitEntry=pipe.csv --at 2026-01-03 --format csv
      """, in: folder)
    #expect(run.exit == 0)
    #expect(run.out == plain.out)
  }

  /// Of an export's JSON one record is held at a time: 12 MB of it are read where nine times as much, which it used
  /// to take, is not to be had.
  @Test(arguments: [
    (
      "mhabit", #"{"habits": [{"name": "Read", "records": ["#, #"{"record_date": 20513, "record_type": 1}"#,
      "]}]}"
    ),
    ("cloudkit", #"{"records": ["#, #"{"recordName": "a", "recordType": "Nothing", "fields": {}}"#, "]}"),
  ])
  func aLargeExportOfJSON(_ kind: String, _ head: String, _ record: String, _ tail: String) throws {
    let folder = try TemporaryFolder()
    let records = String(repeating: record + ",\n", count: 12_000_000 / (record.utf8.count + 2))
    try folder.write("big.json", head + records + record + tail)
    let run = try runShell(
      "ulimit -v 140000; $metricc import \(kind) big.json --output out --no-progress", in: folder)
    // CloudKit's records here are of a type that no metric knows, so there is nothing to write.
    #expect(run.exit == (kind == "cloudkit" ? 2 : 0), "\(run.err)")
    #expect((run.out + run.err).contains("left out"))
  }

  /// What is no array is held whole, and so has a limit.
  @Test func anObjectOfManyValues() throws {
    let folder = try TemporaryFolder()
    let members = (0..<300_000).map { "\"k\($0)\":1" }.joined(separator: ",")
    try folder.write("big.json", "{\(members)}")
    let run = try runShell(
      "ulimit -v 140000; $metricc import mhabit big.json --output out --no-progress", in: folder)
    #expect(run.exit == 2)
    #expect(
      run.err.hasSuffix(
        ": found more than 100000 values in one record, expected an array where there are so many\n"),
      "\(run.err)")
    #expect(folder.names == ["big.json"])
  }

  // MARK: What changes meanwhile

  /// A file that grows by whole rows is read up to where it ended at first.
  @Test func aGrowingFile() throws {
    let folder = try Example.folder()
    let run = try runShell(
      """
      (while [ ! -e done ]; do echo "n$RANDOM,read,2026-01-02" >> data/HabitEntry.csv; done) &
      for format in csv ndjson json; do
        $metricc eval defs --data data --at 2026-01-03 --metric done --format $format || exit
      done
      touch done; wait
      """, in: folder)
    #expect(run.exit == 0, "\(run.err)")
    #expect(run.out.hasPrefix("metric,subject,group,part,at,value\ndone,read,,,2026-01-03,true\n"))
  }

  @Test func aShrinkingFileCannotBeRead() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("HabitEntry.csv", Example.entries)
    let file = try InputFile(path: path)
    #expect(truncate(path, 30) == 0)
    let failure = #expect(throws: CommandFailure.self) { try file.bytes() }
    #expect(failure?.messages == ["cannot read `\(path)`: it became shorter while it was read"])
    #expect(failure?.status == .unreadable)
  }

  /// An export is looked at through a mapping of the file, of which pages are gone.
  @Test func aShrinkingExportCannotBeRead() throws {
    let folder = try TemporaryFolder()
    try folder.write("log.csv", "day,what\n" + String(repeating: "2026-01-01,run\n", count: 20_000))
    let run = try runShell(
      """
      mkfifo mapping.json
      $metricc import csv log.csv --mapping mapping.json --output out & import=$!
      exec 3> mapping.json
      truncate --size=0 log.csv
      cat \(Repository.path("Tests/Exports/log.mapping.json")) >&3
      exec 3>&-
      wait $import
      """, in: folder)
    #expect(run.exit == 2)
    #expect(run.err == "metricc: error: a file became shorter while it was read\n")
    #expect(folder.names == ["log.csv", "mapping.json"] || (try? folder.read("out")) == nil)
  }
}
