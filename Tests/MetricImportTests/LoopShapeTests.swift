import Testing

@testable import MetricImport

/// Loop's CSV as people keep it: parts of the archive, old versions, files that went through a spreadsheet.
@Suite struct LoopShapeTests {
  private func loop(
    _ files: [(String, String)], _ order: DateOrder? = nil
  ) throws(ImportFailure) -> Imported {
    try imported(.loop, files.map { ($0.0, Array($0.1.utf8)) }, dateOrder: order)
  }

  private func message(_ files: [(String, String)], _ order: DateOrder? = nil) -> String? {
    do throws(ImportFailure) { _ = try loop(files, order) } catch { return error.description }
    return nil
  }

  private static let wide = "Date,Read,Swim,\n2026-01-03,2,5500,\n2026-01-02,3,-1,\n2026-01-01,0,3,\n"
  private static let list =
    "Position,Name,Question,Description,NumRepetitions,Interval,Color\n001,Read,,,1,1,#1\n002,Swim,,,3,7,#2\n"

  /// The sixth and seventh columns: a cadence, where there is a list, and amounts, where the values are none of marks.
  @Test func aColumnForEachHabit() throws {
    let entries = ["Read/2026-01-03,Read,2026-01-03,,", "Swim/2026-01-03,Swim,2026-01-03,,5.5"]
    let skips = ["Read/2026-01-02,Read,2026-01-02", "Swim/2026-01-01,Swim,2026-01-01"]
    let alone = try loop([("Checkmarks.csv", Self.wide)])
    #expect(alone.rows("Habit") == ["Read,Read,,binary,,", "Swim,Swim,,quantity,,"])
    let single = try loop([("", "\u{FEFF}" + Self.wide.replacing("\n", with: "\r\n"))])
    let listed = try loop([("Checkmarks.csv", Self.wide), ("Habits.csv", Self.list)])
    #expect(listed.rows("Habit") == ["Read,Read,daily,binary,,", "Swim,Swim,weekly,quantity,,"])
    for result in [alone, single, listed] {
      #expect(result.rows("HabitEntry") == entries)
      #expect(result.rows("HabitSkip") == skips)
    }
  }

  /// A type that the list names is believed: what is no mark of a yes-or-no habit is reported.
  @Test func theListDecidesWhatAHabitIs() throws {
    let list = "Position,Name,Type\n001,Read,YES_NO\n002,Swim,NUMERICAL\n003,Run,Measurable\n"
    let wide = "Date,Read,Swim,Run\n2026-01-01,9000,2,4000\n"
    let result = try loop([("Habits.csv", list), ("Checkmarks.csv", wide)])
    #expect(
      result.rows("HabitEntry") == [
        "Swim/2026-01-01,Swim,2026-01-01,,0.002", "Run/2026-01-01,Run,2026-01-01,,4",
      ])
    #expect(result.leftOut["entry with an unknown mark"] == 1)
    #expect(result.leftOut["type `Measurable` of a habit"] == 1)
  }

  @Test func namesWithCommasAndHabitsThatAreNotListed() throws {
    let list = "Position,Name\n001,\"Run, or walk\"\n002,Read\n002,Read\n"
    let wide = "Date,Run, or walk,Read,Read,Extra,\n2026-01-01,2,0,2,2,\n"
    let result = try loop([("habits.csv", list), ("checkmarks.csv", wide)])
    #expect(result.rows("Habit").count == 4)
    #expect(
      result.rows("HabitEntry") == [
        "\"Run, or walk/2026-01-01\",\"Run, or walk\",2026-01-01,,",
        "Read (2)/2026-01-01,Read (2),2026-01-01,,",
        "Extra/2026-01-01,Extra,2026-01-01,,",
      ])
    #expect(message([("Checkmarks.csv", wide)])?.contains("where the name of a habit has a comma") == true)
  }

  /// A version of the app wrote the object in place of its value.
  @Test func entriesInPlaceOfValues() throws {
    func entry(_ day: Int, _ value: Int) -> String { "Entry(timestamp=2026-01-0\(day), value=\(value))" }
    let text =
      "Date,Read,Swim,\n2026-01-02,\(entry(2, 2)),\(entry(2, 7350)),\n2026-01-01,\(entry(1, -1)),\(entry(1, 3)),\n"
    let result = try loop([("Checkmarks.csv", text)])
    #expect(
      result.rows("HabitEntry") == [
        "Read/2026-01-02,Read,2026-01-02,,", "Swim/2026-01-02,Swim,2026-01-02,,7.35",
      ])
    #expect(result.rows("HabitSkip") == ["Swim/2026-01-01,Swim,2026-01-01"])
  }

  @Test(arguments: [
    "2026-01-02,2000\n2026-01-01,0\n", "date,check\n2026-01-02,2000\n",
    "Date,Value,Notes\n2026-01-02,2000,late\n",
  ])
  func aFileOfOneHabit(_ text: String) throws {
    let folders = try loop([("001 Deep work/Checkmarks.csv", text), ("001 Deep work/Scores.csv", "")])
    #expect(folders.rows("Habit") == ["Deep work,Deep work,,quantity,,"])
    #expect(folders.rows("HabitEntry") == ["Deep work/2026-01-02,Deep work,2026-01-02,,2"])
    let single = try loop([("", text)])
    // Tests call a single file `export`; a column has its own name.
    let name = text.hasPrefix("date,check") ? "check" : "export"
    #expect(single.rows("HabitEntry") == ["\(name)/2026-01-02,\(name),2026-01-02,,2"])
  }

  @Test func datesOfASpreadsheet() throws {
    let american = "Date,Read\n06-16-24,2\n06-03-24,2\n"
    #expect(try loop([("Checkmarks.csv", american)]).rows("HabitEntry")[1].contains(",2024-06-03,"))
    let european = "03-06-2026,1000\n31-05-2026,2000\n"
    #expect(try loop([("", european)]).rows("HabitEntry")[0].contains(",2026-06-03,"))
    let unclear = "Date,Read\n3.6.2026,2\n"
    #expect(
      message([("Checkmarks.csv", unclear)])?.contains("may be read in two ways; pass `--dates day-month`")
        == true)
    #expect(try loop([("Checkmarks.csv", unclear)], .monthDay).rows("HabitEntry")[0].contains(",2026-03-06,"))
    #expect(
      message([("Checkmarks.csv", american)], .dayMonth)?.contains("not a real date in day-month order")
        == true)
    #expect(
      message([("Checkmarks.csv", "Date,Read\nnever,2\n")])?.contains("expected a date such as") == true)
  }

  @Test func whatIsNoExportIsSaid() {
    #expect(
      message([("notes.csv", "a,b\n")])?.contains("there is no `Habits.csv`, no `Checkmarks.csv`") == true)
    #expect(message([("", Self.list)])?.contains("expected `Date` or a date") == true)
    #expect(message([("", Self.wide.replacing(",", with: ";"))])?.contains("found semicolons") == true)
    #expect(
      message([("Checkmarks.csv", Self.wide.replacing("\n", with: "\r"))])?.contains("carriage return")
        == true)
    #expect(
      message([("Checkmarks.csv", "Date,Read\n2026-01-01,maybe\n")])?.contains(
        ":2:12: found the value `maybe`") == true)
  }
}
