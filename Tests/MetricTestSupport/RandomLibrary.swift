/// Random well-typed libraries, as source text.
///
///     var random = SeededGenerator(seed: 7)
///     let source = RandomLibrary.source([.groups], using: &random)
///
/// Most metrics are `audience team`, so that the fourth question never matters; the few for the user
/// are of forms that it accepts.
package struct RandomLibrary {
  /// A metric that has been written, as later ones may name it.
  struct Declared {
    var name: String
    var kind: String
    var subject: String
    var isTeam: Bool
    var isGrouped = false
    /// What a measure is grouped by, and the fact that it is a field of.
    var groups: [String] = []
    var fact: RandomFact?
    /// What the subjects that it counts are grouped by, and their entity.
    var memberGroups: (fields: [String], entity: String)?
    /// Whether it is a Text, a Bool, a day or a whole number, so that counted subjects may be grouped by it.
    var isDiscrete = false
    var isDaily = false
    /// Whether a level may rest on it: it never falls, or hides small groups (C406).
    var carriesLevels = false
    /// Whether `at least` stands in it or in what it reads: nothing is subtracted from it (C412).
    var isProtected = false
    /// Names of its parts that are numbers; empty for its own value.
    var numbers: [String] = []
    /// Whether it surely reads a fact, so that an aggregate may take its days.
    var readsFacts = false
  }

  var random: SeededGenerator
  let features: LibraryFeatures
  var metrics: [Declared] = []
  var text = ""

  package static func source(
    _ features: LibraryFeatures = .all, metrics: Int = 12, using random: inout SeededGenerator
  ) -> String {
    var library = RandomLibrary(random: random, features: features)
    library.text = RandomSchema.source(features)
    library.writeUserMetrics()
    for _ in 0..<metrics { library.writeMetric() }
    random = library.random
    return library.text
  }

  init(random: SeededGenerator, features: LibraryFeatures) {
    self.random = random
    self.features = features
  }

  // MARK: Metrics

  mutating func declare(_ metric: Declared, _ clauses: [String?]) {
    var lines = clauses.compactMap { $0 }
    var metric = metric
    metric.readsFacts =
      ["streak", "momentum", "funnel", "retention"].contains(metric.kind)
      || lines.contains { line in RandomSchema.facts.contains { line.contains("(\($0.name)") } }
    metrics.append(metric)
    if metric.isTeam { lines.insert("audience team", at: 0) }
    let body = lines.map { "  \($0)\n" }.joined()
    text += "\(metric.kind) \(metric.name) {\n\(body)}\n"
  }

  mutating func newName(_ kind: String) -> String { "\(kind)_\(metrics.count + 1)" }

  /// Metrics of the forms that the fourth question accepts.
  private mutating func writeUserMetrics() {
    for subject in ["habit", "user"] {
      let fact = random.pick(RandomSchema.facts(for: subject, features).filter { $0.name != "HabitTarget" })
      let completion = newName("completion")
      let window = self.window()
      declare(
        Declared(
          name: completion, kind: "completion", subject: subject, isTeam: false, isDiscrete: true,
          isDaily: window == "every day"),
        ["for \(subject)", window, "when count(\(fact.name)) >= \(random.int(1...2))"])
      let best = random.chance(50) ? "best" : nil
      declare(
        Declared(
          name: newName("streak"), kind: "streak", subject: subject, isTeam: false, isDiscrete: true,
          carriesLevels: best != nil,
          numbers: [""]),
        ["of \(completion)", best])
      declare(
        Declared(name: newName("momentum"), kind: "momentum", subject: subject, isTeam: false, numbers: [""]),
        ["of \(completion)", "\(random.chance(50) ? "over last" : "half life") \(random.int(1...5)) windows"])
      declare(
        Declared(name: newName("progress"), kind: "progress", subject: subject, isTeam: false, numbers: [""]),
        ["for \(subject)", "value \(random.pick(["count", "days"]))(\(fact.name)) + \(random.int(0...3))"])
    }
  }

  private mutating func writeMetric() {
    var kinds = [
      "completion", "completion", "streak", "streak", "momentum", "momentum", "progress", "measure",
    ]
    kinds += ["measure", "measure", "level"]
    if features.contains(.funnels) { kinds += ["funnel", "funnel"] }
    if features.contains(.retention) { kinds += ["retention", "retention"] }
    switch random.pick(kinds) {
    case "completion": writeCompletion()
    case "streak": writeStreak()
    case "momentum": writeMomentum()
    case "progress": writeProgress()
    case "level": writeLevel()
    case "funnel": writeFunnel()
    case "retention": writeRetention()
    default: writeMeasure()
    }
  }

  mutating func subject() -> String {
    random.pick(RandomSchema.subjects.filter { !RandomSchema.facts(for: $0, features).isEmpty })
  }

  /// `for habit where cadence == "weekly"`
  mutating func forClause(_ subject: String) -> String {
    guard subject != "app", random.chance(25) else { return "for \(subject)" }
    let scope = RandomScope(subject: subject, row: RandomSchema.fields(ofSubject: subject), readsDay: false)
    return "for \(subject) where \(bool(2, scope))"
  }

  mutating func window() -> String {
    random.pick([
      "every day", "every day", "every week", "every 2 days", "every 3 days", "every 2 weeks",
      "every calendar week", "every calendar week from \(weekday())", "every calendar month",
      "every calendar quarter", "every calendar year from \(month())",
    ])
  }

  mutating func weekday() -> String { random.pick(["monday", "wednesday", "saturday", "sunday"]) }

  mutating func month() -> String { random.pick(["january", "february", "june", "july"]) }

  mutating func period() -> String {
    random.pick([
      "last \(random.int(1...10)) days", "last 2 weeks", "calendar week", "calendar week from \(weekday())",
      "calendar month", "calendar quarter from \(month())", "calendar year", "previous calendar week",
      "previous calendar month", "previous calendar quarter", "previous calendar year from \(month())",
      "all time",
    ])
  }

  private mutating func writeCompletion() {
    let subject = subject()
    let window = self.window()
    let scope = RandomScope(subject: subject, readsFacts: true)
    // `when` reads at least one fact.
    var condition = "\(aggregate(scope, ofFacts: true)) >= \(random.int(0...3))"
    if random.chance(50) { condition = "(\(condition)) \(random.pick(["and", "or"])) \(bool(2, scope))" }
    var (rest, limit): (String?, String?)
    if subject != "goal", random.chance(25) {
      let fact = random.pick(RandomSchema.facts(for: subject, features))
      limit = "limit \(random.pick(["count", "days"]))(\(fact.name)) <= \(random.int(0...2)) \"why\""
    }
    if random.chance(40) {
      rest =
        "rest when " + (random.chance(50) ? "weekday(day) in [\"saturday\", \"sunday\"]" : bool(2, scope))
    }
    declare(
      Declared(
        name: newName("completion"), kind: "completion", subject: subject, isTeam: true, isDiscrete: true,
        isDaily: window == "every day"),
      [forClause(subject), window, "when \(condition)", limit, rest])
  }

  private func completions(of subject: String? = nil) -> [Declared] {
    metrics.filter { $0.kind == "completion" && (subject == nil || $0.subject == subject) }
  }

  private mutating func writeStreak() {
    let completion = random.pick(completions())
    let kind = "forgive \(random.int(1...3)) in \(random.int(4...7)) windows"
    let readings = [nil, "best", "previous", "grace \(random.int(1...3)) windows", kind, "best  \(kind)"]
    let reading = random.pick(readings)
    declare(
      Declared(
        name: newName("streak"), kind: "streak", subject: completion.subject, isTeam: true, isDiscrete: true,
        carriesLevels: reading?.hasPrefix("best") == true, numbers: reading == kind ? ["", "left"] : [""]),
      ["of \(completion.name)", reading])
  }

  private mutating func writeMomentum() {
    let completion = random.pick(completions())
    let reading = random.pick(["over last", "half life"])
    declare(
      Declared(
        name: newName("momentum"), kind: "momentum", subject: completion.subject, isTeam: true,
        isDiscrete: reading == "over last", numbers: [""]),
      ["of \(completion.name)", "\(reading) \(random.int(1...8)) windows"])
  }

  private mutating func writeProgress() {
    let subject = subject()
    let scope = RandomScope(subject: subject, readsFacts: true)
    let hasTarget = random.chance(70)
    declare(
      Declared(
        name: newName("progress"), kind: "progress", subject: subject, isTeam: true,
        numbers: hasTarget ? ["", "target", "fraction"] : [""]),
      [
        forClause(subject), "value \(number(3, scope))", hasTarget ? "target \(number(2, scope))" : nil,
        random.chance(50) ? "over \(period())" : nil,
      ])
  }

  private mutating func writeLevel() {
    let candidates = metrics.filter(\.carriesLevels)
    guard !candidates.isEmpty else { return writeMeasure() }
    let metric = random.pick(candidates)
    let part = random.pick(metric.numbers)
    let first = random.int(-2...3)
    // What only counts subjects reads no fact.
    let hasDays = random.chance(metric.kind == "streak" ? 60 : 30)
    declare(
      Declared(
        name: newName("level"), kind: "level", subject: metric.subject, isTeam: true,
        isGrouped: metric.isGrouped, isDiscrete: !metric.isGrouped),
      [
        "of \(metric.name)\(part.isEmpty ? "" : "." + part)",
        "at \(first), \(first + 2), \(first + 5).5\(hasDays ? " days" : "")",
      ])
  }

  private mutating func writeMeasure() {
    let subject = subject()
    if features.contains(.groups), features.contains(.subjectsAsRows), random.chance(50), writeMemberGroups()
    {
      return
    }
    if features.contains(.groups), random.chance(45) { return writeGroupedMeasure(subject) }
    if random.chance(30), writeProtectedSum() { return }
    let scope = RandomScope(subject: subject, readsFacts: true)
    let type = random.int(1...10)
    var value: String
    switch type {
    case 1, 2: value = bool(3, scope)
    case 3: value = day(2, scope)
    case 4 where random.chance(60): value = "if \(bool(2, scope)) then \"few\" else \"many\""
    case 4: value = self.text(2, scope).text
    default: value = number(4, scope)
    }
    var atLeast: String?
    if features.contains(.consent), subject == "app", random.chance(30) {
      value = protectedValue(scope)
      atLeast = "at least \(random.int(2...4)) users"
    }
    declare(
      Declared(
        name: newName("measure"), kind: "measure", subject: subject, isTeam: true,
        isDiscrete: type <= 4 && atLeast == nil, carriesLevels: atLeast != nil, isProtected: atLeast != nil,
        numbers: type > 4 || atLeast != nil ? [""] : []),
      [
        forClause(subject), "value \(value)", random.chance(50) ? "over \(period())" : nil, atLeast,
        type > 4 || atLeast != nil ? nearest() : nil,
      ])
  }

  mutating func nearest() -> String? {
    random.chance(15) ? "nearest \(random.pick(["1", "2", "3", "10"]))" : nil
  }

  /// Aggregates that `at least` counts one by one, none subtracted from another.
  private mutating func protectedValue(_ scope: RandomScope) -> String {
    let value = aggregate(scope)
    guard random.chance(50) else { return value }
    return "(\(value) \(random.pick(["+", "/", "*"])) \(aggregate(scope)))"
  }

  /// A metric over others with `at least`, which it takes over.
  private mutating func writeProtectedSum() -> Bool {
    let candidates = metrics.filter {
      $0.isProtected && !$0.isGrouped && $0.kind != "level" && $0.subject == "app"
    }
    guard !candidates.isEmpty else { return false }
    let metric = random.pick(candidates)
    let part = random.pick(metric.numbers)
    let name = metric.name + (part.isEmpty ? "" : ".\(part)")
    let other = aggregate(RandomScope(subject: "app", readsFacts: true))
    declare(
      Declared(
        name: newName("measure"), kind: "measure", subject: "app", isTeam: true, carriesLevels: true,
        isProtected: true, numbers: [""]),
      ["for app", "value \(name) \(random.pick(["+", "/"])) \(random.chance(50) ? other : "2")"])
    return true
  }

  /// One to four different fields.
  mutating func groups(of fact: RandomFact) -> [String] {
    var groups: [String] = []
    for _ in 0..<random.pick([1, 1, 2, 2, 3, 4]) {
      let group = random.pick(fact.groups)
      if !groups.contains(group) { groups.append(group) }
    }
    return groups
  }

  private mutating func writeGroupedMeasure(_ subject: String) {
    let readable = metrics.filter { !$0.groups.isEmpty && $0.subject == subject && !$0.isProtected }
    let read = readable.isEmpty || random.chance(55) ? nil : random.pick(readable)
    // Every fact that the value reads has the field: one record type.
    let fact = read?.fact ?? random.pick(RandomSchema.facts(for: subject, features))
    var groups = groups(of: fact)
    if let read {
      // The same fields in another order, or more.
      let more = random.chance(40) ? groups.filter { !read.groups.contains($0) } : []
      groups = Array((read.groups + more).prefix(4)).shuffled(using: &random)
    }
    let entities = groups.compactMap { $0.contains(".") ? String($0.prefix { $0 != "." }) : nil }
    // What is counted beside the facts has all fields of the group.
    let scope = RandomScope(
      subject: subject, readsFacts: true, onlyFact: fact.name,
      groupEntity: entities.count == groups.count && Set(entities).count == 1 ? entities[0] : nil)
    var value = random.chance(50) ? aggregate(scope) : "(\(aggregate(scope)) + \(number(2, scope)))"
    if let read {
      let now = read.name
      let offset = random.pick(["\(random.int(1...9)) days", "1 month"])
      value = random.pick([
        now, "\(now) offset \(offset)", "\(now) / \(now) offset \(offset)", "\(now) + \(value)",
      ])
      // Without facts of its own it has only the groups of what it reads.
      if groups.count > read.groups.count { value = "\(now) / \(aggregate(scope))" }
    }
    var atLeast: String?
    if features.contains(.consent), subject != "goal", read == nil, random.chance(50) {
      value = protectedValue(scope)
      atLeast = "at least \(random.int(2...4)) users"
    }
    declare(
      Declared(
        name: newName("measure"), kind: "measure", subject: subject, isTeam: true, isGrouped: true,
        groups: groups, fact: fact, carriesLevels: atLeast != nil, isProtected: atLeast != nil, numbers: [""]),
      [
        forClause(subject), "value \(value)", random.chance(50) ? "over \(period())" : nil,
        "by \(groups.joined(separator: ", "))", atLeast, nearest(),
      ])
  }
}
