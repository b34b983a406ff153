import Foundation
import Testing

@testable import metricc

/// Output that finds no place, a reader that goes away, and runs that are interrupted: the promised exit
/// status, and a file whole or not at all.
@Suite(.serialized)
struct OutputFaultTests {
  private static let eval = "$metricc eval defs --data data --at 2026-01-03"
  private static let series = "$metricc eval defs --data data --from 2025-01-01"

  @Test(arguments: [
    "\(eval) --output /dev/full", "\(eval) --format csv > /dev/full", "\(eval) --format json > /dev/full",
    "\(eval) > /dev/full", "\(eval) --rejects /dev/full --output rows.csv", "$metricc check defs > /dev/full",
    "$metricc check defs --format json > /dev/full", "$metricc test defs > /dev/full",
    "$metricc plan defs > /dev/full", "$metricc explain > /dev/full", "$metricc diff defs defs > /dev/full",
    "$metricc > /dev/full", "$metricc eval --help > /dev/full", "$metricc --version > /dev/full",
    "$metricc --generate-completion-script zsh > /dev/full",
    "$metricc sql defs --dialect duckdb --at 2026-01-03 > /dev/full",
    "$metricc fmt - < defs/habits.metric > /dev/full",
    "$metricc why done --subject read --at 2026-01-03 defs --data data > /dev/full",
    // A limit for files is met like a full disk: after the header, and after nothing.
    "ulimit -f 1; \(series) --output rows.csv",
    "ulimit -f 0; \(eval) --output rows.csv", "ulimit -f 0; $metricc doc defs --output pages",
    "ulimit -f 0; $metricc check defs --stamp stamp", "ulimit -f 0; $metricc fmt defs/wide.metric",
    "ulimit -f 0; $metricc import habitbull bull.csv --output out",
  ])
  func aFullDisk(_ command: String) throws {
    let folder = try Example.folder()
    let wide = "streak   other { of done }\n"
    try folder.write("defs/wide.metric", wide)
    try folder.write(
      "bull.csv",
      "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\nrun,,,2026-01-02,1,\n")
    // The second rejected record is one that `--rejects` has to write.
    if command.contains("--rejects") { try folder.write("data/HabitEntry.csv", Example.entries + "5,x,y\n") }
    // What is said goes to a pipe, which has no limit.
    let run = try runShell("set -o pipefail; (\(command)) 2>&1 | cat", in: folder)
    #expect(run.exit == 2, "\(command): \(run.out)")
    #expect(run.out.contains("cannot write"), "\(run.out)")
    let left = Set(folder.names).subtracting(["bull.csv", "data", "defs", "out", "pages"])
    #expect(left.isEmpty, "\(left)")
    for name in ["out", "pages"] {
      let files =
        FileManager.default.enumerator(atPath: folder.path(name))?.compactMap { $0 as? String } ?? []
      #expect(
        files.allSatisfy { FileStatus(path: folder.path("\(name)/\($0)"))?.kind == .directory }, "\(files)")
    }
    #expect(try folder.read("defs/wide.metric") == wide)
  }

  /// What a full disk or a kill left is no reason to refuse the folder later.
  @Test func aCatalogueIsWrittenAfterAFault() throws {
    let folder = try Example.folder()
    try folder.write("pages/.metricc-4711.tmp/0", "half a page")
    let full = try runShell("(ulimit -f 0; $metricc doc defs --output pages) 2>&1 | cat", in: folder)
    #expect(full.out.contains("cannot write"))
    #expect(folder.names(in: "pages") == [".metricc-4711.tmp"])
    let again = try runShell("$metricc doc defs --output pages", in: folder)
    #expect(again.exit == 0, "\(again.err)")
    #expect(folder.names(in: "pages").contains("index.html"))
    try folder.write("mine/notes/diary.html", "dear diary")
    let refused = try runShell("$metricc doc defs --output mine", in: folder)
    #expect(refused.exit == 2)
    #expect(refused.err.contains("holds files and no catalogue"))
  }

  /// The reader of a pipe goes away: no message, and the status is what it would have been.
  @Test(arguments: [
    ("$metricc eval defs --data data --from 2024-01-01 --format csv", 0),
    ("$metricc eval defs --data data --from 2024-01-01 --format ndjson", 0),
    ("$metricc eval defs --data data --from 2024-01-01 --format json", 0),
    ("$metricc eval defs --data data --from 2024-01-01", 0), ("$metricc check wrong.metric", 1),
    ("$metricc check wrong.metric --format json", 1), ("$metricc explain --format markdown", 0),
    ("$metricc plan defs", 0),
  ])
  func aClosedPipe(_ command: String, _ status: Int32) throws {
    let folder = try Example.folder()
    try folder.write("wrong.metric", String(repeating: "@ \n", count: 800))
    let run = try runShell(
      "\(command) | head -c 1 > /dev/null; exit ${PIPESTATUS[0]}", in: folder)
    #expect(run.exit == status)
    #expect(!run.err.contains("error"), "\(run.err)")
  }

  /// Ctrl-C while rows are written: the signal ends the run, and nothing is left of the file.
  @Test(arguments: ["rows.csv", "rows.json"])
  func anInterruptLeavesNoFile(_ name: String) throws {
    let folder = try Example.folder()
    let format = name.hasSuffix("csv") ? "csv" : "json"
    let run = try Background(
      ["eval", "defs", "--data", "data", "--from", "1900-01-01", "--to", "2199-12-31", "--output", name]
        + ["--format", format], in: folder.path)
    for _ in 0..<1_000 where !folder.names.contains(where: { $0.hasSuffix(".tmp") }) { usleep(20_000) }
    #expect(folder.names.contains { $0.hasSuffix(".tmp") })
    #expect(run.interrupt() == -SIGINT)
    #expect(folder.names == ["data", "defs"])
  }

  /// The same while data is read, with a file of rejects open.
  @Test func anInterruptLeavesNoRejects() throws {
    let folder = try Example.folder()
    #expect(mkfifo(folder.path("pipe.csv"), 0o600) == 0)
    let run = try Background(
      ["eval", "defs", "--data", "HabitEntry=pipe.csv", "--rejects", "bad.ndjson"], in: folder.path)
    for _ in 0..<1_000 where !folder.names.contains(where: { $0.hasSuffix(".tmp") }) { usleep(20_000) }
    #expect(run.interrupt() == -SIGINT)
    #expect(folder.names == ["data", "defs", "pipe.csv"])
  }

  /// A signal that the parent wants ignored stays ignored.
  @Test func nohupIsKept() throws {
    let folder = try Example.folder()
    let run = try runShell(
      """
      mkfifo pipe.csv
      (trap '' HUP; exec $metricc eval defs --data HabitEntry=pipe.csv --at 2026-01-03 --output rows.csv) & run=$!
      exec 3> pipe.csv
      kill -HUP $run
      cat data/HabitEntry.csv >&3
      exec 3>&-
      wait $run
      """, in: folder)
    #expect(run.exit == 0, "\(run.err)")
    #expect(folder.names.contains("rows.csv"))
  }
}
