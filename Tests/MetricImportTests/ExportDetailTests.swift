import MetricTestSupport
import Testing

@testable import MetricImport

/// The marks, numbers and versions of the formats that are easily misread, each as its app writes it.
@Suite struct ExportDetailTests {
  private func loop(_ habits: String, _ checkmarks: [String: String]) throws -> Imported {
    let files = [("Habits.csv", habits)] + checkmarks.map { ("\($0.key)/Checkmarks.csv", $0.value) }
    return try imported(.loop, files.map { ($0.0, Array($0.1.utf8)) })
  }

  private static let header =
    "Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,"
    + "Target Value,Archived?\n"

  // MARK: Loop

  /// Loop keeps a skip as 3 whatever the habit counts, and writes it as a word.
  @Test func aSkippedDayOfAmountsIsNoAmount() throws {
    let result = try loop(
      Self.header + "001,Run,NUMERICAL,,,1,7,#000000,km,AT_LEAST,12.0,false\n",
      ["001 Run": "Date,Value,Notes\n2026-03-05,5500,\n2026-03-04,SKIP,\n2026-03-03,UNKNOWN,ill\n"])
    #expect(result.rows("HabitEntry") == ["Run/2026-03-05,Run,2026-03-05,,5.5"])
    #expect(result.rows("HabitSkip") == ["Run/2026-03-04,Run,2026-03-04"])
    #expect(result.leftOut["note of an entry"] == 1)
  }

  @Test func loopTargetsThatNoHabitHolds() throws {
    let result = try loop(
      Self.header + "001,Save,NUMERICAL,,,1,30,#000000,€,AT_LEAST,50.0,false\n"
        + "002,Walk,NUMERICAL,,,1,7,#000000,km,AT_LEAST,0.0,TRUE\n"
        + "003,Sugar,NUMERICAL,,,1,7,#000000,g,AT_MOST,90.0,false\n"
        + "004,Sleep,NUMERICAL,,,1,7,#000000,h,ABOUT,50.0,false\n", [:])
    #expect(
      result.rows("Habit") == [
        "Save,Save,,quantity,,€", "Walk,Walk,weekly,quantity,,km", "Sugar,Sugar,weekly,quantity,,g",
        "Sleep,Sleep,weekly,quantity,50,h",
      ])
    #expect(result.leftOut["target for another time than a week"] == 1)
    #expect(result.leftOut["at-most target"] == 1)
    #expect(result.leftOut["target type `ABOUT` of a habit"] == 1)
    #expect(result.leftOut["archived mark of a habit"] == 1)
    #expect(result.leftOut["habit without checkmarks"] == 4)
  }

  @Test func loopMarksThatNoVersionHas() throws {
    let result = try loop(
      Self.header
        + "001,Sit,YES_NO,,,1,1,#000000,,,,false\n002,Run,NUMERICAL,,,1,1,#000000,km,AT_LEAST,1.0,false\n",
      ["001 Sit": "Date,Value,Notes\n2026-03-05,-4,\n2026-03-04,9,\n", "002 Run": "2026-03-05,-4\n"])
    #expect(result.rows("HabitEntry") == [])
    #expect(result.leftOut["entry with an unknown mark"] == 2)
    #expect(result.leftOut["amount below 0"] == 1)
  }

  /// Types and rows that later versions do not have, or that later versions delete: all of them are told of.
  @Test(.enabled(if: Exports.client != nil, "there is no sqlite3")) func anOddLoopDatabase() throws {
    let result = try imported(.loop, [("", Exports.bytes("loop-odd.db"))])
    #expect(
      result.rows("Habit") == [
        "u1,Smoking,daily,binary,,", "u2,Save,,quantity,,€", "u3,Coffee,weekly,quantity,,cups",
        "u4,Walk,weekly,quantity,,km",
      ])
    #expect(
      result.rows("HabitEntry") == [
        "u1/2024-10-04,u1,2024-10-04,,", "u2/2024-10-04,u2,2024-10-04,,12.5",
        "u3/2024-10-04,u3,2024-10-04,,0.002",
      ])
    #expect(
      result.leftOut == [
        "type `2` of a habit": 1, "target type `2` of a habit": 1, "at-most target": 1,
        "archived mark of a habit": 1, "color of a habit": 4, "column highlight of Habits": 1,
        "column mood of Habits": 1, "frequency that is neither daily nor weekly": 1,
        "target for another time than a week": 1, "second entry of a day": 1, "entry without a day": 1,
        "entry of a habit that is not there": 1, "entry with an unknown mark": 1,
        "amount below 0": 1, "amount of 0": 1,
      ])
  }

  // MARK: HabitBull

  /// Rows without the last cell, a mark that went through a spreadsheet, and cells in quotes.
  @Test func habitBullRowsAsTheyAreFound() throws {
    let text = """
      HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText
      Workout,Did you work out?,,2017-09-23,1
      Workout,Did you work out?,,2017-09-24,-2.15E+09,
      "Sleep, early","so ""early"", yes",,2017-09-23,1,"two
      lines"

      """
    let result = try imported(.habitbull, text)
    #expect(
      result.rows("HabitEntry") == [
        "Workout/2017-09-23,Workout,2017-09-23,,",
        "\"Sleep, early/2017-09-23\",\"Sleep, early\",2017-09-23,,",
      ])
    #expect(result.leftOut["day with a mark below 0"] == 1)
    #expect(result.leftOut["comment of an entry"] == 1)
  }

  // MARK: Table Habit

  private func tableHabit(_ fields: String, _ records: String = "") throws(ImportFailure) -> Imported {
    try imported(.mhabit, "{\"habits\": [{\"name\": \"A\", \(fields), \"records\": [\(records)]}]}")
  }

  @Test func tableHabitFrequencies() throws {
    let amounts = "\"daily_goal\": 5, \"daily_goal_unit\": \"km\""
    let cases = [
      ("\"freq_type\": 1, \"freq_custom\": \"[3]\"", "A,A,weekly,frequency,3,", ""),
      ("\"freq_type\": 1, \"freq_custom\": \"[7]\"", "A,A,daily,binary,,", ""),
      // More than there are days is daily for the app.
      ("\"freq_type\": 1, \"freq_custom\": \"[9]\"", "A,A,daily,binary,,", ""),
      ("\"freq_type\": 2, \"freq_custom\": \"[31]\"", "A,A,daily,binary,,", ""),
      (
        "\"freq_type\": 2, \"freq_custom\": \"[30]\"", "A,A,,binary,,",
        "frequency that is neither daily nor weekly"
      ),
      ("\"freq_type\": 3, \"freq_custom\": \"[4, 4]\"", "A,A,daily,binary,,", ""),
      ("\"freq_type\": 3, \"freq_custom\": \"[2,7]\"", "A,A,weekly,frequency,2,", ""),
      (
        "\"freq_type\": 0, \"freq_custom\": \"[1]\"", "A,A,,binary,,",
        "frequency that is neither daily nor weekly"
      ),
      ("\"freq_type\": 1, \"freq_custom\": \"often\"", "A,A,,binary,,", "frequency that cannot be read"),
      ("\"freq_type\": 1", "A,A,,binary,,", "frequency that cannot be read"),
      (
        "\"freq_type\": 1, \"freq_custom\": \"[2]\", \(amounts)", "A,A,weekly,quantity,,km",
        "number of days a week of a habit with amounts"
      ),
    ]
    for (fields, row, leftOut) in cases {
      let result = try tableHabit(fields)
      #expect(result.rows("Habit") == [row], "\(fields)")
      #expect(leftOut.isEmpty || result.leftOut[leftOut] == 1, "\(fields): \(result.leftOut)")
    }
  }

  @Test func tableHabitNumbersThatNoVersionHas() throws {
    let result = try tableHabit(
      "\"type\": 0, \"status\": 7, \"daily_goal_unit\": \"times\", \"custom_color\": 255",
      "{\"record_date\": 20513, \"record_type\": 7, \"record_value\": 1},"
        + "{\"record_date\": 20514, \"record_type\": 1, \"record_value\": -1},"
        + "{\"record_date\": 20515, \"record_type\": 1, \"record_value\": null}")
    #expect(result.rows("HabitEntry") == [])
    #expect(
      result.leftOut == [
        "type `0` of a habit": 1, "status `7` of a habit": 1,
        "custom color of a habit": 1, "record of no known type": 1, "record with an amount below 0": 1,
        "record with an amount of 0": 1,
      ])
  }

  @Test func aUnitWithoutAmounts() throws {
    let result = try tableHabit("\"daily_goal\": 1, \"daily_goal_unit\": \"times\"")
    #expect(result.rows("Habit") == ["A,A,,binary,,"])
    #expect(result.leftOut == ["unit of a yes-or-no habit": 1])
  }

  /// An amount that is no number is no 0.
  @Test func tableHabitAmountsAreNumbers() {
    let record = "{\"record_date\": 20513, \"record_type\": 1, \"record_value\": \"5\"}"
    #expect(
      failure(.mhabit, "{\"habits\": [{\"name\": \"A\", \"records\": [\(record)]}]}")
        == "export:1:96: `record_value` is the text `5`, expected a number of the allowed range")
  }

  @Test func whatElseStandsInTableHabitsExport() throws {
    let result = try imported(.mhabit, "{\"version\": 2, \"habits\": [], \"tags\": []}")
    #expect(result.leftOut == ["field version of the export": 1, "field tags of the export": 1])
  }

  // MARK: Apple Health

  /// The declarations of iOS 16 lack a bracket, and names of devices hold a control character.
  @Test func anExportWithBrokenDeclarations() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE HealthData [
      <!-- the phone's own -->
      <!ELEMENT HealthData (ExportDate,Me,(Record|Workout)*)>
      <!ATTLIST VisionPrescription
        type CDATA #REQUIRED
      <!ELEMENT RightEye EMPTY>
        device CDATA #IMPLIED
      >
      ]>
      <HealthData locale="en_US">
       <Record type="HKCategoryTypeIdentifierMindfulSession" sourceName="A\u{B}B" \
      startDate="2022-11-06 01:30:00 -0400" endDate="2022-11-06 01:10:00 -0500" value="HKCategoryValueNotApplicable"/>
       <Correlation type="HKCorrelationTypeIdentifierFood">
        <Record type="HKCategoryTypeIdentifierMindfulSession" startDate="x"/>
       </Correlation>
       <Workout workoutActivityType="HKWorkoutActivityTypeRunning" startDate="2022-11-06 08:00:00 -0500" \
      endDate="2022-11-06 08:30:00 -0500">
        <WorkoutActivity uuid="1"><MetadataEntry key="HKTimeZone" value="Asia/Tokyo"/></WorkoutActivity>
       </Workout>
      </HealthData>
      """
    let result = try imported(.appleHealth, text)
    #expect(
      result.rows("HabitEntry") == [
        "mindful minutes/2022-11-06T05:30:00Z,mindful minutes,2022-11-06,2022-11-06T05:30:00Z,40",
        "workout Running/2022-11-06T13:00:00Z,workout Running,2022-11-06,2022-11-06T13:00:00Z,30",
      ])
    #expect(result.leftOut["element Correlation"] == 1)
    #expect(result.leftOut["WorkoutActivity of a workout"] == 1)
    #expect(result.leftOut["value of a mindful session"] == 1)
  }
}
