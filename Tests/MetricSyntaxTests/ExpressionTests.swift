import MetricSyntax
import Testing

@Suite struct ExpressionTests {
  @Test(arguments: [
    ("a or b and c", "(or a (and b c))"),
    ("not a and b", "(and (not a) b)"),
    ("not a == b", "(not (== a b))"),
    ("not not a", "(not (not a))"),
    ("a + b * c - d", "(- (+ a (* b c)) d)"),
    ("a / b / c", "(/ (/ a b) c)"),
    ("-a * -b", "(* (- a) (- b))"),
    ("- - a", "(- (- a))"),
    ("a + b < c - d", "(< (+ a b) (- c d))"),
    ("(a or b) and c", "(and (or a b) c)"),
    ("-a offset 7 days", "(- (offset a 7 days))"),
    ("a.fraction offset 1 month + 1", "(+ (offset a.fraction 1 month) 1)"),
    ("a in [1, -2, \"x\", true, none, 2026-01-31]", "(in a [1 (- 2) \"x\" true none 2026-01-31])"),
    ("a not in [1] and b", "(and (not-in a [1]) b)"),
    ("a is none or b is not none", "(or (is-none a) (is-not-none b))"),
    ("a == none", "(== a none)"),
    ("if a then b else if c then d else e + 1", "(if a b (if c d (+ e 1)))"),
    ("1 + (if a then b else c)", "(+ 1 (if a b c))"),
    ("if a then if b then 1 else 2 else 3", "(if a (if b 1 2) 3)"),
    ("day - habit.startDay >= 2026-01-31", "(>= (- day habit.startDay) 2026-01-31)"),
  ])
  func precedence(text: String, expected: String) {
    #expect(outline(text) == expected)
  }

  @Test(arguments: [
    ("now()", "now()"),
    ("count(HabitEntry)", "count(HabitEntry)"),
    ("least(a, b + 1)", "least(a, (+ b 1))"),
    (
      "sum(F.x through GoalLink where a > 1 over last 7 days)",
      "sum(F.x through GoalLink where (> a 1) over last 7 days)"
    ),
    ("percentile(F.x where a, 95)", "percentile(F.x where a, 95)"),
    ("count(user where not a and b offset 28 days)", "count(user where (and (not a) (offset b 28 days)))"),
    ("last(T.perWeek over all time)", "last(T.perWeek over all time)"),
    ("days(F over calendar week from friday)", "days(F over calendar week from friday)"),
    ("least(if a then 1 else 2, 3)", "least((if a 1 2), 3)"),
  ])
  func calls(text: String, expected: String) {
    #expect(outline(text) == expected)
  }

  /// Words are names as a field, after a point and as an operand.
  @Test(arguments: [
    ("value + over", "(+ value over)"),
    ("HabitEntry.value", "HabitEntry.value"),
    ("a.not.if.none.true", "a.not.if.none.true"),
    (
      "count(E where level == \"b1\" and over in [1] over last 7 days)",
      "count(E where (and (== level \"b1\") (in over [1])) over last 7 days)"
    ),
    ("count(where where where over last 1 day)", "count(where where where over last 1 day)"),
    ("last + first - day * week", "(- (+ last first) (* day week))"),
    ("in in [1]", "(in in [1])"),
    ("is is none", "(is-none is)"),
    ("at offset 7 days", "(offset at 7 days)"),
    ("if then then else else then", "(if then else then)"),
    ("step(every)", "step(every)"),
  ])
  func wordsAsNames(text: String, expected: String) {
    #expect(outline(text) == expected)
  }

  @Test func aWordAfterAnOperandStartsTheNextClause() {
    let contents = clauses("value value target target over last 7 days unit unit when when rest when rest")
    #expect(
      contents.map(\.outline) == [
        "value value", "target target", "over last 7 days", "unit unit", "when when", "rest when rest",
      ])
  }

  @Test func aClauseWordWithItsPayloadIsNoOperand() {
    let parsed = Parsed("measure m { for app value\n over last 7 days }")
    #expect(
      parsed.metrics.first?.clauses.map(\.outline) == [
        "for app", "value <missing>", "over last 7 days",
      ])
  }

  @Test func spansCoverTheWholeExpression() {
    let parsed = Parsed("measure m { value a + (b * 2) offset 3 days }")
    #expect(parsed.codes == ["S034"])
    let right = Parsed("measure m { value if a then -b else c in [1] over all time }")
    guard case .expression(let value)? = right.metrics.first?.clauses.first?.content else { return }
    #expect(right.text(value.span) == "if a then -b else c in [1]")
  }

  @Test func slipsAreReadAsMeant() {
    let parsed = Parsed("measure m { value a = 1 && !b || c <> 'x' }")
    #expect(parsed.diagnostics.count == 6)
    guard case .expression(let value)? = parsed.metrics.first?.clauses.first?.content else { return }
    #expect(value.outline == "(or (and (== a 1) (not b)) (!= c \"x\"))")
  }
}
