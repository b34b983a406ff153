import MetricTestSupport
import Testing

@testable import MetricImport

/// Each kind of export becomes the records that it stands for, and the rest is in the report.
@Suite struct ExportTests {
  @Test func loopFolder() throws {
    let result = try imported(.loop, Exports.loopFolder())
    #expect(
      result.rows("Habit") == [
        "Meditate,Meditate,daily,binary,,", "\"Run, or walk\",\"Run, or walk\",weekly,quantity,12.5,km",
        "Sweets,Sweets,daily,quantity,,pieces", "Call home,Call home,weekly,frequency,2,",
        "Water plants,Water plants,,binary,,",
      ])
    #expect(
      result.rows("HabitEntry") == [
        "Meditate/2026-03-05,Meditate,2026-03-05,,", "Meditate/2026-03-01,Meditate,2026-03-01,,",
        "\"Run, or walk/2026-03-05\",\"Run, or walk\",2026-03-05,,5.5",
        "\"Run, or walk/2026-03-03\",\"Run, or walk\",2026-03-03,,12.125",
        "Sweets/2026-03-04,Sweets,2026-03-04,,1", "Call home/2026-03-01,Call home,2026-03-01,,",
        "Call home/2026-02-22,Call home,2026-02-22,,", "Water plants/2026-03-05,Water plants,2026-03-05,,",
      ])
    #expect(result.rows("HabitSkip") == ["Meditate/2026-03-03,Meditate,2026-03-03"])
    #expect(result.leftOut["note of an entry"] == 3)
    #expect(result.leftOut["day that the app marked as done automatically"] == 2)
    #expect(result.leftOut["frequency that is neither daily nor weekly"] == 1)
    #expect(result.leftOut["at-most target"] == 1)
    #expect(result.leftOut["file of scores"] == 5)
  }

  /// A kind of habit that Loop did not have when its exports were looked at is told of.
  @Test func loopHabitsOfOtherKinds() throws {
    let habits = "Position,Name,Type\n001,Smoking,QUIT\n"
    let files = [
      ("Habits.csv", habits), ("001 Smoking/Checkmarks.csv", "Date,Value,Notes\n2026-03-05,YES_MANUAL,\n"),
      ("001 Smoking/Slips.csv", "Time\n2026-03-04 21:15\n"),
    ]
    let result = try imported(.loop, files.map { ($0.0, Array($0.1.utf8)) })
    #expect(result.rows("HabitEntry").count == 1)
    #expect(result.leftOut["type `QUIT` of a habit"] == 1)
    #expect(result.leftOut["file of slips"] == 1)
  }

  @Test(.enabled(if: Exports.client != nil, "there is no sqlite3")) func loopDatabase() throws {
    let result = try imported(.loop, [("", Exports.bytes("loop.db"))])
    #expect(
      result.rows("Habit") == [
        "a1b2c32,\"Run, or walk\",weekly,quantity,12.5,km", "a1b2c31,Meditate,daily,binary,,",
        "a1b2c33,Water plants ☘,,binary,,",
      ])
    let entries = result.rows("HabitEntry")
    // Two days of five are done by hand; each third day has an amount; and one day lies before 1970.
    #expect(entries.count == 48 + 40 + 1)
    #expect(entries.contains("a1b2c31/2026-01-07,a1b2c31,2026-01-07,,"))
    #expect(entries.contains("a1b2c32/2026-04-28,a1b2c32,2026-04-28,,15.625"))
    #expect(entries.contains("a1b2c33/1969-12-31,a1b2c33,1969-12-31,,"))
    #expect(result.rows("HabitSkip").count == 24)
    #expect(result.leftOut["entry of a habit that is not there"] == 1)
    #expect(result.leftOut["note of an entry"] == 2)
    #expect(result.leftOut["table"] == 1)
  }

  @Test func habitBull() throws {
    let result = try imported(.habitbull, Exports.text("habitbull.csv"))
    #expect(result.rows("Habit") == ["Guitar,Guitar,,binary,,", "Push-ups,Push-ups,,quantity,,"])
    #expect(
      result.rows("HabitEntry") == [
        "Guitar/2026-03-18,Guitar,2026-03-18,,", "Guitar/2026-03-21,Guitar,2026-03-21,,",
        "Push-ups/2026-03-18,Push-ups,2026-03-18,,30", "Push-ups/2026-03-19,Push-ups,2026-03-19,,12.5",
      ])
    #expect(
      result.leftOut == [
        "category of a habit": 2, "description of a habit": 1, "comment of an entry": 1,
        "day marked as not done": 1, "day with a mark below 0": 1,
      ])
  }

  @Test func datesThatMayBeReadInTwoWaysHaveToBeSaid() throws {
    let text = try Exports.text("habitbull-dates.csv")
    #expect(failure(.habitbull, text)?.contains("export:2:15: `CalendarDate` is `11/5/2026`") == true)
    #expect(try imported(.habitbull, text, dateOrder: .dayMonth).rows("HabitEntry")[0].contains("2026-05-11"))
    #expect(try imported(.habitbull, text, dateOrder: .monthDay).rows("HabitEntry")[0].contains("2026-11-05"))
  }

  @Test func tableHabit() throws {
    let result = try imported(.mhabit, Exports.text("mhabit.json"))
    #expect(
      result.rows("Habit") == [
        "Read,Read,daily,binary,,", "Swim,Swim,,quantity,,m", "Read (2),Read,weekly,frequency,2,",
      ])
    #expect(
      result.rows("HabitEntry") == [
        "Read/2026-03-01,Read,2026-03-01,,", "Read/2026-03-03,Read,2026-03-03,,",
        "Swim/2026-03-02,Swim,2026-03-02,,750.5", "Read (2)/2026-03-02,Read (2),2026-03-02,,",
      ])
    #expect(result.rows("HabitSkip").count == 1)
    #expect(result.leftOut["record with an amount of 0"] == 1)
    #expect(result.leftOut["reason of a record"] == 1)
    #expect(result.leftOut["mark of a habit to do less of"] == 1)
    #expect(result.leftOut["group of habits"] == 1)
  }

  @Test func appleHealth() throws {
    let result = try imported(.appleHealth, Exports.text("apple-health.xml"))
    #expect(result.rows("Habit").count == 5)
    #expect(
      result.rows("HabitEntry") == [
        "mindful minutes/2026-03-02T22:55:00Z,mindful minutes,2026-03-02,2026-03-02T22:55:00Z,10",
        "mindful minutes/2026-03-04T06:00:00Z,mindful minutes,2026-03-04,2026-03-04T06:00:00Z,3.333333",
        "workout Running/2026-03-05T17:00:00Z,workout Running,2026-03-05,2026-03-05T17:00:00Z,31.415927",
        // The traveller's evening, and the island that is a day ahead of the phone.
        "workout Swimming/2026-03-11T05:30:00Z,workout Swimming,2026-03-10,2026-03-11T05:30:00Z,45",
        "workout Yoga/2026-03-14T10:10:00Z,workout Yoga,2026-03-15,2026-03-14T10:10:00Z,20",
        "workout Yoga/2026-03-14T10:10:00Z/2,workout Yoga,2026-03-15,2026-03-14T10:10:00Z,20",
        "workout Cycling/2026-03-29T00:45:00Z,workout Cycling,2026-03-29,2026-03-29T00:45:00Z,45",
      ])
    #expect(result.leftOut["record HKQuantityTypeIdentifierStepCount"] == 1)
    #expect(result.leftOut["record HKQuantityTypeIdentifierHeartRate"] == 1)
    #expect(result.leftOut["WorkoutRoute of a workout"] == 1)
    #expect(result.leftOut["totalDistance of a workout"] == 1)
    #expect(result.leftOut["element ActivitySummary"] == 1)
    #expect(result.report.choices.map(\.count) == [2, 5])
  }

  @Test func theZoneOfTheCommandCountsBeforeTheWrittenOffset() throws {
    let text = try Exports.text("apple-health.xml")
    let rows = try imported(.appleHealth, text, zone: "America/New_York").rows("HabitEntry")
    // 23:55 in Berlin is the afternoon of the same day; 01:45 is the evening before.
    #expect(rows.first?.contains(",2026-03-02,") == true)
    #expect(rows.last?.contains(",2026-03-28,2026-03-29T00:45:00Z") == true)
    // A record with its own zone keeps it.
    #expect(rows.contains { $0.hasPrefix("workout Yoga") && $0.contains(",2026-03-15,") })
  }

  @Test func cloudKit() throws {
    let text = try Exports.text("cloudkit.json")
    let result = try imported(.cloudkit, text, zone: "Europe/Berlin")
    #expect(
      result.rows("ReadingSession") == [
        "s1,mia,forest,2026-03-02,2026-03-01T23:30:00Z,2026-03-01T23:41:30.5Z,690,,0,3,d00d,",
        "s2,mia,forest,2026-03-02,2026-03-02T22:30:00Z,,300,,,,,",
      ])
    #expect(result.rows("Book") == ["forest,\"The Forest, at Night\",,,,,,,8"])
    #expect(result.rows("WordProgress") == ["mia-owl,mia,,owl,0.67,2,,"])
    // The names that the first version of the definitions had mean the same.
    let former = text.replacing("\"user\":", with: "\"userId\":").replacing("\"book\":", with: "\"bookId\":")
    #expect(
      try imported(.cloudkit, former, zone: "Europe/Berlin").rows("ReadingSession")
        == result.rows("ReadingSession"))
    // What the app's own smoke test writes: a user without a profile, a start and a length.
    let smoke = """
      {"recordName": "s4", "recordType": "ReadingSession", "fields": {"durationSeconds": {"value": 600},
      "user": {"value": {"recordName": "current-user"}}, "startedAt": {"value": 1772524800000}}}
      """
    #expect(
      try imported(.cloudkit, smoke, zone: "Europe/Berlin").rows("ReadingSession") == [
        "s4,current-user,,2026-03-03,2026-03-03T08:00:00Z,,600,,,,,"
      ])
    #expect(result.leftOut["record Theme"] == 1)
    #expect(result.leftOut["field cover of Book"] == 1)
    #expect(result.leftOut["deleted record ReadingSession"] == 1)
    #expect(failure(.cloudkit, text)?.contains("pass `--zone Area/City`") == true)
  }

  @Test func csvWithAMapping() throws {
    let mapping = try Exports.text("log.mapping.json")
    let result = try imported(.csv, Exports.text("log.csv"), mapping: mapping, zone: "Pacific/Apia")
    #expect(result.rows("Habit") == ["read,daily", "run,daily"])
    #expect(
      result.rows("HabitEntry") == [
        "1,read,2026-03-28,2026-03-28T22:59:59Z,12.5", "2,read,2026-03-29,2026-03-29T01:30:00Z,",
        "4,run,2026-10-25,2026-10-25T00:30:00Z,5",
        // Both sides of the date that Samoa left out.
        "5,run,2011-12-29,2011-12-30T09:30:00Z,3", "6,run,2011-12-31,2011-12-30T10:30:00Z,3",
        "7,run,2026-03-02,2026-03-01T10:30:00Z,3",
      ])
    // What the `where` of the entry left out, field by field.
    let entry = ["done_at", "how", "nr", "tz"].map { ("column \($0)", 1) }
    let expected = Dictionary(uniqueKeysWithValues: entry).merging(
      ["column mood": 2, "row that makes no HabitEntry": 1]) { $1 }
    #expect(result.leftOut == expected)
  }

  @Test func ndjsonWithAMapping() throws {
    let mapping = try Exports.text("events.mapping.json")
    let text = try Exports.text("events.ndjson")
    let result = try imported(.ndjson, text, mapping: mapping, zone: "UTC")
    #expect(
      result.rows("Event") == [
        "7,app_opened,2026-03-02,2026-03-02T00:00:00Z", "7,read,2026-03-03,2026-03-02T22:59:59.25Z",
      ])
    #expect(result.leftOut == ["column device": 1])
    #expect(
      failure(.ndjson, text, mapping: mapping)?.hasPrefix("export:1:42: `at` is `1772409600`, ") == true)
  }

  @Test func theSameExportGivesTheSameBytes() throws {
    for _ in 0..<2 {
      let once = try imported(.appleHealth, Exports.text("apple-health.xml"), zone: "Asia/Tokyo")
      let again = try imported(.appleHealth, Exports.text("apple-health.xml"), zone: "Asia/Tokyo")
      #expect(once.files == again.files)
      #expect(once.report.items == again.report.items)
      #expect(once.report.choices == again.report.choices)
    }
  }
}
