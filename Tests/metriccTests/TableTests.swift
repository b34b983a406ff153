import MetricData
import MetricEvaluate
import MetricPlan
import Testing

@testable import MetricLanguage
@testable import metricc

struct TableTests {
  private let first = DayKey(number: 20_454)  // 2026-01-01, a Thursday

  private func days(_ count: Int) -> [DayKey] { (0..<count).map { first.advanced(by: $0) } }

  private func row(
    _ metric: String, _ subject: String, _ value: Value, group: GroupKey = "", part: String = "",
    day: Int = 0
  ) -> ResultRow {
    ResultRow(
      metric: metric, subject: subject, group: group, part: part, at: first.advanced(by: day),
      value: value)
  }

  private func summary(
    _ name: String, _ kind: String, _ subject: String, roles: [PartRole] = [.value], title: String? = nil
  ) -> MetricSummary {
    MetricSummary(
      name: name, kind: kind, subject: subject, audience: "user", unit: nil, title: title, isAccepted: true,
      roles: roles, shares: roles.filter(\.isShare))
  }

  private func table(
    _ rows: [ResultRow], days: Int = 1, _ metrics: [MetricSummary], width: Int = 100
  ) -> String {
    ResultTable(
      rows: rows, days: self.days(days), metrics: metrics, layout: Layout(width: width, isColored: false)
    ).text
  }

  @Test func subjectsAreRowsAndMetricsColumns() {
    let rows = [
      row("done", "read", .bool(true)), row("done", "walk", .bool(false)),
      row("minutes", "read", .decimal(FixedDecimal(millionths: 1_234_500_000))),
      row("minutes", "walk", .none), row("minutes", "yoga", .int(12)),
    ]
    let metrics = [summary("done", "completion", "habit"), summary("minutes", "measure", "habit")]
    #expect(
      table(rows, metrics) == """
        2026-01-01

        habit  done  minutes
        read      ✓  1,234.5
        walk      ·      –
        yoga            12

        – no value

        """)
  }

  @Test func titlesStandAboveNames() {
    let rows = [row("done", "read", .bool(true)), row("minutes", "read", .int(12))]
    let metrics = [
      summary("done", "completion", "habit"),
      summary("minutes", "measure", "habit", title: "Time spent on it"),
    ]
    #expect(
      table(rows, metrics) == """
        2026-01-01

                        Time
                       spent
                       on it
        habit  done  minutes
        read      ✓       12

        """)
  }

  @Test func titlesStandBesideRows() {
    let rows = [row("people", "", .int(12)), row("share", "", .int(1))]
    let metrics = [
      summary("people", "measure", "app", title: "Who came"), summary("share", "measure", "app"),
    ]
    #expect(
      table(rows, metrics) == """
        2026-01-01

        app     value
        people     12  Who came
        share       1

        """)
  }

  @Test func blocksHaveTheirTitle() {
    let rows = [row("events", "", .int(3), group: "a")]
    #expect(
      table(rows, [summary("events", "measure", "app", title: "Everything that happened")]) == """
        2026-01-01

        Everything that happened
        events  value
        a           3

        """)
  }

  @Test func seriesHaveTheirTitle() {
    #expect(
      table(
        [row("done", "read", .bool(true))], days: 2,
        [summary("done", "completion", "habit", title: "Done today")]
      ) == """
        2026-01-01 … 2026-01-02, 2 days

        done  Done today
        habit  Jan 2026    true
        read   ■         1 of 1

        ■ true  · false

        """)
  }

  @Test func manySubjectsAreSummedUpFirst() {
    let rows = (1...25).map { row("minutes", "s\($0 + 10)", .int(Int64($0))) }
    let shown = table(rows, [summary("minutes", "measure", "habit")])
    #expect(
      shown.hasPrefix(
        """
        2026-01-01

        25 habits  with a value  true  lowest  median  highest
        minutes              25             1      13       25

        habit  minutes
        s11          1
        """))
  }

  @Test func sharesArePercentagesInTablesAndSeries() {
    let rows = (0...1).map {
      row("goal", "a", .decimal(FixedDecimal(millionths: 532_000)), part: "fraction", day: $0)
    }
    let metrics = [summary("goal", "progress", "habit", roles: [.fraction])]
    #expect(table([rows[0]], metrics).contains("53.2%"))
    #expect(table(rows, days: 2, metrics).contains("53.2%  53.2%  53.2%  53.2%"))
  }

  @Test func seriesShareAScale() {
    let rows = [0, 1].flatMap { day in
      [row("n", "a", .int(Int64(day)), day: day), row("n", "b", .int(Int64(7 + day)), day: day)]
    }
    let shown = table(rows.sorted { $0.subject < $1.subject }, days: 2, [summary("n", "measure", "habit")])
    #expect(shown.contains("▁ 0, █ 8"))
    #expect(shown.contains("▁▂") && shown.contains("██") || shown.contains("▇█"))
  }

  @Test func monthsAreNamedWhereTheyStart() {
    let strip = CalendarStrip(days: (0..<40).map { DayKey(number: 20_482).advanced(by: $0) }, hasWeeks: false)
    // From 2026-01-29.
    #expect(strip.ruler == "Ja Feb                         Mar".replacing("Ja Feb", with: "J  Feb"))
  }

  @Test func fractionsHaveFourDigits() {
    let shown = { (millionths: Int64) in Value.decimal(FixedDecimal(millionths: millionths)).cell.text }
    #expect(shown(873_611) == "0.8736")
    #expect(shown(1_234_999_950) == "1,235")
    #expect(shown(-50) == "-0.0001")
    #expect(shown(49) == "0.000049")
    #expect(shown(500_000) == "0.5")
    #expect(shown(FixedDecimal.limit) == "9,000,000,000,000")
  }

  @Test func wideTablesAreFolded() {
    let rows = ["alpha", "beta", "gamma"].map { row($0, "read", .int(1)) }
    let metrics = ["alpha", "beta", "gamma"].map { summary($0, "measure", "habit") }
    #expect(
      table(rows, metrics, width: 20) == """
        2026-01-01

        habit  alpha  beta
        read       1     1

        habit  gamma
        read       1

        """)
  }

  @Test func funnelsShowShares() {
    let steps = [("opened", 200), ("added", 150), ("started", 0)]
    let rows = steps.map { row("lesson", "", .int(Int64($1)), part: $0) }
    #expect(
      table(rows, [summary("lesson", "funnel", "user", roles: steps.map { .step($0.0) })]) == """
        2026-01-01

        lesson   users                        of opened  of the step before
        opened     200  ████████████████████       100%
        added      150  ███████████████             75%                 75%
        started      0                               0%                  0%

        """)
  }

  @Test func aStepMayBeCalledLikeAPartOfAnotherFunnel() {
    let rows = [row("lesson", "", .int(200), part: "opened"), row("lesson", "", .int(150), part: "any1")]
    let metrics = [summary("lesson", "funnel", "user", roles: [.step("opened"), .step("any1")])]
    #expect(table(rows, metrics).contains("75%                 75%"))
  }

  @Test func retentionShowsRates() {
    let rows = [
      row("back", "", .int(8), part: "d1.eligible"), row("back", "", .int(3), part: "d1.returned"),
      row("back", "", .decimal(FixedDecimal(millionths: 375_000)), part: "d1.rate"),
    ]
    let day = DaysAfter(through: 1)
    let roles: [PartRole] = [.eligible(day), .returned(day), .rate(day)]
    #expect(
      table(rows, [summary("back", "retention", "user", roles: roles)]) == """
        2026-01-01

        back  eligible  returned   rate
        d1           8         3  37.5%  ███████▌

        """)
  }

  @Test func retentionWithAValueShowsMeans() {
    let rows = [
      row("worth", "", .int(8), part: "d1to7.eligible"),
      row("worth", "", .decimal(FixedDecimal(millionths: 20_500_000)), part: "d1to7.value"),
      row("worth", "", .decimal(FixedDecimal(millionths: 2_562_500)), part: "d1to7.mean"),
    ]
    let days = DaysAfter(from: 1, through: 7)
    let roles: [PartRole] = [.eligible(days), .worth(days), .mean(days)]
    #expect(
      table(rows, [summary("worth", "retention", "user", roles: roles)]) == """
        2026-01-01

        worth  eligible  value    mean
        d1to7         8   20.5  2.5625

        """)
  }

  @Test func groupsAreRows() {
    let rows = [row("events", "", .int(3)), row("events", "", .none, group: "b")]
    #expect(
      table(rows, [summary("events", "measure", "app")]) == """
        2026-01-01

        events  value
        (none)      3
        b           –

        – no value

        """)
  }

  @Test func seriesOfBoolsAreStrips() {
    let marks: [Value] = [.bool(true), .bool(true), .bool(false), .bool(false), .bool(true), .none]
    let rows = marks.enumerated().map { row("done", "read", $1, day: $0) }
    #expect(
      table(rows, days: 7, [summary("done", "completion", "habit")]) == """
        2026-01-01 … 2026-01-07, 7 days

        done
        habit  Jan 2026    true
        read   ■■·· ■–   3 of 6

        ■ true  · false  – no value

        """)
  }

  @Test func longStripsAreFolded() {
    let rows = (0..<40).map { row("done", "read", .bool($0 % 2 == 0), day: $0) }
    #expect(
      table(rows, days: 40, [summary("done", "completion", "habit")], width: 50) == """
        2026-01-01 … 2026-02-09, 40 days

        done
        habit  from        days                 true
        read   2026-01-01  ■·■· ■·■·■·■     20 of 40
               2026-01-12  ·■·■·■· ■·■·■·■
               2026-01-26  ·■·■·■· ■·■·■·■
               2026-02-09  ·

        ■ true  · false

        """)
  }

  @Test func seriesOfNumbersAreSparklines() {
    let rows = [1, 2, 3, 4, 5].enumerated().map { row("total", "", .int($1), day: $0) }
    #expect(
      table(rows, days: 5, [summary("total", "measure", "app")]) == """
        2026-01-01 … 2026-01-05, 5 days

        ▁ the lowest of the row, █ the highest
        app    Jan 2026  first  last  min  max
        total  ▁▃▅▇█         1     5    1    5

        """)
  }

  @Test func sparklines() {
    #expect(Sparkline.text([1, 2, 3, 4, 5, 6, 7, nil, 8], on: 1...8) == "▁▂▃▄▅▆▇–█")
    #expect(Sparkline.text([0, 0], on: Sparkline.scale([0, 0])) == "▁▁")
    #expect(Sparkline.text([7, 7], on: Sparkline.scale([nil, 7])) == "▅▅")
    #expect(Sparkline.text([nil, nil], on: Sparkline.scale([nil])) == "––")
    #expect(Sparkline.means([1, 3, nil, nil, 5], size: 2) == [2, nil, 5])
  }

  @Test func nothingToShow() {
    #expect(table([], []) == "2026-01-01\n\nno subject has a result\n")
  }

  @Test func widths() {
    #expect(DisplayWidth.of("läuft") == 5)
    #expect(DisplayWidth.of("la\u{308}uft") == 5)
    #expect(DisplayWidth.of("日本") == 4)
    #expect(DisplayWidth.cut("daily_streak", to: 6) == "daily…")
    #expect(Cell("a\u{1B}[2Jb").text == "a\u{FFFD}[2Jb")
  }
}
