/// Random funnels and retentions.
extension RandomLibrary {
  /// `Event where name == "a"`, or a completion of the subject.
  private mutating func event(_ subject: String, only: String?) -> (text: String, record: String?) {
    let completions = metrics.filter { $0.kind == "completion" && $0.isDaily && $0.subject == subject }
    if features.contains(.completionsAsFacts), only == nil, !completions.isEmpty, random.chance(20) {
      return (random.pick(completions).name, nil)
    }
    let facts = RandomSchema.facts(for: subject, features).filter { only == nil || $0.name == only }
    let fact = random.pick(facts)
    let scope = RandomScope(subject: subject, row: fact.fields)
    return ("\(fact.name)\(random.chance(75) ? " where \(bool(1, scope))" : "")", fact.name)
  }

  private mutating func groupClause(_ record: String?) -> String? {
    guard features.contains(.groups), random.chance(50) else { return nil }
    var groups: [String] = []
    if let fact = RandomSchema.facts.first(where: { $0.name == record }), random.chance(60) {
      groups = self.groups(of: fact)
    }
    if groups.isEmpty || groups.count < 4 && random.chance(30) {
      let cohort = "cohort \(random.pick(["day", "week", "month", "quarter", "year"]))"
      groups.insert(cohort, at: random.int(0...groups.count))
    }
    return "by \(groups.joined(separator: ", "))"
  }

  private mutating func atLeast() -> String? {
    features.contains(.consent) && random.chance(30) ? "at least \(random.int(2...3)) users" : nil
  }

  private mutating func subjectOfMany() -> String { random.pick(["user", "user", "habit", "book", "app"]) }

  mutating func writeFunnel() {
    let subject = subjectOfMany()
    let order = random.pick([nil, nil, "any", "strict"])
    // In any order the group is of whichever step came first: all steps take one record type.
    let only = order == "any" ? random.pick(RandomSchema.facts(for: subject, features)).name : nil
    var steps: [(text: String, record: String?)] = []
    for _ in 0..<random.int(2...4) {
      let step = event(subject, only: only)
      if !steps.contains(where: { $0.text == step.text }) { steps.append(step) }
    }
    guard steps.count >= 2 else { return }
    let group = groupClause(steps[0].record)
    let lines = steps.enumerated().map { "step s\($0.offset + 1) \($0.element.text)" }
    let atLeast = atLeast()
    let days = random.chance(35) ? "days \(random.pick(["50", "10, 90", "100"]))" : nil
    let without = random.chance(30) ? "without \(event(subject, only: nil).text)" : nil
    let parts = steps.indices.map { order == "any" ? "any\($0 + 1)" : "s\($0 + 1)" }
    declare(
      Declared(
        name: newName("funnel"), kind: "funnel", subject: "app", isTeam: true, isGrouped: group != nil,
        isProtected: atLeast != nil, numbers: parts),
      ["for \(subject)"] + lines + [
        random.chance(60) ? "within \(random.int(1...12)) days" : nil, order.map { "order \($0)" },
        random.chance(40) ? "over \(period())" : nil, group, atLeast, nearest(),
      ] + (order == "any" ? [] : [days, without]))
  }

  mutating func writeRetention() {
    let subject = subjectOfMany()
    let start = event(subject, only: nil)
    let group = groupClause(start.record)
    let first = random.int(1...3)
    let isBracket = random.chance(25)
    let after = (random.chance(50) ? [first] : [first, first + 4]).map {
      isBracket ? "\($0) to \($0 + random.int(0...4))" : "\($0)"
    }
    let atLeast = atLeast()
    let value = random.chance(30) ? worth(subject) : nil
    declare(
      Declared(
        name: newName("retention"), kind: "retention", subject: "app", isTeam: true, isGrouped: group != nil,
        isProtected: atLeast != nil,
        numbers: after.flatMap { days in
          (value == nil ? ["eligible", "returned", "rate"] : ["eligible", "value", "mean"]).map {
            "d\(days.split(separator: " ").joined()).\($0)"
          }
        }),
      [
        "for \(subject)", "start \(random.pick(["", "first ", "each "]))\(start.text)",
        value ?? "return \(event(subject, only: nil).text)",
        "after \(isBracket ? "days " : "")\(after.joined(separator: ", "))\(isBracket ? "" : " days")"
          + (random.chance(40) && !isBracket && value == nil ? " or later" : ""),
        random.chance(40) ? "over \(period())" : nil, group, atLeast, nearest(),
      ])
  }

  /// `value sum(HabitEntry.value where …)`
  private mutating func worth(_ subject: String) -> String {
    let fact = random.pick(RandomSchema.facts(for: subject, features))
    let filter = random.chance(50) ? " where \(bool(1, RandomScope(subject: subject, row: fact.fields)))" : ""
    let numbers = fact.fields.filter { $0.kind == .number }
    guard !numbers.isEmpty, random.chance(75) else { return "value count(\(fact.name)\(filter))" }
    return "value sum(\(fact.name).\(random.pick(numbers).path)\(filter))"
  }
}
