import Testing

/// The rows for leaves and metric kinds: direction as facts are added, range (`?` may be none), direction
/// as days pass.
@Suite struct DirectionLeafTests {
  @Test(arguments: [
    DirectionRow("3", "constant 3…3 constant"),
    DirectionRow("habit.size", "constant -∞…∞? constant"),
    DirectionRow("habit.room", "constant 0…∞? constant"),
    DirectionRow("habit.open", "constant constant"),
    DirectionRow("day", "constant rising"),
    DirectionRow("weekday(day)", "constant unknown"),
    DirectionRow("count(Run)", "rising 0…∞ rising"),
    DirectionRow("distinct(Run.mood)", "rising 0…∞ rising"),
    DirectionRow("days(Run)", "rising 0…∞ rising"),
    DirectionRow("days(Run over last 7 days)", "rising 0…7 unknown"),
    DirectionRow("days(Run over calendar month)", "rising 0…31 unknown"),
    DirectionRow("count(Run over last 7 days)", "rising 0…∞ unknown"),
    DirectionRow("sum(Run.n)", "rising 0…∞ rising"),
    DirectionRow("sum(Run.x)", "unknown -∞…∞ unknown"),
    DirectionRow("sum(Run.x where x > 0)", "rising 0…∞ rising"),
    DirectionRow("sum(Run.x where x < 0)", "falling -∞…0 falling"),
    DirectionRow("sum(Run.x where not (x <= 0))", "rising 0…∞ rising"),
    DirectionRow("sum(Run.x where x > 0 and done)", "rising 0…∞ rising"),
    DirectionRow("sum(Run.x where x > 0 or done)", "unknown -∞…∞ unknown"),
    DirectionRow("sum(Run.x where x in [1, 2])", "rising 0…∞ rising"),
    DirectionRow("max(Run.n)", "rising 0…∞? rising"),
    DirectionRow("max(Run.x where x > 1)", "rising 1.000001…∞? rising"),
    DirectionRow("max(Run.n where n > 1.5)", "rising 2…∞? rising"),
    DirectionRow("percentile(Run.n, 100)", "rising 0…∞? rising"),
    DirectionRow("min(Run.n)", "unknown 0…∞? unknown"),
    DirectionRow("average(Run.n)", "unknown 0…∞? unknown"),
    DirectionRow("percentile(Run.n, 99)", "unknown 0…∞? unknown"),
    DirectionRow("first(Run)", "unknown rising"),
    DirectionRow("last(Run)", "rising rising"),
    DirectionRow("first(Run.n)", "unknown 0…∞? unknown"),
    DirectionRow("last(Run.n)", "unknown 0…∞? unknown"),
    DirectionRow("last(Run.done)", "unknown unknown"),
    DirectionRow("not last(Run.done)", "unknown unknown"),
    DirectionRow("last(Plan.perWeek)", "constant 1…∞? unknown"),
    DirectionRow("sum(Plan.change)", "constant -∞…∞ unknown"),
    DirectionRow("10 - count(Plan)", "constant -∞…10 falling"),
    DirectionRow("total", "rising 0…∞ rising"),
    DirectionRow("total offset 7 days", "rising 0…∞ rising"),
    DirectionRow("week offset 1 month", "rising 0…∞ unknown"),
    DirectionRow("daily_only", "rising 0…∞? rising"),
  ]) func leaves(row: DirectionRow) {
    #expect(DirectionTable.says(row.expression, subject: row.subject) == row.expected)
  }

  @Test(arguments: [
    DirectionRow("c", "rising unknown"),
    DirectionRow("falling", "unknown unknown"),
    DirectionRow("m7", "rising 0…7 unknown"),
    DirectionRow("count(c)", "rising 0…∞ rising"),
    DirectionRow("count(c over last 7 days)", "rising 0…7 unknown"),
    // A calendar unit counts after it has ended; February to April has 89 days.
    DirectionRow("count(quarterly over last 89 days)", "rising 0…1 unknown"),
    DirectionRow("count(quarterly over calendar year)", "rising 0…4 unknown"),
    DirectionRow("count(falling)", "unknown 0…∞ rising"),
    // A rest window is not complete either way.
    DirectionRow("count(resting)", "rising 0…∞ rising"),
    DirectionRow("first(c)", "unknown rising"),
    DirectionRow("last(c)", "rising rising"),
    DirectionRow("last(falling)", "unknown rising"),
  ]) func completions(row: DirectionRow) {
    #expect(DirectionTable.says(row.expression, subject: row.subject) == row.expected)
  }

  /// Days as rows: over a period they are the same with one fact more.
  @Test(arguments: [
    DirectionRow("sum(week over last 7 days)", "rising 0…∞ unknown"),
    DirectionRow("max(week over last 7 days)", "rising 0…∞ unknown"),
    DirectionRow("average(week over last 7 days)", "rising 0…∞ unknown"),
    DirectionRow("min(week over last 7 days)", "rising 0…∞ unknown"),
    DirectionRow("last(week over previous calendar month)", "rising 0…∞ unknown"),
    DirectionRow("percentile(m7 over last 7 days, 50)", "rising 0…7 unknown"),
    DirectionRow("stddev(week over last 7 days)", "unknown 0…∞ unknown"),
    // All time may begin earlier, with a low day.
    DirectionRow("sum(week)", "rising 0…∞ rising"),
    DirectionRow("max(week)", "rising 0…∞? rising"),
    DirectionRow("average(week)", "unknown 0…∞? unknown"),
    DirectionRow("min(week)", "unknown 0…∞? unknown"),
    DirectionRow("first(week)", "unknown 0…∞? unknown"),
    // A day without a value becomes one with a low value.
    DirectionRow("max(greatest_run over last 7 days)", "rising 0…∞? unknown"),
    DirectionRow("average(greatest_run over last 7 days)", "unknown 0…∞? unknown"),
    DirectionRow("sum(balance over last 7 days)", "unknown -∞…∞ unknown"),
  ]) func days(row: DirectionRow) {
    #expect(DirectionTable.says(row.expression, subject: row.subject) == row.expected)
  }

  @Test(arguments: [
    DirectionRow("streak m { of c }", "rising 0…∞ unknown"),
    DirectionRow("streak m { of c  best }", "rising 0…∞ rising"),
    DirectionRow("streak m { of c  previous }", "unknown 0…∞ unknown"),
    DirectionRow("streak m { of c  grace 2 days }", "rising 0…∞ unknown"),
    DirectionRow("streak m { of c  forgive 2 in 7 days }", "rising 0…∞ unknown"),
    DirectionRow("streak m { of c  best  forgive 2 in 7 days }", "rising 0…∞ rising"),
    DirectionRow("streak m { of lasting  forgive 2 in 7 days }", "rising 0…∞ rising"),
    DirectionRow("streak m { of resting  forgive 2 in 7 days  audience team }", "unknown 0…∞ unknown"),
    DirectionRow(
      "streak k { of c  forgive 2 in 7 days }\nmeasure m { for habit  value k.left }", "rising 0…2 unknown"),
    DirectionRow("streak m { of falling  audience team }", "unknown 0…∞ unknown"),
    DirectionRow("streak m { of resting  audience team }", "unknown 0…∞ unknown"),
    DirectionRow("momentum m { of c  over last 3 days }", "rising 0…3 unknown"),
    DirectionRow("momentum m { of c  half life 3 days }", "rising 0…1 unknown"),
    DirectionRow("momentum m { of resting  audience team  over last 3 days }", "unknown 0…3 unknown"),
    // The first fact turns it on, whatever the condition says.
    DirectionRow("completion m { for habit  every day  when count(Run) >= 0 }", "rising unknown"),
    DirectionRow("level m { of total  at 2, 5 }", "rising 0…2 rising"),
    DirectionRow("level m { of m7  audience team  at 2, 9 }", "rising 0…1 unknown"),
    DirectionRow("level m { of total  at 0, 5 }", "rising 1…2 rising"),
    DirectionRow(
      "measure g { for habit  value 5 + count(Run over last 3 days)  by mood }\nlevel m { of g  at 2 }",
      "rising 0…1? unknown"),
    DirectionRow("progress m { for habit  value sum(Run.n) }", "rising 0…∞ rising"),
    // What is complete on one day is complete on all later ones; and where every other day rests, no run ends.
    DirectionRow("streak m { of lasting }", "rising 0…∞ rising"),
    DirectionRow("momentum m { of lasting  over last 3 days }", "rising 0…3 rising"),
    DirectionRow("streak m { of unbroken }", "rising 0…∞ rising"),
    DirectionRow("streak m { of never }", "constant 0…0 constant"),
    // 8 is rounded to 10, and 2 to 0.
    DirectionRow(
      "measure m { for habit  audience team  value least(count(Run) + 2, 8)  nearest 5 }",
      "rising 0…10 rising"),
    // A fact may take away a day on which a completion held.
    DirectionRow("funnel m { for habit  step begun Run  step held c }", "rising 0…∞ rising"),
    DirectionRow("funnel m { for habit  step begun Run  step held falling }", "unknown 0…∞ rising"),
  ]) func kinds(row: DirectionRow) {
    #expect(DirectionTable.declares(row.expression) == row.expected)
  }

  @Test func progressParts() {
    let progress = "progress m { for habit  value sum(Run.n)  target last(Plan.perWeek) }"
    #expect(DirectionTable.declares(progress, part: "target") == "constant 1…∞? unknown")
    #expect(DirectionTable.declares(progress, part: "fraction") == "rising 0…∞? unknown")
    let growing = "progress m { for habit  audience team  value sum(Run.n)  target count(Run) + 1 }"
    #expect(DirectionTable.declares(growing, part: "fraction") == "unknown 0…∞ unknown")
  }
}
