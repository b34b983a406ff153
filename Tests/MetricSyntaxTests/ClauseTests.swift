import MetricDiagnostics
import MetricSyntax
import Testing

@Suite struct ClauseTests {
  /// A short text for each clause.
  private func outlines(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
    clauses(text, sourceLocation: sourceLocation).map(\.outline)
  }

  @Test(arguments: [
    ("for habit", "for habit"), ("for app", "for app"),
    ("for habit where cadence == \"weekly\"", "for habit where (== cadence \"weekly\")"),
    ("every day", "every day"), ("every week", "every week"), ("every 10 days", "every 10 days"),
    ("every calendar week", "every calendar week"),
    ("every calendar week from sunday", "every calendar week from sunday"),
    ("every calendar month", "every calendar month"),
    ("when a > 1", "when (> a 1)"), ("rest when a", "rest when a"),
    ("limit count(F) <= 4 \"why\"", "limit (<= count(F) 4) \"why\""),
    ("of done", "of done"), ("of signups.d30.rate", "of signups.d30.rate"), ("best", "best"),
    ("previous", "previous"),
    ("grace 1 window", "grace 1 window"), ("half life 7 days", "half life 7 days"),
    ("forgive 2 in 30 days", "forgive 2 in 30 days"), ("forgive 1 in 4 windows", "forgive 1 in 4 windows"),
    ("over last 7 days", "over last 7 days"), ("over last 4 windows", "over last 4 windows"),
    ("over calendar week from monday", "over calendar week from monday"),
    ("over calendar month", "over calendar month"), ("over all time", "over all time"),
    ("value 1", "value 1"), ("target goal.target", "target goal.target"),
    ("at 7, -3, 0.5", "at 7 (- 3) 0.5"), ("at least 5 users", "at least 5 users"),
    ("step opened Event", "step opened Event"),
    ("step opened Event where a == 1", "step opened Event where (== a 1)"),
    ("step done done", "step done done"), ("within 30 days", "within 30 days"),
    ("order any", "order any"), ("order strict", "order strict"),
    ("start Event", "start plain Event"), ("start first Event where a", "start first Event where a"),
    ("start each done", "start each done"), ("return Event where a", "return Event where a"),
    ("after 1 day", "after 1 day"), ("after 1, 7, 30 days or later", "after 1 7 30 days or later"),
    ("after days 1 to 7, 8 to 14", "after 1-7 8-14 days"),
    ("by level", "by level"), ("by book.level", "by book.level"), ("by cohort week", "by cohort week"),
    ("slice by level, book.level", "slice by level book.level"),
    (
      "over each [last 1 day as daily, calendar month as monthly]",
      "over each last 1 day as daily calendar month as monthly"
    ),
    ("title \"a\"", "title \"a\""), ("unit minutes", "unit minutes"), ("audience team", "audience team"),
    ("owner \"growth team\"", "owner \"growth team\""), ("tags [\"a\", \"b\"]", "tags \"a\" \"b\""),
    ("approved \"Ana\" on 2026-06-30 meaning \"3f\"", "approved Ana on 2026-06-30 meaning 3f"),
    ("deprecated \"b\"", "deprecated \"b\""), ("allow W012 \"c\"", "allow W012 \"c\""),
  ])
  func clause(text: String, expected: String) {
    #expect(outlines(text) == [expected])
  }

  @Test func repeatedClausesAreBothKept() {
    #expect(outlines("value 1 value 2") == ["value 1", "value 2"])
  }

  @Test func clausesMayShareALine() {
    #expect(outlines("for app value a + b unit x best over all time by y").count == 6)
  }

  @Test func keywordSpansCoverAllWordsOfTheClause() {
    let parsed = Parsed("measure m { rest when a half life 7 days at least 5 users by cohort day at 1 }")
    #expect(
      parsed.metrics.first?.clauses.map { parsed.text($0.keyword) } == [
        "rest when", "half life", "at least", "by cohort", "at",
      ])
  }

  @Test(arguments: Word.forbidden)
  func antiPatternsTakeTheRestOfTheirLine(word: Word) {
    let parsed = Parsed("streak s {\n of done \(word.rawValue) every { month } 5\n best \(word.rawValue) x }")
    #expect(parsed.messages == "")
    #expect(
      parsed.metrics.first?.clauses.map(\.outline) == [
        "of done", "forbidden \(word.rawValue)", "best", "forbidden \(word.rawValue)",
      ])
  }

  @Test func antiPatternsAreOperandsToo() {
    #expect(outline("now - missed.days + timestamp") == "(+ (- now missed.days) timestamp)")
  }
}

extension Clause {
  var outline: String {
    let word = word?.rawValue ?? ""
    switch content {
    case .nothing: return word
    case .expression(let expression): return "\(word) \(expression.outline)"
    case .text(let text): return "\(word) \"\(text.value)\""
    case .number(let number): return "\(word) \(number.text)"
    case .length(let length): return "\(word) \(length.count.text) \(length.unit.text)"
    case .fact(let fact): return "\(word) \(fact.outline)"
    case .name(let name): return "\(word) \(name.text)"
    case .subject(let name, let condition): return "for \(name.text)" + Self.suffix(condition)
    case .every(let window): return "every \(window.outline)"
    case .limit(let expression, let reason): return "limit \(expression.outline) \"\(reason.value)\""
    case .of(let path): return "of \(path.names.map(\.text).joined(separator: "."))"
    case .forgive(let count, let length):
      return "forgive \(count.text) in \(length.count.text) \(length.unit.text)"
    case .over(let period): return "over \(period.outline)"
    case .thresholds(let numbers, let hasDays):
      return "at \(numbers.map(\.outline).joined(separator: " "))\(hasDays ? " days" : "")"
    case .atLeast(let count, let unit): return "at least \(count.text) \(unit.text)"
    case .step(let name, let fact): return "step \(name.text) \(fact.outline)"
    case .start(let mode, let fact): return "start \(mode.rawValue) \(fact.outline)"
    case .after(let numbers, let unit, let orLater):
      let days = numbers.map(\.outline).joined(separator: " ")
      return "after \(days) \(unit.text)\(orLater ? " or later" : "")"
    case .by(let fields): return "by \(fields.map(\.outline).joined(separator: ", "))"
    case .slice(let fields):
      return "slice by \(fields.map { $0.map(\.text).joined(separator: ".") }.joined(separator: " "))"
    case .overEach(let members):
      return "over each \(members.map { "\($0.period.outline) as \($0.name.text)" }.joined(separator: " "))"
    case .tags(let tags): return "tags \(tags.map(\.outline).joined(separator: " "))"
    case .approved(let who, let day, let meaning):
      return "approved \(who.value) on \(day.outline) meaning \(meaning.value)"
    case .stepDays(let numbers): return "days \(numbers.map(\.text).joined(separator: " "))"
    case .metrics(let names): return "metrics \(names.map(\.text).joined(separator: " "))"
    case .allow(let code, let reason): return "allow \(code.text) \"\(reason.value)\""
    case .forbidden(let name, _): return "forbidden \(name.text)"
    case .unexpected: return "unexpected"
    }
  }

  static func suffix(_ condition: ExpressionSyntax?) -> String {
    condition.map { " where \($0.outline)" } ?? ""
  }
}

extension FactPattern {
  var outline: String { source.text + Clause.suffix(condition) }
}

extension WindowSyntax {
  var outline: String {
    switch self {
    case .rolling(let count, let unit): (count.map { $0.text + " " } ?? "") + unit.text
    case .calendar(let unit, let from): "calendar \(unit.text)" + (from.map { " from \($0.text)" } ?? "")
    }
  }
}

extension AfterSyntax {
  fileprivate var outline: String { "\(from.map { "\($0.text)-" } ?? "")\(through.text)" }
}

extension GroupSyntax {
  fileprivate var outline: String {
    switch self {
    case .field(let names): names.map(\.text).joined(separator: ".")
    case .cohort(let unit): "cohort \(unit.text)"
    }
  }
}
