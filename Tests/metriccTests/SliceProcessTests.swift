import Foundation
import MetricTestSupport
import Testing

/// `--by`, `--where`, `--over` and `--compare`, `dimensions`, `--rest`, as processes.
@Suite struct SliceProcessTests {
  private static let definitions = """
    extend User { plan : Text? }
    fact Login { userId : User  dayKey : DayKey  country : Text?  device : Text?  minutes : Decimal? min 0 }
    measure mau { for app  value distinct(Login.userId)  over last 28 days }
    measure minutes { for app  value sum(Login.minutes)  by country }
    measure monthly { for app  value sum(Login.minutes)  over calendar month }
    measure share { for app  value count(Login) / mau }
    measure hidden { for app  value count(Login)  slice by country  at least 2 users }
    funnel way { for user  step a Login where device == "ios"  step b Login where device == "web" }
    completion active { for user  every day  when count(Login) >= 1 }

    """

  private static let logins = """
    userId,dayKey,country,device,minutes
    u,2026-01-31,de,ios,5
    u,2026-02-03,de,web,5
    v,2026-02-03,at,ios,7
    v,2026-02-28,de,web,1
    w,2026-02-28,fr,ios,2.5
    w,2026-02-28,fr,web,2

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", Self.definitions)
    try folder.write("data/Login.csv", Self.logins)
    try folder.write("data/User.csv", "id,plan\nu,pro\nv,free\nw,pro\n")
    return folder
  }

  /// The lines behind the heading, without the metric's name.
  private func rows(_ options: [String], in folder: TemporaryFolder) throws -> [String] {
    let run = try runMetricc(
      ["eval", "a.metric", "--data", "data", "--format", "csv"] + options, in: folder.path)
    #expect(run.exit == 0, "\(run.err)")
    return run.out.split(separator: "\n").dropFirst().map { String($0.drop { $0 != "," }) }
  }

  @Test func evaluates() throws {
    let folder = try folder()
    func mau(_ options: String...) throws -> [String] { try rows(["--metric", "mau"] + options, in: folder) }
    #expect(try mau("--by", "country") == [",,at,,2026-02-28,1", ",,de,,2026-02-28,2", ",,fr,,2026-02-28,1"])
    #expect(try mau("--where", "country in [\"de\", \"at\"]") == [",,,,2026-02-28,2"])
    #expect(
      try mau("--over", "last 2 days", "--by", "user.plan") == [
        ",,free,,2026-02-28,1", ",,pro,,2026-02-28,1",
      ])
    #expect(try rows(["--metric", "minutes", "--by", "none"], in: folder) == [",,,,2026-02-28,22.5"])
    #expect(
      try rows(["--metric", "way", "--where", "country == \"de\"", "--by", "cohort month"], in: folder)
        == [",,2026-01-01,a,2026-02-28,1", ",,2026-01-01,b,2026-02-28,1"])
  }

  @Test func errorsPointIntoTheOption() throws {
    let folder = try folder()
    let run = try runMetricc(
      [
        "eval", "a.metric", "--data", "data", "--metric", "mau", "--where",
        "country == \"de\"\n  and plan == 3",
      ],
      in: folder.path)
    #expect(run.exit == 1 && run.out == "")
    #expect(
      run.err == """
        --where:2:7: error: `Login` has no field `plan`, and nothing else has that name [T001 unknown-name]
            and plan == 3
                ^^^^
        note: a text is written in quotes, `"plan"`; a new field is declared, `extend Login { plan : Text? }`
        metricc: error: nothing was evaluated: 7 metrics: 6 accepted, 1 rejected; 1 error

        """)
    for (arguments, message) in [
      (["--by", "country"], "--by, --where and --over need --metric"),
      (["--metric", "nope", "--by", "country"], "no metric is named `nope`"),
      (
        ["--metric", "active", "--where", "device == \"ios\""],
        "`active` is shown to one person, and such a number is defined and not sliced; write a metric with the clause"
      ),
      (
        ["--metric", "hidden", "--by", "device"],
        "`hidden` hides what fewer than 2 users stand behind, and is asked for by what its `slice by` names alone: `--by country`"
      ),
      (
        ["--metric", "mau", "--compare", "2 hours"],
        "--compare `2 hours` is no length; write \"28 days\", \"4 weeks\", \"1 month\" or \"1 year\""
      ),
    ] {
      let run = try runMetricc(["eval", "a.metric", "--data", "data"] + arguments, in: folder.path)
      #expect(run.exit == 64 && run.err.contains(message), "\(run.err)")
    }
  }

  @Test func whatIsReadStaysAsDefined() throws {
    let folder = try folder()
    let run = try runMetricc(
      [
        "eval", "a.metric", "--data", "data", "--metric", "share", "--where", "country == \"fr\"", "--format",
        "csv",
      ],
      in: folder.path)
    #expect(run.out.hasSuffix("share,,,,2026-02-28,0.666667\n"))
    #expect(run.err.contains("metricc: `share` reads `mau` as defined: --where is for its own aggregates\n"))
  }

  @Test(arguments: [
    ["plan"], ["sql", "--dialect", "duckdb", "--at", "2026-02-28"], ["doc", "--output", "pages"], ["why"],
  ])
  func otherCommandsTakeTheSameOptions(_ command: [String]) throws {
    let folder = try folder()
    let slice = ["--by", "country", "--where", "device == \"ios\"", "--over", "last 7 days"]
    let written = Self.definitions.replacing(
      "measure mau { for app  value distinct(Login.userId)  over last 28 days }",
      with: """
        measure mau { for app  value distinct(Login.userId where device == "ios")  by country  over last 7 days }
        """)
    try folder.write(
      "b.metric", written.replacing("measure share { for app  value count(Login) / mau }\n", with: ""))
    func run(_ file: String, _ options: [String]) throws -> Run {
      if command == ["why"] {
        return try runMetricc(
          ["why", "mau", file, "--data", "data", "--group", "fr"] + options, in: folder.path)
      }
      let named = command[0] == "doc" && options.isEmpty ? [] : ["--metric", "mau"]
      return try runMetricc([command[0], file] + command.dropFirst() + named + options, in: folder.path)
    }
    let sliced = try run("a.metric", slice)
    #expect(sliced.exit == 0, "\(sliced.err)")
    let page = try? folder.read("pages/metrics/mau.html")
    let meant = try run("b.metric", [])
    #expect(meant.exit == 0, "\(meant.err)")
    #expect(sliced.out == meant.out)
    if command[0] == "doc" {
      #expect(page?.contains("Grouped by <code>Login.country</code>") == true, "\(folder.names)")
    }
  }

  @Test func dimensions() throws {
    let folder = try folder()
    let text = try runMetricc(["dimensions", "minutes", "a.metric"], in: folder.path)
    #expect(
      text.out == """
        user.plan  Text     Login.user.plan
        dayKey     DayKey   Login.dayKey
        country    Text     Login.country  declared
        device     Text     Login.device
        minutes    Decimal  Login.minutes

        """)
    let json = try runMetricc(["dimensions", "hidden", "a.metric", "--format", "json"], in: folder.path)
    #expect(
      json.out == """
        {"metric":"hidden","dimensions":[{"by":"country","fields":["Login.country"],"type":"Text","declared":true}]}

        """)
    let none = try runMetricc(["dimensions", "active", "a.metric"], in: folder.path)
    #expect(
      none.out == "" && none.err == "metricc: `active` can be grouped by nothing when it is asked for\n")
    #expect(try runMetricc(["dimensions", "nope", "a.metric"], in: folder.path).exit == 64)
  }

  @Test func shellsOfferFieldsOfTheMetric() throws {
    let folder = try folder()
    let words = ["metricc", "eval", "a.metric", "--metric", "mau", "--by", ""]
    let run = try runMetricc(["---completion", "eval", "--", "--by", "6", "0"] + words, in: folder.path)
    #expect(
      run.out.split(separator: "\n") == ["country", "dayKey", "device", "minutes", "none", "user.plan"],
      "\(run.err)")
  }

  // MARK: Compared

  @Test func compares() throws {
    let folder = try folder()
    func compared(_ metric: String, _ length: String, _ at: String) throws -> [String] {
      try rows(["--metric", metric, "--compare", length, "--at", at], in: folder)
    }
    #expect(try compared("mau", "25 days", "2026-02-28") == [",,,,2026-02-28,3,2,1"])
    #expect(try compared("monthly", "1 month", "2026-02-28") == [",,,,2026-02-28,17.5,5,12.5"])
    #expect(try compared("monthly", "1 month", "2026-02-27") == [",,,,2026-02-27,12,0,12"])
    #expect(try compared("share", "4 weeks", "2026-02-28") == [",,,,2026-02-28,2,1,1"])
    #expect(try compared("mau", "1 year", "2026-02-28") == [",,,,2026-02-28,3,0,3"])
    // A group of neither day has no row; one of the later day alone has no earlier value.
    #expect(
      try compared("minutes", "25 days", "2026-02-28") == [
        ",,at,,2026-02-28,7,7,0", ",,de,,2026-02-28,11,10,1", ",,fr,,2026-02-28,4.5,,",
      ])
    let series = try runMetricc(
      [
        "eval", "a.metric", "--data", "data", "--metric", "monthly", "--from", "2026-01-01", "--to",
        "2026-03-01",
        "--every", "month", "--compare", "1 month", "--format", "ndjson",
      ], in: folder.path)
    #expect(
      series.out.contains(
        "\"at\":\"2026-02-28\",\"value\":17.5,\"open\":false,\"before\":5,\"change\":12.5}"),
      "\(series.out)")
  }

  /// `before` is what `offset` says.
  @Test func comparesAsOffset() throws {
    let folder = try folder()
    try folder.write("a.metric", Self.definitions + "measure b { for app  value mau offset 1 month }\n")
    let days = ["--from", "2026-02-01", "--to", "2026-04-02"]
    let before = try rows(["--metric", "mau", "--compare", "1 month"] + days, in: folder)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false)[6] }
    let offset = try rows(["--metric", "b"] + days, in: folder)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false)[5] }
    #expect(before.count == 61 && before == offset)
  }

  @Test func comparesInTables() throws {
    let folder = try folder()
    let run = try runMetricc(
      [
        "eval", "a.metric", "--data", "data", "--metric", "minutes", "--metric", "mau", "--compare",
        "25 days",
      ],
      in: folder.path)
    #expect(
      run.out == """
        2026-02-28

        app  value  before  change
        mau      3       2      +1

        minutes  value  before  change
        at         7         7       0
        de        11        10      +1
        fr         4.5       –

        – no value  before: 25 days earlier

        """)
  }

  // MARK: The rest

  @Test func addsUpTheRest() throws {
    let folder = try folder()
    func table(_ options: String...) throws -> String {
      try runMetricc(
        ["eval", "a.metric", "--data", "data", "--top", "1", "--rest"] + options, in: folder.path
      ).out
    }
    #expect(
      try table("--metric", "minutes", "--sort", "minutes") == """
        2026-02-28

        minutes      value
        de            11
        the other 2   11.5

        """)
    #expect(
      try table("--metric", "mau", "--by", "country", "--sort", "mau").contains(
        """
        mau          value
        de               2
        the other 2      –
        """))
    #expect(
      try table("--metric", "minutes", "--sort", "minutes", "--from", "2026-02-27", "--to", "2026-02-28")
        .contains("the other 2"))
    // Each metric by its own value; in other formats a column says how many rows are added up.
    #expect(
      try table("--metric", "minutes", "--metric", "mau", "--by", "country", "--sort", "value")
        .contains("de            11\nthe other 2   11.5"))
    #expect(
      try table("--metric", "minutes", "--sort", "value", "--format", "ndjson") == """
        {"metric":"minutes","subject":"","group":"de","part":"","at":"2026-02-28","value":11,"rest":null}
        {"metric":"minutes","subject":"","group":"","part":"","at":"2026-02-28","value":11.5,"rest":2}

        """)
    #expect(
      try table(
        "--metric", "mau", "--by", "country", "--sort", "value", "--compare", "1 day", "--format", "csv"
      )
      .hasSuffix("\nmau,,,,2026-02-28,,,,2\n"))
    let alone = try runMetricc(["eval", "a.metric", "--data", "data", "--rest"], in: folder.path)
    #expect(alone.exit == 64 && alone.err.contains("--rest adds up what --top leaves out"))
  }

  // MARK: Engines

  @Test(arguments: ["duckdb", "clickhouse"])
  func enginesSayTheSame(engine: String) throws {
    let folder = try folder()
    let python = ProcessInfo.processInfo.environment["METRICC_PYTHON"].flatMap { $0.contains("/") ? $0 : nil }
    let folders = python.map { [URL(fileURLWithPath: $0).deletingLastPathComponent().path] } ?? []
    let environment = ["PATH": (folders + ["/usr/local/bin", "/usr/bin", "/bin"]).joined(separator: ":")]
    for options in [
      ["--metric", "mau", "--by", "user.plan", "--where", "minutes > 1", "--compare", "25 days"],
      ["--metric", "way", "--by", "country", "--over", "last 60 days", "--compare", "1 month"],
      ["--metric", "hidden", "--by", "country"],
      ["--metric", "share", "--metric", "mau", "--where", "device == \"ios\""],
    ] {
      let base = ["eval", "a.metric", "--data", "data", "--format", "csv"] + options
      let own = try runMetricc(base, environment: environment, in: folder.path)
      let run = try runMetricc(base + ["--engine", engine], environment: environment, in: folder.path)
      if run.exit == 2, run.err.contains("on the path") {
        return print("SKIPPED: \(engine) is not installed")
      }
      #expect(own.exit == 0 && own.out == run.out && own.out.contains("\n"), "\(options): \(run.err)")
    }
  }
}
