import MetricSyntax
import Testing

@Suite struct RecordTests {
  private func members(_ text: String) -> [String] {
    let parsed = Parsed("fact F { \(text) }")
    #expect(parsed.messages == "")
    return parsed.records.first?.members.map(\.outline) ?? []
  }

  @Test(arguments: [
    ("id : ID", "id: ID"), ("bookId : Book?", "bookId: Book?"),
    ("minutes : Decimal? min 0", "minutes: Decimal? min 0"), ("x : Int min -2.5", "x: Int min (- 2.5)"),
    ("mood : \"calm\" | \"tired\" ?", "mood: calm|tired?"), ("notes : Text? pii", "notes: Text? pii"),
    ("deletedAt : Instant? tombstone", "deletedAt: Instant? tombstone"),
    ("s : Int stored min 0", "s: Int stored min 0"),
    ("pages = greatest(endPage - startPage, 0)", "pages = greatest((- endPage startPage), 0)"),
    ("consent standard", "consent standard"), ("consent none", "consent none"),
    ("consent standard for \"crashes\" default standard", "consent standard for crashes default standard"),
    ("consent standard default essential", "consent standard default essential"),
  ])
  func member(text: String, expected: String) {
    #expect(members(text) == [expected])
  }

  @Test func fieldsMayShareALine() {
    #expect(
      members("id : ID   habitId : Habit   dayKey : DayKey   perWeek : Int min 1") == [
        "id: ID", "habitId: Habit", "dayKey: DayKey", "perWeek: Int min 1",
      ])
  }

  /// A modifier or operator word before `:` or `=` is the next field's name.
  @Test func wordsAsFieldNames() {
    #expect(
      members("a : Int min : Int stored : Int? pii = b and = c offset = d in : Int consent : Text over = 1")
        == [
          "a: Int", "min: Int", "stored: Int?", "pii = b", "and = c", "offset = d", "in: Int",
          "consent: Text",
          "over = 1",
        ])
    #expect(members("fact : Fact test : ID level : Int") == ["fact: Fact", "test: ID", "level: Int"])
  }

  @Test(arguments: ["fact F", "entity F", "link F", "extend F", "fact F setting"])
  func kinds(head: String) {
    let parsed = Parsed("\(head) { id : ID }")
    #expect(parsed.messages == "")
    let record = parsed.records.first
    #expect(record?.name.text == "F")
    #expect(record?.kind.rawValue == String(head.prefix { $0 != " " }))
    #expect((record?.setting != nil) == head.hasSuffix("setting"))
  }

  @Test func brokenFieldsKeepTheirNames() {
    let parsed = Parsed("fact F {\n a :\n b Int\n c : Int oops\n d : Text\n}")
    #expect(
      parsed.records.first?.members.map(\.outline) == ["a: ", "b: Int", "c: Int", "unexpected", "d: Text"])
  }
}

extension RecordMember {
  var outline: String {
    switch self {
    case .field(let field): field.name.text + field.content.outline
    case .consent(let consent):
      "consent \(consent.level.text)" + (consent.purpose.map { " for \($0.value)" } ?? "")
        + (consent.standing.map { " default \($0.text)" } ?? "")
    case .unexpected: "unexpected"
    }
  }
}

extension FieldContent {
  var outline: String {
    switch self {
    case .computed(let expression): return " = \(expression.outline)"
    case .stored(let type, let isOptional, let modifiers):
      let words = modifiers.map { " " + $0.kind.outline }.joined()
      return ": \(type.outline)\(isOptional ? "?" : "")\(words)"
    }
  }
}

extension TypeSyntax {
  var outline: String {
    switch self {
    case .named(let name): name.text
    case .choices(let choices): choices.map(\.value).joined(separator: "|")
    }
  }
}

extension FieldModifierKind {
  var outline: String {
    switch self {
    case .min(let number): "min \(number.outline)"
    case .stored: "stored"
    case .observed(let reason): "observed \"\(reason.value)\""
    case .pii: "pii"
    case .tombstone: "tombstone"
    }
  }
}
