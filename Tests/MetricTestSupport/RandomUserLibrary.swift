/// Random libraries of metrics that are shown to a person, as source text.
///
/// Most expressions are built to rise when a fact is logged, and now and then a part is taken at random:
/// so a good share is accepted by the fourth question, and many are only just accepted or rejected.
package struct RandomUserLibrary {
  /// A metric that has been written, as later ones may name it.
  package struct Declared {
    package var name: String
    package var kind: String
    package var subject: String
    package var isGrouped: Bool
    /// Names of the parts that are numbers; the metric's own value is the empty name.
    package var numbers: [String]
    package var isBool: Bool
    package var text: String
  }

  package static let schema = """
    extend Habit { size : Int?  room : Decimal? min 0  startDay : DayKey? }
    entity Book { id : ID  pages : Int min 0  long = pages >= 5 }
    fact Run {
      id : ID  habitId : Habit  bookId : Book?  dayKey : DayKey
      n : Int min 0  x : Decimal?  uphill : Bool  mood : "calm" | "tired" ?
      ahead = book.pages - n  half = n / 2
      at : Instant?  deletedAt : Instant? tombstone
    }
    fact Plan setting {
      id : ID  habitId : Habit  dayKey : DayKey  perWeek : Int min 1  change : Int  spare = change - perWeek
    }

    """

  var random: SeededGenerator
  package var metrics: [Declared] = []

  /// Declarations in their order; each stands by itself, so that a test can leave some out.
  package static func make(metrics count: Int, using random: inout SeededGenerator) -> [Declared] {
    var library = RandomUserLibrary(random: random)
    library.writeCompletion("habit")
    for _ in 0..<count { library.writeMetric() }
    random = library.random
    return library.metrics
  }

  package static func source(_ metrics: [Declared]) -> String {
    schema + metrics.map(\.text).joined()
  }

  // MARK: Metrics

  private mutating func declare(
    _ kind: String, _ subject: String, isGrouped: Bool = false, numbers: [String] = [], isBool: Bool = false,
    _ clauses: [String?]
  ) {
    let name = "\(kind)_\(metrics.count + 1)"
    let body = clauses.compactMap { $0 }.map { "  \($0)\n" }.joined()
    metrics.append(
      Declared(
        name: name, kind: kind, subject: subject, isGrouped: isGrouped, numbers: numbers, isBool: isBool,
        text: "\(kind) \(name) {\n\(body)}\n"))
  }

  private mutating func writeMetric() {
    let subject = random.pick(["habit", "habit", "habit", "habit", "user", "goal"])
    switch random.int(1...13) {
    case 1, 2: writeCompletion(subject)
    case 3, 4:
      let kind = "forgive \(random.int(1...3)) in \(random.int(4...6)) windows"
      writeOfCompletion(
        "streak", [nil, "best", "previous", "grace \(random.int(1...3)) windows", kind, "best  \(kind)"])
    case 5:
      writeOfCompletion(
        "momentum", ["over last \(random.int(1...5)) windows", "half life \(random.int(1...4)) windows"])
    case 6: writeProgress(subject)
    case 7, 8: writeLevel()
    case 9: writeGrouped()
    default: writeMeasure(subject)
    }
  }

  private mutating func forClause(_ subject: String) -> String {
    guard subject == "habit", random.chance(20) else { return "for \(subject)" }
    return "for habit where " + random.pick(["cadence == \"daily\"", "size >= 1", "startDay is none"])
  }

  private mutating func writeCompletion(_ subject: String) {
    let window = random.pick([
      "every day", "every day", "every day", "every week", "every 2 days", "every 3 days",
      "every calendar week", "every calendar month", "every calendar quarter from february",
    ])
    let scope = UserScope(subject: subject)
    var when = "\(aggregate(.up, scope)) >= \(random.int(0...2))"
    if random.chance(45) { when = "(\(when)) \(random.pick(["and", "or"])) \(bool(2, .up, scope))" }
    var rest: String?
    if random.chance(45) {
      rest =
        "rest when "
        + (random.chance(40) ? "weekday(day) in [\"saturday\", \"sunday\"]" : bool(2, .up, scope))
    }
    let clauses = [forClause(subject), window, "when \(when)", limit(subject), rest]
    declare("completion", subject, isBool: true, clauses)
  }

  private mutating func limit(_ subject: String) -> String? {
    guard subject != "goal", random.chance(25) else { return nil }
    let most = random.pick([
      "count(Run) == 0", "count(HabitEntry) <= 1", "sum(Run.n where uphill) < 3",
      "max(HabitEntry.value) <= 4",
    ])
    return "limit \(most) \"why\""
  }

  private mutating func writeOfCompletion(_ kind: String, _ readings: [String?]) {
    let completion = random.pick(metrics.filter { $0.kind == "completion" })
    let reading = random.pick(readings)
    // Nothing for the user rests on `previous` (RDG-02).
    declare(
      kind, completion.subject,
      numbers: reading == "previous" ? [] : reading?.hasPrefix("forgive") == true ? ["", "left"] : [""],
      ["of \(completion.name)", reading])
  }

  private mutating func writeProgress(_ subject: String) {
    let scope = UserScope(subject: subject)
    let target = random.chance(70) ? number(1, random.chance(85) ? .still : .any, scope) : nil
    declare(
      "progress", subject, numbers: target == nil ? [""] : ["", "target", "fraction"],
      [
        forClause(subject), "value \(number(2, .up, scope))", target.map { "target \($0)" },
        random.chance(40) ? "over \(period())" : nil,
      ])
  }

  private mutating func writeLevel() {
    let candidates = metrics.filter { !$0.numbers.isEmpty && $0.kind != "level" }
    guard !candidates.isEmpty else { return }
    let metric = random.pick(candidates)
    let part = random.pick(metric.numbers)
    declare(
      "level", metric.subject, isGrouped: metric.isGrouped,
      [
        "of \(metric.name)\(part.isEmpty ? "" : "." + part)",
        "at \(random.pick(["1, 3", "0.5, 2", "0, 4.5", "2"]))\(random.chance(50) ? " days" : "")",
      ])
  }

  private mutating func writeMeasure(_ subject: String) {
    let scope = UserScope(subject: subject)
    let over = random.chance(40) ? "over \(period())" : nil
    let head = forClause(subject)
    switch random.int(1...10) {
    case 1, 2: declare("measure", subject, isBool: true, [head, "value \(bool(3, .up, scope))", over])
    case 3: declare("measure", subject, [head, "value \(day(.any, scope))", over])
    default:
      declare("measure", subject, numbers: [""], [head, "value \(number(3, .up, scope))", over])
    }
  }

  private mutating func writeGrouped() {
    let scope = UserScope(subject: "habit", onlyRuns: true)
    declare(
      "measure", "habit", isGrouped: true, numbers: [""],
      [
        "for habit",
        "value \(aggregate(.up, scope))\(random.chance(50) ? " + " + number(1, .up, scope) : "")",
        random.chance(40) ? "over \(period())" : nil,
        "by \(random.pick(["mood", "uphill", "book.long", "bookId"]))",
      ])
  }

  mutating func period() -> String {
    random.pick([
      "last \(random.int(1...6)) days", "last 1 week", "calendar week", "calendar month",
      "calendar year from july",
      "previous calendar week", "previous calendar month", "previous calendar quarter", "all time",
      "all time",
    ])
  }
}
