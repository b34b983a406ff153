import MetricDiagnostics
import MetricLanguage
import MetricLanguageServer
import MetricTestSupport
import Testing

@Suite struct RenamingTests {
  static let library = """
    /// A book.
    entity Book { id : ID  level : "a" | "b" }
    /// Read.
    fact Read { id : ID  bookId : Book  userId : User  dayKey : DayKey  pages : Int min 0  half = pages / 2 }
    /// Reading.
    completion reading { for user  every day  when count(Read where book.level == "a") >= 1 }
    /// A run.
    streak run { of reading }
    /// Old.
    streak old_run { of reading  deprecated "use run, or rerun" }
    /// A way.
    funnel way { for user  step one Read  step two Event }
    /// Books.
    measure books { for app  value count(book where level == "b") + way.two }
    /// Halves.
    measure halves { for user  value sum(Read.half where book.level == "b") }
    report looks { every day  metrics books, run }
    test "t" {
      given Read { bookId: "x", userId: "u", dayKey: 2026-01-01, pages: 2 }
      expect run for "u" at 2026-01-01 = 0
      expect way part "two" at 2026-01-01 = 0
    }
    """

  /// The library after a rename, or why it is refused.
  private func rename(_ piece: String, plus: Int = 0, to name: String) -> String {
    let text = Self.library
    guard let range = text.range(of: piece) else { return "not found" }
    let offset = text.utf8.distance(from: text.startIndex, to: range.lowerBound) + plus
    do throws(ResponseError) {
      let edits = try Renaming(analysis(text), file: 0, offset: offset).edits(to: name)
      var bytes = Array(text.utf8)
      for edit in edits.reversed() {
        bytes.replaceSubrange(edit.span.start..<edit.span.end, with: edit.text.utf8)
      }
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      return error.message
    }
  }

  private func expectRenamed(_ result: String, _ replacements: [(String, String)]) {
    var expected = Self.library
    for (old, new) in replacements { expected = expected.replacing(old, with: new) }
    #expect(result == expected)
  }

  @Test func libraryIsAccepted() {
    let errors = analysis(Self.library).library.findings.filter { $0.severity == .error }
    #expect(errors.map(\.message) == [])
  }

  @Test func metric() {
    expectRenamed(
      rename("streak run", plus: 7, to: "days_in_a_row"),
      [
        ("streak run", "streak days_in_a_row"), ("use run,", "use days_in_a_row,"),
        ("expect run", "expect days_in_a_row"), ("books, run", "books, days_in_a_row"),
      ])
  }

  /// Each metric of a family has the clauses that are written once.
  @Test func metricThatAFamilyRecommends() throws {
    let text = """
      fact Login { id : ID  userId : User  dayKey : DayKey }
      /// All.
      measure all { for app  value count(Login) }
      /// Of a period.
      measure logins {
        for app
        value count(Login)
        over each [last 1 day as daily, last 7 days as weekly]
        deprecated "use all"
      }
      """
    let name = try #require(text.range(of: "all {")).lowerBound
    let offset = text.utf8.distance(from: text.startIndex, to: name)
    let edits = try Renaming(analysis(text), file: 0, offset: offset).edits(to: "total")
    #expect(edits.map(\.text) == ["total", "total"])
    let bytes = Array(text.utf8)
    #expect(
      edits.map { String(decoding: bytes[$0.span.start..<$0.span.end], as: UTF8.self) } == ["all", "all"])
  }

  @Test func report() {
    expectRenamed(rename("report looks", plus: 8, to: "glance"), [("report looks", "report glance")])
    expectRenamed(rename("metrics books", plus: 9, to: "volumes"), [("books", "volumes")])
  }

  @Test func recordAndItsSubject() {
    expectRenamed(
      rename("bookId : Book", plus: 10, to: "Volume"),
      [
        ("entity Book", "entity Volume"), ("bookId : Book", "bookId : Volume"),
        ("count(book where", "count(volume where"),
      ])
    expectRenamed(
      rename("count(book where", plus: 7, to: "volume"),
      [
        ("entity Book", "entity Volume"), ("bookId : Book", "bookId : Volume"),
        ("count(book where", "count(volume where"),
      ])
  }

  @Test func fieldAndReference() {
    expectRenamed(
      rename("pages : Int", to: "leaves"),
      [("pages : Int", "leaves : Int"), ("= pages / 2", "= leaves / 2"), ("pages: 2", "leaves: 2")])
    expectRenamed(
      rename("bookId : Book", to: "volumeId"),
      [
        ("bookId : Book", "volumeId : Book"), ("book.level", "volume.level"),
        ("bookId: \"x\"", "volumeId: \"x\""),
      ])
    expectRenamed(
      rename("bookId : Book", to: "volume"),
      [
        ("bookId : Book", "volume : Book"), ("book.level", "volume.level"),
        ("bookId: \"x\"", "volume: \"x\""),
      ])
  }

  @Test func step() {
    expectRenamed(
      rename("step two", plus: 5, to: "three"),
      [("step two", "step three"), ("way.two", "way.three"), ("part \"two\"", "part \"three\"")])
  }

  @Test(arguments: [
    ("streak run", 7, "reading", "`reading` is the name of another metric"),
    ("streak run", 7, "user", "`user` is the name of a subject and cannot name a metric"),
    ("streak run", 7, "Run", "`Run` is not a name: write a lower-case letter, then letters, digits and `_`"),
    ("streak run", 7, "a b", "`a b` is not a name: write a lower-case letter, then letters, digits and `_`"),
    ("Book  userId", 0, "", "`` is not a name: write an upper-case letter, then letters, digits and `_`"),
    ("step two Event", 9, "Thing", "`Event` is built in"),
    ("entity Book { id", 14, "key", "the entity `Book` has no `id : ID`"),
    ("step two", 5, "one", "`way` has another step `one`"),
    ("Book { id : ID", 10, "x", "nothing here can be renamed"),
  ])
  func refused(piece: String, plus: Int, name: String, reason: String) {
    #expect(rename(piece, plus: plus, to: name) == reason)
  }

  /// A field that a `by` shares between two records cannot be renamed in one of them.
  @Test func sharedNames() throws {
    let text = """
      fact A { id : ID  userId : User  dayKey : DayKey  kind : Text }
      fact B { id : ID  userId : User  dayKey : DayKey  kind : Text }
      measure m { for app  value count(A) + count(B)  by kind }
      """
    let offset = try #require(text.range(of: "by kind")).lowerBound.utf16Offset(in: text) + 3
    #expect(throws: ResponseError.self) { try Renaming(analysis(text), file: 0, offset: offset) }
    let declared = try #require(text.range(of: "kind : Text")).lowerBound.utf16Offset(in: text)
    let renaming = try Renaming(analysis(text), file: 0, offset: declared)
    #expect(throws: ResponseError.self) { try renaming.edits(to: "sort") }
  }

  @Test("GRP-07: a metric that groups, and the groups of what reads it") func groups() throws {
    let text = """
      completion active { for user  every day  when count(Event) >= 1 }
      measure people { for app  value count(user)  by active }
      measure growth { for app  value people / people offset 7 days  by active }
      """
    let offset = try #require(text.range(of: "active")).lowerBound.utf16Offset(in: text)
    let edits = try Renaming(analysis(text), file: 0, offset: offset).edits(to: "here")
    #expect(edits.count == 3)
  }

  /// A new name that a field hides would change what a condition reads.
  @Test func capture() throws {
    let text = """
      fact A { id : ID  userId : User  dayKey : DayKey  size : Int min 0 }
      measure big { for user  value count(A) }
      measure m { for app  value count(user where big > 1) }
      extend User { large : Int? }
      """
    let offset = try #require(text.range(of: "big {")).lowerBound.utf16Offset(in: text)
    let renaming = try Renaming(analysis(text), file: 0, offset: offset)
    #expect(
      throws: ResponseError.failed("`large` would change what another name means, at line 3 of `0.metric`")
    ) {
      try renaming.edits(to: "large")
    }
  }

  /// After any rename that is made, the library has the findings that it had.
  @Test func renamesOfTheDefinitionsAreSound() throws {
    let paths = Repository.definitions.filter { $0.hasPrefix("Definitions/Habits") }
    let sources = try paths.map { SourceFile(path: $0, text: try Repository.text($0)) }
    let before = Analysis(sources.enumerated().map { ParsedSource($1, file: $0) })
    var count = 0
    for (file, tree) in before.trees.dropLast().enumerated() {
      for symbol in tree.symbols where symbol.kind == .metric {
        let edits = try Renaming(before, file: file, offset: symbol.nameSpan.start).edits(to: "another_name")
        #expect(!edits.isEmpty)
        count += 1
      }
    }
    #expect(count > 10)
  }

  @Test(arguments: [
    ("run", "`run` is the name of another metric"), ("count", "`count` is the name of a function"),
    ("none", "`none` is a word of expressions"), ("habit", "`habit` is the name of a subject"),
  ])
  func takenNamesAreRefusedAsSuch(_ name: String, _ reason: String) throws {
    let (analysis, offset) = marked(habits.replacing("completion done", with: "completion 1️⃣done"))
    let renaming = try Renaming(analysis, file: 0, offset: offset)
    do {
      _ = try renaming.edits(to: name)
      Issue.record("`\(name)` was taken")
    } catch {
      #expect(error.message.hasPrefix(reason), "\(error.message)")
    }
  }
}
