import Foundation
import MetricTestSupport
import Testing

/// `metricc doc` as a process: which files it writes and leaves alone.
@Suite(.serialized)
struct DocProcessTests {
  private let doc = ["doc", "defs", "--output", "out"]
  private let data = ["--data", "data", "--at", "2026-01-03"]

  @Test func writesAnIndexAndAPageForEachMetric() throws {
    let folder = try Example.folder()
    let run = try runMetricc(doc + ["--title", "Reading & more"], in: folder.path)
    #expect(run.exit == 0)
    #expect(run.out == "")
    #expect(run.err == "metricc: wrote 5 pages to `out`\n")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out/metrics")).sorted()
    #expect(names == ["best_daily_streak.html", "daily_streak.html", "done.html", "entries.html"])
    #expect(try folder.read("out/index.html").contains("<title>Reading &amp; more</title>"))
    #expect(try !folder.read("out/metrics/done.html").contains("<figure"))
  }

  /// Values beside earlier ones, and the groups of several fields with a filter for each field.
  @Test func groupsAreComparedAndFiltered() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "defs/a.metric",
      """
      fact Sale { id : ID  userId : User  dayKey : DayKey  country : Text?  plan : Text? }
      /// By both.
      measure table { for app  value count(Sale)  by country, plan  over last 7 days }
      /// All.
      measure whole { for app  value count(Sale)  over last 7 days }

      """)
    try folder.write(
      "data/Sale.csv",
      """
      id,userId,dayKey,country,plan
      1,a,2026-01-01,de,pro
      2,b,2026-01-29,de,pro
      3,c,2026-01-29,de,pro
      4,c,2026-01-29,<b>,

      """)
    let run = try runMetricc(
      ["doc", "defs", "--output", "out", "--data", "data", "--at", "2026-01-29", "--compare", "28 days"],
      in: folder.path)
    #expect(run.exit == 0, "\(run.err)")
    let table = try folder.read("out/metrics/table.html")
    #expect(
      table.contains(
        """
        <tr data-field0="=de" data-field1="=pro"><th scope="row">de</th><td data-label="plan">pro</td>\
        <td data-label="Value">2</td><td data-label="On 1 Jan">1</td>
        """))
    #expect(table.contains("<tr data-field0=\"=&lt;b&gt;\" data-field1=\"=\">"))
    #expect(table.contains("<select id=\"field1\" name=\"field1\">") && table.contains("id=\"fields\""))
    #expect(table.contains("<th scope=\"col\">On 1 Jan</th><th scope=\"col\">Change</th>"))
    let whole = try folder.read("out/metrics/whole.html")
    #expect(whole.contains("<dt>Since 1 Jan 2026</dt><dd>+2 (+200%)</dd>"))
    let wrong = try runMetricc(
      ["doc", "defs", "--output", "out", "--data", "data", "--compare", "soon"], in: folder.path)
    #expect(wrong.exit == 64 && wrong.err.contains("--compare `soon` is no length"))
  }

  /// What several people are shown together asks for consent, also where each may see their own number (PRIV-14).
  @Test func whoRefusedIsInNoPicture() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "defs/total.metric",
      """
      fact Log { id : ID  userId : User  dayKey : DayKey  n : Int min 0  consent standard }
      /// How many.
      measure total { for user  value sum(Log.n) }

      """)
    let people = ["a", "b", "c", "d", "e", "refuser"]
    try folder.write(
      "data/Log.csv",
      "id,userId,dayKey,n\n"
        + people.enumerated().map { "\($0),\($1),2026-01-02,\($0 == 5 ? 7777 : $0 + 1)\n" }.joined())
    try folder.write(
      "data/Consent.csv",
      "userId,dayKey,level\n"
        + people.map { "\($0),2026-01-01,\($0 == "refuser" ? "none" : "standard")\n" }.joined())
    let day = ["--data", "data", "--at", "2026-01-02"]
    #expect(try runMetricc(doc + day, in: folder.path).exit == 0)
    let page = try folder.read("out/metrics/total.html")
    #expect(page.contains("5 of 5 users"))
    #expect(!page.contains("7,777") && !page.contains("7777"))
    let own = try runMetricc(["eval", "defs"] + day + ["--subject", "refuser"], in: folder.path)
    #expect(own.out.contains("7,777"))
  }

  @Test func pagesShowTheStatementsOfSQL() throws {
    let folder = try Example.folder()
    #expect(try runMetricc(doc, in: folder.path).exit == 0)
    let page = try folder.read("out/metrics/daily_streak.html")
    for title in ["DuckDB", "PostgreSQL", "SQLite", "Spark SQL", "ClickHouse"] {
      #expect(page.contains("<summary>\(title)</summary>"))
    }
    let chosen = ["--dialect", "postgres", "--table", "HabitEntry=app.entries"]
    #expect(try runMetricc(doc + chosen, in: folder.path).exit == 0)
    let postgres = try folder.read("out/metrics/daily_streak.html")
    #expect(postgres.contains("FROM app.entries AS t") && !postgres.contains("DuckDB"))
    #expect(try runMetricc(doc + ["--table", "Habits=x"], in: folder.path).exit == 64)
  }

  @Test func calendarMonthsHaveAPointForEach() throws {
    let folder = try Example.folder()
    try folder.write(
      "defs/month.metric", "measure month { for app  value count(HabitEntry)  over calendar month }\n")
    try folder.write("data/HabitEntry.csv", Example.entries + "5,walk,2026-02-10\n")
    #expect(try runMetricc(doc + ["--data", "data", "--at", "2026-02-10"], in: folder.path).exit == 0)
    let open = try folder.read("out/metrics/month.html")
    #expect(open.contains(", by month; the last month is open"))
    #expect(open.contains("<th scope=\"row\">2026-01-31</th><td>4</td>"), "\(open)")
    #expect(open.contains("<th scope=\"row\">2026-02-10</th><td>1</td>"))
    #expect(try runMetricc(doc + ["--data", "data", "--at", "2026-02-28"], in: folder.path).exit == 0)
    #expect(try !folder.read("out/metrics/month.html").contains("is open"))
  }

  /// Without --compare, a week.
  @Test func valuesAreComparedWithThoseOfAWeekAgo() throws {
    let folder = try Example.folder()
    try folder.write("data/HabitEntry.csv", Example.entries + "5,walk,2026-01-10\n6,walk,2026-01-10\n")
    #expect(
      try runMetricc(doc + ["--data", "data", "--at", "2026-01-10", "--fewest", "1"], in: folder.path).exit
        == 0)
    #expect(try folder.read("out/index.html").contains(" since 3 Jan</p>"))
  }

  @Test func whatChangedSinceAnotherVersionHasAPage() throws {
    let folder = try Example.folder()
    #expect(try runMetricc(doc, in: folder.path).exit == 0)
    #expect(!folder.names.contains("out/changes.html"))
    try folder.write(
      "old/habits.metric",
      Example.definitions.replacingOccurrences(of: "best_daily_streak", with: "record_streak"))
    let run = try runMetricc(doc + ["--against", "old"], in: folder.path)
    #expect(run.exit == 0, "\(run.err)")
    #expect(run.err == "metricc: wrote 7 pages to `out`\n")
    let page = try folder.read("out/changes.html")
    #expect(page.contains("Since <code>old</code>: 1 metric changed: 1 renamed; 3 equal."))
    #expect(try folder.read("out/metrics/record_streak.html").contains("It is now called"))
    #expect(try folder.read("out/index.html").contains("<a href=\"changes.html\">What changed</a>"))
    // A slice changes what is shown, not what is compared.
    let sliced = try runMetricc(
      doc + ["--against", "defs", "--metric", "entries", "--over", "last 7 days"], in: folder.path)
    #expect(sliced.exit == 0, "\(sliced.err)")
    #expect(try folder.read("out/changes.html").contains("0 metrics changed; 4 equal."))
    try folder.write("bad/a.metric", Example.rejected)
    #expect(try runMetricc(doc + ["--against", "bad"], in: folder.path).exit == 1)
    #expect(try runMetricc(doc + ["--against", "HEAD:defs"], in: folder.path).err.contains("git:HEAD:defs"))
    let several = try runMetricc(
      ["doc", "defs", "old", "--output", "x", "--against", "git:v1"], in: folder.path)
    #expect(several.exit == 64 && several.err.contains("git:REVISION:PATH"))
  }

  /// Half a year of each sample on pages that a mail can carry.
  @Test(arguments: ["FamilyRewards", "Habits", "KnowledgeApp", "ReadingLessons", "StoryReading"])
  func pagesAreSmall(_ name: String) throws {
    let folder = try TemporaryFolder()
    let definitions = Repository.path("Definitions/\(name)")
    let run = try runMetricc(
      ["doc", definitions, "--output", "out", "--data", "\(definitions)/Sample", "--at", "2026-06-30"],
      in: folder.path)
    #expect(run.exit == 0, "\(run.err)")
    let pages = FileManager.default.enumerator(atPath: folder.path("out"))?.compactMap { $0 as? String } ?? []
    #expect(pages.contains("index.html"))
    for page in pages where page.hasSuffix(".html") {
      #expect(try folder.read("out/\(page)").utf8.count < 300_000, "\(page)")
    }
  }

  @Test func theSameInputGivesTheSameBytes() throws {
    let folder = try Example.folder()
    for name in ["one", "two"] {
      #expect(try runMetricc(["doc", "defs", "--output", name] + data, in: folder.path).exit == 0)
    }
    for page in ["index.html", "metrics/done.html", "metrics/daily_streak.html"] {
      #expect(try folder.read("one/\(page)") == folder.read("two/\(page)"))
    }
  }

  @Test func subjectsAreShownOnlyWhereTheyAreAskedFor() throws {
    let folder = try Example.folder()
    let page = "out/metrics/daily_streak.html"
    #expect(try runMetricc(doc + data, in: folder.path).exit == 0)
    #expect(try !folder.read(page).contains("<figure"))
    #expect(try runMetricc(doc + data + ["--fewest", "1"], in: folder.path).exit == 0)
    #expect(try folder.read(page).contains("distribution"))
    #expect(try !folder.read(page).contains("walk"))
    #expect(try runMetricc(doc + data + ["--subject", "read"], in: folder.path).exit == 0)
    #expect(try folder.read(page).contains("<strong>daily_streak: read</strong>"))
    try folder.write("key", "0123456789abcdef0123456789abcdef\n")
    let hidden = try runMetricc(
      doc + data + ["--subject", "read", "--pseudonymize", "key", "--subject", "nobody"], in: folder.path)
    #expect(hidden.err.contains("no metric has a subject `nobody`"))
    #expect(
      try folder.read(page).contains("<strong>daily_streak: 0ba") || folder.read(page).contains("<figure"))
    #expect(try !folder.read(page).contains("daily_streak: read"))
  }

  @Test func plotsGoFromTheFirstToTheLastDay() throws {
    let folder = try Example.folder()
    let run = try runMetricc(
      doc + ["--data", "data", "--from", "2026-01-01", "--to", "2026-01-03"], in: folder.path)
    #expect(run.err == "metricc: wrote 5 pages to `out`\n")
    #expect(try folder.read("out/metrics/entries.html").contains("1 Jan 2026 to 3 Jan 2026"))
    let last = try runMetricc(doc + ["--data", "data"], in: folder.path)
    #expect(last.err.hasPrefix("metricc: --at is not given; using the last DayKey, 2026-01-03\n"))
  }

  @Test func anOlderCatalogueIsReplacedAndOtherFilesStay() throws {
    let folder = try Example.folder()
    #expect(try runMetricc(doc, in: folder.path).exit == 0)
    try folder.write("out/CNAME", "metrics.example")
    try folder.write("out/metrics/own.html", "mine")
    let fewer = Example.definitions.replacingOccurrences(
      of: "streak best_daily_streak { of done  best }", with: "")
    try folder.write("defs/habits.metric", fewer.components(separatedBy: "test \"").first ?? "")
    #expect(try runMetricc(doc, in: folder.path).exit == 0)
    #expect(try folder.read("out/CNAME") == "metrics.example")
    #expect(try folder.read("out/metrics/own.html") == "mine")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out/metrics")).sorted()
    #expect(names == ["daily_streak.html", "done.html", "entries.html", "own.html"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
        == [".metricc-catalogue", "CNAME", "index.html", "metrics"])
  }

  @Test func aFolderWithSomethingElseIsLeftAlone() throws {
    let folder = try Example.folder()
    try folder.write("out/thesis.txt", "years of work")
    let run = try runMetricc(doc, in: folder.path)
    #expect(run.exit == 2)
    #expect(run.err.hasPrefix("metricc: error: `out` holds files and no catalogue"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == ["thesis.txt"])
    try folder.write("file", "")
    #expect(try runMetricc(["doc", "defs", "--output", "file"], in: folder.path).exit == 2)
  }

  /// A list of files that somebody changed leads nowhere outside, and to nothing that is no page.
  @Test func aChangedListOfFilesDeletesNothingElse() throws {
    let folder = try Example.folder()
    #expect(try runMetricc(doc, in: folder.path).exit == 0)
    try folder.write("precious.html", "x")
    try folder.write("out/notes.txt", "x")
    try folder.write(
      "out/.metricc-catalogue",
      "../precious.html\n\(folder.path("precious.html"))\nnotes.txt\nindex.html\n"
        + ["best_daily_streak", "daily_streak", "done", "entries"].map { "metrics/\($0).html\n" }.joined())
    #expect(try runMetricc(doc, in: folder.path).exit == 0)
    #expect(try folder.read("precious.html") == "x")
    #expect(try folder.read("out/notes.txt") == "x")
  }

  @Test func aPageOfSomebodyElseIsNotOverwritten() throws {
    let folder = try Example.folder()
    #expect(try runMetricc(doc, in: folder.path).exit == 0)
    try folder.write("out/.metricc-catalogue", "index.html\n")
    try folder.write("out/metrics/done.html", "mine")
    let run = try runMetricc(doc, in: folder.path)
    #expect(run.exit == 2)
    #expect(run.err.contains("exists and is not a page of the catalogue"))
    #expect(try folder.read("out/metrics/done.html") == "mine")
  }

  @Test func nothingIsWrittenWhereSomethingIsWrong() throws {
    let folder = try Example.folder()
    try folder.write("bad/HabitEntry.csv", "id,habitId,dayKey\n1,read,2026-02-30\n")
    let malformed = try runMetricc(doc + ["--data", "bad"], in: folder.path)
    #expect(malformed.exit == 2)
    #expect(malformed.err.contains("bad/HabitEntry.csv:2:8: error: "))
    try folder.write("rejected/a.metric", Example.rejected)
    let rejected = try runMetricc(["doc", "rejected", "--output", "out"], in: folder.path)
    #expect(rejected.exit == 1)
    #expect(rejected.err.contains("nothing was written"))
    #expect(!folder.names.contains("out"))
  }

  @Test func aFailingTestIsShown() throws {
    let folder = try Example.folder()
    try folder.write("defs/habits.metric", Example.definitions.replacingOccurrences(of: "= 4", with: "= 5"))
    let run = try runMetricc(doc, in: folder.path)
    #expect(run.exit == 0)
    #expect(run.err.hasSuffix("metricc: 1 test failed; the pages say which\n"))
    #expect(try folder.read("out/index.html").contains("1 of 2 tests fails."))
    #expect(
      try folder.read("out/metrics/entries.html").contains("<span class=\"no\">failed</span>: expected"))
  }

  @Test(arguments: [
    ["--at", "2026-01-01"], ["--subject", "read"], ["--data", "data", "--at", "2026-13-01"],
    ["--data", "data", "--from", "2026-02-01", "--to", "2026-01-01"], ["--data", "data", "--fewest", "0"],
    ["--data", "data", "--from", "2027-01-01"], ["--output", ""],
  ])
  func wrongUse(_ arguments: [String]) throws {
    let folder = try Example.folder()
    #expect(try runMetricc(doc + arguments, in: folder.path).exit == 64)
    #expect(!folder.names.contains("out"))
  }
}

/// The pages in a real browser, where there is one.
@Suite struct BrowserTests {
  private static let names = [
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
  ]

  static let isThere: Bool = {
    let there = Tool.path("python3") != nil && names.contains { Tool.path($0) != nil }
    if !there {
      print("there is no Chromium with Python on the path: the catalogue is not looked at in a browser")
    }
    return there
  }()

  @Test(.enabled(if: isThere, "there is no Chromium with Python on the path"))
  func aCatalogueHoldsInABrowser() throws {
    let folder = try TemporaryFolder()
    let habits = Repository.path("Definitions/Habits")
    // What cannot be broken into lines must not make a page wider than a phone.
    let depth = 60
    let nested = String(repeating: "(1 + ", count: depth) + "1" + String(repeating: ")", count: depth)
    let deep = "measure deep { for habit  audience team  value count(HabitEntry where value > \(nested)) }\n"
    try folder.write("deep.metric", deep)
    let doc = try runMetricc(
      ["doc", habits, "deep.metric", "--output", "out", "--data", "\(habits)/Sample", "--at", "2026-06-30"]
        + ["--subject", "mara-run", "--subject", "mara-read"], in: folder.path)
    #expect(doc.exit == 0)
    let run = try Tool.run("python3", [Repository.path("Tests/Browser/catalogue.py"), folder.path("out")])
    #expect(run.exit == 0, "\(run.out)\(run.err)")
  }
}
