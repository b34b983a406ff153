import MetricData
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricTestSupport
import MetricValues

/// Random people: where they live, what they pay, and what they did on four days under three names.
struct Population {
  struct Act {
    var name: Int
    var day: DayKey
    var value: Int
  }

  struct Person {
    var city: String
    var plan: String
    var acts: [Act]

    func came(on day: DayKey) -> Bool { acts.contains { $0.day == day } }
  }

  static let least = 3
  static let days = (0..<4).map { DayKey(number: 20_497 + $0) }
  static let names = ["e0", "e1", "e2"]
  static let schema = """
    extend User { city : Text?  plan : Text? }
    completion came { for user  every day  when count(Event) >= 1 }

    """

  var people: [Person]

  init(using random: inout SeededGenerator) {
    people = (0..<14).map { _ in
      Person(
        city: random.pick(["x", "x", "x", "y", "y", "z", "w"]), plan: random.pick(["free", "paid"]),
        acts: Population.days.flatMap { day in
          (0..<3).compactMap { name in
            random.chance(40)
              ? Act(name: name, day: day, value: random.chance(30) ? 0 : random.int(1...9)) : nil
          }
        })
    }
  }

  /// - Parameter only: a person; nil for all.
  func dataset(_ library: MetricLibrary, only: Int? = nil) -> LoadedDataset {
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
    for (user, person) in people.enumerated() where only ?? user == user {
      add("User", ["id": .text("u\(user)"), "city": .text(person.city), "plan": .text(person.plan)])
      for (number, act) in person.acts.enumerated() {
        add(
          "Event",
          [
            "id": .text("u\(user)-\(number)"), "userId": .text("u\(user)"), "friendId": .text("u3"),
            "name": .text(Population.names[act.name]),
            "value": .decimal(FixedDecimal(millionths: Int64(act.value) * 1_000_000)),
            "dayKey": .day(act.day),
          ])
      }
    }
    return data
  }
}

/// A random metric of a team, as its text and as what its numbers say of whom.
struct PublishedMetric {
  typealias Unknown = LinearAttackTests.Unknown
  typealias Equation = LinearAttackTests.Equation

  enum Form: CaseIterable {
    case sum, count, average, quotient, distinct, people, percentile, derived, funnel, retention
  }

  struct Condition {
    var field: String
    var isEqual: Bool
    var text: String

    var source: String {
      field == "came" ? (isEqual ? "came" : "not came") : "\(field) \(isEqual ? "==" : "!=") \"\(text)\""
    }
  }

  struct Place: Hashable {
    var group: String
    var part: String
  }

  var name: String
  var form: Form
  var conditions: [Condition]
  var group: String?
  var over: String
  /// What a derived metric reads, and how.
  var reads: [String] = []
  var operation = "+"

  static let fields = [
    ("user.city", ["x", "y", "z", "w"]), ("user.plan", ["free", "paid"]), ("name", Population.names),
  ]
  static let periods = ["all time", "last 2 days"]

  /// Metrics of one kind: a table of three fields, totals of its lines and columns, and the total of all.
  static func tables(using random: inout SeededGenerator) -> [PublishedMetric] {
    let forms = Form.allCases.filter { $0 != .derived && $0 != .percentile }
    let (form, over) = (random.pick(forms), random.pick(periods))
    let all = [nil, "cohort day", "name"] + groups(form).map(Optional.some) + chain.map(Optional.some)
    let known = all.filter { form == .funnel || form == .retention || $0 != "cohort day" }
      .filter { form != .people || !($0 ?? "").contains("name") }
    return Set(known).sorted { ($0 ?? "") < ($1 ?? "") }.shuffled(using: &random).enumerated().map {
      PublishedMetric(
        name: "m\($0)", form: form, conditions: [], group: $1, over: form == .people ? "all time" : over)
    }
  }

  /// The number of facts, their sum and their average, in one table and in all.
  static func formsOfOneTable(using random: inout SeededGenerator) -> [PublishedMetric] {
    let (group, over) = (random.pick(groups(.sum)), random.pick(periods))
    let forms: [Form] = [.count, .sum, .average, .quotient]
    return forms.flatMap { form in [nil, group].map { (form, $0) } }.enumerated().map {
      PublishedMetric(name: "m\($0)", form: $1.0, conditions: [], group: $1.1, over: over)
    }
  }

  /// Tables of which each has one field more.
  static let chain = ["user.plan", "user.plan, user.city", "user.plan, user.city, name"]

  static func library(using random: inout SeededGenerator) -> [PublishedMetric] {
    var metrics: [PublishedMetric] = []
    // Few forms, so that many of a library's metrics can be combined.
    let forms = Form.allCases.shuffled(using: &random).prefix(4)
    for number in 0..<8 {
      let form = random.pick(Array(forms))
      let ofPeople = form == .people
      var conditions: [Condition] = []
      for (field, texts) in fields where random.chance(25) && !(ofPeople && field == "name") {
        conditions.append(Condition(field: field, isEqual: random.chance(50), text: random.pick(texts)))
      }
      if ofPeople, random.chance(25) {
        conditions.append(Condition(field: "came", isEqual: random.chance(50), text: "true"))
      }
      var metric = PublishedMetric(
        name: "m\(number)", form: form, conditions: conditions,
        group: random.chance(40) ? random.pick(groups(form)) : nil,
        over: ofPeople ? "all time" : random.pick(periods))
      if form == .derived {
        let whole = metrics.filter {
          $0.group == nil && $0.over == metric.over && ![.funnel, .retention, .derived].contains($0.form)
        }
        guard !whole.isEmpty else { continue }
        metric.reads = [random.pick(whole).name, random.pick(whole).name]
        metric.operation = random.pick(["+", "*", "/"])
        (metric.conditions, metric.group) = ([], nil)
      }
      metrics.append(metric)
    }
    return metrics
  }

  private static func groups(_ form: Form) -> [String] {
    let tables = ["user.city, user.plan", "user.plan, name", "user.plan, name, user.city"]
    return switch form {
    case .people: fields.prefix(2).map(\.0) + tables.prefix(1) + ["came", "user.plan, came"]
    case .funnel, .retention: fields.map(\.0) + ["cohort day", "user.plan, cohort day"] + tables
    default: fields.map(\.0) + tables
    }
  }

  var text: String {
    let list = conditions.map(\.source).joined(separator: " and ")
    let filter = list.isEmpty ? "" : " where " + list
    let value =
      switch form {
      case .sum: "sum(Event.value\(filter))"
      case .count: "count(Event\(filter))"
      case .average: "average(Event.value\(filter))"
      case .quotient: "sum(Event.value\(filter)) / count(Event\(filter))"
      case .distinct: "distinct(Event.userId\(filter))"
      case .people: "count(user\(filter.replacing("user.", with: "")))"
      case .percentile: "percentile(Event.value\(filter), 50)"
      // The second is only a factor: what is known of one metric follows from the other.
      case .derived: operation == "*" ? "2 * \(reads[0])" : reads.joined(separator: " \(operation) ")
      case .funnel, .retention: ""
      }
    // A derived one has the K of what it reads.
    guard form != .derived else { return "measure \(name) { for app  value \(value) }\n" }
    let tail = [group.map { "by \($0)" }, "at least \(Population.least) users"].compactMap { $0 }.joined(
      separator: "  ")
    switch form {
    case .funnel:
      return
        "funnel \(name) {\n  for user\n  step one Event\(filter)\n  step two Event where value > 4\n  over \(over)\n  \(tail)\n}\n"
    case .retention:
      return
        "retention \(name) {\n  for user\n  start Event\(filter)\n  return Event\n  after 1 days\n  over \(over)\n  \(tail)\n}\n"
    default:
      let period = form == .people ? "" : "  over \(over)\n"
      return "measure \(name) {\n  for app\n  value \(value)\n\(period)  \(tail)\n}\n"
    }
  }

  // MARK: What its numbers say

  /// The unknowns of one group.
  private struct Facts {
    var (sum, count, distinct): (Equation, Equation, Equation) = ([:], [:], [:])
    var (total, number) = (0, 0)
  }

  /// By group and part, hidden or not, the equations that a reader has who sees the number.
  func cells(_ people: Population, _ all: [PublishedMetric], at day: DayKey) -> [Place: [Equation]] {
    switch form {
    case .sum, .count, .average, .quotient, .distinct, .people:
      return Dictionary(
        uniqueKeysWithValues: facts(people, at: day).map { group, facts in
          (Place(group: group, part: ""), [equation(facts)])
        })
    // Not linear.
    case .percentile: return [:]
    case .derived: return [Place(group: "", part: ""): derived(people, all, at: day)]
    case .funnel, .retention: return ofMany(people, at: day)
    }
  }

  private func equation(_ facts: Facts) -> Equation {
    switch form {
    case .sum: return facts.sum
    case .count: return facts.count
    case .average, .quotient:
      // The sum less the average times the count is 0.
      let average = facts.total % Vectors.prime * Vectors.inverse(max(facts.number, 1)) % Vectors.prime
      return facts.sum.merging(facts.count.mapValues { (Vectors.prime - average) * $0 % Vectors.prime }) {
        $1
      }
    default: return facts.distinct
    }
  }

  private func derived(_ people: Population, _ all: [PublishedMetric], at day: DayKey) -> [Equation] {
    let read = reads.compactMap { name in all.first { $0.name == name } }
    let parts = read.map { $0.cells(people, all, at: day)[Place(group: "", part: "")]?.first ?? [:] }
    guard !read.contains(where: { [.average, .quotient, .percentile].contains($0.form) }) else { return [] }
    switch operation {
    case "+": return [parts[0].merging(parts[1]) { $0 + $1 }]
    case "*": return [parts[0]]
    // A reader of one of the two knows the other, but that one is shown itself.
    default: return []
    }
  }

  private func facts(_ people: Population, at day: DayKey) -> [String: Facts] {
    var groups: [String: Facts] = group == nil ? ["": Facts()] : [:]
    let first = over == "all time" ? Population.days[0] : day.advanced(by: -1)
    let event = conditions.filter { $0.field == "name" }.map(\.source).joined()
    for (user, person) in people.people.enumerated() {
      if form == .people {
        guard holds(person, nil, day) else { continue }
        groups[value(group, person, nil, day), default: Facts()].distinct[Unknown(user: user, kind: "user")] =
          1
        continue
      }
      for act in person.acts where act.day >= first && act.day <= day && holds(person, act.name, day) {
        let kind = "\(act.name) \(act.day)"
        var facts = groups[value(group, person, act.name, day)] ?? Facts()
        // Who is known to have added 0 is no unknown of a sum, only of a count.
        if act.value != 0 { facts.sum[Unknown(user: user, kind: "sum \(kind)")] = 1 }
        facts.count[Unknown(user: user, kind: "count \(kind)")] = 1
        let isByName = placeOfName != nil ? Population.names[act.name] : ""
        facts.distinct[Unknown(user: user, kind: "distinct \(over) \(event) \(isByName)")] = 1
        facts.total += act.value
        facts.number += 1
        groups[value(group, person, act.name, day)] = facts
      }
    }
    return groups
  }

  private var placeOfName: Int? { group?.split(separator: ", ").firstIndex(of: "name") }

  /// The value of a field, or of several as a record of CSV.
  private func value(_ fields: String?, _ person: Population.Person, _ name: Int?, _ day: DayKey) -> String {
    (fields?.split(separator: ", ") ?? []).map { value(of: $0, person, name, day) }.joined(separator: ",")
  }

  private func value(
    of field: Substring, _ person: Population.Person, _ name: Int?, _ day: DayKey
  ) -> String {
    switch field {
    case "user.city": person.city
    case "user.plan": person.plan
    case "name": name.map { Population.names[$0] } ?? ""
    case "came": "\(person.came(on: day))"
    default: ""
    }
  }

  private func holds(_ person: Population.Person, _ name: Int?, _ day: DayKey) -> Bool {
    conditions.allSatisfy { (value($0.field, person, name, day) == $0.text) == $0.isEqual }
  }

  /// Of a funnel or retention, which are sums over persons: what each of them adds when alone.
  private func ofMany(_ people: Population, at day: DayKey) -> [Place: [Equation]] {
    let alone = text.replacing("at least \(Population.least) users", with: "audience team")
    let library = MetricLibrary(unsearched: Population.schema + alone)
    let event = conditions.filter { $0.field == "name" }.map(\.source).joined()
    var cells: [Place: [Equation]] = [:]
    for user in people.people.indices {
      let rows = (try? people.dataset(library, only: user).evaluate(at: [day])) ?? []
      for row in rows where row.value == .int(1) {
        let kind = "\(form) \(over) \(event) \(placeOfName.map { row.group.fields[$0] } ?? "") \(row.part)"
        cells[Place(group: row.group.text, part: row.part), default: [[:]]][0][
          Unknown(user: user, kind: kind)] = 1
      }
    }
    // Who knows the rate and one of its two numbers knows both.
    for (place, _) in cells where place.part == "d1.eligible" {
      let parts = ["d1.eligible", "d1.returned"].map { Place(group: place.group, part: $0) }
      cells[Place(group: place.group, part: "d1.rate")] = parts.flatMap { cells[$0] ?? [] }
    }
    return cells
  }

  /// The rules before: one K for the whole value, a second group only beside a single one.
  static func shownBefore(_ cells: [Place: [Equation]]) -> [Equation] {
    func users(_ place: Place) -> Int { Set((cells[place] ?? []).flatMap { $0.keys.map(\.user) }).count }
    var shown = Set(cells.keys)
    for (_, places) in Dictionary(grouping: cells.keys, by: \.part) {
      let hidden = places.filter { users($0) < Population.least }
      shown.subtract(hidden)
      if hidden.count == 1,
        let second = places.filter({ shown.contains($0) }).min(by: { users($0) < users($1) })
      {
        shown.remove(second)
      }
    }
    return shown.flatMap { cells[$0] ?? [] }
  }
}
