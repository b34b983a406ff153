import MetricData
import MetricDiagnostics
import MetricLanguage
import MetricPlan
import Testing

@testable import MetricEvaluate

/// What is wrong with records only together.
@Suite struct DatasetCheckTests {
  /// What the check finds in CSV texts by record: code, record, field and count, and the examples' rows.
  private func problems(
    _ files: [String: String], definitions: String = "", incomplete: Set<String> = []
  ) -> [DatasetProblem] {
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: definitions)])
    let pool = StringPool()
    var check = DatasetCheck(library: library.plan, pool: pool)
    var facts: [(Table, StringPool)] = []
    for (record, text) in files.sorted(by: { $0.key < $1.key }) {
      let isFact = library.factNames.contains(record)
      let own = isFact ? StringPool() : pool
      guard let schema = library.fullSchema(of: record) else { continue }
      let result = Array(text.utf8).withUnsafeBytes {
        readTable($0, format: .csv, schema: schema, path: record, pool: own)
      }
      #expect(result.findingCount == 0, "\(result.findings.map(\.message))")
      if isFact {
        facts.append((result.table, own))
      } else {
        check.add(result.table, isIncomplete: incomplete.contains(record))
      }
    }
    return check.problemsOfKept() + facts.flatMap { check.problems(ofFact: $0.0, pool: $0.1) }
  }

  private func summary(_ problems: [DatasetProblem]) -> [String] {
    problems.map { problem in
      let rows = problem.examples.map { String($0.row) }.joined(separator: " ")
      return "\(problem.code.id) \(problem.record).\(problem.field) \(problem.count): \(rows)"
    }
  }

  @Test func duplicateIDs() {
    let found = problems(["Habit": "id\na\nb\na\na\n"])
    #expect(summary(found) == ["D040 Habit.id 2: 2 3"])
    #expect(found.first?.examples.map { $0.related?.row } == [0, 0])
    #expect(problems(["Event": "userId,name,dayKey\nu,x,2026-01-01\nu,x,2026-01-01\n"]).isEmpty)
  }

  @Test func aDeletedCopyHasTheSameIDToo() {
    let text = "id,habitId,dayKey,deletedAt\n1,a,2026-01-01,\n1,a,2026-01-01,2026-01-02T00:00:00Z\n"
    #expect(summary(problems(["HabitEntry": text, "Habit": "id\na\n"])) == ["D040 HabitEntry.id 1: 1"])
  }

  @Test func referencesToNothing() {
    let entries = """
      id,habitId,dayKey,deletedAt
      1,a,2026-01-01,
      2,x,2026-01-01,
      3,x,2026-01-01,
      4,y,2026-01-01,2026-01-02T00:00:00Z
      5,reed,2026-01-01,
      """
    let found = problems(["Habit": "id\na\nread\n", "HabitEntry": entries])
    #expect(summary(found) == ["D041 HabitEntry.habitId 3: 1 4"])
    #expect(found.first?.examples.last?.message.contains("did you mean `read`?") == true)
    #expect(found.first?.severity == .error)
  }

  @Test func aFileThatIsLeftOutIsAWarning() {
    let found = problems(["HabitEntry": "id,habitId,dayKey\n1,a,2026-01-01\n2,b,2026-01-01\n"])
    #expect(summary(found) == ["D041 HabitEntry.habitId 2: 0"])
    #expect(found.first?.severity == .warning)
    // An entity that has nothing but its id needs no file.
    #expect(problems(["Habit": "id,userId\na,u\n"]).isEmpty)
  }

  @Test func nothingIsSaidOfReferencesToWhatCouldNotBeRead() {
    let files = ["Habit": "id\na\n", "HabitEntry": "id,habitId,dayKey\n1,x,2026-01-01\n"]
    #expect(problems(files, incomplete: ["Habit"]).isEmpty)
  }

  @Test func circlesOfBundles() {
    let members = "bundleId,habitId,childBundleId\na,,b\nb,,c\nc,,a\nc,,d\nd,h,\ne,,e\nf,,a\n"
    let found = problems(["BundleMember": members, "Bundle": "id\na\nb\nc\nd\ne\nf\n", "Habit": "id\nh\n"])
    #expect(summary(found) == ["D030 BundleMember.childBundleId 2: 2 5"])
    #expect(found.first?.examples.first?.message.contains("`a` → `b` → `c` → `a`") == true)
  }

  @Test func bundlesMayNestEightDeep() {
    func chain(_ count: Int) -> [DatasetProblem] {
      let edges = (1..<count).map { "b\($0),b\($0 + 1)" }.joined(separator: "\n")
      let ids = (1...count).map { "b\($0)" }.joined(separator: "\n")
      return problems(["BundleMember": "bundleId,childBundleId\n\(edges)\n", "Bundle": "id\n\(ids)\n"])
    }
    #expect(chain(8).isEmpty)
    #expect(summary(chain(9)) == ["D031 BundleMember.childBundleId 1: 7"])
    // Only the outermost is told of, and a chain of any length ends.
    #expect(summary(chain(20_000)) == ["D031 BundleMember.childBundleId 1: 7"])
  }

  @Test func aRecordUnderOneNameIsThereForAll() {
    let identity = "link Identity { guestId : User  userId : User }  extend User { city : Text? }"
    func found(_ users: String) -> [String] {
      let files = [
        "Identity": "guestId,userId\ng1,g2\ng2,ada\n", "User": "id,city\n\(users)",
        "Event": "userId,name,dayKey\ng1,x,2026-01-01\nada,x,2026-01-01\n",
      ]
      return summary(problems(files, definitions: identity))
    }
    #expect(found("ada,\n").isEmpty)
    #expect(found("g1,\n").isEmpty)
    #expect(found("bob,\n") == ["D041 Identity.userId 2: 0 1", "D041 Event.userId 2: 0 1"])
  }

  @Test func bundlesThatShareTheirInsidesAreFast() {
    let edges = (1...7).flatMap { ["b\($0),b\($0 + 1)", "b\($0),b\($0 + 1)"] }.joined(separator: "\n")
    let ids = (1...8).map { "b\($0)" }.joined(separator: "\n")
    #expect(
      problems(["BundleMember": "bundleId,childBundleId\n\(edges)\n", "Bundle": "id\n\(ids)\n"]).isEmpty)
  }

  @Test func unitsOfSumLinks() {
    let files = [
      "Habit": "id,unit\nread,pages\nrun,km\nsit,\nwrite,minutes\n", "Goal": "id,unit\ng,minutes\nh,\n",
      "Bundle": "id\nb\nc\n",
      "BundleMember": "bundleId,habitId,childBundleId\nb,run,\nb,,c\nc,read,\nc,write,\n",
      "GoalLink": """
      id,goalId,habitId,bundleId,contribution
      1,g,read,,sum
      2,g,read,,count
      3,g,sit,,sum
      4,h,read,,sum
      5,g,,b,sum
      6,g,write,,sum
      """,
    ]
    let found = problems(files)
    #expect(
      summary(found) == ["D032 GoalLink.contribution 5: 0 2 3 4 4", "D043 GoalLink.contribution 1: 1"])
    #expect(found.first?.examples.first?.message.contains("the habit `read`, counted in `pages`") == true)
    #expect(
      found.first?.examples[1].message.contains("the habit `sit`, without a unit, to the goal `g`") == true)
  }

  /// 29 entries are not 29 km, whether or not the habit has a unit; a number of sketches is one of entries.
  @Test func entriesCountedAsAMeasure() {
    let files = [
      "Habit": "id,unit\nrun,\nread,chapters\n",
      "Goal": "id,unit\nfar,km\nbook,chapters\ndraw,sketches\nany,\n",
      "GoalLink": """
      id,goalId,habitId,contribution
      1,far,run,count
      2,book,read,count
      3,draw,run,count
      4,any,run,count
      """,
    ]
    let found = problems(files)
    #expect(summary(found) == ["D043 GoalLink.contribution 2: 0 1"])
    #expect(found.first?.severity == .warning)
    #expect(found.first?.examples.first?.message.contains("`far`, counted in `km`") == true)
  }

  @Test func daysFarFromInstants() {
    // A day, an instant, and what is said: an entry may come late, and no zone is so far ahead.
    let cases: [(String, String, Severity?)] = [
      ("2026-01-31", "2026-01-30T00:00:00Z", nil), ("2026-01-31", "2026-02-01T23:59:59Z", nil),
      ("2026-01-31", "2026-01-29T23:59:59Z", .error), ("2026-01-31", "2026-02-02T00:00:00Z", .note),
      ("1970-01-01", "1969-12-31T00:00:00Z", nil), ("1970-01-01", "1969-12-30T23:59:59.999999Z", .error),
      ("1969-12-31", "1970-01-01T12:00:00Z", nil), ("2026-01-31", "2027-01-31T12:00:00Z", .note),
    ]
    for (day, instant, severity) in cases {
      let text = "id,habitId,dayKey,timestampUtc\n1,a,\(day),\(instant)\n"
      let found = problems(["Habit": "id\na\n", "HabitEntry": text])
      #expect(summary(found) == (severity == nil ? [] : ["D042 HabitEntry.dayKey 1: 0"]), "\(day) \(instant)")
      #expect(found.first?.severity == severity, "\(day) \(instant)")
    }
  }

  @Test func onlyTheFirstExamplesAreKept() {
    let ids = String(repeating: "a\n", count: 1_001)
    let found = problems(["Habit": "id\n\(ids)"])
    #expect(found.first?.count == 1_000)
    #expect(found.first?.examples.map(\.row) == Array(1...10))
  }
}
