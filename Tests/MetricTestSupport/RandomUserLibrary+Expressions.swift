/// Where a random expression of a user metric stands.
struct UserScope {
  var subject: String
  /// Aggregates read runs alone, and no metric: for groups.
  var onlyRuns = false
}

/// What a random expression shall do when a fact is logged.
enum Course {
  case up, down, still, any

  var opposite: Course {
    switch self {
    case .up: .down
    case .down: .up
    case .still, .any: self
    }
  }
}

extension RandomUserLibrary {
  /// Now and then something else than what is asked for.
  private mutating func strayed(_ course: Course) -> Course { random.chance(4) ? .any : course }

  private mutating func settled(_ course: Course) -> Course {
    course == .any ? random.pick([.up, .down, .still]) : course
  }

  // MARK: Numbers

  mutating func number(_ depth: Int, _ wanted: Course, _ scope: UserScope) -> String {
    let course = settled(strayed(wanted))
    guard depth > 0, random.chance(80) else { return plainNumber(course, scope) }
    let one = number(depth - 1, course, scope)
    switch random.int(1...16) {
    case 1, 2: return "(\(one) + \(number(depth - 1, course, scope)))"
    case 3, 4: return "(\(one) - \(number(depth - 1, course.opposite, scope)))"
    case 5: return "(\(one) * \(number(depth - 1, course, scope)))"
    case 6: return "(\(one) / \(number(depth - 1, .still, scope)))"
    case 7: return "(\(number(depth - 1, course, scope)) / \(number(depth - 1, course.opposite, scope)))"
    case 8, 9: return "\(random.pick(["least", "greatest"]))(\(one), \(number(depth - 1, course, scope)))"
    case 10: return "floor(0.0 + \(one))"
    case 11: return "(-\(number(depth - 1, course.opposite, scope)))"
    case 12: return capped(one, course, depth, scope)
    case 15: return thresholded(one, course, scope)
    case 13: return held(one, scope)
    case 14: return "(\(random.pick(["1", "5", "100"])) - 2 * \(number(depth - 1, course.opposite, scope)))"
    default:
      let test = bool(depth - 1, random.chance(70) ? course : .still, scope)
      let otherwise = random.chance(10) ? "none" : number(depth - 1, course, scope)
      return "(if \(test) then \(one) else \(otherwise))"
    }
  }

  /// `if x >= 3 then x else least(x, 3)` and its kin: near the edge of what can be proved.
  private mutating func thresholded(_ one: String, _ course: Course, _ scope: UserScope) -> String {
    let edge = random.pick(["0", "1", "2", "2.5", "3", "7"])
    let operation = random.pick([">=", ">", "==", "<", "<=", "!="])
    let other = random.pick([
      "least(\(one), \(edge))", "greatest(\(one), \(edge))", edge, one, "(\(one) + 1)", "(\(one) / 3 * 3)",
      "least(\(one) + 1, 3)", "1.9",
    ])
    let another = random.pick([one, edge, "(\(one) + \(edge))", "(\(one) / 3 * 3)", "2.5"])
    return "(if \(one) \(operation) \(edge) then \(another) else \(other))"
  }

  /// What is taken away, or divides, rises with what is there.
  private mutating func held(_ one: String, _ scope: UserScope) -> String {
    guard scope.subject != "goal" else { return "(\(one) - \(one) / 4)" }
    let tail = runTail(scope)
    let inner = random.chance(50) ? tail : ""
    let part = random.pick(["count(Run", "days(Run", "distinct(Run.x", "distinct(Run.mood"])
    let k = random.pick(["2", "3", "4", "1", "0.7", "7"])
    return random.pick([
      "(\(one) - \(one) / \(k))", "(\(one) - floor(0.0 + \(one) / \(k)))", "(\(one) - least(\(one), \(k)))",
      "(\(one) / (\(one) + \(k)))", "(\(one) * \(k) - \(one))", "(\(one) - \(one) * 0.\(k.last ?? "5"))",
      "(count(Run\(inner)) - \(part)\(tail)))", "(2 * count(Run\(inner)) - \(part)\(tail)))",
      "(sum(Run.n\(inner)) - \(part)\(tail)))", "(\(part)\(tail)) / (count(Run\(inner)) + \(k)))",
    ])
  }

  /// A condition that compares with a number that is not literal.
  private mutating func capped(_ one: String, _ course: Course, _ depth: Int, _ scope: UserScope) -> String {
    let limit = number(depth - 1, random.chance(70) ? .still : course.opposite, scope)
    let branches = random.chance(50) ? (limit, one) : (one, limit)
    return "(if \(one) \(random.pick([">=", ">", "<", "<="])) \(limit) then \(branches.0) else \(branches.1))"
  }

  private mutating func plainNumber(_ course: Course, _ scope: UserScope) -> String {
    if course == .still || random.chance(12) { return stillNumber(scope) }
    if !scope.onlyRuns, random.chance(35), let metric = metricNumber(course, scope) { return metric }
    if !scope.onlyRuns, random.chance(12), course == .up, let text = subjects(scope) { return text }
    return aggregate(course, scope)
  }

  private mutating func stillNumber(_ scope: UserScope) -> String {
    switch random.int(1...5) {
    case 1 where scope.subject == "habit":
      return random.pick(["habit.size", "habit.room", "habit.weeklyTarget"])
    case 1 where scope.subject == "goal": return "goal.target"
    case 2 where scope.subject != "goal" && !scope.onlyRuns:
      return random.pick([
        "sum(Plan.change)", "last(Plan.perWeek over all time)", "last(Plan.change)", "count(Plan)",
        "sum(Plan.change over last 3 days)", "sum(Plan.perWeek)", "stddev(Plan.perWeek)", "last(Plan.spare)",
      ])
    default:
      return random.pick(["0", "1", "2", "3", "7", "0.5", "2.5", "33.333333", "-1", "-0.25", "0.000001"])
    }
  }

  private mutating func metricNumber(_ course: Course, _ scope: UserScope) -> String? {
    let candidates = metrics.filter {
      $0.subject == scope.subject && !$0.isGrouped && $0.kind != "level"
        && (!$0.numbers.isEmpty || $0.kind == "completion")
    }
    guard !candidates.isEmpty, course == .up || random.chance(20) else { return nil }
    let metric = random.pick(candidates)
    if metric.kind == "completion" {
      return "count(\(metric.name)\(random.chance(40) ? " over \(period())" : ""))"
    }
    let part = random.pick(metric.numbers)
    let name = metric.name + (part.isEmpty ? "" : ".\(part)")
    let readsFacts =
      ["streak", "momentum"].contains(metric.kind)
      || ["(Run", "(HabitEntry", "(Plan"].contains { metric.text.contains($0) }
    guard readsFacts, random.chance(15) else { return shifted(name) }
    return
      "\(random.pick(["sum", "sum", "max", "max", "average", "last", "min", "stddev"]))(\(name) over \(period()))"
  }

  private mutating func shifted(_ name: String) -> String {
    guard random.chance(25) else { return name }
    return "(\(name) offset \(random.pick(["1 day", "3 days", "1 week", "1 month"])))"
  }

  /// `count(habit where done)` in a metric for a user.
  private mutating func subjects(_ scope: UserScope) -> String? {
    guard scope.subject == "user" else { return nil }
    let bools = metrics.filter { $0.subject == "habit" && $0.isBool && !$0.isGrouped }
    let numbers = metrics.filter { $0.subject == "habit" && $0.numbers.contains("") && !$0.isGrouped }
    var filter = ""
    if let bool = bools.randomElement(using: &random), random.chance(60) {
      filter = " where \(random.chance(15) ? "not " : "")habit.\(bool.name)"
    } else if random.chance(40) {
      filter = " where cadence == \"daily\""
    }
    guard let number = numbers.randomElement(using: &random), random.chance(60) else {
      return "count(habit\(filter))"
    }
    return "\(random.pick(["sum", "sum", "max", "average", "min"]))(habit.\(number.name)\(filter))"
  }

  // MARK: Aggregates

  mutating func aggregate(_ wanted: Course, _ scope: UserScope) -> String {
    let course = settled(strayed(wanted))
    let isRun = scope.onlyRuns || (scope.subject != "goal" && random.chance(75))
    let tail = isRun ? runTail(scope) : entryTail(scope)
    guard isRun else {
      let value = random.pick([
        "count(HabitEntry", "sum(HabitEntry.value", "max(HabitEntry.value", "days(HabitEntry",
      ])
      if course == .down { return "min(HabitEntry.value\(tail))" }
      return scope.subject == "goal" && random.chance(40)
        ? "contribution(HabitEntry\(tail))" : "\(value)\(tail))"
    }
    switch course {
    case .down: return "\(random.pick(["min(Run.n", "min(Run.x", "-sum(Run.n", "-count(Run"]))\(tail))"
    case .any, .still:
      return random.pick([
        "average(Run.n\(tail))", "stddev(Run.n\(tail))", "last(Run.x\(tail))", "percentile(Run.n\(tail), 50)",
        "first(Run.n\(tail))",
      ])
    case .up:
      return random.pick([
        "count(Run\(tail))", "count(Run\(tail))", "sum(Run.n\(tail))", "sum(Run.n\(tail))",
        "max(Run.n\(tail))",
        "days(Run\(tail))", "distinct(Run.mood\(tail))", "distinct(Run.x\(tail))",
        "percentile(Run.x\(tail), 100)",
        "sum(Run.x where x > 0\(over()))", "sum(Run.x\(tail))", "sum(Run.x where x >= 0 and uphill\(over()))",
        "max(Run.x where x > 1\(over()))", "sum(Run.half\(tail))", "sum(Run.ahead where ahead > 0\(over()))",
        "sum(Run.x where not (x <= 0.5)\(over()))", "(last(Run\(tail)) - first(Run\(tail)))",
        "sum(Run.ahead where book.pages > 3 and n <= 3)",
      ])
    }
  }

  private mutating func over() -> String { random.chance(30) ? " over \(period())" : "" }

  private mutating func runTail(_ scope: UserScope) -> String {
    var text = ""
    if random.chance(40) {
      text += random.pick([
        " where uphill", " where not uphill", " where n >= 2", " where x > 0", " where mood == \"calm\"",
        " where book.long", " where n <= 3 or x is none", " where book.pages - n > 0",
        " where at is not none",
        " where if uphill then n > 1 else x > 1", " where day >= 2026-01-04",
      ])
    }
    return text + over()
  }

  private mutating func entryTail(_ scope: UserScope) -> String {
    let through = scope.subject == "goal" ? " through GoalLink" : ""
    return through + (random.chance(30) ? " where value > 1" : "") + over()
  }

  // MARK: Bools

  mutating func bool(_ depth: Int, _ wanted: Course, _ scope: UserScope) -> String {
    let course = settled(strayed(wanted))
    let below = max(0, depth - 1)
    if depth <= 0 { return comparison(0, course, scope) }
    switch random.int(1...13) {
    case 1, 2: return "(\(bool(below, course, scope)) and \(bool(below, course, scope)))"
    case 3, 4: return "(\(bool(below, course, scope)) or \(bool(below, course, scope)))"
    case 5: return "(not \(bool(below, course.opposite, scope)))"
    case 6:
      return
        "(if \(bool(below, course, scope)) then \(bool(below, course, scope)) else \(bool(below, course, scope)))"
    case 7:
      return "(\(number(below, course, scope)) is \(course == .down ? "" : "not ")none)"
    case 8: return "(\(bool(below, course, scope)) is \(random.pick(["none", "not none"])))"
    case 9 where !scope.onlyRuns && course == .up:
      guard
        let metric = metrics.filter({ $0.isBool && $0.subject == scope.subject }).randomElement(
          using: &random)
      else { return comparison(below, course, scope) }
      return shifted(metric.name)
    case 10:
      return random.pick(
        ["last(Run.uphill)", "first(Run.uphill)", "(last(Run.uphill) == first(Run.uphill))"].filter { _ in
          scope.subject != "goal"
        } + ["true"])
    default: return comparison(below, course, scope)
    }
  }

  private mutating func comparison(_ depth: Int, _ course: Course, _ scope: UserScope) -> String {
    let ups = random.chance(50)
    let (left, right): (Course, Course) =
      course == .still ? (.still, .still) : ups ? (course, .still) : (course, course.opposite)
    let operation = random.pick([">=", ">", ">=", ">", "==", "!="])
    let flipped = random.pick(["<=", "<", "=="])
    switch random.int(1...9) {
    case 1: return "(\(day(left, scope)) \(random.pick([">=", ">"])) \(day(right, scope)))"
    case 2 where scope.subject != "goal":
      return "(last(Run.mood) \(random.pick(["==", "!="])) \"calm\")"
    case 3: return "(\(number(depth, course, scope)) \(random.pick(["in", "not in"])) [0, 1, 2.5])"
    case 4: return "(weekday(\(day(.still, scope))) in [\"monday\", \"sunday\"])"
    case 5, 6: return "(\(number(depth, right, scope)) \(flipped) \(number(depth, left, scope)))"
    default: return "(\(number(depth, left, scope)) \(operation) \(number(depth, right, scope)))"
    }
  }

  // MARK: Days

  mutating func day(_ wanted: Course, _ scope: UserScope) -> String {
    let course = settled(strayed(wanted))
    if course == .still {
      let day = "2026-01-0\(random.int(1...9))"
      return random.pick([day, "day", scope.subject == "habit" ? "habit.startDay" : day])
    }
    let function = course == .up ? "last" : "first"
    if !scope.onlyRuns, random.chance(30),
      let completion = metrics.filter({ $0.kind == "completion" && $0.subject == scope.subject })
        .randomElement(using: &random)
    {
      return "\(function)(\(completion.name)\(over()))"
    }
    return scope.subject == "goal"
      ? "\(function)(HabitEntry\(entryTail(scope)))" : "\(function)(Run\(runTail(scope)))"
  }
}
