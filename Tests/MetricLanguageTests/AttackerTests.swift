import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricTestSupport
import MetricValues
import Testing

/// The attacks of Documentation/Privacy.md: each is refused, reported or hidden.
@Suite struct AttackerTests {
  /// An attack: definitions, and what the checklist says of them; nil where the values are hidden instead.
  struct Attack: CustomTestStringConvertible {
    var testDescription: String
    var code: String?
    var text: String
  }

  static let attacks: [Attack] = [
    Attack(
      testDescription: "consent bypass", code: "W004",
      text: "entity Everybody { id : ID }  extend User { allId : Everybody? }\n"
        + "measure m { for everybody  value count(Event)  by name }"),
    Attack(
      testDescription: "padding", code: nil,
      text:
        "measure m { for app  value count(Event where userId == \"u3\") + 0 * count(Event)  at least 3 users }"
    ),
    Attack(
      testDescription: "derived metrics", code: "C412",
      text: "measure a { for app  value count(Event)  at least 3 users }\n"
        + "measure b { for app  value count(Event where userId != \"u3\")  at least 3 users }\n"
        + "measure m { for app  value a - b }"),
    Attack(
      testDescription: "single values", code: "C411",
      text: "measure m { for app  value last(Event.userId)  at least 3 users }"),
    Attack(
      testDescription: "a percentile at the end", code: nil,
      text: "measure m { for app  value percentile(Event.value, 100) + 0.5  at least 9 users }"),
    Attack(
      testDescription: "rows about one person", code: nil,
      text: "measure m { for app  value count(user where city == \"only\")  at least 3 users }"),
    Attack(
      testDescription: "one giver and many receivers", code: nil,
      text: "extend Event { friendId : User? }\n"
        + "measure m { for app  value count(Event where friendId == \"u3\")  at least 3 users }"),
    Attack(
      testDescription: "siblings of a quotient", code: "W017",
      text: "measure a { for app  value count(Event)  at least 3 users }\n"
        + "measure m { for app  value count(Event where user.city != \"only\") / days(Event)  at least 3 users }"
    ),
    Attack(
      testDescription: "siblings in a progress", code: "W017",
      text: "measure a { for app  value sum(Event.value)  at least 3 users }\n"
        + "progress m { for app  value sum(Event.value where user.city != \"only\") }"),
    Attack(
      testDescription: "funnels whose first steps differ", code: "W017",
      text: "funnel a { for user  step one Event  step two Event where name == \"e1\"  at least 3 users }\n"
        + "funnel m { for user  step one Event where user.city != \"only\"  step two Event where name == \"e1\"  at least 3 users }"
    ),
    Attack(
      testDescription: "retentions by different fields", code: "W017",
      text:
        "retention a { for user  start Event  return Event  after 1 days  by user.city  at least 3 users }\n"
        + "retention m { for user  start Event  return Event  after 1 days  by user.plan  at least 3 users }"),
    Attack(
      testDescription: "exact beside rounded", code: "W017",
      text: "measure a { for app  value count(Event)  at least 3 users  nearest 5 }\n"
        + "measure m { for app  value count(Event)  at least 3 users }"),
    Attack(
      testDescription: "two numbers in one", code: "W017",
      text:
        "measure m { for app  value 1000 * count(Event) + count(Event where user.city != \"only\")  at least 3 users }"
    ),
    Attack(
      testDescription: "an average and its count", code: "W017",
      text: "measure a { for app  value average(Event.value)  at least 3 users }\n"
        + "measure b { for app  value count(Event)  at least 3 users }\n"
        + "measure m { for app  value sum(Event.value where user.city != \"only\")  at least 3 users }"),
    Attack(
      testDescription: "an average of users and their count", code: "W017",
      text: "extend User { age : Int? }\nmeasure a { for app  value average(user.age)  at least 3 users }\n"
        + "measure b { for app  value count(user)  at least 3 users }\n"
        + "measure m { for app  value sum(user.age where city != \"only\")  at least 3 users }"),
    Attack(
      testDescription: "a sum over users of what each did", code: "W017",
      text: "measure mine { for user  value count(Event) }\n"
        + "measure a { for app  value count(Event)  at least 3 users }\n"
        + "measure m { for app  value sum(user.mine where city != \"only\")  at least 3 users }"),
    Attack(
      testDescription: "siblings", code: "W017",
      text: "measure a { for app  value count(Event)  at least 3 users }\n"
        + "measure m { for app  value count(Event where user.city != \"only\")  at least 3 users }"),
  ]

  @Test(arguments: attacks) func isRefusedOrHidden(_ attack: Attack) throws {
    let library = MetricLibrary(
      sources: [SourceFile(path: "a.metric", text: Population.schema + attack.text)])
    if let code = attack.code {
      #expect(library.findings.contains { $0.code.id == code && $0.metric == "m" })
      return
    }
    var random = SeededGenerator(seed: 1)
    var population = Population(using: &random)
    let today = DayKey(number: 20_500)
    for user in population.people.indices {
      population.people[user].acts.append(Population.Act(name: 0, day: today, value: 1))
    }
    population.people[3] = Population.Person(
      city: "only", plan: "free",
      acts: (0..<3).map { Population.Act(name: $0, day: today, value: [1, 2, 900][$0]) })
    let rows = try population.dataset(library).evaluate(["m"], at: [today])
    #expect(!library.isAccepted || rows.map(\.value) == [.none])
  }

  /// A person who arrives between two days shows in a series; `nearest` moves it to the next multiple or nowhere.
  @Test func seriesAreRounded() throws {
    let text = "measure m { for app  value count(Event)  at least 3 users  nearest 1000 }"
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: Population.schema + text)])
    var random = SeededGenerator(seed: 1)
    var population = Population(using: &random)
    var shown: Set<Value> = []
    for _ in 0..<2 {
      let rows = try population.dataset(library).evaluate(["m"], at: [DayKey(number: 20_500)])
      shown.formUnion(rows.map(\.value))
      population.people[3].acts.append(Population.Act(name: 0, day: DayKey(number: 20_500), value: 1))
    }
    #expect(shown == [.int(0)])
  }

  /// The catalogue and `--pseudonymize` know ids of users by their type.
  @Test func idsOfUsersAreKnownByType() {
    let text = """
      extend Event { by = user.id  friendId : User? }
      measure a { for app  value count(Event)  by userId  at least 3 users }
      measure b { for app  value count(Event)  by user.city  at least 3 users }
      measure c { for user  value last(Event.friendId through userId) }
      measure d { for user  value if count(Event through userId) > 1 then c else none }
      measure e { for user  value last(Event.name through userId) }
      measure f { for user  value user.id }
      measure g { for app  value count(Event)  by by  at least 3 users  allow W017 "the same" }
      """
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: Population.schema + text)])
    #expect(library.userIDs.groups == ["a", "g"])
    #expect(library.userIDs.values == ["c", "d", "f"])
  }
}
