import Testing

/// What is seen from the form of an expression: constants, whole numbers, days, presence, and operands that never
/// count.
@Suite struct DirectionFormTests {
  /// `Constants.swift`: days and texts that are written out.
  @Test(arguments: [
    DirectionRow("2026-01-04 >= 2026-01-05", "constant constant"),
    DirectionRow("if 2026-01-04 in [2026-01-04] then count(Run) else -count(Run)", "rising 0…∞ rising"),
    DirectionRow("if 2026-01-04 > 2026-01-05 then -count(Run) else 3", "constant 3…3 constant"),
  ]) func constants(row: DirectionRow) { expect(row) }

  /// `MembershipRule.swift`: a number that can be no member is none.
  @Test(arguments: [
    DirectionRow("count(Run) in [0, 1]", "unknown unknown"),
    DirectionRow("m7 in [6, 7.5]", "unknown unknown"),
    DirectionRow("m7 in [7.5, 8]", "constant constant"),
    DirectionRow("count(Run) in [-1, 2.5]", "constant constant"),
    DirectionRow("count(Run) not in [-1, 2.5]", "constant constant"),
  ]) func membership(row: DirectionRow) { expect(row) }

  /// A whole number is never 2.5.
  @Test(arguments: [
    DirectionRow("count(Run) == 2.5", "constant constant"),
    DirectionRow("2 * count(Run) - 1 != 0.5", "constant constant"),
    DirectionRow("(if c then 1.0 else 2) * count(Run) == 2.5", "constant constant"),
    DirectionRow("count(Run) / 2 == 0.5", "unknown unknown"),
  ]) func wholeNumbers(row: DirectionRow) { expect(row) }

  /// `DayReach.swift`: no fact lies after `day`, and a period says how far back they do.
  @Test(arguments: [
    DirectionRow("last(Run) > day", "constant constant"),
    DirectionRow("first(Run) <= last(Run)", "rising rising"),
    DirectionRow("last(Run over last 1 days) - first(Run over last 1 days)", "rising 0…0? unknown"),
    DirectionRow("last(Run) - first(Run over last 3 days)", "rising 0…2? unknown"),
  ]) func days(row: DirectionRow) { expect(row) }

  /// Operands of `least` and `greatest` that are never taken only decide whether there is a value.
  @Test(arguments: [
    DirectionRow("greatest(count(Run), -sum(Run.n))", "rising 0…∞ rising"),
    DirectionRow("greatest(3, m7 - 5)", "constant 3…3 constant"),
    DirectionRow("least(count(Run), 0 - max(Run.n))", "unknown -∞…0? unknown"),
  ]) func masks(row: DirectionRow) { expect(row) }

  /// A comparison that has one truth where it has any moves only as its sides appear.
  @Test(arguments: [
    DirectionRow("min(Run.n) >= 0", "rising rising"),
    DirectionRow("max(Run.n) / min(Run.n) < 1", "constant constant"),
    DirectionRow("(min(Run.n) >= 0) is none", "falling falling"),
    DirectionRow("(count(Run) >= 2 or max(Run.n) >= 1) is not none", "rising rising"),
    DirectionRow("c is none", "constant constant"),
    DirectionRow("if max(Run.n) <= 3 then 1 else 2", "unknown 1…2 unknown"),
    DirectionRow("if max(Run.n) >= 3 then 2 else 1", "rising 1…2 rising"),
    DirectionRow("if m7 > 2 then count(Run) else count(Run)", "rising 0…∞ rising"),
  ]) func undecided(row: DirectionRow) { expect(row) }

  /// `JunctionRule.swift`: one side of `and` or `or` moves the whole where the other leaves it open.
  @Test(arguments: [
    DirectionRow("count(Run) >= 2 or count(Run over last 3 days) <= 1", "constant constant"),
    DirectionRow("count(Run) in [0, 1] or count(Run over last 3 days) >= 2", "unknown unknown"),
    DirectionRow("days(Run) >= 1 or max(Run.n) is none", "constant constant"),
    DirectionRow("m7 in [3] and m7 >= 4", "constant constant"),
    DirectionRow("m7 in [3] and m7 >= 2", "unknown unknown"),
    DirectionRow("if c then (if c then count(Run) else -count(Run)) else 0", "rising 0…∞ unknown"),
    DirectionRow("sum(Run.n) - min(Run.n over last 3 days)", "rising 0…∞? unknown"),
  ]) func junctions(row: DirectionRow) { expect(row) }

  /// `KnownAggregates.swift`: a group has a fact.
  @Test(arguments: [
    DirectionRow("count(Run) - 0.5", "rising 0.5…∞? rising"),
    DirectionRow("sum(Run.x where x > 1) - 1", "rising 0.000001…∞? rising"),
    DirectionRow("count(Run) + sum(Run.n where done) - 1", "rising 0…∞? rising"),
    // The one fact may be the other aggregate's.
    DirectionRow("count(Run where done) - 0.5", "rising 0.5…∞? rising"),
    DirectionRow("count(Run where done) + count(Run where not done) - 1", "rising -1…∞? rising"),
    DirectionRow("average(Run.x) - min(Run.x)", "unknown 0…∞? unknown"),
  ]) func groups(row: DirectionRow) {
    let measure = "measure m { for habit  value \(row.expression)  by mood  audience team }"
    #expect(DirectionTable.declares(measure) == row.expected)
  }

  /// `WindowPresence.swift`: a window that is complete has a fact.
  @Test(arguments: [
    DirectionRow("completion m { for habit  every day  when days(Run) == 1 }", "rising unknown"),
    DirectionRow("completion m { for habit  every day  when count(Run) == 1 }", "unknown unknown"),
    DirectionRow(
      """
      completion sure { for habit  every day  when max(Run.n) >= 0  rest when last(Run.done) }
      streak m { of sure }
      """, "rising 0…∞ unknown"),
    DirectionRow(
      """
      completion sure {
        for habit  every day  when max(Run.n) >= 0  rest when count(Run over last 2 days) == 0  audience team
      }
      streak m { of sure  audience team }
      """, "unknown 0…∞ unknown"),
    // A day that rests has no run, and a run makes it complete.
    DirectionRow(
      """
      completion sure { for habit  every day  when count(Run) >= 1  rest when count(Run where done) == 0 }
      streak m { of sure }
      """, "rising 0…∞ unknown"),
    // What ends the rest is what makes the day complete.
    DirectionRow(
      """
      completion open {
        for habit  every day  when sum(Run.x where x > 1) >= 1  rest when count(Run where x > 1) == 0
      }
      streak m { of open }
      """, "rising 0…∞ unknown"),
    DirectionRow(
      """
      completion open {
        for habit  every day  when sum(Run.x where x > 1) >= 3  rest when count(Run where x > 1) == 0
        audience team
      }
      streak m { of open  audience team }
      """, "unknown 0…∞ unknown"),
  ]) func presence(row: DirectionRow) {
    #expect(DirectionTable.declares(row.expression) == row.expected)
  }

  private func expect(_ row: DirectionRow) {
    #expect(DirectionTable.says(row.expression, subject: row.subject) == row.expected)
  }

  /// `Growth.swift`: what is taken away, or divides, rises by no more than what is there.
  @Test(arguments: [
    DirectionRow("count(Run) - days(Run)", "rising 0…∞ unknown"),
    DirectionRow("count(Run) - distinct(Run.n)", "rising 0…∞ unknown"),
    DirectionRow("days(Run) - distinct(Run.n)", "unknown -∞…∞ unknown"),
    DirectionRow("count(Run) - count(Run) / 4", "rising 0…∞ unknown"),
    DirectionRow("count(Run) - count(Run) * 1.5", "unknown -∞…∞ unknown"),
    DirectionRow("count(Run) - floor(count(Run) / 4)", "rising 0…∞ unknown"),
    DirectionRow("count(Run) / (count(Run) + 10)", "rising 0…1 unknown"),
    DirectionRow("count(Run) / (count(Run) - 10)", "unknown -∞…∞? unknown"),
    DirectionRow("days(Run) / (count(Run) + 1)", "unknown 0…1 unknown"),
  ]) func growth(row: DirectionRow) { expect(row) }

  /// A subject that no record names belongs to no other one, and is not counted with it.
  @Test(arguments: [
    DirectionRow("count(habit)", "constant 0…∞ constant", subject: "user"),
    DirectionRow("count(habit where c) == count(habit)", "rising unknown", subject: "user"),
  ]) func ownSubjects(row: DirectionRow) { expect(row) }
}
