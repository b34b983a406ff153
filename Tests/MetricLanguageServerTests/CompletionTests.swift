import MetricLanguageServer
import MetricTestSupport
import Testing

@Suite struct CompletionTests {
  static let records = """
    entity Book { id : ID  level : "a" | "b" }
    fact Read { id : ID  bookId : Book  userId : User  dayKey : DayKey  mood : "calm" | "tired" ?  minutes : Decimal min 0 }
    link Shelf { bookId : Book  userId : User }
    /// Reading.
    completion reading { for user  every day  when count(Read) >= 1 }
    completion habit_done { for habit  every day  when count(HabitEntry) >= 1 }
    measure minutes { for user  unit minutes  value sum(Read.minutes) }
    funnel way { for user  step one Event where name == "opened"  step two Read }
    progress aim { for goal  value contribution(HabitEntry through GoalLink)  target goal.target }

    """

  private func labels(_ text: String) -> [String] {
    let (analysis, offset) = marked(Self.records + text)
    return analysis.completions(in: 0, at: offset)?.items.map(\.label) ?? []
  }

  private func expect(
    _ text: String, holds wanted: [String], lacks unwanted: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = labels(text)
    #expect(wanted.filter { !found.contains($0) } == [], "\(text): \(found)", sourceLocation: sourceLocation)
    #expect(unwanted.filter(found.contains) == [], "\(text): \(found)", sourceLocation: sourceLocation)
  }

  @Test func unfinishedClauses() {
    let start = "measure m { for user  value count(Read) "
    expect(start + "over last 1️⃣", holds: ["7 days", "4 weeks"], lacks: ["by", "title"])
    expect(start + "over all 1️⃣", holds: ["time"], lacks: ["by", "title"])
    expect("completion c { for user  every 1️⃣", holds: ["2 days", "day"])
    expect("completion c { for user  every calendar 1️⃣", holds: ["week"], lacks: ["when"])
    expect("funnel f { for user  step a 1️⃣", holds: ["Read"], lacks: ["step", "title"])
    expect("retention f { for user  start first 1️⃣", holds: ["Read"], lacks: ["return"])
  }

  @Test func reports() {
    expect("report r { 1️⃣", holds: ["title", "every", "metrics"], lacks: ["value"])
    expect("report r { metrics minutes, 1️⃣", holds: ["way", "aim"], lacks: ["title"])
    expect("report r { metrics minutes 1️⃣", holds: ["every", "title"], lacks: ["metrics"])
    expect("report r { every 1️⃣", holds: ["day", "calendar month"])
  }

  @Test func thresholdsMayHaveDays() {
    expect("level l { of minutes  at 3, 7 1️⃣", holds: ["days", "title"])
  }

  @Test func daysThatAreBeingWritten() {
    let test = "test \"t\" {\n  given Read { userId: \"u\", dayKey: 2026-01-05, bookId: \"b\" }\n  "
    for written in ["2", "2026", "2026-", "2026-0", "2026-01-0"] {
      expect(test + "expect minutes for \"u\" at \(written)1️⃣\n}", holds: ["2026-01-05"])
      expect(test + "log \"h\" from \(written)1️⃣\n}", holds: ["2026-01-05"])
    }
    let (analysis, offset) = marked(Self.records + test + "expect minutes for \"u\" at 2026-011️⃣ = 1\n}")
    #expect(analysis.completions(in: 0, at: offset).map { analysis.texts([$0.replaced]) } == ["2026-01"])
  }

  @Test func idsAreOfTheirEntity() {
    let test =
      "test \"t\" {\n  given Read { bookId: \"moby\" }\n  expect reading for \"ada\" at 2026-01-05 = true\n  "
    expect(test + "given Read { userId: 1️⃣", holds: ["\"ada\""], lacks: ["\"moby\""])
    expect(test + "given Read { bookId: 1️⃣", holds: ["\"moby\""], lacks: ["\"ada\""])
    expect(test + "given Read 1️⃣", holds: [], lacks: ["Read"])
  }

  @Test func declarations() {
    expect("1️⃣", holds: ["completion", "streak", "fact", "test"], lacks: ["for", "when"])
    expect("mea1️⃣", holds: ["measure"])
    expect("extend 1️⃣", holds: ["Habit", "Book"], lacks: ["streak"])
    expect("fact New 1️⃣", holds: ["setting"])
    expect("streak 1️⃣", holds: [], lacks: ["streak"])
    expect("language 1️⃣", holds: ["1"], lacks: ["streak"])
    expect("language 1\n1️⃣", holds: ["streak", "language"])
    expect("language 1\nstreak s { 1️⃣", holds: ["of"])
  }

  @Test func clausesOfTheKind() {
    expect(
      "streak s { 1️⃣ }", holds: ["of", "best", "grace", "forgive", "title"], lacks: ["when", "value", "for"])
    expect("streak s { of reading 1️⃣ }", holds: ["best"], lacks: ["of"])
    expect("streak s { of reading  forgive 2 1️⃣ }", holds: ["in"])
    expect("streak s { of reading  forgive 2 in 30 1️⃣ }", holds: ["days", "windows"])
    expect("completion c {\n  for user\n  1️⃣\n}", holds: ["every", "when", "rest when"], lacks: ["for"])
    expect("measure m {\n  for user\n  val1️⃣", holds: ["value", "over"])
    expect("measure m { for user  value count(Read) 1️⃣", holds: ["over", "by", ">=".isEmpty ? "" : "and"])
    expect("funnel f { for user  1️⃣", holds: ["step", "at least", "nearest"], lacks: ["value", "reading"])
    expect("measure m { for user  value 1 + 1️⃣", holds: ["count"], lacks: ["over", "by"])
  }

  @Test func subjectsAndWindows() {
    expect("measure m { for 1️⃣", holds: ["user", "book", "app"], lacks: ["Read"])
    expect("measure m { for user 1️⃣", holds: ["where", "value"])
    expect("measure m { for book where 1️⃣", holds: ["level"], lacks: ["minutes", "count"])
    expect("completion c { for user  every 1️⃣", holds: ["day", "calendar week"])
    expect("completion c { for user  every 2 1️⃣", holds: ["days", "weeks"], lacks: ["day ago"])
    expect("completion c { for user  every calendar 1️⃣", holds: ["week", "month"])
    expect("completion c { for user  every calendar week from 1️⃣", holds: ["monday"])
    expect("measure m { for user  value count(Read)  over 1️⃣", holds: ["last 7 days", "all time"])
    expect("measure m { for user  value count(Read)  over last 7 1️⃣", holds: ["days", "weeks"])
  }

  @Test func metricsThatFit() {
    expect("streak s { of 1️⃣ }", holds: ["reading", "habit_done"], lacks: ["minutes", "way"])
    expect("level l { of 1️⃣ }", holds: ["minutes", "aim"], lacks: ["reading"])
    expect("level l { of aim.1️⃣ }", holds: ["target", "fraction"])
    expect(
      "measure m { for user  value 1️⃣ }", holds: ["minutes", "count", "user", "day"],
      lacks: ["habit_done", "way", "app"])
    expect("measure m { for app  value 1️⃣ }", holds: ["way"], lacks: ["minutes"])
    expect("measure m { for app  value way.1️⃣ }", holds: ["one", "two"])
  }

  @Test func aggregates() {
    expect("measure m { for user  value count(1️⃣", holds: ["Read", "Event", "reading"], lacks: ["minutes"])
    expect("measure m { for user  value sum(Read.1️⃣", holds: ["minutes", "mood", "book"], lacks: ["Read"])
    expect("measure m { for user  value count(Read 1️⃣", holds: ["where", "over", "through"])
    expect(
      "measure m { for user  value count(Read where 1️⃣", holds: ["mood", "book", "minutes"], lacks: ["sum"])
    expect("measure m { for user  value count(Read where book.1️⃣", holds: ["level"], lacks: ["mood"])
    expect("measure m { for user  value count(Read over 1️⃣", holds: ["last 7 days"])
    expect("measure m { for user  value count(Read through 1️⃣", holds: ["Shelf", "book"], lacks: ["Book"])
    expect("measure m { for app  value average(user.1️⃣", holds: ["id", "minutes", "reading"])
    expect("measure m { for app  value count(user where 1️⃣", holds: ["reading", "minutes"])
  }

  @Test func textsThatAreAllowed() {
    expect(
      "measure m { for user  value count(Read where mood == 1️⃣", holds: ["\"calm\"", "\"tired\""],
      lacks: ["count"])
    expect("measure m { for user  value count(Read where mood == \"c1️⃣", holds: ["\"calm\""], lacks: ["mood"])
    expect("measure m { for user  value count(Read where mood in [\"calm\", 1️⃣", holds: ["\"tired\""])
    expect("measure m { for user  value count(Read where book.level != 1️⃣", holds: ["\"a\"", "\"b\""])
    expect("measure m { for user  value count(Event where name == 1️⃣", holds: ["\"opened\""])
    expect(
      "completion c { for user  every day  when count(Read) > 0  rest when weekday(day) == 1️⃣",
      holds: ["\"sunday\""])
    expect("measure m { title \"cou1️⃣\"", holds: [], lacks: ["count"])
  }

  @Test func otherClauses() {
    expect("measure m { for user  audience 1️⃣", holds: ["user", "team"], lacks: ["app"])
    expect("funnel f { for user  order 1️⃣", holds: ["any", "strict"])
    expect("funnel f { for user  step a 1️⃣", holds: ["Read", "Event", "reading"], lacks: ["Book"])
    expect("funnel f { for user  step a Read where 1️⃣", holds: ["mood"])
    expect("retention r { for user  start 1️⃣", holds: ["first", "each", "Event"])
    expect("retention r { for user  after 1, 7 1️⃣", holds: ["days"])
    expect("measure m { for app  value count(Read)  by 1️⃣", holds: ["mood", "book"])
    expect("measure m { for app  value count(user)  by 1️⃣", holds: ["reading"], lacks: ["mood"])
    expect("measure m { for user  allow 1️⃣", holds: ["W006"])
    expect("measure m { for user  unit 1️⃣", holds: ["minutes"])
    expect("measure m { for app  value count(Read)  at 1️⃣", holds: ["least 5 users"])
  }

  @Test func recordsAndTests() {
    expect("fact F {\n  x : 1️⃣", holds: ["Decimal", "DayKey", "Book"], lacks: ["Read"])
    expect("fact F {\n  x : Decimal 1️⃣", holds: ["min", "pii"])
    expect("fact F {\n  consent 1️⃣", holds: ["standard", "detailed"])
    expect("fact F {\n  consent standard 1️⃣", holds: ["for", "default"])
    expect("fact F {\n  consent standard for \"crashes\" default 1️⃣", holds: ["standard", "none"])
    expect("test \"t\" {\n  1️⃣", holds: ["given", "log", "expect"])
    expect("test \"t\" {\n  given 1️⃣", holds: ["Read", "Book"])
    expect("test \"t\" {\n  given Read { 1️⃣", holds: ["mood", "dayKey"])
    expect("test \"t\" {\n  given Read { mood: 1️⃣", holds: ["\"calm\""])
    expect("test \"t\" {\n  expect 1️⃣", holds: ["reading", "way"])
    let test = """
      test "t" {
        given Read { userId: "ada", mood: "calm" }
        log "run" from 2026-01-01 "#.#"

      """
    expect(test + "  given Read { userId: 1️⃣", holds: ["\"ada\""], lacks: ["\"calm\"", "\"#.#\"", "\"run\""])
    expect(test + "  log 1️⃣", holds: ["\"run\""], lacks: ["\"ada\"", "\"#.#\""])
    expect(test + "  expect reading for 1️⃣", holds: ["\"ada\""], lacks: ["\"calm\"", "\"run\""])
    expect(test + "  expect reading for \"ada\" at 1️⃣", holds: ["2026-01-01", "2026-01-03"])
    expect("test \"t\" {\n  expect way part 1️⃣", holds: ["\"one\""])
    expect("test \"t\" {\n  expect reading for \"u\" at 2026-01-01 = 1️⃣", holds: ["true", "false"])
  }

  @Test func nothingInComments() {
    #expect(labels("// streak 1️⃣") == [])
    #expect(labels("/// streak 1️⃣\nmeasure m { for user  value 1 }") == [])
  }

  @Test func thePrefixIsReplaced() throws {
    let (analysis, offset) = marked("streak s { of re1️⃣ading }")
    let list = try #require(analysis.completions(in: 0, at: offset))
    #expect(analysis.texts([list.replaced]) == ["reading"])
  }
}
