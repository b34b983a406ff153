import Testing

/// `eval --layout wide`, and series whose last week or month is open.
@Suite(.serialized)
struct WideProcessTests {
  private static let definitions = """
    completion done { for habit  every day  when count(HabitEntry) >= 1 }
    progress share { for habit  value count(HabitEntry)  target habit.weeklyTarget  over last 7 days }
    measure month { for habit  value count(HabitEntry)  over calendar month  allow W002 "as asked" }
    progress reached { for goal  value contribution(HabitEntry through GoalLink) }
    measure entries { for app  value count(HabitEntry) }
    measure kinds { for app  value count(HabitEntry)  by habit.cadence  allow W004 "few" }
    measure active_days { for app  value days(HabitEntry)  by habit.cadence  allow W004 "few" }
    measure named { for app  value days(HabitEntry)  by habit.name  allow W004 "few" }
    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", Self.definitions)
    try folder.write("data/HabitEntry.csv", Example.entries + "5,walk,2026-02-10\n")
    try folder.write("data/Habit.csv", "id,cadence,weeklyTarget\nread,daily,4\nwalk,weekly,\n")
    return folder
  }

  private func eval(_ folder: TemporaryFolder, _ arguments: String...) throws -> Run {
    try runMetricc(["eval", "a.metric", "--data", "data"] + arguments, in: folder.path)
  }

  private static let columns = "done,month,share,share.target,share.fraction"
  private static let habits = [
    "--layout", "wide", "--metric", "done", "--metric", "share", "--metric", "month",
  ]

  /// A funnel counts users and has one row, of nobody.
  @Test func aFunnelIsNoColumn() throws {
    let folder = try folder()
    try folder.write(
      "a.metric",
      """
      measure opened { for user  value count(Event) }
      funnel twice { for user  step a Event where name == "a"  step b Event where name == "b"  within 1 day }

      """)
    try folder.write("data/Event.csv", "id,userId,name,dayKey\n1,ann,a,2026-01-02\n")
    let wide = try eval(folder, "--at", "2026-01-03", "--layout", "wide", "--format", "csv")
    #expect(wide.out == "subject,at,opened\nann,2026-01-03,1\n", "\(wide.err)")
    let both = try eval(
      folder, "--at", "2026-01-03", "--layout", "wide", "--metric", "opened", "--metric", "twice")
    #expect(both.exit == 64)
    #expect(both.err.contains("`app`, `user`"))
  }

  @Test func aRowForEachSubjectAndDay() throws {
    let folder = try folder()
    let arguments = ["eval", "a.metric", "--data", "data", "--at", "2026-01-03"] + Self.habits
    let csv = try runMetricc(arguments + ["--output", "wide.csv"], in: folder.path)
    #expect(csv.exit == 0, "\(csv.err)")
    #expect(
      try folder.read("wide.csv") == """
        subject,at,\(Self.columns)
        read,2026-01-03,true,3,3,4,0.75
        walk,2026-01-03,true,1,1,,

        """)
    let json = try runMetricc(arguments + ["--format", "json"], in: folder.path)
    #expect(
      json.out.hasPrefix(
        #"[\#n{"subject":"read","at":"2026-01-03","done":true,"month":3,"share":3,"share.target":4,"share.fraction":0.75},"#
      ))
    let lines = try runMetricc(arguments + ["--format", "ndjson"], in: folder.path)
    #expect(lines.out.hasSuffix(#""share":1,"share.target":null,"share.fraction":null}"# + "\n"))
    let table = try runMetricc(arguments, in: folder.path)
    #expect(
      table.out == """
        2026-01-03

        habit  done  month  share  share.target  share.fraction
        read      ✓      3      3             4            0.75
        walk      ✓      1      1             –            –

        """)
  }

  /// A guest has no record, and each metric meets only the subjects that its own facts name: the others are told as
  /// what they are without data. Who refused consent stays without a value.
  @Test func aSubjectThatAMetricNeverMet() throws {
    let folder = try folder()
    try folder.write(
      "a.metric",
      """
      fact Opened { id : ID  userId : User  dayKey : DayKey }
      fact Seen { id : ID  userId : User  dayKey : DayKey  consent standard }
      fact Read { id : ID  userId : User  dayKey : DayKey  pages : Int min 0 }
      measure has_read { for user  value count(Read) >= 1 }
      measure last_read { for user  value last(Read) }
      measure pages { for user  value sum(Read.pages) }
      progress plan { for user  value sum(Read.pages)  target 30 }
      measure opened { for user  value count(Opened) }
      measure seen { for user  audience team  value count(Seen)  allow W015 "as asked" }
      """)
    try folder.write("data/Opened.csv", "id,userId,dayKey\n1,guest,2026-01-02\n")
    try folder.write("data/Seen.csv", "id,userId,dayKey\n1,ann,2026-01-02\n2,bob,2026-01-02\n")
    try folder.write("data/Read.csv", "id,userId,dayKey,pages\n1,ann,2026-01-02,6\n")
    try folder.write("data/Consent.csv", "userId,level,dayKey\nann,standard,2026-01-01\n")
    let wide = try eval(folder, "--at", "2026-01-03", "--layout", "wide", "--format", "csv")
    #expect(
      wide.out == """
        subject,at,has_read,last_read,opened,pages,plan,plan.target,plan.fraction,seen
        ann,2026-01-03,true,2026-01-02,0,6,6,30,0.2,1
        guest,2026-01-03,false,,1,0,0,30,0,

        """, "\(wide.err)")
  }

  @Test func aSeriesWithAnOpenMonth() throws {
    let folder = try folder()
    let wide = try runMetricc(
      ["eval", "a.metric", "--data", "data", "--from", "2026-01-01", "--every", "month", "--format", "csv"]
        + ["--subject", "walk"] + Self.habits, in: folder.path)
    #expect(
      wide.out == """
        subject,at,open,\(Self.columns)
        walk,2026-01-31,false,false,1,0,,
        walk,2026-02-10,true,true,1,1,,

        """)
    let series = ["--metric", "month", "--from", "2026-01-01", "--every", "month"]
    let tidy = try runMetricc(
      ["eval", "a.metric", "--data", "data", "--format", "csv"] + series, in: folder.path)
    #expect(
      tidy.out == """
        metric,subject,group,part,at,value,open
        month,read,,,2026-01-31,3,false
        month,read,,,2026-02-10,0,true
        month,walk,,,2026-01-31,1,false
        month,walk,,,2026-02-10,1,true

        """)
    let json = try runMetricc(
      ["eval", "a.metric", "--data", "data", "--format", "ndjson"] + series, in: folder.path)
    #expect(json.out.contains(#""at":"2026-02-10","value":1,"open":true}"#))
    let table = try runMetricc(["eval", "a.metric", "--data", "data"] + series, in: folder.path)
    #expect(table.out.hasPrefix("2026-01-31 … 2026-02-10 (open), 2 of 11 days\n"))
    #expect(table.out.contains("last (open)"))
    // A series whose months are over has the columns that it always had.
    let whole = try runMetricc(
      ["eval", "a.metric", "--data", "data", "--format", "csv", "--to", "2026-01-31"] + series,
      in: folder.path)
    #expect(whole.out.hasPrefix("metric,subject,group,part,at,value\n"))
    #expect(whole.out.split(separator: "\n").count == 3)
  }

  @Test func statementsOfASeriesSayWhatIsOpen() throws {
    let folder = try folder()
    let base = [
      "sql", "a.metric", "--dialect", "sqlite", "--metric", "month", "--from", "2026-01-01", "--every",
      "month",
    ]
    let open = try runMetricc(base + ["--to", "2026-02-10"], in: folder.path)
    #expect(open.out.contains("THEN 'true' ELSE 'false' END AS open"), "\(open.out)")
    let whole = try runMetricc(base + ["--to", "2026-02-28"], in: folder.path)
    #expect(!whole.out.contains("AS open"))
  }

  @Test func oneKindOfSubjectAndOneGrouping() throws {
    let folder = try folder()
    let both = try eval(folder, "--layout", "wide")
    #expect(both.exit == 64)
    #expect(both.err.contains("the metrics are of `goal`, `habit`; choose those of one with --metric"))
    let mixed = try eval(folder, "--layout", "wide", "--metric", "done", "--metric", "entries")
    #expect(mixed.err.contains("the metrics are of `app`, `habit`"))
    let apart = try eval(folder, "--layout", "wide", "--metric", "kinds", "--metric", "named")
    #expect(apart.exit == 64)
    #expect(
      apart.err.contains("`kinds` has groups by HabitEntry.habit.cadence while `named` has groups by"),
      "\(apart.err)")
    let groups = try eval(
      folder, "--layout", "wide", "--metric", "kinds", "--metric", "active_days", "--at", "2026-02-10",
      "--format",
      "csv")
    #expect(
      groups.out == """
        subject,group,at,active_days,kinds
        ,daily,2026-02-10,3,3
        ,weekly,2026-02-10,2,2

        """)
    try folder.write("b.metric", "measure subject { for habit  value count(HabitEntry) }\n")
    let named = try runMetricc(["eval", "b.metric", "--data", "data", "--layout", "wide"], in: folder.path)
    #expect(named.exit == 64)
    #expect(named.err.contains("has a column `subject` of its own"))
  }

  @Test func withoutNamesTheSubjectsOfTheLibrary() throws {
    let folder = try Example.folder()
    let run = try runMetricc(
      ["eval", "defs", "--data", "data", "--layout", "wide", "--format", "csv", "--at", "2026-01-03"],
      in: folder.path)
    try folder.write("defs/user.metric", "measure of_user { for user  value count(HabitEntry) }\n")
    let users = try runMetricc(
      ["eval", "defs", "--data", "data", "--layout", "wide", "--format", "csv", "--at", "2026-01-03"],
      in: folder.path)
    #expect(users.out == "subject,at,of_user\n")
    #expect(run.err.contains("1 metric of other subjects or with groups left out"))
    #expect(
      run.out == """
        subject,at,best_daily_streak,daily_streak,done
        read,2026-01-03,3,3,true
        walk,2026-01-03,1,1,true

        """)
  }
}
