import Testing

/// The rows for operators, `if`, refinement and point-by-point order.
@Suite struct DirectionOperatorTests {
  @Test(arguments: [
    DirectionRow("count(Run) + m7", "rising 0…∞ unknown"),
    DirectionRow("least(m7, 3)", "rising 0…3 unknown"),
    DirectionRow("greatest(m7, 3)", "rising 3…7 unknown"),
    DirectionRow("7 - m7", "falling 0…7 unknown"),
    DirectionRow("-m7", "falling -7…0 unknown"),
    DirectionRow("m7 - count(Run)", "unknown -∞…7 unknown"),
    DirectionRow("m7 * 2", "rising 0…14 unknown"),
    DirectionRow("m7 * -2", "falling -14…0 unknown"),
    DirectionRow("m7 * m7", "rising 0…49 unknown"),
    DirectionRow("m7 * (m7 - 3)", "unknown -21…28 unknown"),
    DirectionRow("m7 / 7", "rising 0…1 unknown"),
    DirectionRow("m7 / -7", "falling -1…0 unknown"),
    DirectionRow("m7 / 0", "constant none constant"),
    DirectionRow("m7 / habit.room", "rising 0…7000000? unknown"),
    DirectionRow("m7 / habit.size", "unknown -7…7? unknown"),
    DirectionRow("100 / (8 - m7)", "rising 12.5…100 unknown"),
    DirectionRow("100 / (7 - m7)", "unknown 14.285714…100? unknown"),
    DirectionRow("100 / (1 + m7)", "falling 12.5…100 unknown"),
    DirectionRow("floor(m7 / 2)", "rising 0…3 unknown"),
    DirectionRow("last(Run) - first(Run)", "rising 0…∞? rising"),
    DirectionRow("day - first(Run)", "rising 0…∞? rising"),
  ]) func arithmetic(row: DirectionRow) {
    #expect(DirectionTable.says(row.expression, subject: row.subject) == row.expected)
  }

  @Test(arguments: [
    DirectionRow("count(Run) >= 1", "rising rising"),
    DirectionRow("count(Run) > 1", "rising rising"),
    DirectionRow("count(Run) <= 1", "falling falling"),
    DirectionRow("count(Run) < 1", "falling falling"),
    DirectionRow("1 <= count(Run)", "rising rising"),
    DirectionRow("count(Run) >= 0", "constant constant"),
    DirectionRow("m7 > 7", "constant constant"),
    DirectionRow("count(Run) == 1", "unknown unknown"),
    DirectionRow("count(Run) == 0", "falling falling"),
    DirectionRow("m7 == 7", "rising unknown"),
    DirectionRow("count(Run) != 0", "rising rising"),
    DirectionRow("m7 != 7", "falling unknown"),
    DirectionRow("count(Run) in [1, 2]", "unknown unknown"),
    DirectionRow("habit.size in [1, 2]", "constant constant"),
    DirectionRow("max(Run.n) is none", "falling falling"),
    DirectionRow("max(Run.n) is not none", "rising rising"),
    DirectionRow("max(Run.n) >= 1", "rising rising"),
    DirectionRow("min(Run.n) <= 1", "rising rising"),
    DirectionRow("not (count(Run) < 1)", "rising rising"),
    // It is none before the first fact, and then false: not of it is none, and then true.
    DirectionRow("not (max(Run.n) < 5)", "rising rising"),
    DirectionRow("count(Run) >= 1 and m7 >= 2", "rising unknown"),
    DirectionRow("count(Run) >= 1 or m7 < 2", "unknown unknown"),
    DirectionRow("(count(Run) >= 1) is none", "constant constant"),
    DirectionRow("(max(Run.n) >= 1) is not none", "rising rising"),
    DirectionRow("first(Run) <= 2026-01-05", "rising rising"),
    DirectionRow("first(Run) >= 2026-01-05", "unknown rising"),
    DirectionRow("last(Run) >= 2026-01-05", "rising rising"),
    DirectionRow("day >= 2026-01-05", "constant rising"),
    // A Bool that is compared with `true` or `false` is that Bool, or its negation.
    DirectionRow("(m7 >= 1) == true", "rising unknown"),
    DirectionRow("true == (m7 >= 1)", "rising unknown"),
    DirectionRow("(m7 >= 1) != false", "rising unknown"),
    DirectionRow("(m7 >= 1) == false", "falling unknown"),
    DirectionRow("(m7 >= 1) != true", "falling unknown"),
    DirectionRow("(m7 >= 1) in [true]", "rising unknown"),
    DirectionRow("(m7 >= 1) not in [true]", "falling unknown"),
    DirectionRow("(max(Run.n) < 5) == false", "rising rising"),
  ]) func logic(row: DirectionRow) {
    #expect(DirectionTable.says(row.expression, subject: row.subject) == row.expected)
  }

  @Test(arguments: [
    DirectionRow("if count(Run) >= 5 then 20 else 10", "rising 10…20 rising"),
    DirectionRow("if count(Run) >= 5 then 10 else 20", "falling 10…20 falling"),
    DirectionRow("if count(Run) < 5 then 10 else 20", "rising 10…20 rising"),
    DirectionRow("if count(Run) == 5 then 10 else 20", "unknown 10…20 unknown"),
    DirectionRow("if count(Run) != 0 then count(Run) else least(count(Run) + 1, 3)", "rising 1…∞ rising"),
    DirectionRow("if habit.open then 10 else 20", "constant 10…20 constant"),
    DirectionRow("if (m7 >= 5) == true then m7 else least(m7, 5)", "rising 0…7 unknown"),
    DirectionRow("if count(Run) >= 5 then 1 else none", "rising 1…1? rising"),
    DirectionRow("if count(Run) >= 5 then none else 1", "falling 1…1? falling"),
    DirectionRow("if habit.room >= 5 then habit.room else 7", "constant 5…∞ constant"),
    DirectionRow("if habit.size is none then 0 else habit.size", "constant -∞…∞ constant"),
    DirectionRow("if habit.size > 1.5 then habit.size else 2", "constant 2…∞ constant"),
    DirectionRow("if habit.size < 2.5 then habit.size else 0", "constant -∞…2 constant"),
    // Where the target may be none, a comparison that is not true says nothing of the other side.
    DirectionRow("if habit.size < least(habit.room, 0) then 0 else habit.size", "constant -∞…∞? constant"),
    DirectionRow("if m7 >= 5 then m7 else least(m7, 5)", "rising 0…7 unknown"),
    DirectionRow("if habit.open then total else week", "rising 0…∞ unknown"),
    // A part is at most the whole, so the way from one to the other is known.
    DirectionRow("if m7 >= 5 then sum(Run.n) else sum(Run.n over last 7 days)", "rising 0…∞ unknown"),
    DirectionRow("if m7 >= 5 then count(Run) else days(Run)", "rising 0…∞ unknown"),
    DirectionRow("if m7 >= 5 then days(Run) else count(Run)", "unknown 0…∞ unknown"),
    // The condition itself puts the branches in order.
    DirectionRow("if total >= habit.room then habit.room else total", "rising 0…∞ rising"),
    DirectionRow("if total < habit.room then total else habit.room", "rising 0…∞? rising"),
    DirectionRow("if total >= habit.room then total else habit.room", "rising 0…∞? rising"),
    DirectionRow("if total >= habit.size then total else habit.size + 1", "unknown 0…∞? unknown"),
    DirectionRow("if not (m7 < week) then m7 else week", "rising 0…∞ unknown"),
    DirectionRow("if m7 >= 5 then m7 else m7 - 2", "rising -2…7 unknown"),
    DirectionRow("if m7 >= 5 then greatest(m7, 3) else m7", "rising 0…7 unknown"),
    DirectionRow("sum(Plan.perWeek) - sum(Plan.perWeek over last 7 days)", "constant 0…∞ unknown"),
    DirectionRow("sum(Plan.change) - sum(Plan.change over last 7 days)", "constant -∞…∞ unknown"),
  ]) func conditionals(row: DirectionRow) {
    #expect(DirectionTable.says(row.expression, subject: row.subject) == row.expected)
  }

  /// Whole numbers, sums seen as a whole, and what one aggregate that is known says of another.
  @Test(arguments: [
    DirectionRow("100 - 2 * count(Run) == 7.5", "constant constant"),
    DirectionRow("100 - 2 * count(Run) == 7", "unknown unknown"),
    DirectionRow("0.5 * count(Run) == 3", "unknown unknown"),
    DirectionRow("2 * count(Run) not in [0.5, 1.5]", "constant constant"),
    DirectionRow("sum(Run.x where x > 1) == 0.5", "constant constant"),
    DirectionRow("sum(Run.x where x > 1) == 1.5", "unknown unknown"),
    DirectionRow("sum(Run.x where x > 1) in [0.5, 1]", "constant constant"),
    DirectionRow("sum(Run.x where x > -1) == 0.5", "unknown unknown"),
    DirectionRow("count(Run) + -count(Run where done)", "rising 0…∞ unknown"),
    DirectionRow("count(Run where done) - count(Run)", "unknown -∞…0 unknown"),
    DirectionRow("count(Run over last 2 days) - (count(Run where done) - m7)", "unknown -∞…∞ unknown"),
    DirectionRow("sum(Run.n) - sum(Run.n where done)", "rising 0…∞ unknown"),
    DirectionRow("sum(Run.x) - sum(Run.x where done)", "unknown -∞…∞ unknown"),
    DirectionRow("sum(Run.n) - (min(Run.n) - 1)", "rising 1…∞? rising"),
    DirectionRow("sum(Run.n) - (min(Run.x) - 1)", "rising -∞…∞? rising"),
    DirectionRow("7 - (m7 - count(Run)) - min(Run.n)", "unknown -∞…∞? unknown"),
    DirectionRow("if max(Run.n) is none then count(Run) + 2 else 2", "constant 2…2 constant"),
    // A fact may have no x.
    DirectionRow("if max(Run.x) is none then count(Run) + 2 else 2", "unknown 2…∞ unknown"),
    DirectionRow("if max(Run.n) >= 0 then 1 else days(Run) + 1", "constant 1…1 constant"),
    DirectionRow("if max(Run.n) >= 1 then 1 else days(Run) + 1", "unknown 1…∞ unknown"),
    DirectionRow("if sum(Run.x where x > 1) < 1 then days(Run where x > 1) else 0", "constant 0…0 constant"),
    DirectionRow("if -count(Run) >= 0 then sum(Run.n) + 1 else 2", "rising 1…2 rising"),
    DirectionRow("if count(Run) + habit.room < 1 then count(Run) else 1", "rising 0…1 rising"),
    DirectionRow("if count(Run) + habit.size < 1 then count(Run) else 1", "unknown 0…∞ unknown"),
    DirectionRow("m7 == 3 and m7 != 3", "constant constant"),
    DirectionRow("m7 in [3, 5] and m7 not in [3, 5]", "constant constant"),
  ]) func wholeNumbersAndParts(row: DirectionRow) {
    #expect(DirectionTable.says(row.expression, subject: row.subject) == row.expected)
  }

  /// What moves one way comes to a number from one side, and leaves it on the other.
  @Test(arguments: [
    DirectionRow("if count(Run) == 1 then count(Run) + 1 else least(count(Run) + 1, 3)", "rising 1…3 rising"),
    DirectionRow("if not (count(Run) == 1) then least(count(Run) + 1, 3) else 2", "rising 1…3 rising"),
    DirectionRow("if total != 7 then total / 3 * 3 else 7", "rising 0…∞ rising"),
    DirectionRow("if max(Run.n) == 3 then 3 else greatest(max(Run.n), 3)", "rising 3…∞? rising"),
    DirectionRow("if 5 - count(Run) == 3 then 3 else 5 - count(Run)", "falling -∞…5 falling"),
    DirectionRow("if m7 - week == 3 then 3 else 4", "unknown 3…4 unknown"),
    // None is not unequal: what appears may come from anywhere.
    DirectionRow("if max(Run.n) != 3 then 9 else least(count(Run), 3)", "unknown 0…9 unknown"),
  ]) func crossingsOfEquality(row: DirectionRow) {
    #expect(DirectionTable.says(row.expression, subject: row.subject) == row.expected)
  }

  /// The five examples, and the traps that were found with counterexamples.
  @Test(arguments: [
    DirectionRow("100 - 5 * (7 - m7)", "rising 65…100 unknown"),
    DirectionRow("if total >= 100 then total else least(total, 100)", "rising 0…∞ rising"),
    DirectionRow("not (count(Run) < 1)", "rising rising"),
    DirectionRow("greatest(0, total - 10)", "rising 0…∞ rising"),
    DirectionRow("count(c) / 7", "rising 0…∞ rising"),
    DirectionRow("if total >= 7 then total / 3 * 3 else least(total + 1, 7)", "unknown 1…∞ unknown"),
    DirectionRow("100 / (7 - m7)", "unknown 14.285714…100? unknown"),
    DirectionRow("if first(Run) >= 2026-01-05 then 1 else 0", "unknown 0…1 rising"),
    DirectionRow("total / habit.size", "unknown -∞…∞? unknown"),
  ]) func examplesAndTraps(row: DirectionRow) {
    #expect(DirectionTable.says(row.expression, subject: row.subject) == row.expected)
  }
}
