import MetricDiagnostics
import MetricLanguage
import MetricLanguageServer
import MetricTestSupport
import Testing

/// Fixes that look beyond their finding, extraction and inlining.
@Suite struct RefactoringTests {
  /// The actions at `1️⃣`, or between `1️⃣` and `2️⃣`, with the text after each.
  private func actions(_ text: String) -> [(title: String, result: String)] {
    let source = MarkedSource(text)
    let analysis = analysis(source.text)
    let (start, end) = (source["1️⃣"] ?? 0, source["2️⃣"] ?? source["1️⃣"] ?? 0)
    let found = analysis.codeActions(in: 0, from: start, to: end, findings: analysis.library.findings)
    return found.map { action in
      var bytes = Array(source.text.utf8)
      for edit in action.edits.sorted(by: { $0.span.start > $1.span.start }) {
        bytes.replaceSubrange(edit.span.start..<edit.span.end, with: edit.text.utf8)
      }
      return (action.title, String(decoding: bytes, as: UTF8.self))
    }
  }

  private func result(_ text: String, _ title: String) throws -> String {
    let all = actions(text)
    return try #require(all.first { $0.title.hasPrefix(title) }?.result, "\(all.map(\.title))")
  }

  private func errors(_ text: String) -> [String] {
    analysis(text).library.findings.filter { $0.severity == .error }.map(\.message)
  }

  // MARK: Fixes

  @Test(arguments: [
    "completion m1️⃣ { for habit  every day  when count(HabitEntry) >= 2 }",
    "measure m1️⃣ { for user  value sum(Event.value where name == \"open\") }",
    "measure m1️⃣ { for app  value distinct(Event.userId) }",
    "measure m1️⃣ { for app  value count(Event where name == \"a\\\"b\\n\")  at least 3 users }",
    "measure m1️⃣ { for habit  value last(HabitEntry.dayKey)  audience team }",
    "extend HabitEntry { consent standard }\nmeasure m1️⃣ { for app  value count(HabitEntry)  at least 2 users }",
    "funnel m1️⃣ { for user  step a Event where name == \"a\"  step b Event where name == \"b\"  within 3 days }",
    "retention m1️⃣ { for user  start Event where name == \"a\"  return Event where name == \"b\"  after 1, 7 days }",
  ])
  func aTestIsWritten(_ text: String) throws {
    let written = try result(text, "Write a test with a small dataset")
    #expect(written.contains("expect m "))
    let results = try analysis(written).runTests(in: 0) { _ in true }
    #expect(results.map(\.passed) == [true], "\(written)")
    #expect(!analysis(written).library.findings.contains { $0.code.name == "missing-test" })
  }

  @Test func namesAreBroughtIntoStyle() throws {
    let text =
      "completion 1️⃣wasDone { for habit  every day  when count(HabitEntry) >= 1 }\nstreak run { of wasDone }"
    let renamed = try result(text, "Rename to `was_done`")
    #expect(renamed.contains("completion was_done {") && renamed.contains("of was_done"))
    let record = "fact 1️⃣Reading_Session { id : ID  userId : User  dayKey : DayKey }"
    #expect(try result(record, "Rename to `ReadingSession`").hasPrefix("fact ReadingSession"))
  }

  @Test func whatIsMissingIsDefined() throws {
    let streak = try result("streak s { of 1️⃣was_done }\n", "Define `was_done`")
    #expect(streak.contains("completion was_done {"))
    #expect(errors(streak).isEmpty, "\(errors(streak))")
    let measure = try result("measure m {\n  for habit\n  value 1️⃣entries + 1\n}\n", "Define `entries`")
    #expect(errors(measure).isEmpty, "\(errors(measure))")
    let builtIn = "measure m { for user  audience team  value distinct(Event.1️⃣screen) }\n"
    let extended = try result(builtIn, "Add `screen` to `Event`")
    #expect(extended.contains("extend Event { screen : Text? }"))
    #expect(errors(extended).isEmpty, "\(errors(extended))")
  }

  /// What is defined fits its place: its subject, a Bool or a number, a condition's field.
  @Test(arguments: [
    ("measure m { for goal  value 1️⃣gone + 1 }", "Define `gone`", "value count(HabitEntry through GoalLink)"),
    (
      "completion m { for habit  every week  when 1️⃣gone and count(HabitEntry) >= 1 }", "Define `gone`",
      "every week"
    ),
    (
      "measure m { for app  value count(user where 1️⃣gone) }", "Define `gone`", "completion gone {\n  for user"
    ),
    ("measure m { for habit  value count(1️⃣gone) }", "Define `gone`", "completion gone"),
    ("test \"t\" { expect 1️⃣gone for \"a\" at 2026-01-01 = false }", "Define `gone`", "completion gone"),
    ("measure m { for app  value average(user.1️⃣gone) }", "Add `gone` to `User`", "gone : Decimal?"),
    ("measure m { for app  value count(user where 1️⃣gone == \"x\") }", "Add `gone` to `User`", "gone : Text?"),
    (
      "fact Read { id : ID  userId : User  dayKey : DayKey }\nmeasure m { for user  value count(Read where 1️⃣pages > 3) }",
      "Add `pages` to `Read`", "pages : Decimal?"
    ),
  ])
  func whatIsDefinedFits(_ text: String, _ title: String, _ wanted: String) throws {
    let defined = try result(text, title)
    #expect(defined.contains(wanted), "\(defined)")
    #expect(errors(defined).isEmpty, "\(errors(defined)) \(defined)")
  }

  @Test func whatCannotBeDefinedIsNotOffered() {
    let texts = [
      "measure m { for habit  value 1️⃣Gone }", "measure m { for habit  value gone1️⃣(3) }",
      "entity Book { id : ID }\nmeasure m { for book  value 1️⃣gone }",
    ]
    for text in texts { #expect(!actions(text).contains { $0.title.hasPrefix("Define") }, "\(text)") }
  }

  @Test(arguments: [
    ("userIDCount2Days", "user_id_count2_days"), ("hTTPCount", "h_ttp_count"), ("userIDs", "user_ids"),
    ("my__total_", "my_total"),
  ])
  func wordsOfAName(_ name: String, _ styled: String) throws {
    let text = "measure 1️⃣\(name) { for habit  value count(HabitEntry) }"
    #expect(try result(text, "Rename to `\(styled)`").contains("measure \(styled) {"))
  }

  @Test(arguments: [("avg", "average"), ("mean", "average"), ("total", "sum"), ("maximum", "max")])
  func functionsOfOtherLanguages(_ written: String, _ meant: String) throws {
    let text = "measure m { for habit  audience team  value 1️⃣\(written)(HabitEntry.value) }"
    #expect(try result(text, "Change to `\(meant)`").contains("value \(meant)(HabitEntry.value)"))
  }

  @Test func theValueThatCameOutIsAccepted() throws {
    let text = habits.replacing("= 3", with: "= 4")
    let client = TestClient(["/w/a.metric": text])
    client.open("/w/a.metric", text)
    let uri = JSON.string(TestClient.uri("/w/a.metric"))
    _ = client.request(
      "workspace/executeCommand", ["command": "metricc.runTests", "arguments": [uri]])
    guard case .object(var params) = TestClient.document("/w/a.metric") else { return }
    params["range"] = TestClient.range(12, 10, 12, 10)
    params["context"] = ["diagnostics": []]
    let actions = client.request("textDocument/codeAction", .object(params)).items
    let action = try #require(actions.first { $0["title"] == "Expect 3" }, "\(actions.map(\.["title"]))")
    let edit = action["edit"]["changes"][TestClient.uri("/w/a.metric")][0]
    #expect(edit["newText"] == "3")
    #expect(edit["range"]["start"]["line"] == 12)
  }

  @Test func anAcceptedTextIsALiteral() throws {
    let text = """
      measure m { for user  value last(Event.name)  audience team }
      test "t" {
        given Event { userId: "u", name: "a\\"b\\n\\\\", dayKey: 2026-01-01 }
        expect m for "u" at 2026-01-01 = none
      }

      """
    let failed = try analysis(text).runTests(in: 0) { _ in true }.flatMap(\.failures)
    let got = try #require(failed.first?.got)
    let accepted = text.replacing("= none", with: "= \(got)")
    #expect(try analysis(accepted).runTests(in: 0) { _ in true }.map(\.passed) == [true], "\(accepted)")
  }

  // MARK: Extracting and inlining

  /// `at least` and groups look at each aggregate of a metric, so none may go into another one.
  @Test(arguments: ["at least 3 users", "by habit.kind"])
  func nothingIsExtractedFromAHiddenNumber(_ clause: String) {
    let text = "measure m { for app  value 1️⃣count(HabitEntry)2️⃣ / sum(HabitEntry.value)  \(clause) }"
    #expect(!actions(text).contains { $0.title.hasPrefix("Extract") })
  }

  @Test func aMeasureIsExtracted() throws {
    let text = """
      measure m {
        for habit
        value 1️⃣sum(HabitEntry.value)2️⃣ / 2
        over last 7 days
        audience team
      }

      """
    let extracted = try result(text, "Extract into `m_part`")
    #expect(extracted.contains("value m_part / 2"))
    #expect(
      extracted.contains("measure m_part {\n  for habit\n  over last 7 days\n  audience team\n  value sum"))
    #expect(errors(extracted).isEmpty)
    let back = try result(extracted.replacing("m_part / 2", with: "m_1️⃣part / 2"), "Inline `m_part`")
    #expect(back.contains("value (sum(HabitEntry.value over last 7 days)) / 2"))
    #expect(errors(back).isEmpty)
  }

  @Test func aCompletionIsExtractedFromACompletion() throws {
    let text = """
      completion c {
        for habit
        every day
        when 1️⃣count(HabitEntry) >= 12️⃣ and count(HabitEntry) < 5
        audience team
      }

      """
    let extracted = try result(text, "Extract into `c_part`")
    #expect(extracted.contains("when c_part and count(HabitEntry) < 5"))
    #expect(errors(extracted).isEmpty, "\(errors(extracted))")
    #expect(actions(text).contains { $0.title.contains("metricc diff") })
  }

  @Test func halfAnExpressionIsNone() {
    let text = "measure m { for habit  value 1 + 1️⃣count(HabitEntry) +2️⃣ 2 }"
    #expect(!actions(text).contains { $0.title.hasPrefix("Extract") })
  }
}
