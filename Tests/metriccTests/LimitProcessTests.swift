import Foundation
import Testing

/// What must stay quick and small whatever is asked.
@Suite(.serialized)
struct LimitProcessTests {
  private static let definitions = """
    /// Done?
    completion done { for habit  every day  when count(HabitEntry) >= 1 }
    /// Enough?
    completion enough { for habit  every 3 days  when sum(HabitEntry.value) >= 1 }
    /// Done, but on Sundays one may rest?
    completion rested {
      for habit
      every day
      when count(HabitEntry) >= 1
      rest when weekday(day) in ["sunday"]
    }
    /// Run.
    streak run { of done }
    /// Best.
    streak best { of enough  best }
    /// Grace.
    streak grace { of done  grace 3660 days  allow W003 "meant" }
    /// Pulse.
    momentum pulse { of rested  over last 3660 days }
    /// Strength.
    momentum strength { of done  half life 3660 days  allow W003 "meant" }
    /// Held.
    measure held { for habit  value count(enough) }

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("defs.metric", Self.definitions)
    try folder.write(
      "HabitEntry.csv", "id,habitId,dayKey,value\n1,read,1900-01-01,2\n2,read,2199-12-31,2\n")
    return folder
  }

  /// Two entries, three hundred years apart.
  @Test func threeHundredYears() throws {
    let folder = try folder()
    let run = try runShell(
      "ulimit -t 30; $metricc eval defs.metric --data . --at 2199-12-31 --format csv", in: folder)
    #expect(run.exit == 0, "\(run.err)")
    #expect(
      run.out == """
        metric,subject,group,part,at,value
        best,read,,,2199-12-31,1
        done,read,,,2199-12-31,true
        enough,read,,,2199-12-31,true
        grace,read,,,2199-12-31,1
        held,read,,,2199-12-31,2
        pulse,read,,,2199-12-31,1
        rested,read,,,2199-12-31,true
        run,read,,,2199-12-31,1
        strength,read,,,2199-12-31,0.000189

        """)
  }

  /// Each month of three hundred years.
  @Test func aSeriesOfThreeHundredYears() throws {
    let run = try runShell(
      """
      ulimit -t 30
      $metricc eval defs.metric --data . --from 1900-01-31 --to 2199-12-31 --every month --metric run \\
        --metric best --metric held --format csv
      """, in: try folder())
    #expect(run.exit == 0, "\(run.err)")
    #expect(run.out.split(separator: "\n").count == 1 + 3 * 3_600)
    #expect(run.out.hasSuffix("run,read,,,2199-12-31,1\n"))
  }

  /// Ten years of days, each of which looks back as far as it may.
  @Test(arguments: [
    "momentum x { of enough  over last 3660 days }",
    "momentum x { of enough  half life 3660 days  allow W003 \"meant\" }",
    "momentum x { of rested  over last 3660 days }",
    "momentum x { of young  half life 3660 days  allow W003 \"meant\" }",
    "momentum x { of weekly  over last 3660 windows }",
    "streak x { of young  grace 3660 days  allow W003 \"meant\" }",
    "streak x { of long  best }",
    "measure x { for habit  value count(long) }",
    "measure x { for habit  value count(long over last 3660 days) }",
    "measure x { for habit  value count(ever over last 3660 days) }",
  ])
  func aDailySeriesOverLongWindows(_ definition: String) throws {
    let folder = try folder()
    try folder.write(
      "more.metric",
      """
      completion long { for habit  every 3660 days  when count(HabitEntry) >= 1 }
      completion ever { for habit  every day  when count(HabitEntry over all time) >= 1 }
      completion young { for habit  every day  when sum(HabitEntry.value) >= 1  rest when day < 2190-01-01 }
      completion weekly { for habit  every calendar week  when count(HabitEntry) >= 1  rest when day < 1950-01-01 }
      /// X.
      \(definition)

      """)
    let run = try runShell(
      """
      ulimit -t 20
      $metricc eval defs.metric more.metric --data . --from 2190-01-01 --to 2199-12-31 --metric x --format csv
      """, in: folder)
    #expect(run.exit == 0, "\(run.err)")
    #expect(run.out.split(separator: "\n").count == 1 + 3652)
  }

  /// A length over the limit says which limit and where.
  @Test(arguments: [
    ("over last 3661 days", "`3661`", "a length in days is a whole number from 1 to 3660"),
    ("half life 523 weeks", "`523`", "a length in weeks is a whole number from 1 to 522"),
    ("over last 3661 windows", "`3661`", "a number of windows is a whole number from 1 to 3660"),
  ])
  func longerThanTheLimit(_ length: String, _ found: String, _ limit: String) throws {
    let folder = try folder()
    try folder.write("more.metric", "/// X.\nmomentum longer { of done  \(length)  allow W003 \"meant\" }\n")
    let run = try runShell("$metricc check defs.metric more.metric", in: folder)
    #expect(run.exit == 1)
    #expect(run.out.contains("[T016 bad-length]"), "\(run.out)")
    #expect(run.out.contains("\(limit), found \(found)"), "\(run.out)")
  }

  /// A reference day outside the DayKeys is an error of usage that names them.
  @Test(arguments: ["1899-12-31", "2200-01-01", "0001-01-01", "9999-12-31"])
  func daysOutsideTheRange(_ day: String) throws {
    let run = try runShell("$metricc eval defs.metric --data . --at \(day)", in: try folder())
    #expect(run.exit == 64)
    #expect(run.err.contains("write a real date from 1900-01-01 to 2199-12-31"), "\(run.err)")
  }

  /// A file of more bytes than there may be memory: a block of it is held at a time. The limit counts addresses, of which the
  /// heap of each thread would reserve 64 MB.
  @Test func readingNeedsNoMemoryForTheFile() throws {
    let folder = try folder()
    let note = String(repeating: "n", count: 100_000)
    let row = #"{"id":"1","habitId":"read","dayKey":"2026-01-01","note":"\#(note)"}"#
    let rows = String(repeating: row + ",\n", count: 2_600)
    try folder.write("HabitEntry.json", "[\(rows)\(row)]")
    let run = try runShell(
      """
      ulimit -v 250000
      export MALLOC_ARENA_MAX=1
      $metricc eval defs.metric --data HabitEntry=HabitEntry.json --metric done --threads 1 --format csv
      """, in: folder)
    #expect(run.exit == 0, "\(run.err)")
    #expect(run.out.hasSuffix("done,read,,,2026-01-01,true\n"))
  }

  #if os(Linux)
    /// What would be killed for its memory says so before, and leaves no file behind.
    @Test func moreDataThanMemory() throws {
      let folder = try folder()
      let rows = (0..<400_000).map { "\($0),habit-\($0),2026-01-01,2\n" }.joined()
      try folder.write("HabitEntry.csv", "id,habitId,dayKey,value\n" + rows)
      let command = "$metricc eval defs.metric --data HabitEntry=HabitEntry.csv --metric best --format csv"
      let run = try runShell(
        "METRICC_MEMORY=40M \(command) --output rows.csv; code=$?; ls; exit $code", in: folder)
      #expect(run.exit == 2, "\(run.err)")
      #expect(run.err.contains("metricc: error: the data takes more memory than there is: "), "\(run.err)")
      #expect(run.err.contains(" of 40 MiB are used; ") && run.err.contains("--engine duckdb"), "\(run.err)")
      #expect(run.out == "HabitEntry.csv\ndefs.metric\n")
      for limit in ["0", "-1", "2GB", "lots"] {
        let run = try runShell("METRICC_MEMORY=\(limit) \(command)", in: folder)
        #expect(run.exit == 64 && run.err.contains("METRICC_MEMORY is `\(limit)`, expected"), "\(run.err)")
      }
      let enough = try runShell("METRICC_MEMORY=99999999999T \(command) | wc -l", in: folder)
      #expect(enough.out == "400001\n", "\(enough.err)")
      let more = try runShell("METRICC_MEMORY=4G \(command) | wc -l", in: folder)
      #expect(more.out == "400001\n", "\(more.err)")
    }
  #endif
}
