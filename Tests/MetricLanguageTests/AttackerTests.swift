import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricTestSupport
import MetricValues
import Testing

/// A program that knows every published number of a library, and whom each counts, tries to compute a number of fewer
/// than K users: the published numbers are a linear system over what each user did (Documentation/Privacy.md).
///
/// `METRICC_ATTACKS=500` makes more random libraries, `METRICC_SEED=n` one again.
@Suite struct AttackerTests {
  static let users = (0..<14).map { "u\($0)" }
  static let least = 3

  /// What one user did under one name: the unknowns of the system.
  struct Person {
    var city: String
    var plan: String
    /// By name of event.
    var values: [Int]
  }

  /// A published number: which unknowns it adds up.
  typealias Cell = [Int]

  /// `sum(Event.value where …) by …`, as its text and as whom it counts.
  struct Sum {
    var name: String
    var conditions: [(field: String, isEqual: Bool, text: String)]
    var group: String?

    var text: String {
      let list = conditions.map { "\($0.field) \($0.isEqual ? "==" : "!=") \"\($0.text)\"" }
      let filter = list.isEmpty ? "" : " where " + list.joined(separator: " and ")
      return """
        measure \(name) {
          for app
          value sum(Event.value\(filter))
          \(group.map { "by \($0)" } ?? "")
          at least \(AttackerTests.least) users
        }

        """
    }
  }

  static let fields = ["user.city", "user.plan", "name"]
  static let texts = [["x", "y", "z", "w"], ["free", "paid"], ["e0", "e1", "e2"]]

  static func value(_ person: Person, _ event: Int, of field: String) -> String {
    field == fields[0] ? person.city : field == fields[1] ? person.plan : texts[2][event]
  }

  /// By group, the numbers that a metric has, hidden or not.
  static func cells(_ sum: Sum, _ people: [Person]) -> [String: Cell] {
    var cells: [String: Cell] = sum.group == nil ? ["": Cell(repeating: 0, count: people.count * 3)] : [:]
    for (number, person) in people.enumerated() {
      for event in 0..<3 where person.values[event] > 0 {
        let holds = sum.conditions.allSatisfy {
          (value(person, event, of: $0.field) == $0.text) == $0.isEqual
        }
        guard holds else { continue }
        let group = sum.group.map { value(person, event, of: $0) } ?? ""
        cells[group, default: Cell(repeating: 0, count: people.count * 3)][number * 3 + event] = 1
      }
    }
    return cells
  }

  static func users(of cell: Cell) -> Int {
    (0..<cell.count / 3).count { user in cell[user * 3..<user * 3 + 3].contains { $0 != 0 } }
  }

  /// Whether some combination of published numbers speaks of fewer than K users: one that is 0 for all others.
  static func finds(_ cells: [Cell], fewerThan least: Int) -> Bool {
    guard let width = cells.first?.count else { return false }
    let rank = rank(cells)
    func outside(_ group: [Int]) -> [Cell] {
      cells.map { cell in (0..<width).filter { !group.contains($0 / 3) }.map { cell[$0] } }
    }
    var groups = (0..<width / 3).map { [$0] }
    for _ in 1..<least {
      if groups.contains(where: { Self.rank(outside($0)) < rank }) { return true }
      groups = groups.flatMap { group in ((group.last ?? 0) + 1..<width / 3 + 0).map { group + [$0] } }
    }
    return false
  }

  /// Of a matrix, modulo a prime.
  static func rank(_ matrix: [Cell]) -> Int {
    let prime = 1_000_003
    func inverse(_ number: Int) -> Int {
      var (result, base, exponent) = (1, number, prime - 2)
      while exponent > 0 {
        if exponent & 1 == 1 { result = result * base % prime }
        base = base * base % prime
        exponent >>= 1
      }
      return result
    }
    var rows = matrix
    var rank = 0
    for column in 0..<(rows.first?.count ?? 0) {
      guard let pivot = rows[rank...].firstIndex(where: { $0[column] != 0 }) else { continue }
      rows.swapAt(rank, pivot)
      let factor = inverse(rows[rank][column])
      for row in rank + 1..<max(rank + 1, rows.count) where rows[row][column] != 0 {
        let times = rows[row][column] * factor % prime
        for place in rows[row].indices {
          rows[row][place] = ((rows[row][place] - times * rows[rank][place]) % prime + prime) % prime
        }
      }
      rank += 1
      if rank == rows.count { break }
    }
    return rank
  }

  // MARK: Random libraries

  static func people(_ random: inout SeededGenerator) -> [Person] {
    users.map { _ in
      Person(
        city: random.pick(["x", "x", "x", "y", "y", "z", "w"]), plan: random.pick(texts[1]),
        values: (0..<3).map { _ in random.chance(60) ? random.int(1...9) : 0 })
    }
  }

  static func sums(_ random: inout SeededGenerator) -> [Sum] {
    (0..<6).map { number in
      var conditions: [(field: String, isEqual: Bool, text: String)] = []
      for (field, texts) in zip(fields, texts) where random.chance(25) {
        conditions.append((field, random.chance(50), random.pick(texts)))
      }
      return Sum(
        name: "m\(number)", conditions: conditions, group: random.chance(45) ? random.pick(fields) : nil)
    }
  }

  static let schema = "extend User { city : Text?  plan : Text? }\n"

  static func dataset(_ library: MetricLibrary, _ people: [Person]) -> LoadedDataset {
    var data = LoadedDataset(library)
    let plan = library.plan
    func add(_ record: String, _ values: [String: Literal]) {
      guard let id = plan.record(named: record) else { return }
      var row: [Int: Literal] = [:]
      for (name, value) in values {
        if let field = plan.records[id].field(named: name) { row[field] = value }
      }
      data.append(ReferenceRow(values: row, order: 0), to: id)
    }
    for (user, person) in zip(users, people) {
      add(
        "User",
        [
          "id": .text(user), "city": .text(person.city), "plan": .text(person.plan),
        ])
      for (event, value) in person.values.enumerated() where value > 0 {
        add(
          "Event",
          [
            "id": .text("\(user)-\(event)"), "userId": .text(user), "friendId": .text("u3"),
            "name": .text("e\(event)"), "value": .decimal(FixedDecimal(millionths: Int64(value) * 1_000_000)),
            "dayKey": .day(DayKey(number: 20_500)),
          ])
      }
    }
    return data
  }

  /// Which metrics `check` says can be combined.
  static func reported(_ library: MetricLibrary) -> Set<String> {
    Set(library.findings.filter { $0.code.id == "W017" }.compactMap(\.metric))
  }

  /// The rules before: one K for the whole value, a second group only beside a single one.
  static func shownBefore(_ cells: [String: Cell]) -> [Cell] {
    var hidden = Set(cells.keys.filter { users(of: cells[$0] ?? []) < least })
    if hidden.count == 1 {
      let shown = cells.keys.filter { !hidden.contains($0) }.sorted()
      if let second = shown.min(by: { users(of: cells[$0] ?? []) < users(of: cells[$1] ?? []) }) {
        hidden.insert(second)
      }
    }
    return cells.keys.sorted().filter { !hidden.contains($0) }.compactMap { cells[$0] }
  }

  @Test func theLinearSystemFindsNobody() throws {
    var (before, after, numbers, hiddenNumbers) = (0, 0, 0, 0)
    let runs = Int(environment("METRICC_ATTACKS") ?? "") ?? 60
    for seed in seeds(runs) {
      var random = SeededGenerator(seed: seed)
      let people = Self.people(&random)
      let sums = Self.sums(&random)
      let library = MetricLibrary(
        sources: [SourceFile(path: "a.metric", text: Self.schema + sums.map(\.text).joined())])
      try #require(library.isAccepted)
      if Self.finds(sums.flatMap { Self.shownBefore(Self.cells($0, people)) }, fewerThan: Self.least) {
        before += 1
      }
      let reported = Self.reported(library)
      var known: [Cell] = []
      let rows = try Self.dataset(library, people).evaluate(at: [DayKey(number: 20_500)])
      for sum in sums where !reported.contains(sum.name) {
        let cells = Self.cells(sum, people)
        for row in rows where row.metric == sum.name {
          numbers += 1
          if row.value == .none { hiddenNumbers += 1 } else { known.append(cells[row.group] ?? []) }
        }
      }
      if Self.finds(known, fewerThan: Self.least) {
        after += 1
        Issue.record("METRICC_SEED=\(seed)\n\(sums.map(\.text).joined())")
      }
    }
    #expect(before > runs / 4)
    #expect(numbers > runs && hiddenNumbers > 0)
    print(
      "attacker: \(runs) libraries, found \(before) before, \(after) after; \(hiddenNumbers) of \(numbers) hidden"
    )
  }

  // MARK: The eight attacks

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
      testDescription: "siblings", code: "W017",
      text: "measure a { for app  value count(Event)  at least 3 users }\n"
        + "measure m { for app  value count(Event where user.city != \"only\")  at least 3 users }"),
  ]

  @Test(arguments: attacks) func isRefusedOrHidden(_ attack: Attack) throws {
    let library = MetricLibrary(
      sources: [SourceFile(path: "a.metric", text: Self.schema + attack.text)])
    if let code = attack.code {
      #expect(library.findings.contains { $0.code.id == code && $0.metric == "m" })
      return
    }
    var random = SeededGenerator(seed: 1)
    var people = Self.people(&random)
    people[3] = Person(city: "only", plan: "free", values: [1, 2, 900])
    for user in people.indices { people[user].values[0] = max(1, people[user].values[0]) }
    let rows = try Self.dataset(library, people).evaluate(["m"], at: [DayKey(number: 20_500)])
    #expect(library.isAccepted && rows.map(\.value) == [.none])
  }

  /// A person who arrives between two days shows in a series; `nearest` moves it to the next multiple or nowhere.
  @Test func seriesAreRounded() throws {
    let text = "measure m { for app  value count(Event)  at least 3 users  nearest 100 }"
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: Self.schema + text)])
    var random = SeededGenerator(seed: 1)
    var people = Self.people(&random)
    var shown: Set<Value> = []
    for value in [0, 1] {
      people[3].values[2] = value
      let rows = try Self.dataset(library, people).evaluate(["m"], at: [DayKey(number: 20_500)])
      shown.formUnion(rows.map(\.value))
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
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: Self.schema + text)])
    #expect(library.userIDs.groups == ["a", "g"])
    #expect(library.userIDs.values == ["c", "d", "f"])
  }
}
