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
    streak grace { of done  grace 3652059 days  allow W003 "meant" }
    /// Pulse.
    momentum pulse { of rested  over last 3652059 days }
    /// Strength.
    momentum strength { of done  half life 3652059 days  allow W003 "meant" }
    /// Held.
    measure held { for habit  value count(enough) }

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("defs.metric", Self.definitions)
    try folder.write(
      "HabitEntry.csv", "id,habitId,dayKey,value\n1,read,0001-01-01,2\n2,read,9999-12-31,2\n")
    return folder
  }

  /// Two entries, ten thousand years apart.
  @Test func tenThousandYears() throws {
    let folder = try folder()
    let run = try runShell(
      "ulimit -t 30; $metricc eval defs.metric --data . --at 9999-12-31 --format csv", in: folder)
    #expect(run.exit == 0, "\(run.err)")
    #expect(
      run.out == """
        metric,subject,group,part,at,value
        best,read,,,9999-12-31,1
        done,read,,,9999-12-31,true
        enough,read,,,9999-12-31,true
        grace,read,,,9999-12-31,1
        held,read,,,9999-12-31,2
        pulse,read,,,9999-12-31,2
        rested,read,,,9999-12-31,true
        run,read,,,9999-12-31,1
        strength,read,,,9999-12-31,0

        """)
  }

  /// A series whose every day would look at ten thousand years, were days looked up one by one.
  @Test func aSeriesOfTenThousandYears() throws {
    let run = try runShell(
      """
      ulimit -t 30
      $metricc eval defs.metric --data . --from 0001-01-31 --to 9999-12-31 --every month --metric run \\
        --metric best --metric held --format csv
      """, in: try folder())
    #expect(run.exit == 0, "\(run.err)")
    #expect(run.out.split(separator: "\n").count == 1 + 3 * 119_988)
    #expect(run.out.hasSuffix("run,read,,,9999-12-31,1\n"))
  }

  /// Ten years of days, each of which looks back over windows by the million: each used to be visited for each day.
  @Test(arguments: [
    "momentum x { of enough  over last 3000000 days }",
    "momentum x { of enough  half life 90000 days  allow W003 \"meant\" }",
    "momentum x { of rested  over last 3000000 days }",
    "momentum x { of young  half life 90000 days  allow W003 \"meant\" }",
    "momentum x { of weekly  over last 500000 windows }",
    "streak x { of young  grace 3000000 days  allow W003 \"meant\" }",
    "streak x { of long  best }",
    "measure x { for habit  value count(long) }",
    "measure x { for habit  value count(long over last 3000000 days) }",
    "measure x { for habit  value count(ever over last 3000000 days) }",
  ])
  func aDailySeriesOverLongWindows(_ definition: String) throws {
    let folder = try folder()
    try folder.write(
      "more.metric",
      """
      completion long { for habit  every 1000000 days  when count(HabitEntry) >= 1 }
      completion ever { for habit  every day  when count(HabitEntry over all time) >= 1 }
      completion young { for habit  every day  when sum(HabitEntry.value) >= 1  rest when day < 9990-01-01 }
      completion weekly { for habit  every calendar week  when count(HabitEntry) >= 1  rest when day < 0500-01-01 }
      /// X.
      \(definition)

      """)
    let run = try runShell(
      """
      ulimit -t 20
      $metricc eval defs.metric more.metric --data . --from 9990-01-01 --to 9999-12-31 --metric x --format csv
      """, in: folder)
    #expect(run.exit == 0, "\(run.err)")
    #expect(run.out.split(separator: "\n").count == 1 + 3652)
  }

  @Test(arguments: [
    "over last 3652060 days", "half life 521724 weeks", "over last 99999999999999999999 days",
  ])
  func longerThanAllDays(_ length: String) throws {
    let folder = try folder()
    try folder.write("more.metric", "/// X.\nmomentum longer { of done  \(length)  allow W003 \"meant\" }\n")
    let run = try runShell("$metricc check defs.metric more.metric", in: folder)
    #expect(run.exit == 1)
    #expect(run.out.contains("[T016 bad-length]") || run.out.contains("[T017 "), "\(run.out)")
  }

  /// Wherever a length stands: one more than there are days is no length, all of them are one.
  @Test(arguments: [
    ("completion x { for habit  every N days  when count(HabitEntry) >= 1 }", 3_652_059),
    ("streak x { of done  grace N days }", 3_652_059),
    ("measure x { for habit  value count(HabitEntry)  over last N days }", 3_652_059),
    ("measure x { for habit  value count(HabitEntry)  over last N weeks }", 521_722),
    ("momentum x { of done  half life N weeks }", 521_722),
    (
      "retention x { for habit  start first HabitEntry  return HabitEntry  after 1, N days  at least 1 users }",
      3_652_059
    ),
    (
      "funnel x { for habit  step a HabitEntry  step b HabitEntry where value > 1  within N days  at least 1 users }",
      3_652_059
    ),
  ])
  func lengthsOfAllDays(_ definition: String, _ most: Int) throws {
    let folder = try folder()
    for (length, codes) in [(most, 0), (most + 1, 1)] {
      try folder.write("more.metric", "/// X.\n\(definition.replacing("N ", with: "\(length) "))\n")
      let run = try runShell("$metricc check defs.metric more.metric", in: folder)
      #expect(run.out.split(separator: "[T016 bad-length]").count == 1 + codes, "\(length): \(run.out)")
      #expect(!run.out.contains("error:") || codes == 1, "\(length): \(run.out)")
      guard codes == 0 else { continue }
      let eval = try runShell(
        "ulimit -t 30; $metricc eval defs.metric more.metric --data . --at 9999-12-31 --metric x", in: folder)
      #expect(eval.exit == 0, "\(eval.err)")
    }
  }

  /// A file of more bytes than there may be memory: a block of it is held at a time.
  @Test func readingNeedsNoMemoryForTheFile() throws {
    let folder = try folder()
    let note = String(repeating: "n", count: 100_000)
    let row = #"{"id":"1","habitId":"read","dayKey":"2026-01-01","note":"\#(note)"}"#
    let rows = String(repeating: row + ",\n", count: 2_600)
    try folder.write("HabitEntry.json", "[\(rows)\(row)]")
    let run = try runShell(
      """
      ulimit -v 250000
      $metricc eval defs.metric --data HabitEntry=HabitEntry.json --metric done --threads 1 --format csv
      """, in: folder)
    #expect(run.exit == 0, "\(run.err)")
    #expect(run.out.hasSuffix("done,read,,,2026-01-01,true\n"))
  }
}
