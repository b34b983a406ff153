import Foundation
import Testing

@testable import metricc

/// `--subject` with another name of a person, identities that lead nowhere, and data without consent.
@Suite(.serialized)
struct IdentityProcessTests {
  private static let definitions = """
    link Identity { guestId : User  userId : User }

    extend User { city : Text? }

    link Membership { id : ID  userId : User  teamId : Team }
    entity Team { id : ID }
    fact Match { id : ID  teamId : Team  dayKey : DayKey }

    /// What somebody did.
    measure events { for user  value count(Event) }

    /// Where they live.
    measure city { for user  audience team  value user.city }

    /// Matches of their teams.
    measure matches { for user  value count(Match through Membership)  audience team }

    /// Entries of a habit, whose ids may be those of people.
    measure entries { for habit  value count(HabitEntry) }
    """

  private func folder(identities: String = "g1,g2\ng2,ada\ng9,new\n") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("defs/a.metric", Self.definitions)
    try folder.write("data/Identity.csv", "guestId,userId\n\(identities)")
    try folder.write("data/User.csv", "id,city\ng1,Bonn\nada,Trier\nbob,\ng9,Mainz\n")
    try folder.write(
      "data/Event.csv",
      "userId,name,dayKey\ng1,open,2026-01-01\ng2,open,2026-01-02\nada,open,2026-01-03\nbob,open,2026-01-03\n"
    )
    try folder.write("data/Team.csv", "id\nred\n")
    try folder.write("data/Membership.csv", "id,userId,teamId\n1,g2,red\n")
    try folder.write("data/Match.csv", "id,teamId,dayKey\n1,red,2026-01-02\n")
    try folder.write("data/Habit.csv", "id\ng1\nada\n")
    try folder.write("data/HabitEntry.csv", "id,habitId,dayKey\n1,g1,2026-01-01\n")
    return folder
  }

  @Test func aGuestIsAskedAboutAsThePerson() throws {
    let folder = try folder()
    let eval = try runShell(
      "$metricc eval defs --data data --at 2026-01-03 --format csv --subject g1 --subject nobody", in: folder)
    #expect(eval.exit == 0)
    #expect(
      eval.out == """
        metric,subject,group,part,at,value
        city,ada,,,2026-01-03,Trier
        entries,g1,,,2026-01-03,1
        events,ada,,,2026-01-03,3
        matches,ada,,,2026-01-03,1

        """)
    #expect(eval.err.contains("no chosen metric has a subject `nobody`"), "\(eval.err)")
    let one = try runShell(
      "$metricc eval defs --data data --at 2026-01-03 --metric city --subject g9 --format csv", in: folder)
    #expect(one.out.hasSuffix("city,new,,,2026-01-03,Mainz\n"))
    #expect(one.err == "metricc: `g9` is another name of `new`, says `Identity`\n")
  }

  @Test(arguments: ["events", "city", "matches"])
  func whyExplainsThePerson(_ metric: String) throws {
    let folder = try folder()
    let why = "$metricc why \(metric) defs --data data --at 2026-01-03 --subject"
    let (guest, person) = (try runShell("\(why) g1", in: folder), try runShell("\(why) ada", in: folder))
    #expect(guest.exit == 0 && guest.out == person.out)
    #expect(guest.err == "metricc: `g1` is another name of `ada`, says `Identity`\n" && person.err.isEmpty)
    if metric == "matches" { #expect(guest.out.contains("Membership 1"), "\(guest.out)") }
  }

  @Test func anEngineKnowsThemToo() throws {
    let folder = try folder()
    let load = """
      sqlite3 app.db "$($metricc sql defs --dialect sqlite --schema)"
      for t in $(sqlite3 app.db .tables); do
        (head -1 data/$t.csv | sed "s/.*/create temp table t(&);/"; echo ".mode csv"; echo ".import --skip 1 data/$t.csv t"
         c=$(head -1 data/$t.csv); echo "insert into main.$t($c) select $c from t;") | sqlite3 app.db
      done
      """
    guard try runShell("command -v sqlite3", in: folder).exit == 0 else {
      print("SKIPPED: sqlite3 is not installed, so eval --subject is not compared on it")
      return
    }
    let loaded = try runShell(load, in: folder)
    #expect(loaded.exit == 0 && loaded.err.isEmpty, "\(loaded.err)")
    for subject in ["g1", "g9", "ada", "bob"] {
      let eval = "$metricc eval defs --at 2026-01-03 --format csv --subject \(subject)"
      let run = try runShell("\(eval) --engine sqlite --connect app.db", in: folder)
      #expect(run.out == (try runShell("\(eval) --data data", in: folder).out), "\(subject) \(run.err)")
      #expect(run.err.isEmpty, "\(run.err)")
    }
  }

  @Test func checkFindsEveryIdentityThatLeadsNowhere() throws {
    let good = try runShell("$metricc check defs --data data", in: try folder())
    #expect(good.out.contains("nothing found"), "\(good.out)")
    let long = (0...16).map { "n\($0),n\($0 + 1)\n" }.joined()
    let bad = try runShell(
      "$metricc check defs --data data",
      in: try folder(identities: "a,b\nb,a\nc,c\nx,ada\nx,bob\nx,ada\n\(long)"))
    #expect(bad.exit == 2)
    for line in [
      "data/Identity.csv:3:3: error: identities lead in a circle: `a` → `b` → `a` [D034 identity-cycle]",
      "data/Identity.csv:4:3: error: identities lead in a circle: `c` → `c` [D034 identity-cycle]",
      "data/Identity.csv:6:3: error: `x` is `bob` here, and `ada` elsewhere [D035 identity-targets]",
      "data/Identity.csv:24:5: error: 17 identities in a chain, expected at most 16: `n0` → `n1`",
    ] { #expect(bad.out.contains(line), "\(bad.out)") }
  }

  @Test(arguments: ["", "level,userId,dayKey\n"])
  func dataWithoutConsentIsSaid(_ consents: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.metric",
      """
      extend HabitEntry { consent standard }
      measure everybody { for app  value count(HabitEntry) }
      measure own { for habit  value count(HabitEntry) }
      """)
    try folder.write("data/Habit.csv", "id,userId\nread,ada\n")
    try folder.write("data/HabitEntry.csv", "id,habitId,dayKey\n1,read,2026-01-01\n")
    if !consents.isEmpty { try folder.write("data/Consent.csv", consents) }
    let remark = "metricc: the data has no `Consent` records: team metrics count no fact that needs consent\n"
    let database = """
      sqlite3 app.db "$($metricc sql a.metric --dialect sqlite --schema)"
      sqlite3 app.db "insert into HabitEntry(id, habitId, dayKey) values ('1', 'read', '2026-01-01')"
      """
    let hasSQLite =
      try runShell("command -v sqlite3", in: folder).exit == 0 && runShell(database, in: folder).exit == 0
    for source in hasSQLite ? ["--data data", "--engine sqlite --connect app.db"] : ["--data data"] {
      let eval = "$metricc eval a.metric \(source) --at 2026-01-01 --format csv"
      let run = try runShell(eval, in: folder)
      #expect(run.exit == 0 && run.out.contains("everybody,,,,2026-01-01,0\n"))
      #expect(run.err == remark)
      #expect(try runShell("\(eval) --metric own", in: folder).err.isEmpty)
    }
    try folder.write("data/Consent.csv", "userId,level,dayKey\nada,standard,2026-01-01\n")
    let agreed = try runShell("$metricc eval a.metric --data data --at 2026-01-01 --format csv", in: folder)
    #expect(agreed.err.isEmpty && agreed.out.contains("everybody,,,,2026-01-01,1\n"))
  }
}
