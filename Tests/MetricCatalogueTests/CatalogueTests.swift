import Foundation
import MetricData
import MetricEvaluate
import MetricLanguage
import MetricSQL
import Testing

@testable import MetricCatalogue

@Suite struct CatalogueTests {
  private func page(_ name: String, _ catalogue: Catalogue) throws -> String {
    try #require(catalogue.pages.first { $0.path == "metrics/\(name).html" }).text
  }

  @Test func anIndexAndAPageForEachMetric() {
    let catalogue = Sample.catalogue(Sample.habits)
    #expect(
      catalogue.pages.map(\.path)
        == ["index.html"]
        + ["done", "run", "reached", "longest", "first_read", "back"].map { "metrics/\($0).html" })
    #expect(catalogue.pages[0].text.contains("6 metrics about habits and users. The one test passes."))
    #expect(!catalogue.pages.contains { $0.text.contains("<h2 id=\"values-h\">") })
    #expect(catalogue.pages == Sample.catalogue(Sample.habits).pages)
  }

  @Test func aReportHasAPageOfItsOwn() throws {
    let report = """

      /// Side by side.
      report overview { title "Overview"  every calendar week  metrics longest, done }
      """
    let source = SourceFile(path: "habits.metric", text: Sample.habits + report)
    let catalogue = Catalogue(library: MetricLibrary(sources: [source]), title: "Metrics", data: nil)
    let page = try #require(catalogue.pages.first { $0.path == "reports/overview.html" }).text
    let index = catalogue.pages[0].text
    #expect(index.contains("<h3><a href=\"reports/overview.html\">Overview</a></h3>"))
    #expect(index.contains("id=\"report-overview\"") && index.contains("<li>2 metrics</li>"))
    let longest = try #require(page.range(of: "../metrics/longest.html"))
    let done = try #require(page.range(of: "../metrics/done.html"))
    #expect(longest.lowerBound < done.lowerBound && page.contains("Side by side."))
  }

  /// Every link leads to a page or a place that is there.
  @Test func noLinkIsBroken() {
    var catalogue = Sample.catalogue(Sample.habits)
    let before = Sample.habits.replacing("streak run {", with: "streak row {").replacing(">= 1", with: ">= 2")
      .replacing("expect run", with: "expect row")
    let old = Sample.library(before)
    #expect(old.isAccepted)
    catalogue.changes = CatalogueChanges(since: "git:v1", all: catalogue.library.changes(from: old))
    let pages = catalogue.pages
    let paths = Set(pages.map(\.path))
    let texts = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, $0.text) })
    #expect(paths.contains("changes.html") && paths.contains("metrics/row.html"))
    for page in pages {
      let folder = page.path.contains("/") ? "metrics/" : ""
      for piece in page.text.components(separatedBy: "href=\"").dropFirst() {
        let link = String(piece.prefix { $0 != "\"" })
        if link.hasPrefix("data:") { continue }
        let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        let path = parts[0].hasPrefix("../") ? String(parts[0].dropFirst(3)) : folder + parts[0]
        let target = parts[0].isEmpty ? page.path : path
        #expect(paths.contains(target), "\(page.path): \(link)")
        if parts.count > 1 {
          #expect(texts[target]?.contains("id=\"\(parts[1])\"") == true, "\(page.path): \(link)")
        }
      }
    }
  }

  @Test func aPageSaysWhatTheDefinitionSays() throws {
    let text = try page("run", Sample.catalogue(Sample.habits))
    for words in [
      "<h1>Days in a row</h1>", "<li>in days</li>", "shown to the user",
      "How many days in a row <a href=\"done.html\"><code>done</code></a> was true",
      "Logging something never lowers it", ">it rises or stays</td>", ">0 or more</td>",
      "<span class=\"k\">streak</span>", "<code>defs/habits.metric</code>, line 5", "two days",
      "<span class=\"yes\">passed</span>",
    ] {
      #expect(text.contains(words), "\(words)")
    }
    #expect(!text.contains("As SQL"))
  }

  /// A number for the app says how it has changed, and each of its points what it is.
  @Test func numbersSayTheirChangeAndTheirPoints() throws {
    let source = "measure events { for app  value count(Event) }"
    let library = Sample.library(source)
    var data = CatalogueData(at: Sample.day, from: Sample.day.advanced(by: -29), to: Sample.day, fewest: 5)
    let rows = (0...29).map { day in
      ResultRow(
        metric: "events", subject: "", group: "", part: "", at: Sample.day.advanced(by: day - 29),
        value: .int(Int64(10 + day)))
    }
    data.addDay([rows[29]])
    data.addSeries(rows)
    data.addEarlier([rows[22]], of: ["events"], at: Sample.day.advanced(by: -7))
    let catalogue = Catalogue(
      library: library, title: "M", data: data, owner: "Growth <team>",
      source: "https://example.com/app/blob/main")
    let text = try page("events", catalogue)
    #expect(text.contains("<dt>Since 24 Jan 2026</dt><dd>+7 (+21.9%)</dd>"))
    #expect(text.contains("<title>31 Jan 2026: 39</title>"))
    let index = catalogue.pages[0].text
    #expect(index.contains("<p class=\"change\">+7 (+21.9%) since 24 Jan</p>"))
    // The greatest, the least and the last value beside the curve, and the change where what moved most is listed.
    #expect(index.contains("aria-label=\"2 Jan to 31 Jan 2026: 10 to 39\""))
    #expect(index.contains(">39</text>") && index.contains(">10</text>"))
    #expect(
      index.contains(
        "<li><a href=\"metrics/events.html\">events</a> <small>+7 (+21.9%) since 24 Jan</small></li>"))
    #expect(index.contains("data-moved=\"179\""))
    #expect(text.contains("<a href=\"https://example.com/app/blob/main/defs/habits.metric#L1\">"))
    #expect(text.contains("Owner: Growth &lt;team&gt;"))
  }

  @Test func groupsAreShownOverTime() throws {
    let rows: [Sample.Row] = [("events", "", "de", "", .int(30)), ("events", "", "", "", .int(15))]
    let text = try page(
      "events",
      Sample.catalogue(
        "measure events { for app  value count(Event)  by name  at least 5 users }", rows: rows))
    #expect(text.contains("events, groups over time"))
    #expect(text.contains("<title>de, 31 Jan: 30</title>"))
    #expect(text.contains("<title>(none), 24 Jan: 15</title>"))
  }

  /// Quotients of the same things, rates and fractions are shares wherever they are shown; other quotients are not.
  @Test(arguments: [
    ("measure m { for app  audience team  value count(Event where name == \"a\") / count(Event) }", "14.3%"),
    ("measure m { for app  value distinct(Event.userId) / count(Event) }", "0.1429"),
    ("measure m { for app  value least(days(Event), 7) / 7 }", "14.3%"),
    ("measure m { for app  value 1 - count(Event where name == \"a\") / count(Event) }", "14.3%"),
    (
      """
      funnel f { for user  step a Event where name == "a"  step b Event where name == "b" }
      measure m { for app  value f.b / f.a }
      """, "14.3%"
    ),
    (
      """
      measure mau { for app  unit users  value distinct(Event.userId)  over last 30 days }
      measure m { for app  audience team  value distinct(Event.userId where name == "a") / mau }
      """, "14.3%"
    ),
    (
      """
      measure dau { for app  unit users  value distinct(Event.userId)  over last 1 day }
      measure mau { for app  unit users  value distinct(Event.userId)  over last 30 days }
      measure m { for app  audience team  value if mau > 0 then dau / mau else 0 }
      """, "14.3%"
    ),
  ])
  func sharesAreInPercent(_ source: String, _ shown: String) throws {
    let rows: [Sample.Row] = [("m", "", "", "", .decimal(FixedDecimal(millionths: 142_857)))]
    let catalogue = Sample.catalogue(source, rows: rows)
    #expect(try page("m", catalogue).contains("<dd>\(shown)</dd>"))
    #expect(catalogue.pages[0].text.contains("<span>\(shown) <small>"))
    #expect(try page("m", catalogue).contains("<title>31 Jan 2026: \(shown)</title>"))
  }

  @Test func aCardShowsTheGreatestGroups() throws {
    let rows: [Sample.Row] = [("de", 30), ("at", 40), ("", 5), ("ch", 6)].map {
      ("events", "", $0, "", .int($1))
    }
    let source = "measure events { for app  value count(Event)  by name  at least 5 users }"
    let index = Sample.catalogue(source, rows: rows).pages[0].text
    #expect(index.contains("<span>at 40 <small>de 30, ch 6, 1 more</small></span>"))
  }

  /// A funnel has no series; its change is that of its last share.
  @Test func aFunnelSaysItsChange() throws {
    func rows(_ read: Int64, at day: DayKey) -> [ResultRow] {
      [("opened", 200), ("read", read), ("shared", read / 2)].map {
        ResultRow(metric: "first_read", subject: "", group: "", part: $0.0, at: day, value: .int($0.1))
      }
    }
    var data = CatalogueData(at: Sample.day, from: Sample.day, to: Sample.day, fewest: 5)
    data.addDay(rows(60, at: Sample.day))
    data.addEarlier(rows(40, at: Sample.day), of: ["first_read"], at: Sample.day.advanced(by: -7))
    let catalogue = Catalogue(library: Sample.library(Sample.habits), title: "M", data: data)
    let index = catalogue.pages[0].text
    #expect(index.contains("<p class=\"change\">+5 points since 24 Jan</p>"))
  }

  /// What became of each metric has a mark on its card and a place on a page of its own; who links to an old name is led on.
  @Test func changesAreMarkedAndExplained() throws {
    let old = """
      /// Was it done?
      completion done { for habit  every day  when count(HabitEntry) >= 2 }
      /// Days in a row.
      streak row { of done }
      /// The longest run.
      streak longest { of done  best }
      """
    let new = old.replacing(">= 2", with: ">= 1").replacing("streak row", with: "streak run")
      .replacing("The longest run", with: "The longest run of days")
    let library = Sample.library(new + "\n/// In seven days.\nmomentum seven { of done  over last 7 days }")
    var catalogue = Catalogue(library: library, title: "M", data: nil)
    let changes = library.changes(from: Sample.library(old))
    catalogue.changes = CatalogueChanges(since: "git:<v1>", all: changes)
    let pages = Dictionary(uniqueKeysWithValues: catalogue.pages.map { ($0.path, $0.text) })
    let index = try #require(pages["index.html"])
    #expect(index.contains("<li class=\"changed\">another meaning</li>"))
    #expect(index.contains("<li class=\"changed\">new</li>"))
    let page = try #require(pages["changes.html"])
    #expect(page.contains("Since <code>git:&lt;v1&gt;</code>: \(changes.summary)."))
    #expect(page.contains("<li id=\"metric-done\"><a href=\"metrics/done.html\"><code>done</code></a>"))
    #expect(page.contains("when: count(HabitEntry) &gt;= 2 → count(HabitEntry) &gt;= 1"))
    #expect(page.contains("The smallest dataset found gives no before and yes now:"))
    #expect(page.contains("<pre>test &quot;done, as it was&quot;"))
    let done = try #require(pages["metrics/done.html"])
    #expect(done.contains("<a href=\"../changes.html#metric-done\">Another meaning</a>"))
    #expect(try #require(pages["metrics/row.html"]).contains("<h1><code>row</code></h1>"))
  }

  @Test func aSearchFindsWhatACardDoesNotShow() throws {
    let index = Sample.catalogue(Sample.habits).pages[0].text
    let card = try #require(
      index.components(separatedBy: "<li class=\"card\"").first { $0.contains("metric-run\"") })
    for words in ["days in a row", "habitentry", "two days", "was true", "habits.metric"] {
      #expect(card.contains(words), "\(words)")
    }
  }

  @Test func namesAreWords() {
    #expect(
      ["first_opened", "readingPlan", "d1.rate", "HTTPErrors"].map(Wording.title) == [
        "First opened", "Reading plan", "D1 rate", "HTTPErrors",
      ])
    #expect(Wording.change(from: 10, to: 10) == "unchanged")
    #expect(Wording.change(from: 0, to: 3) == "+3")
    #expect(Wording.change(from: 4, to: 3) == "−1 (−25%)")
  }

  @Test func queriesHaveASectionWhereThereAreSome() throws {
    let library = Sample.library(Sample.habits)
    let queries = ["run": [CatalogueQuery(dialect: .sqlite, content: .statement("-- a & b\nSELECT 1 < 2"))]]
    let catalogue = Catalogue(library: library, title: "M", data: nil, queries: queries)
    let text = try page("run", catalogue)
    #expect(text.contains("<summary>SQLite</summary>"))
    #expect(text.contains("<code>:at</code> is the reference day"))
    #expect(
      text.contains(
        "<code id=\"sql-sqlite\"><span class=\"c\">-- a &amp; b</span>\nSELECT 1 &lt; 2</code>"))
    #expect(try !page("done", catalogue).contains("As SQL"))
  }

  @Test func everyMetricHasAStatementOfEachEngine() throws {
    let library = Sample.library(Sample.habits)
    let queries = library.catalogueQueries(dialects: SQLDialect.allCases)
    #expect(queries.count == 6)
    for (name, all) in queries {
      #expect(all.map(\.dialect) == SQLDialect.allCases)
      for query in all {
        let text = try library.sql(metrics: [name], days: .parameter, dialect: query.dialect)
        #expect(query.content == .statement(text))
        #expect(text.contains(query.dialect.dayParameter))
      }
    }
    let named = library.catalogueQueries(
      dialects: [.duckdb], names: DatabaseNames(tables: ["HabitEntry": ["app", "entries"]]))
    guard case .statement(let text)? = named["run"]?.first?.content else { throw Missing() }
    #expect(text.contains("FROM app.entries"))
  }

  private struct Missing: Error {}

  /// A text with NUL on PostgreSQL, a statement longer than a page takes.
  @Test func whatAnEngineCannotExpressIsSaid() throws {
    let padding = String(repeating: "x", count: 120)
    let long = (0..<1000).map { "\"text number \($0) \(padding)\"" }.joined(separator: ", ")
    let library = Sample.library(
      """
      measure nul { for habit  audience team  value count(HabitEntry where id == "a\\u{0}b") }
      measure long { for habit  audience team  value count(HabitEntry where id in [\(long)]) }

      """)
    #expect(library.isAccepted)
    let queries = library.catalogueQueries(dialects: SQLDialect.allCases)
    func reasons(_ name: String) -> [SQLDialect: String] {
      var reasons: [SQLDialect: String] = [:]
      for query in queries[name] ?? [] {
        if case .missing(let reason) = query.content { reasons[query.dialect] = reason }
      }
      return reasons
    }
    #expect(Array(reasons("nul").keys) == [.postgres])
    #expect(Set(reasons("long").keys) == Set(SQLDialect.allCases))
    #expect(
      reasons("long")[.spark]?.hasSuffix("`metricc sql --dialect spark --metric long` writes it") == true)
    let text = try page("nul", Catalogue(library: library, title: "M", data: nil, queries: queries))
    #expect(text.contains("<summary>PostgreSQL <small>no statement</small></summary>"))
    #expect(text.contains("PostgreSQL cannot express a text that holds the character NUL"))
  }

  @Test func namesThatDifferInCaseAloneHavePagesOfTheirOwn() {
    let catalogue = Sample.catalogue(
      "completion done { for habit  every day  when count(HabitEntry) >= 1 }\nstreak aB { of done }\nstreak ab { of done }\n"
    )
    #expect(catalogue.pages.map(\.path).suffix(2) == ["metrics/aB.html", "metrics/ab-2.html"])
  }

  /// A library of everything that is odd: no file, no metric, a metric without words.
  @Test func smallLibraries() {
    #expect(Sample.catalogue("").pages.count == 1)
    #expect(Sample.catalogue("").pages[0].text.contains("0 metrics."))
  }
}

/// What is shown of whom.
@Suite struct CataloguePrivacyTests {
  private func rows(_ count: Int) -> [Sample.Row] {
    (0..<count).flatMap { index -> [Sample.Row] in
      [
        ("done", "secret\(index)", "", "", .bool(index % 2 == 0)),
        ("run", "secret\(index)", "", "", .int(Int64(index))),
      ]
    }
  }

  @Test func subjectsAreNotNamed() {
    let catalogue = Sample.catalogue(Sample.habits, rows: rows(20))
    let all = catalogue.pages.map(\.text).joined()
    #expect(!all.contains("secret"))
    #expect(all.contains("10 of 20 (50%)"))
    #expect(all.contains("distribution"))
  }

  @Test func fewSubjectsAreNotShownTogether() {
    let catalogue = Sample.catalogue(Sample.habits, rows: rows(4))
    let all = catalogue.pages.map(\.text).joined()
    #expect(!all.contains("<figure"))
    #expect(!all.contains("of 4"))
    #expect(all.contains("Fewer than 5 habits have a value"))
  }

  @Test func thoseAskedForAreShown() {
    let catalogue = Sample.catalogue(Sample.habits, rows: rows(4), named: ["secret1"])
    let all = catalogue.pages.map(\.text).joined()
    #expect(all.contains("Days in a row: secret1"))
    #expect(!all.contains("secret2"))
  }

  @Test func textsOfFewAreNotShown() {
    let spread = Spread(
      (0..<8).map { index in
        ResultRow(
          metric: "m", subject: "s\(index)", group: "", part: "", at: Sample.day,
          value: .text(index < 6 ? "calm" : "rare"))
      })
    #expect(spread.texts == ["calm": 6, "rare": 2])
    var data = CatalogueData(at: Sample.day, from: Sample.day, to: Sample.day, fewest: 5)
    data.addDay(
      (0..<8).map { index in
        ResultRow(
          metric: "mood", subject: "s\(index)", group: "", part: "", at: Sample.day,
          value: .text(index < 6 ? "calm" : "rare"))
      })
    let library = Sample.library(
      "/// M.\nmeasure mood { for habit  value last(HabitEntry.id)  audience team }\n")
    let all = Catalogue(library: library, title: "M", data: data).pages.map(\.text).joined()
    #expect(all.contains("calm"))
    #expect(!all.contains("rare"))
  }
}
