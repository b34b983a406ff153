/// What a random expression may name.
struct RandomScope {
  var subject: String
  /// Fields of the record at hand, inside `where` and the like.
  var row: [RandomField] = []
  var readsDay = true
  /// Whether it may hold aggregates and metrics.
  var readsFacts = false
  /// Inside an aggregate over subjects: whose metrics may be named.
  var counted: String?
  /// The one record type that aggregates read.
  var onlyFact: String?
  /// In a grouped measure the entity whose field or metric the group is: the one that may be counted (GRP-06, GRP-07).
  var groupEntity: String?
}

/// Random expressions, each of the type that is asked for and safe as an operand.
extension RandomLibrary {
  /// Fields of one kind that a scope names.
  private func fields(_ kind: RandomField.Kind, _ scope: RandomScope) -> [RandomField] {
    var found = scope.row
    if scope.counted == nil, scope.readsDay || scope.row.isEmpty {
      found += RandomSchema.fields(ofSubject: scope.subject).map { field in
        var field = field
        field.path = "\(scope.subject).\(field.path)"
        return field
      }
    }
    return found.filter { $0.kind == kind }
  }

  // MARK: Numbers

  mutating func number(_ depth: Int, _ scope: RandomScope) -> String {
    guard depth > 0, random.chance(75) else { return plainNumber(scope) }
    let left = number(depth - 1, scope)
    switch random.int(1...10) {
    case 1, 2: return "(\(left) + \(number(depth - 1, scope)))"
    case 3: return "(\(left) - \(number(depth - 1, scope)))"
    case 4: return "(\(left) * \(number(depth - 1, scope)))"
    case 5, 6: return "(\(left) / \(number(depth - 1, scope)))"
    case 7: return "\(random.pick(["least", "greatest"]))(\(left), \(number(depth - 1, scope)))"
    case 8: return "\(random.pick(["floor", "-"]))(\(left))"
    case 9:
      return "(\(day(depth - 1, scope)) - \(day(depth - 1, scope)))"
    default:
      let otherwise = random.chance(15) ? "none" : number(depth - 1, scope)
      return "(if \(bool(depth - 1, scope)) then \(left) else \(otherwise))"
    }
  }

  private mutating func plainNumber(_ scope: RandomScope) -> String {
    if scope.readsFacts, random.chance(65) {
      if random.chance(35), let metric = numericMetric(scope.subject) { return metric }
      return aggregate(scope)
    }
    if let metric = scope.counted, random.chance(40), let text = numericMetric(metric, isCounted: true) {
      return text
    }
    let fields = fields(.number, scope)
    if !fields.isEmpty, random.chance(60) { return random.pick(fields).path }
    return numberLiteral()
  }

  mutating func numberLiteral() -> String {
    if features.contains(.hugeNumbers), random.chance(20) {
      return random.pick(["9_000_000_000_000", "8999999999999.999999", "-9000000000000", "3_000_000"])
    }
    return random.pick([
      "0", "1", "2", "3", "7", "0.5", "2.5", "33.333333", "-1", "-0.25", "80%", "10", "0.000001",
    ])
  }

  /// A metric of the subject that is a number, perhaps shifted, perhaps a part.
  ///
  /// - Parameter isCounted: whether it is one of the subjects that an aggregate counts, inside of which there is no other.
  private mutating func numericMetric(_ subject: String, isCounted: Bool = false) -> String? {
    let candidates = metrics.filter {
      $0.subject == subject && !$0.numbers.isEmpty && !$0.isGrouped && $0.kind != "level" && $0.isTeam
        && !$0.isProtected
    }
    guard !candidates.isEmpty else { return nil }
    let metric = random.pick(candidates)
    let part = random.pick(metric.numbers)
    let name = metric.name + (part.isEmpty ? "" : ".\(part)")
    return metric.readsFacts && !isCounted && random.chance(30) ? ofDays(name) : shifted(name)
  }

  /// `average(measure_4 over last 3 days)`
  private mutating func ofDays(_ name: String) -> String {
    let function = random.pick(["sum", "min", "max", "average", "stddev", "percentile", "first", "last"])
    let over = random.chance(80) ? " over \(period())" : ""
    return "\(function)(\(name)\(over)\(function == "percentile" ? ", \(random.int(1...100))" : ""))"
  }

  private mutating func shifted(_ name: String) -> String {
    guard random.chance(35) else { return name }
    return "(\(name) offset \(random.pick(["1 day", "3 days", "1 week", "1 month", "2 months"])))"
  }

  // MARK: Aggregates

  /// An aggregate that is a number.
  ///
  /// - Parameter ofFacts: never one over subjects or completions.
  mutating func aggregate(_ scope: RandomScope, ofFacts: Bool = false) -> String {
    if scope.onlyFact == nil || scope.groupEntity != nil, !ofFacts {
      if scope.onlyFact == nil, features.contains(.completionsAsNumbers), random.chance(12),
        let text = completionCount(scope)
      {
        return text
      }
      if features.contains(.subjectsAsRows), random.chance(15), let text = subjectAggregate(scope) {
        return text
      }
    }
    let fact = fact(scope)
    let numbers = fact.fields.filter { $0.kind == .number }.map { "\(fact.name).\($0.path)" }
    let any = fact.fields.filter { $0.kind != .opaque }.map { "\(fact.name).\($0.path)" }
    let rest = tail(fact, scope)
    switch random.int(1...12) {
    case 1, 2, 3: return "count(\(fact.name)\(rest))"
    case 4: return "days(\(fact.name)\(rest))"
    case 5: return "distinct(\(random.pick(any))\(rest))"
    case 6: return "percentile(\(random.pick(numbers))\(rest), \(random.int(1...100)))"
    case 7 where scope.subject == "goal" && fact.name == "HabitEntry":
      return "contribution(HabitEntry\(rest))"
    case 7, 8: return "sum(\(random.pick(numbers))\(rest))"
    default:
      let function = random.pick(
        ["sum", "average", "stddev"] + (ofSeveralUsers(scope) ? [] : ["min", "max", "first", "last"]))
      return "\(function)(\(random.pick(numbers))\(rest))"
    }
  }

  /// Whether the facts of several users lead to a subject: the value of one of them is shown nowhere (C411).
  private func ofSeveralUsers(_ scope: RandomScope) -> Bool { ["app", "book"].contains(scope.subject) }

  private mutating func fact(_ scope: RandomScope) -> RandomFact {
    random.pick(
      RandomSchema.facts(for: scope.subject, features).filter {
        scope.onlyFact == nil || $0.name == scope.onlyFact
      })
  }

  /// ` through LINK where E over P`
  private mutating func tail(_ fact: RandomFact, _ scope: RandomScope) -> String {
    var text = " " + random.pick(fact.routes[scope.subject] ?? [""])
    let inner = RandomScope(subject: scope.subject, row: fact.fields)
    if random.chance(50) { text += "where \(bool(2, inner)) " }
    if random.chance(35) { text += "over \(period())" }
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }

  private mutating func completionCount(_ scope: RandomScope) -> String? {
    completionAggregate(scope, "count")
  }

  private mutating func completionAggregate(_ scope: RandomScope, _ function: String) -> String? {
    let candidates = metrics.filter { $0.kind == "completion" && $0.subject == scope.subject && $0.isTeam }
    guard !candidates.isEmpty else { return nil }
    return "\(function)(\(random.pick(candidates).name)\(random.chance(40) ? " over \(period())" : ""))"
  }

  mutating func subjectAggregate(_ scope: RandomScope) -> String? {
    var entities: [String]
    switch scope.subject {
    case "user": entities = ["habit", "goal", "book"]
    case "app": entities = ["habit", "goal", "book", "user"]
    default: return nil
    }
    if scope.onlyFact != nil { entities = entities.filter { $0 == scope.groupEntity } }
    guard !entities.isEmpty else { return nil }
    let entity = random.pick(entities)
    let inner = RandomScope(
      subject: scope.subject, row: RandomSchema.fields(ofSubject: entity), readsDay: true, counted: entity)
    let filter = random.chance(70) ? " where \(bool(2, inner))" : ""
    let metrics = metrics.filter {
      $0.subject == entity && !$0.numbers.isEmpty && !$0.isGrouped && $0.kind != "level" && $0.isTeam
    }
    if !metrics.isEmpty, random.chance(50) {
      let metric = random.pick(metrics)
      let part = random.pick(metric.numbers)
      let path = "\(entity).\(metric.name)\(part.isEmpty ? "" : ".\(part)")"
      return
        "\(random.pick(["sum", "average", "stddev", "distinct"] + (ofSeveralUsers(scope) ? [] : ["min", "max"])))(\(path)\(filter))"
    }
    return "count(\(entity)\(filter))"
  }

  // MARK: Bools

  mutating func bool(_ depth: Int, _ scope: RandomScope) -> String {
    guard depth > 0 else { return plainBool(scope) }
    switch random.int(1...12) {
    case 1, 2: return "(\(bool(depth - 1, scope)) and \(bool(depth - 1, scope)))"
    case 3, 4: return "(\(bool(depth - 1, scope)) or \(bool(depth - 1, scope)))"
    case 5: return "(not \(bool(depth - 1, scope)))"
    case 6: return "(\(bool(depth - 1, scope)) \(random.pick(["==", "!="])) \(bool(depth - 1, scope)))"
    case 7: return noneTest(depth, scope)
    case 8:
      return "(if \(bool(depth - 1, scope)) then \(bool(depth - 1, scope)) else \(bool(depth - 1, scope)))"
    default: return comparison(depth, scope)
    }
  }

  private mutating func plainBool(_ scope: RandomScope) -> String {
    let subject = scope.counted ?? (scope.readsFacts ? scope.subject : nil)
    let completions = metrics.filter { $0.kind == "completion" && $0.subject == subject && $0.isTeam }
    if !completions.isEmpty, random.chance(40) { return shifted(random.pick(completions).name) }
    let fields = fields(.bool, scope)
    if !fields.isEmpty, random.chance(40) { return random.pick(fields).path }
    return random.chance(10) ? random.pick(["true", "false"]) : comparison(1, scope)
  }

  private mutating func noneTest(_ depth: Int, _ scope: RandomScope) -> String {
    let test = random.pick(["is none", "is not none"])
    let opaque = fields(.opaque, scope)
    if !opaque.isEmpty, random.chance(50) { return "(\(random.pick(opaque).path) \(test))" }
    return "(\(number(depth - 1, scope)) \(test))"
  }

  private mutating func comparison(_ depth: Int, _ scope: RandomScope) -> String {
    let order = random.pick(["==", "!=", "<", "<=", ">", ">="])
    switch random.int(1...8) {
    case 1, 2:
      let subject = text(depth - 1, scope)
      if random.chance(40) {
        let list = subject.texts.prefix(2).map(quoted).joined(separator: ", ")
        return "(\(subject.text) \(random.pick(["in", "not in"])) [\(list)])"
      }
      return "(\(subject.text) \(random.pick(["==", "!="])) \(quoted(random.pick(subject.texts))))"
    case 3: return "(\(day(depth - 1, scope)) \(order) \(day(depth - 1, scope)))"
    case 4:
      return "(\(number(depth - 1, scope)) \(random.pick(["in", "not in"])) [0, 1, 2.5, \(numberLiteral())])"
    default: return "(\(number(depth - 1, scope)) \(order) \(number(depth - 1, scope)))"
    }
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
  }

  // MARK: Texts and days

  /// A text, and what it may be compared with.
  mutating func text(_ depth: Int, _ scope: RandomScope) -> (text: String, texts: [String]) {
    let fields = fields(.text, scope)
    if !fields.isEmpty, random.chance(60) {
      let field = random.pick(fields)
      return (field.path, field.texts)
    }
    if scope.readsFacts, !ofSeveralUsers(scope), random.chance(50) {
      let fact = fact(scope)
      if let field = fact.fields.filter({ $0.kind == .text }).randomElement(using: &random) {
        return (
          "\(random.pick(["first", "last"]))(\(fact.name).\(field.path)\(tail(fact, scope)))", field.texts
        )
      }
    }
    return ("weekday(\(day(depth - 1, scope)))", ["monday", "tuesday", "sunday"])
  }

  mutating func day(_ depth: Int, _ scope: RandomScope) -> String {
    let fields = fields(.day, scope)
    if !fields.isEmpty, random.chance(40) { return random.pick(fields).path }
    if scope.readsFacts, random.chance(50) {
      if features.contains(.completionsAsNumbers), scope.onlyFact == nil, random.chance(30),
        let text = completionAggregate(scope, random.pick(["first", "last"]))
      {
        return text
      }
      if ofSeveralUsers(scope) { return "day" }
      let fact = fact(scope)
      return "\(random.pick(["first", "last"]))(\(fact.name)\(tail(fact, scope)))"
    }
    if scope.readsDay, random.chance(70) { return "day" }
    return "2026-01-\(random.pick(["05", "10", "14", "20"]))"
  }
}
