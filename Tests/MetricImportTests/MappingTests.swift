import MetricTestSupport
import MetricValues
import Testing

@testable import MetricImport

/// What a mapping can say of columns, the checks on what it writes, and the mapping of Firebase's export.
@Suite struct MappingTests {
  private static func mapping(_ fields: String, record: String = "HabitEntry") -> String {
    #"{"records": [{"record": "\#(record)", "fields": {\#(fields)}}]}"#
  }

  private static let entries = mapping(
    #""id": {"join": ["habit", "day"], "with": "-"}, "habitId": {"column": "habit"}, "dayKey": {"dayOf": "day"}, "value": {"column": "amount", "scale": 0.001}"#
  )

  private static let schemas = [
    "HabitEntry": TableSchema(
      record: "HabitEntry",
      columns: [
        ColumnSchema(name: "id", type: .text, isRequired: true, isIdentifier: true),
        ColumnSchema(name: "habitId", type: .text, isRequired: true, isIdentifier: true),
        ColumnSchema(name: "dayKey", type: .dayKey, isRequired: true),
        ColumnSchema(name: "value", type: .decimal, isRequired: false, minimum: FixedDecimal(0)),
        ColumnSchema(name: "how", type: .text, isRequired: false, choices: ["done"]),
      ])
  ]

  @Test func columnsAreJoinedAndScaled() throws {
    let text = "habit,day,amount\nrun,20260301,5500\nrun,2026-03-02,\nswim,2026-03-02,-1.5\n"
    let result = try imported(.csv, text, mapping: Self.entries)
    #expect(
      result.rows("HabitEntry") == [
        "run-20260301,run,2026-03-01,5.5", "run-2026-03-02,run,2026-03-02,",
        "swim-2026-03-02,swim,2026-03-02,-0.0015",
      ])
    let numbered = Self.mapping(#""id": {"join": ["habit", "day"], "numbered": true}"#)
    let twice = try imported(.csv, "habit,day\na,b\na,b\na,c\na,b\n", mapping: numbered)
    #expect(twice.rows("HabitEntry") == ["a/b", "a/b/2", "a/c", "a/b/3"])
    let message = failure(.csv, "habit,day,amount\nrun,2026-03-01,many\n", mapping: Self.entries)
    #expect(message == "export:2:16: `amount` is `many`, expected a number that can be multiplied by 0.001")
    #expect(
      failure(.csv, "habit,day,amount\n,2026-03-01,\n", mapping: Self.entries)
        == "export:2:1: `habit` is ``, expected a text to join")
  }

  @Test func rowsAreChosenByWhatTheyAreNot() throws {
    let mapping = #"""
      {"records": [{"record": "Event", "where": [{"column": "a", "notIn": [""]}, {"column": "b", "in": ["x", "y"]}],
        "fields": {"name": {"column": "a"}}}]}
      """#
    #expect(try imported(.csv, "a,b\n1,x\n,x\n2,z\n3,y\n", mapping: mapping).rows("Event") == ["1", "3"])
  }

  @Test func datesOfASpreadsheet() throws {
    let mapping = Self.mapping(#""dayKey": {"dayOf": "day"}"#)
    #expect(
      try imported(.csv, "day\n06-16-24\n", mapping: mapping, dateOrder: .monthDay).rows("HabitEntry") == [
        "2024-06-16"
      ])
    #expect(failure(.csv, "day\n06-16-24\n", mapping: mapping)?.contains("expected a date and time") == true)
  }

  @Test func offsetsAndDatesOfColumns() throws {
    let mapping = Self.mapping(
      #""dayKey": {"dayOf": "at", "unit": "microseconds", "offsetColumn": "offset", "dateColumn": "date"}, "timestampUtc": {"instantOf": "at", "unit": "microseconds"}"#
    )
    func day(_ offset: String, _ date: String, zone: String? = nil) throws(ImportFailure) -> [String] {
      try imported(.csv, "at,offset,date\n1772406000000000,\(offset),\(date)\n", mapping: mapping, zone: zone)
        .rows("HabitEntry")
    }
    #expect(try day("32400", "20260228") == ["2026-03-02,2026-03-01T23:00:00Z"])
    #expect(try day("", "20260228") == ["2026-02-28,2026-03-01T23:00:00Z"])
    #expect(try day("", "20260228", zone: "Europe/Berlin") == ["2026-03-02,2026-03-01T23:00:00Z"])
    #expect(throws: ImportFailure.self) { try day("", "") }
    #expect(throws: ImportFailure.self) { try day("an hour", "20260228") }
    #expect(throws: ImportFailure.self) { try day("", "2026") }
  }

  /// What the reader of the dataset would refuse is refused here, at the place in the export.
  @Test(arguments: [
    ("run,2026-03-01,-5", "export:2:16: HabitEntry: `value` is `-5`, expected `0` or more"),
    ("run,2026-03-01,5,5", "export:2:18: found 4 cells in the row"),
    ("run,2026-03-01,5\nrun,2026-03-01,6", "export:3:1: HabitEntry: the id `run-2026-03-01` came before"),
    (",2026-03-01,5", "export:2:1: `habit` is ``, expected a text to join"),
  ])
  func whatIsWrittenIsChecked(_ rows: String, _ message: String) {
    let mapping = Self.entries.replacing(#", "scale": 0.001"#, with: "")
    let found = Self.checked(mapping, "habit,day,amount\n\(rows)\n")
    #expect(found?.hasPrefix(message) == true, "\(found ?? "nothing")")
  }

  @Test func theFieldsOfARecordAreKnown() {
    let fields = #""id": {"column": "a"}, "habitId": {"column": "a"}, "#
    let cases = [
      (
        fields + #""dayKeys": {"dayOf": "b"}"#,
        "mapping:1:14: HabitEntry has no stored field `dayKeys`; did you mean `dayKey`?"
      ),
      (
        fields + #""value": {"column": "b"}"#,
        "mapping:1:14: found no field `dayKey`, which every HabitEntry must have"
      ),
      (
        fields + #""dayKey": {"column": "b"}"#,
        "export:2:3: HabitEntry: `dayKey` is `1.3.2026`, expected a day"
      ),
      (
        fields + #""dayKey": {"constant": "2026-03-01"}, "how": {"constant": "did"}"#,
        "export:2:1: HabitEntry: `how` is `did`, expected `done`"
      ),
    ]
    for (fields, message) in cases {
      let found = Self.checked(Self.mapping(fields), "a,b\nx,1.3.2026\n")
      #expect(found?.hasPrefix(message) == true, "\(found ?? "nothing")")
    }
  }

  private static func checked(_ mapping: String, _ text: String) -> String? {
    do throws(ImportFailure) {
      _ = try imported(.csv, [("", Array(text.utf8))], mapping: mapping, schemas: schemas)
      return nil
    } catch {
      return error.description
    }
  }

  // MARK: Firebase

  @Test func firebase() throws {
    let result = try imported(.firebase, Exports.text("firebase.ndjson"))
    #expect(result.rows("User") == ["a1.100", "b2.200"])
    let events = result.rows("KnowledgeEvent")
    #expect(events.count == 5)
    #expect(
      events[2].hasPrefix(
        "a1.100/1772366400000003/search_performed,a1.100,2026-03-01,2026-03-01T12:00:00.000003Z,search_performed,2.1,"
          + "phone,free,"))
    #expect(events[3].hasPrefix("a1.100/1772366400000003/search_performed/2,"))
    // The phone says where it was.
    #expect(events[4].contains("/item_created,a1.100,2026-03-02,2026-03-01T23:00:00Z,"))
    #expect(result.rows("KnowledgeRequest").count == 1)
    #expect(result.rows("KnowledgeOperation").count == 1)
    #expect(result.leftOut["column event_params.ga_session_id"] == 1)
    #expect(result.leftOut["row that makes no KnowledgeEvent"] == 4)
  }

  /// A double has more digits than a Decimal, a slow operation is of one of two kinds, a list of ids is no id, and what
  /// no record has is counted field by field.
  @Test func firebaseLosesNothingSilently() throws {
    func event(_ name: String, _ time: Int, _ parameters: [String: String]) -> String {
      let list = parameters.sorted { $0.key < $1.key }.map { #"{"key": "\#($0)", "value": \#($1)}"# }
      return
        #"{"event_date": "20260301", "event_timestamp": "17723664000000\#(time)", "event_name": "\#(name)", "#
        + #""event_params": [\#(list.joined(separator: ", "))], "user_pseudo_id": "a"}"#
    }
    func text(_ value: String) -> String { #"{"string_value": "\#(value)"}"# }
    let common = ["status": text("success"), "unheard": text("x")]
    let lines = [
      event(
        "performance_slow_operation", 10,
        common.merging([
          "endpoint": text("/a"), "method": text("GET"),
          "response_time": #"{"double_value": 523.1180191040039}"#,
        ]) { $1 }),
      event(
        "performance_slow_operation", 11,
        common.merging([
          "operation_name": text("parse"), "duration": #"{"double_value": 1.5e2}"#,
          "memory_usage": #"{"double_value": 50.12345678}"#, "cpu_usage": #"{"double_value": 7}"#,
        ]) { $1 }),
      event("timeline_refreshed", 12, ["item_id": text("i1,i2")]),
      event("item_created", 13, ["item_id": text("i1"), "item_type": text("note"), "item_title": text("t")]),
    ]
    let result = try imported(.firebase, lines.joined(separator: "\n"))
    #expect(result.rows("KnowledgeRequest").count == 1)
    #expect(result.rows("KnowledgeRequest")[0].contains(",/a,GET,523.118019,success,"))
    #expect(result.rows("KnowledgeOperation").count == 1)
    #expect(result.rows("KnowledgeOperation")[0].hasSuffix(",parse,150,success,50.123457,7"))
    #expect(result.rows("KnowledgeItem") == ["i1,a,note"])
    #expect(result.rows("KnowledgeEvent").count == 4)
    #expect(result.leftOut["column event_params.unheard"] == 2)
    #expect(result.leftOut["column event_params.item_id"] == 1)
    #expect(result.leftOut["column event_params.item_title"] == 1)
    #expect((result.leftOut["digits after the sixth"] ?? 0) >= 2)
  }

  /// `bq query --format=json` writes an array; whole numbers may be numbers, and what is missing `null`.
  @Test func firebaseByAMappingOfOnesOwn() throws {
    let mapping = #"""
      {"records": [{"record": "Event", "fields": {
        "userId": {"column": "user_pseudo_id"}, "name": {"column": "event_name"},
        "dayKey": {"dayOf": "event_date"}, "value": {"column": "event_params.level"}}}]}
      """#
    let text = #"""
      [{"event_date": "20260301", "event_name": "a", "user_pseudo_id": "u", "event_params": [
         {"key": "level", "value": {"string_value": null, "int_value": 3, "double_value": null}}]},
       {"event_date": "20260302", "event_name": "b", "user_pseudo_id": "u", "event_params": []}]
      """#
    let result = try imported(.firebase, text, mapping: mapping)
    #expect(result.rows("Event") == ["u,a,2026-03-01,3", "u,b,2026-03-02,"])
    #expect(try imported(.ndjson, text, mapping: mapping).files == result.files)
  }
}
