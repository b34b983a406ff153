import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricTestSupport
import Testing

/// What became of metrics between two libraries.
@Suite struct DifferenceTests {
  private func library(_ text: String) -> MetricLibrary {
    MetricLibrary(sources: [SourceFile(path: "test.metric", text: text)])
  }

  private func changes(_ old: String, _ new: String) -> [MetricChange] {
    let (before, after) = (library(old), library(new))
    for side in [before, after] {
      let errors = side.findings.filter { $0.severity == .error }.map { $0.rendered(in: side.sources) }
      #expect(errors == [])
    }
    return after.changes(from: before)
  }

  private func levels(_ old: String, _ new: String) -> [String: ChangeLevel] {
    Dictionary(uniqueKeysWithValues: changes(old, new).map { ($0.name, $0.level) })
  }

  /// Two ways to write a condition or a window that mean the same.
  @Test(arguments: [
    ("every week  when count(HabitEntry) >= 1", "every 7 days  when 1 <= count(HabitEntry)"),
    ("every 2 weeks  when count(HabitEntry) > 0.0", "every 14 days  when count(HabitEntry) > 0"),
    (
      "every day  when count(HabitEntry) >= 1 and habit.cadence == \"daily\"",
      "every day  when habit.cadence in [\"daily\"] and count(HabitEntry) >= 1"
    ),
    (
      "every day  when sum(HabitEntry.value) + count(HabitEntry) >= 2",
      "every day  when count(HabitEntry) + sum(HabitEntry.value over last 1 days) >= 2"
    ),
    (
      "every day  when count(HabitEntry where not (value == 2)) >= 1",
      "every day  when count(HabitEntry where value != 2) >= 1"
    ),
    ("every day  when count(HabitEntry) >= 1", "every day  when count(HabitEntry) > 0"),
    ("every day  when count(HabitEntry) > 2.5", "every day  when not (3.0 > count(HabitEntry))"),
    ("every day  when 2.5 <= count(HabitEntry)", "every day  when count(HabitEntry) >= 3"),
    ("every day  when not (count(HabitEntry) <= 2.5)", "every day  when 2 < count(HabitEntry)"),
    ("every day  when count(HabitEntry) != 0", "every day  when not (0 == count(HabitEntry))"),
    ("every day  when not (count(HabitEntry) < 2)", "every day  when count(HabitEntry) >= 2"),
    (
      "every day  when not (count(HabitEntry) < 2 or habit.kind is none)",
      "every day  when habit.kind is not none and count(HabitEntry) > 1"
    ),
    (
      "every day  when count(HabitEntry where not (value > 1 and id is none)) >= 1",
      "every day  when count(HabitEntry where not (value > 1) or id is not none) >= 1"
    ),
    (
      "every day  when (if count(HabitEntry) >= 3 then days(HabitEntry) else 2) >= 1",
      "every day  when (if count(HabitEntry) < 3 then 2 else days(HabitEntry)) > 0"
    ),
    (
      "every day  when if count(HabitEntry) > 1 then true else false",
      "every day  when count(HabitEntry) >= 2"
    ),
  ])
  func twoWaysToWriteTheSame(_ one: String, _ other: String) {
    let found = levels(
      "completion c { for habit  audience team  \(one) }",
      "completion c { for habit  audience team  \(other) }")
    #expect(found == ["c": .words])
  }

  /// What must not be taken for the same.
  @Test(arguments: [
    ("count(HabitEntry where not (value < 2)) >= 1", "count(HabitEntry where value >= 2) >= 1"),
    ("count(HabitEntry) >= 1", "days(HabitEntry) >= 1"),
    ("count(HabitEntry over last 7 days) >= 1", "count(HabitEntry) >= 1"),
    ("sum(HabitEntry.value) - 1 >= 2", "1 - sum(HabitEntry.value) >= 2"),
  ])
  func notTheSame(_ one: String, _ other: String) {
    let found = levels(
      "completion c { for habit  audience team  every day  when \(one) }",
      "completion c { for habit  audience team  every day  when \(other) }")
    #expect(found["c"] == .meaning || found["c"] == .unproved)
  }

  /// What hides or groups a number looks at each aggregate, a subject may have no record, and a switch may have a purpose.
  @Test(arguments: [
    (
      "measure b { for app  value count(HabitEntry) }\nmeasure m { for app  value b / count(Event)  at least 3 users }",
      "b / count", "count(HabitEntry) / count"
    ),
    (
      "measure b { for app  value count(HabitEntry) }\nmeasure m { for app  value b / sum(HabitEntry.value)  by habit.kind }",
      "b / sum", "count(HabitEntry) / sum"
    ),
    (
      "measure m { for app  value if sum(HabitEntry.value) > 2 then count(HabitEntry) else count(HabitEntry)  at least 2 users }",
      "if sum(HabitEntry.value) > 2 then count(HabitEntry) else", ""
    ),
    (
      "measure m { for app  value if count(HabitEntry where value > 1) > 2 then sum(HabitEntry.value where value < 1) else sum(HabitEntry.value where value < 1)  by habit.kind }",
      "if count(HabitEntry where value > 1) > 2 then sum(HabitEntry.value where value < 1) else", ""
    ),
    (
      "extend User { age : Int }\nmeasure m { for app  value count(user where (if age > 3 then false else true)) + count(Event) }",
      "age > 3 then false else true", "age <= 3 then true else false"
    ),
    (
      "fact Read { id : ID  userId : User  dayKey : DayKey  consent standard }\nfact Other { id : ID  userId : User  dayKey : DayKey  consent standard  }\nmeasure m { for app  value count(Read) }",
      "consent standard  }", "consent standard for \"ads\" }"
    ),
  ])
  func notTheSameMetric(_ old: String, _ text: String, _ replacement: String) {
    let found = levels(old, old.replacing(text, with: replacement))
    #expect(found["m"] == .meaning || found["m"] == .unproved, "\(found)")
  }

  /// Who gives and who takes are two users.
  @Test func aRecordWithTwoWaysToItsSubjects() {
    let old = """
      fact Gift { id : ID  giverId : User  takerId : User  dayKey : DayKey }
      measure m { for user  value count(Gift through giverId)  audience team }
      """
    #expect(levels(old, old.replacing("through giverId", with: "through takerId"))["m"] == .meaning)
  }

  /// Below `at least` a number is none, and a comparison with none is not turned round by `not`.
  @Test func aHiddenNumberIsNone() {
    func source(_ condition: String) -> String {
      """
      measure hidden { for app  value count(HabitEntry)  at least 5 users }
      completion shown { for app  every day  when count(HabitEntry) >= 1 and \(condition) }
      """
    }
    #expect(levels(source("not (hidden > 3)"), source("hidden <= 3"))["shown"] != .words)
  }

  @Test func everyLevel() {
    let old = """
      /// Done.
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      streak run { of done }
      streak best_run { of done  best }
      momentum pulse { of done  over last 7 days }
      progress amount { for habit  value sum(HabitEntry.value)  audience team }
      progress gone { for habit  value count(HabitEntry) }
      """
    let new = """
      /// Done on the day.
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      streak current_run { of done }
      streak best_run   { of done  best }
      momentum pulse { of done  over last 14 days }
      progress amount { for habit  value sum(HabitEntry.value)  audience team  unit minutes }
      progress fresh { for habit  value days(HabitEntry) }
      """
    #expect(
      levels(old, new) == [
        "done": .words, "current_run": .renamed, "best_run": .words, "pulse": .meaning, "amount": .shape,
        "gone": .removed, "fresh": .added,
      ])
  }

  /// The fields of a table are its columns, by name and in order, even where no values were found to differ.
  @Test func theFieldsOfATableAreItsShape() {
    func source(_ by: String) -> String {
      "measure n { for app  value count(HabitEntry)  by \(by)  at least 5 users }"
    }
    #expect(levels(source("id, habit.kind"), source("habit.kind, id")) == ["n": .shape])
    #expect(levels(source("id"), source("habit.kind")) == ["n": .unproved])
  }

  @Test func aChangeIsFollowedToItsReaders() throws {
    func source(_ minimum: Int) -> String {
      """
      completion done { for habit  every day  when count(HabitEntry) >= \(minimum) }
      streak run { of done  best }
      level worth { of run  at 3 }
      """
    }
    let found = changes(source(1), source(2)).sorted { $0.name < $1.name }
    #expect(found.map(\.name) == ["done", "run", "worth"])
    #expect(found.map(\.level) == [.meaning, .meaning, .meaning])
    #expect(found.map(\.through) == [[], ["done"], ["run"]])
    #expect(
      found[0].details == [
        ChangeDetail("when", "count(HabitEntry) >= 1", "count(HabitEntry) >= 2")
      ])
    #expect(found[1].details.isEmpty)
  }

  /// Helpers that are written out, or taken out, with their periods.
  @Test(arguments: [
    (
      "measure m { for habit  value sum(HabitEntry.value) / 2  over last 7 days  audience team }",
      "measure half { for habit  value sum(HabitEntry.value over last 7 days) / 2  audience team }\n"
        + "measure m { for habit  value half  audience team }"
    ),
    (
      "measure week { for habit  value count(HabitEntry)  over last 7 days }\n"
        + "measure twice { for habit  value week + week }\nmeasure m { for habit  value twice + 1 }",
      "measure m { for habit  value 1 + count(HabitEntry over last 1 week) + count(HabitEntry)  over last 7 days }"
    ),
  ])
  func helpersAreWrittenOut(_ one: String, _ other: String) {
    #expect(levels(one, other)["m"] == .words)
    #expect(levels(other, one)["m"] == .words)
  }

  /// A completion has more windows where it reads a metric (CMP-02).
  @Test func aHelperOfACompletionIsAnotherMeaning() {
    let one =
      "completion m { for habit  every day  when count(HabitEntry over last 7 days) >= 1 or day > 2020-01-01 }"
    let other = """
      measure week { for habit  value count(HabitEntry over last 7 days) }
      completion m { for habit  every day  when week >= 1 or day > 2020-01-01 }
      """
    let team = { (text: String) in text.replacing("for habit", with: "for habit  audience team") }
    #expect(levels(team(one), team(other))["m"] != .words)
  }

  /// Many helpers that read one another twice do not grow beyond all bounds.
  @Test func helpersOfHelpersStayShort() {
    var text = "measure m0 { for habit  value count(HabitEntry) }\n"
    for index in 1...24 {
      text +=
        "measure m\(index) { for habit  value least(m\(index - 1), m\(index - 1) / 2)  audience team }\n"
    }
    let found = levels(text, text.replacing("count(HabitEntry)", with: "days(HabitEntry)"))
    #expect(found["m24"] == .meaning || found["m24"] == .unproved)
  }

  @Test func whatNoSearchReachesIsUnproved() throws {
    let text = "completion m { for habit  every day  when count(HabitEntry) >= 200 }"
    let change = try #require(changes(text, text.replacing("200", with: "201")).first)
    #expect(change.level == .unproved)
    #expect(change.searchedFacts != nil)
  }

  @Test(arguments: [
    ("unit pages", "unit minutes", "unit"), ("audience user", "audience team", "audience"),
  ])
  func onlyWhatChangedIsSaid(_ one: String, _ other: String, _ what: String) {
    let text = "measure m { for habit  value count(HabitEntry)  \(one) }"
    let found = changes(text, text.replacing(one, with: other))
    #expect(found.flatMap(\.details).map(\.what) == [what])
  }

  private static let reading = """
    fact Reading { id : ID  userId : User  dayKey : DayKey  minutes : Int min 0  mood : "calm" | "tired" ? }
    measure total { for user  value sum(Reading.minutes) }
    """

  @Test(arguments: [
    ("minutes : Int min 0", "minutes : Int", "minutes min", "smaller numbers now load"),
    ("minutes : Int min 0", "minutes : Int min 5", "minutes min", "are now malformed"),
    ("minutes : Int min 0", "minutes : Decimal min 0", "minutes", "values that were malformed now load"),
    ("| \"tired\" ?", "| \"tired\"", "mood", "records without it are now malformed"),
    ("| \"tired\" ?", "| \"tired\" | \"sad\" ?", "mood", "no condition names the new ones"),
    ("mood : \"calm\" | \"tired\" ?", "", "mood", "the column is no longer read"),
    ("dayKey : DayKey", "dayKey : DayKey  pages : Int", "pages", "records without it are now malformed"),
  ])
  func aChangedContractIsReported(_ text: String, _ replacement: String, _ what: String, _ effect: String)
    throws
  {
    // A metric for the team may rest on what is not promised.
    let old = Self.reading.replacing("value sum", with: "audience team  value sum")
    let found = changes(old, old.replacing(text, with: replacement))
    let record = try #require(found.first { $0.level == .records })
    #expect(record.name == "Reading")
    #expect(record.readers == ["total"])
    let detail = try #require(record.details.first { $0.what == what }, "\(record.details)")
    #expect(detail.effect.contains(effect), "\(detail)")
    #expect(!detail.old.hasPrefix(":") && !detail.new.hasPrefix(":"), "\(detail)")
  }

  @Test func aRenamedRecordIsOneChange() {
    let found = changes(Self.reading, Self.reading.replacing("Reading", with: "Session"))
    #expect(found.filter { $0.level != .equal }.map(\.name) == ["Session"])
    #expect(found.first { $0.level == .records }?.oldName == "Reading")
  }

  /// A renamed metric changes nothing for those who read it.
  @Test func aNewNameChangesNoReader() {
    let old =
      "completion done { for habit  every day  when count(HabitEntry) >= 1 }\nstreak run { of done }\n"
    #expect(levels(old, old.replacing("done", with: "met")) == ["met": .renamed, "run": .equal])
  }

  @Test(arguments: [
    ("completion m { for habit  every week  when sum(HabitEntry.value) >= 10 }", "10", "11"),
    (
      "momentum m { of c  over last 7 days }\ncompletion c { for habit  every day  when count(HabitEntry) >= 1 }",
      "7 days", "6 days"
    ),
    (
      "funnel m { for user  step a Event where name == \"open\"  step b Event where name == \"add\"  within 7 days }",
      "7", "8"
    ),
    (
      "retention m { for user  start first Event  return Event where name == \"x\"  after 1 days }", "\"x\"",
      "\"y\""
    ),
    (
      "progress m { for goal  value contribution(HabitEntry through GoalLink)  target goal.target }",
      "target goal.target", "target goal.target + 1"
    ),
  ])
  func theWitnessPassesWithTheOldDefinitions(_ old: String, _ text: String, _ replacement: String) throws {
    let new = old.replacing(text, with: replacement)
    let change = try #require(changes(old, new).first { $0.name == "m" })
    #expect(change.level == .meaning)
    let witness = try #require(change.witness)
    let before = library(old + "\n" + witness.test)
    #expect(before.findings.allSatisfy { $0.severity != .error }, "\(witness.test)")
    #expect(before.runTests(filter: nil).map(\.passed) == [true], "\(witness.test)")
    #expect(library(new + "\n" + witness.test).runTests(filter: nil).map(\.passed) == [false])
  }

  @Test func wherePlansDifferAndNothingElseIsFound() throws {
    let old = "progress m { for habit  value count(HabitEntry) + 0 }"
    let change = try #require(changes(old, "progress m { for habit  value count(HabitEntry) }").first)
    #expect(change.level == .unproved)
    #expect(change.witness == nil)
    #expect(change.searchedFacts == 60)
  }

  @Test func aFieldThatOnlyTheNewDefinitionsKnow() throws {
    let old = "completion m { for habit  every day  when count(HabitEntry) >= 1 }"
    let new = """
      extend Habit { easy : Bool? }
      completion m { for habit  every day  when count(HabitEntry) >= 1 and habit.easy }
      """
    let witness = try #require(changes(old, new).first { $0.level != .records }?.witness)
    #expect(!witness.test.contains("easy"))
    #expect(library(old + "\n" + witness.test).runTests(filter: nil).map(\.passed) == [true])
  }
}

/// What is called equal has equal rows: random libraries in which a number is changed.
@Suite struct DifferenceSoundnessTests {
  @Test func equalMeansEqualRows() throws {
    var compared = 0
    for seed in seeds(Int(environment("METRICC_CASES") ?? "") ?? 12, from: 90_000) {
      var random = SeededGenerator(seed: seed)
      let source = RandomLibrary.source(.all, metrics: 6, using: &random)
      let old = MetricLibrary(sources: [SourceFile(path: "old.metric", text: source)])
      let digits = source.indices.filter {
        source[$0].isNumber && source.distance(from: source.startIndex, to: $0) > 900
      }
      guard old.isAccepted, !digits.isEmpty else { continue }
      var changed = source
      let place = random.pick(digits)
      changed.replaceSubrange(place...place, with: String(random.int(1...9)))
      let new = MetricLibrary(sources: [SourceFile(path: "new.metric", text: changed)])
      guard new.isAccepted, old.recordNames == new.recordNames else { continue }
      let levels = Dictionary(
        new.changes(from: old).map { ($0.name, $0.level) }, uniquingKeysWith: { one, _ in one })
      let dataset = RandomDataset.make(for: old.plan, DatasetOptions(), using: &random)
      let day = RandomDataset.firstDay.advanced(by: random.int(5...40))
      guard let one = rows(old, dataset, day), let other = rows(new, dataset, day) else { continue }
      compared += 1
      for (name, level) in levels where level == .equal || level == .words {
        #expect(one[name] == other[name], "\(random.replay) \(name)\n\(source)\n\(changed)")
      }
    }
    #expect(environment("METRICC_SEED") != nil || compared > 3)
  }

  private func rows(
    _ library: MetricLibrary, _ dataset: ReferenceDataset, _ day: DayKey
  ) -> [String: [ResultRow]]? {
    var loaded = LoadedDataset(library)
    for (record, rows) in dataset.rows.sorted(by: { $0.key < $1.key }) {
      for row in rows { loaded.append(row, to: record) }
    }
    return (try? loaded.evaluate(at: [day])).map { Dictionary(grouping: $0, by: \.metric) }
  }
}
