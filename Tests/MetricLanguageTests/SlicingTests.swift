import Foundation
import MetricDiagnostics
import MetricPlan
import MetricTestSupport
import Testing

@testable import MetricLanguage

/// What a metric is that is asked for with `by`, `where` and `over`.
@Suite struct SlicingTests {
  private static let records = """
    extend User { plan : Text?  country : Text? }
    fact Login { userId : User  dayKey : DayKey  country : Text?  device : Text?  minutes : Decimal? min 0 }
    completion active { for user  every day  when count(Login) >= 1  audience team }

    """

  struct Case: CustomTestStringConvertible {
    var defined: String
    var slice: MetricSlice
    var meant: String
    var testDescription: String { "\(defined) \(slice)" }
  }

  private static let funnel = "funnel m { for user  step a Login where device == \"x\"  step b Login"
  private static let cases = [
    Case(
      defined: "measure m { for app  value count(Login)  by device }", slice: MetricSlice(by: "country"),
      meant: "measure m { for app  value count(Login)  by country }"),
    Case(
      defined: "measure m { for app  value count(Login)  by device }",
      slice: MetricSlice(by: "country, device, user.plan"),
      meant: "measure m { for app  value count(Login)  by country, device, user.plan }"),
    Case(
      defined: "measure m { for app  value count(Login)  by device }", slice: MetricSlice(by: "none"),
      meant: "measure m { for app  value count(Login) }"),
    Case(
      defined: "measure m { for app  value count(Login)  over last 7 days }",
      slice: MetricSlice(by: "user.plan", over: "calendar month"),
      meant: "measure m { for app  value count(Login)  over calendar month  by user.plan }"),
    Case(
      defined:
        "measure m { for app  value sum(Login.minutes where minutes > 1 or device == \"x\") / count(Login) }",
      slice: MetricSlice(condition: "country == \"de\" or country is none"),
      meant: """
        measure m {
          for app
          value sum(Login.minutes where (minutes > 1 or device == "x") and (country == "de" or country is none))
            / count(Login where country == "de" or country is none)
        }
        """),
    Case(
      defined: "measure m { for app  value count(user where active) }",
      slice: MetricSlice(by: "active, user.country"),
      meant: "measure m { for app  value count(user where active)  by active, user.country }"),
    Case(
      defined: "measure m { for app  value if count(Login) > 3 then -greatest(count(Login), 2) else 0 }",
      slice: MetricSlice(condition: "minutes > 1"),
      meant: """
        measure m {
          for app
          value if count(Login where minutes > 1) > 3 then -greatest(count(Login where minutes > 1), 2) else 0
        }
        """),
    Case(
      defined: "measure m { for app  value count(user where active) }",
      slice: MetricSlice(by: "user.country", condition: "plan == \"pro\""),
      meant: "measure m { for app  value count(user where active and plan == \"pro\")  by user.country }"),
    Case(
      defined:
        "completion m { for user  every week  when count(Login) >= 2  limit count(Login) < 9 \"w\"  rest when count(Login) == 1  audience team }",
      slice: MetricSlice(condition: "device == \"x\""),
      meant: """
        completion m {
          for user  every week  when count(Login where device == "x") >= 2
          limit count(Login where device == "x") < 9 "w"
          rest when count(Login where device == "x") == 1  audience team
        }
        """),
    Case(
      defined: "progress m { for user  value sum(Login.minutes)  target count(Login)  audience team }",
      slice: MetricSlice(condition: "device == \"x\"", over: "last 3 days"),
      meant: """
        progress m {
          for user  value sum(Login.minutes where device == "x")  target count(Login where device == "x")
          over last 3 days  audience team
        }
        """),
    Case(
      defined: "measure m { for user  value sum(Login.minutes) / count(Login)  reading \"r\" }",
      slice: MetricSlice(by: "device", condition: "minutes > 1"),
      meant: """
        measure m {
          for user  value sum(Login.minutes where minutes > 1) / count(Login where minutes > 1)  by device
          reading "r"
        }
        """),
    Case(
      defined: funnel + "  without Login where device == \"y\"  within 3 days }",
      slice: MetricSlice(by: "country", condition: "minutes > 1", over: "last 9 days"),
      meant: """
        funnel m {
          for user  step a Login where device == "x" and minutes > 1  step b Login where minutes > 1
          without Login where device == "y"  within 3 days  over last 9 days  by country
        }
        """),
    Case(
      defined: "retention m { for user  start Login  return Login where device == \"x\"  after 1 day }",
      slice: MetricSlice(by: "cohort week, country", condition: "minutes > 1"),
      meant: """
        retention m {
          for user  start Login where minutes > 1  return Login where device == "x" and minutes > 1
          after 1 day  by cohort week, country
        }
        """),
  ]

  private static func source(_ text: String) -> SourceFile {
    SourceFile(path: "a.metric", text: records + text)
  }

  private func sliced(_ text: String, _ slice: MetricSlice, _ names: [String] = ["m"]) throws -> MetricLibrary
  {
    try MetricLibrary(sources: [Self.source(text)], slicing: names, by: slice)
  }

  private func plan(of name: String, in library: MetricLibrary) throws -> PlannedMetric {
    try #require(
      library.plannedMetrics.first { $0.summary.name == name }, "\(library.findings.map(\.message))")
  }

  @Test("SLC-01: a slice is the definition with its clauses", arguments: cases)
  func meansTheDefinition(_ one: Case) throws {
    let library = try sliced(one.defined, one.slice)
    let meant = MetricLibrary(sources: [Self.source(one.meant)])
    #expect(library.isAccepted && meant.isAccepted, "\(meant.findings.map(\.message))")
    let (found, wanted) = (try plan(of: "m", in: library), try plan(of: "m", in: meant))
    #expect(found.clauses == wanted.clauses)
    #expect(found.parts == wanted.parts && found.reads.count == wanted.reads.count)
    #expect(found.summary == wanted.summary)
  }

  /// Of random libraries: with each dimension, the plan is that of the definition with `by` written into it.
  @Test func dimensionsOfRandomLibrariesAreThoseThatCanBeWritten() throws {
    var count = 0
    for seed in 0..<12 {
      var random = SeededGenerator(seed: UInt64(seed))
      let text = RandomLibrary.source(using: &random)
      let source = SourceFile(path: "a.metric", text: text)
      let library = MetricLibrary(sources: [source])
      guard library.isAccepted else { continue }
      // Nothing may read a metric with groups.
      let unread = library.plannedMetrics.filter { $0.readBy.isEmpty && $0.grouping.isEmpty }
      for metric in unread.map(\.summary) {
        for dimension in library.dimensions(of: metric.name, sources: [source]).prefix(2) {
          let head = "\n\(metric.kind) \(metric.name) {"
          let range = try #require(("\n" + text).range(of: head))
          let written = ("\n" + text).replacingCharacters(in: range, with: head + " by \(dimension.name) ")
          let parsed = ParsedSource(SourceFile(path: "a.metric", text: written), file: 0)
          let meant = MetricLibrary(parsed: [parsed], searchesCounterexamples: false)
          let sliced = try MetricLibrary(
            sources: [source], slicing: [metric.name], by: MetricSlice(by: dimension.name))
          #expect(sliced.isAccepted && meant.isAccepted, "\(metric.name) by \(dimension.name):\n\(text)")
          let (found, wanted) = (try plan(of: metric.name, in: sliced), try plan(of: metric.name, in: meant))
          #expect(found.clauses == wanted.clauses)
          count += 1
        }
      }
    }
    #expect(count > 10)
  }

  @Test("SLC-02: what others read of it, and it reads of others, is as defined")
  func othersReadTheDefinition() throws {
    let text = """
      measure m { for app  value count(Login) }
      measure n { for app  value count(Login) / m  by country }
      test "m" {
        given Login { userId: "u", dayKey: 2026-01-01, country: "de" }
        expect m at 2026-01-01 = 1
      }
      """
    let library = try sliced(text, MetricSlice(condition: "country == \"at\""), ["m", "n"])
    #expect(library.isAccepted)
    let clauses = try plan(of: "n", in: library).clauses
    #expect(clauses.first?.text == "count(Login where country == \"at\") / m as defined")
    #expect(library.read(bySliced: "n") == ["m"])
    let defined = try #require(library.plan.metric(named: "m as defined"))
    #expect(library.plan.clauses(of: library.plan.metrics[defined]).first?.text == "count(Login)")
    #expect(library.runTests(filter: nil).map(\.passed) == [true])
  }

  @Test("SLC-03: findings point into what was asked, each once")
  func findingsPointIntoTheOption() throws {
    func findings(_ text: String, _ slice: MetricSlice) throws -> [String] {
      let library = try sliced(text, slice)
      return library.findings.map { finding in
        guard case .source(let span) = finding.location else { return finding.message }
        let source = library.sources[span.file]
        return "\(source.path) \(source.text(span)): \(finding.code.id)"
      }
    }
    let measure = "measure m { for app  value sum(Login.minutes) / count(Login) }"
    #expect(try findings(measure, MetricSlice(condition: "plan == 1")) == ["--where plan: T001"])
    #expect(try findings(measure, MetricSlice(condition: "device == 1")) == ["--where device == 1: T012"])
    #expect(try findings(measure, MetricSlice(condition: "device ==")) == ["--where : S016"])
    #expect(try findings(measure, MetricSlice(by: "contry")) == ["--by contry: T003"])
    #expect(try findings(measure, MetricSlice(by: "userId")) == ["--by userId: C416"])
    #expect(try findings(measure, MetricSlice(by: "device device")) == ["--by device: S014"])
    #expect(try findings(measure, MetricSlice(over: "7 days")) == ["--over 7: S022"])
    #expect(try findings(measure, MetricSlice(by: "cohort week")) == ["--by cohort week: T028"])
    let counted = "measure m { for user  value count(Login) + count(active)  audience team }"
    #expect(try findings(counted, MetricSlice(condition: "minutes > 1")) == ["--where minutes > 1: T023"])
  }

  private func problem(_ text: String, _ slice: MetricSlice) -> String? {
    do { _ = try sliced(text, slice) } catch { return "\(error)" }
    return nil
  }

  @Test("SLC-03: what is not sliced, or says nothing")
  func refusals() {
    let country = MetricSlice(condition: "country == \"de\"")
    #expect(
      problem("measure m { for user  value count(Login) }", country) == """
        `m` is shown to one person, and such a number is defined and not sliced; write a metric with the clause
        """)
    #expect(
      problem("measure n { for app  value count(Login) }\nmeasure m { for app  value n }", country) == """
        --where adds to the conditions of aggregates, and `m` has none of its own; it reads `n`
        """)
    #expect(
      problem("measure m { for app  value count(user where active) }", MetricSlice(over: "last 2 days"))
        == """
        --over changes nothing: no aggregate of `m` takes its period from `over`
        """)
    let fixed = "measure m { for app  value count(Login over last 7 days) }"
    #expect(problem(fixed, MetricSlice(over: "last 2 days"))?.hasPrefix("--over changes nothing") == true)
    #expect(problem(fixed, country) == nil)
  }

  @Test("SLC-05: what hides small groups is asked for by what it names alone")
  func hidden() {
    let offered = "measure m { for app  value count(Login)  by device  slice by country  at least 5 users }"
    for by in ["country", "device", "none"] { #expect(problem(offered, MetricSlice(by: by)) == nil) }
    let refused = """
      `m` hides what fewer than 5 users stand behind, and is asked for by what its `slice by` names alone: `--by country`
      """
    let narrow = "country == \"de\""
    for slice in [
      MetricSlice(by: "user.plan"), MetricSlice(condition: narrow), MetricSlice(over: "last 2 days"),
      MetricSlice(by: "country", condition: narrow),
    ] {
      #expect(problem(offered, slice) == refused)
    }
    let silent = "measure m { for app  value count(Login)  by device  at least 5 users }"
    #expect(problem(silent, MetricSlice(by: "none"))?.hasSuffix("it has none") == true)
    // What a hidden number is part of is hidden, too.
    let reader =
      "measure n { for app  value count(Login)  at least 5 users }\nmeasure m { for app  value count(Login) / n }"
    #expect(problem(reader, MetricSlice(by: "country"))?.hasSuffix("it has none") == true)
  }

  @Test func dimensions() throws {
    func names(_ text: String) -> [String] {
      let source = Self.source(text)
      let library = MetricLibrary(sources: [source])
      return library.dimensions(of: "m", sources: [source]).map { "\($0.name)\($0.isDeclared ? "!" : "")" }
    }
    let fields = ["user.plan", "user.country", "dayKey", "country", "device", "minutes"]
    #expect(names("measure m { for app  value count(Login) }") == fields)
    #expect(names("measure m { for app  value count(Login)  by device }").contains("device!"))
    let hidden = "measure m { for app  value count(Login)  by device  slice by user.plan  at least 5 users }"
    #expect(names(hidden) == ["user.plan!", "device!"])
    let counted =
      "measure m { for app  value count(user where active) }\nmomentum s { of active  half life 7 days }"
    #expect(names(counted) == ["user.plan", "user.country", "active"])
    #expect(names("measure m { for user  value count(Login) }") == [])
    #expect(names("measure n { for app  value count(Login) }\nmeasure m { for app  value n }") == [])
    let funnel = Self.funnel + " }"
    #expect(names(funnel) == fields + ["day", "week", "month", "quarter", "year"].map { "cohort \($0)" })
  }

  @Test("FAM-01: a family is its members, each with its own proof")
  func families() throws {
    let library = MetricLibrary(sources: [
      Self.source(
        """
        /// How many logins.
        measure logins {
          for app
          value count(Login)
          over each [last 1 day as daily, calendar month as monthly]
          title "Logins"
        }
        measure share { for app  value daily_logins / monthly_logins }
        """)
    ])
    #expect(library.isAccepted)
    #expect(library.metrics.map(\.name) == ["active", "daily_logins", "monthly_logins", "share"])
    let monthly = try plan(of: "monthly_logins", in: library)
    #expect(monthly.summary.title == "Logins, calendar month")
    #expect(monthly.clauses.contains { $0.word == "over" && $0.text == "calendar month" })
    #expect(try plan(of: "share", in: library).reads == ["daily_logins", "monthly_logins"])
  }
}
