import MetricTestSupport
import Testing

@testable import MetricImport

/// What is malformed is said with its place, and nothing that a file holds makes the reader crash or hang.
@Suite struct FailureTests {
  private static let mapping = """
    {"records": [{"record": "HabitEntry", "fields": {"id": {"column": "nr"}, "dayKey": {"dayOf": "at"}}}]}
    """

  @Test func placesAndExpectations() {
    let cases: [(ImportKind, String, String)] = [
      (.habitbull, "", "export:1:1: found an empty file"),
      (.habitbull, "a,b\n", "export:1:1: found no column `HabitName` in the header, which names `a`, `b`"),
      (.mhabit, "{\"habits\": [{\"name\": 7}]}", "export:1:22: `name` is `7`, expected a text"),
      (.mhabit, "{\"habits\": [", "export:1:13: found the end of the text, expected a value"),
      (.mhabit, "[]", "export:1:1: found an array without `habits`"),
      (.appleHealth, "<a/>", "export:1:1: found no element `HealthData` at the top"),
      (
        .appleHealth, "<HealthData>\n<Record ",
        "export:2:1: found the end of the file within the tag of `Record`"
      ),
      (
        .appleHealth, "<HealthData>\n<Workout startDate=\"x\"/>",
        "export:2:1: `startDate` is `x`, expected a date"
      ),
      (
        .appleHealth, "<HealthData>\n</Health>",
        "export:2:1: found the end of `Health`, which is not the element"
      ),
      (.appleHealth, "<HealthData a=\"&lol;\"><Record/></HealthData>", ""),
      (
        .cloudkit, "{\"recordType\": \"Book\"}",
        "export:1:1: found an object without `recordType` and `recordName`"
      ),
      (.loop, "id,name", "export:1:1: found `id`, `name` in the first row, expected"),
      (.loop, "PK\u{3}\u{4}abc", "export: is a zip archive; unpack it first"),
    ]
    for (kind, text, expected) in cases where !expected.isEmpty {
      let found = failure(kind, text)
      #expect(found?.hasPrefix(expected) == true, "\(kind) \(text): \(found ?? "no failure")")
    }
  }

  /// So many values and bytes belong to one record; arrays aside, whose values are records of their own.
  @Test func limitsOfOneRecord() throws {
    func object(_ count: Int) -> String {
      "{" + (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
    }
    // The object is one of them.
    let most = JSONParser.mostValues - 1
    #expect(try imported(.mhabit, "{\"habits\": [\(object(most))]}").rows("Habit").count == 1)
    #expect(
      failure(.mhabit, "{\"habits\": [\(object(most + 1))]}")?.hasSuffix(
        ": found more than 100000 values in one record, expected an array where there are so many") == true)

    func habit(_ size: Int) -> String {
      "{\"habits\":[{\"name\":\"\(String(repeating: "n", count: size))\"}]}"
    }
    // The quote that begins a text counts with it; `name` is five.
    let longest = JSONParser.mostText - 6
    #expect(try imported(.mhabit, habit(longest)).rows("Habit").count == 1)
    #expect(
      failure(.mhabit, habit(longest + 1))
        == "export:1:20: found a record with more than 16777216 bytes of text")
  }

  /// As many habits of one name, and as many fields that are not known, as somebody likes.
  @Test func namesByTheThousand() throws {
    let habits = Array(repeating: "{\"name\":\"a\"}", count: 20_000).joined(separator: ",")
    #expect(
      try imported(.mhabit, "{\"habits\":[\(habits)]}").rows("Habit").last?.hasPrefix("a (20000),a,") == true)
    let records = (0..<400).map { number in
      let fields = (0..<30).map { "\"f\(number)_\($0)\":{\"value\":1}" }.joined(separator: ",")
      return
        "{\"recordType\":\"Book\",\"recordName\":\"b\(number)\",\"fields\":{\"pageCount\":{\"value\":1},\(fields)}}"
    }
    let report = try imported(.cloudkit, "[\(records.joined(separator: ","))]")
    #expect(report.leftOut.count == ImportReport.mostKinds + 1)
    #expect(report.leftOut["what else there is"] == 2000)
  }

  /// An array is gone through again and again; what it holds is right from the first time on.
  @Test func arraysInArrays() throws {
    let text =
      #"{"habits":[{"name":"a","records":[{"record_date":1,"record_type":1,"x":[[1,[2,"é\u00e9"]],[]]}]}]}"#
    #expect(try imported(.mhabit, text).leftOut["field x of a record"] == 1)
    let cut = #"{"habits":[{"name":"a","records":[{"x":[[1,[2,"\u00"]]]}]}]}"#
    #expect(failure(.mhabit, cut)?.hasSuffix("expected four hexadecimal digits") == true)
    #expect(
      failure(.mhabit, #"{"habits":[{"name":"a","x":[1,{"k":1,"k":2}]}]}"#)?.contains("`k` twice") == true)
  }

  /// What stands twice where it may stand once: which of the two counts is not for the reader to say.
  @Test func namesThatStandTwice() throws {
    #expect(
      failure(.habitbull, "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,Value\n")
        == "export:1:61: found `Value` twice in the header")
    #expect(
      failure(.mhabit, "{\"habits\": [{\"name\": \"a\",\n\"name\": \"b\"}]}")
        == "export:2:1: found the key `name` twice in one object")
    // A column that is not read may stand there twice.
    #expect(
      try imported(.csv, "nr,at,x,x\n1,2026-03-01,a,b\n", mapping: Self.mapping).leftOut == ["column x": 2])
    #expect(
      failure(.csv, "nr,at,at\n1,2026-03-01,a\n", mapping: Self.mapping)
        == "export:1:7: found `at` twice in the header")
    let keys = (0..<40).map { "\"k\($0)\": 1" }.joined(separator: ", ")
    #expect(try imported(.mhabit, "{\"habits\": [], \(keys)}").leftOut.count == 40)
    #expect(
      failure(.mhabit, "{\"habits\": [], \(keys), \"k7\": 2}")?.hasSuffix(
        "found the key `k7` twice in one object")
        == true)
    #expect(
      failure(
        .appleHealth,
        "<HealthData><Workout startDate=\"2026-01-01 08:00:00 +0000\" startDate=\"x\"/></HealthData>")
        == "export:1:60: found the attribute `startDate` twice")
  }

  /// Names of the export are shown in the report, but not in full where they are long.
  @Test func longNamesAreCutInTheReport() throws {
    let name = String(repeating: "é", count: 1_000_000)
    let result = try imported(.appleHealth, "<HealthData><Record type=\"\(name)\"/><\(name)/></HealthData>")
    #expect(
      result.leftOut == [
        "record \(name.prefix(93))…": 1, "element \(name.prefix(92))…": 1,
      ])
  }

  /// Deeper than any app nests is said, and not followed.
  @Test func nestingHasALimit() throws {
    func arrays(_ depth: Int) -> String {
      "{\"habits\": [], \"x\": " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        + "}"
    }
    func elements(_ depth: Int) -> String {
      "<HealthData>" + String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        + "</HealthData>"
    }
    // The object is a level of its own, as is the element at the top.
    #expect(try imported(.mhabit, arrays(63)).leftOut == ["field x of the export": 1])
    #expect(
      failure(.mhabit, arrays(128)) == "export:1:148: found values nested deeper than 128 levels")
    #expect(failure(.mhabit, arrays(1_000_000))?.hasSuffix("nested deeper than 128 levels") == true)
    #expect(try imported(.appleHealth, elements(63)).leftOut == ["element a": 1])
    #expect(
      failure(.appleHealth, elements(64)) == "export:1:202: found elements nested deeper than 64 levels")
    #expect(failure(.appleHealth, elements(1_000_000))?.hasSuffix("nested deeper than 64 levels") == true)
  }

  @Test(arguments: [
    #"[<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]"#, #"[<!ENTITY f SYSTEM "file:///etc/passwd">]"#,
    #"[<!-- ' --><!ENTITY % p "x">]"#, #"[<!ATTLIST a b CDATA "'"><!ENTITY a "aaaa">]"#,
  ])
  func entitiesAreNotDeclared(_ declarations: String) {
    let text = "<!DOCTYPE HealthData \(declarations)>\n<HealthData/>"
    #expect(
      failure(.appleHealth, text)?.contains("found the declaration of an entity, expected none") == true)
  }

  @Test(arguments: ["<!DOCTYPE HealthData SYSTEM \"file:///tmp/x.dtd\">", ""])
  func entitiesAreNotExpanded(_ type: String) {
    let text = "\(type)<HealthData><Workout startDate=\"&b;\"/></HealthData>"
    #expect(
      failure(.appleHealth, text)?.contains("found `&b;`, expected one of XML's own references") == true)
  }

  @Test func aDatabaseWithoutTheClientNamesTheCSVExport() {
    let file = ExportFile(name: "backup.db", bytes: UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(throws: ImportFailure.self) { try noDatabaseClient("SELECT 1", file) }
    do throws(ImportFailure) { _ = try noDatabaseClient("SELECT 1", file) } catch {
      #expect(error.description.contains("install it, or export as CSV in Loop"))
    }
  }

  @Test func mistakesOfAMapping() {
    let mappings = [
      ("{}", "mapping:1:1: found no `records`"), ("{\"record\": []}", "mapping:1:12: found the key `record`"),
      (
        "{\"records\": [{\"record\": \"x\", \"fields\": {}}]}",
        "mapping:1:14: found `x`, expected the name of a record"
      ),
      (
        "{\"records\": [{\"record\": \"X\", \"fields\": {\"id\": {\"colum\": \"a\"}}}]}",
        "mapping:1:47: found an object, expected an object with `column`"
      ),
      (
        "{\"records\": [{\"record\": \"X\", \"fields\": {\"d\": {\"dayOf\": \"a\", \"zone\": \"CET\"}}}]}",
        "mapping:1:46: `zone` is `CET`, which is not a known zone"
      ),
    ]
    for (mapping, expected) in mappings {
      let found = failure(.csv, "nr,at\n", mapping: mapping)
      #expect(found?.hasPrefix(expected) == true, "\(mapping): \(found ?? "no failure")")
    }
  }

  @Test func aClockWithoutAPlaceHasADayAndAnInstantWithoutAPlaceHasNone() throws {
    let clock = try imported(.csv, "nr,at\n1,2026-03-01 23:30\n2,2026-03-02\n", mapping: Self.mapping)
    #expect(clock.rows("HabitEntry") == ["1,2026-03-01", "2,2026-03-02"])
    let offset = try imported(.csv, "nr,at\n1,2026-03-01 23:30 -0500\n", mapping: Self.mapping)
    #expect(offset.rows("HabitEntry") == ["1,2026-03-01"])
    #expect(
      failure(.csv, "nr,at\n1,2026-03-01T23:30:00Z\n", mapping: Self.mapping)
        == "export:2:3: `at` is `2026-03-01T23:30:00Z`, an instant without a zone, so its local date is not known; "
        + "pass `--zone Area/City`, the zone of the person")
    #expect(failure(.csv, "nr,at\n1,\n", mapping: Self.mapping)?.contains("expected a time") == true)
  }

  // MARK: Damaged files

  private struct Case: CustomTestStringConvertible, Sendable {
    var kind: ImportKind
    var name: String
    var mapping: String?
    var testDescription: String { name }
  }

  private static let cases = [
    Case(kind: .loop, name: "loop.db"), Case(kind: .habitbull, name: "habitbull.csv"),
    Case(kind: .mhabit, name: "mhabit.json"), Case(kind: .appleHealth, name: "apple-health.xml"),
    Case(kind: .cloudkit, name: "cloudkit.json"),
    Case(kind: .csv, name: "log.csv", mapping: "log.mapping.json"),
    Case(kind: .ndjson, name: "events.ndjson", mapping: "events.mapping.json"),
    Case(kind: .firebase, name: "firebase.ndjson"),
  ]

  /// Imports twice: both times it ends, in the same way.
  private func check(_ kind: ImportKind, _ bytes: [UInt8], _ mapping: String?, _ comment: Comment) {
    func outcome() -> [String: String] {
      do throws(ImportFailure) {
        return try imported(kind, [("", bytes)], mapping: mapping, zone: "Pacific/Apia").files
      } catch {
        return ["failure": error.description]
      }
    }
    #expect(outcome() == outcome(), comment)
  }

  @Test(arguments: cases.indices)
  func truncatedAnywhere(_ index: Int) throws {
    let (kind, name) = (Self.cases[index].kind, Self.cases[index].name)
    let bytes = try Exports.bytes(name)
    let mapping = try Self.cases[index].mapping.map { try Exports.text($0) }
    let step = max(1, bytes.count / 120)
    for count in stride(from: 0, to: bytes.count, by: step) {
      check(kind, Array(bytes.prefix(count)), mapping, "\(name), first \(count) bytes")
    }
  }

  @Test(arguments: cases.indices)
  func bytesChanged(_ index: Int) throws {
    let (kind, name) = (Self.cases[index].kind, Self.cases[index].name)
    let original = try Exports.bytes(name)
    let mapping = try Self.cases[index].mapping.map { try Exports.text($0) }
    let telling = Array("\"\\,\n\r{}[]<>/=&;:-.0e9 \u{0}T".utf8) + [0xFF, 0x80, 0x05, 0x0D]
    for seed in seeds(environment("METRICC_CASES").flatMap { Int($0) } ?? 30) {
      var random = SeededGenerator(seed: seed)
      var bytes = original
      for _ in 0..<random.int(1...6) where !bytes.isEmpty {
        // The first page of a database is what decides most.
        let place = random.int(0...(random.chance(40) ? min(1023, bytes.count - 1) : bytes.count - 1))
        switch random.int(0...3) {
        case 0: bytes[place] = UInt8(random.int(0...255))
        case 1: bytes[place] = random.pick(telling)
        case 2 where kind != .loop: bytes.remove(at: place)
        default: if kind == .loop { bytes[place] ^= 1 } else { bytes.insert(random.pick(telling), at: place) }
        }
      }
      check(kind, bytes, mapping, "\(name), \(random.replay)")
    }
  }

  @Test func randomBytes() {
    for seed in seeds(100) {
      var random = SeededGenerator(seed: seed)
      let bytes = (0..<random.int(0...300)).map { _ in UInt8(random.int(0...255)) }
      for kind in ImportKind.allCases {
        check(kind, bytes, kind.needsMapping ? Self.mapping : nil, "\(kind), \(random.replay)")
      }
      let mapping = String(decoding: bytes, as: UTF8.self)
      check(.csv, Array("nr,at\n".utf8), mapping, "mapping, \(random.replay)")
    }
  }
}
