/// A field as the generator of expressions knows it.
struct RandomField {
  enum Kind: Hashable {
    case number, bool, day, text
    /// An Instant or a personal field: nothing but `is none` may read it.
    case opaque
  }

  /// As it is written in the record's own scope, `book.level`.
  var path: String
  var kind: Kind
  /// What it can be compared with, where it is a text.
  var texts: [String] = []

  static func number(_ path: String) -> RandomField { RandomField(path: path, kind: .number) }
  static func day(_ path: String) -> RandomField { RandomField(path: path, kind: .day) }
  static func bool(_ path: String) -> RandomField { RandomField(path: path, kind: .bool) }
  static func opaque(_ path: String) -> RandomField { RandomField(path: path, kind: .opaque) }
  static func text(_ path: String, _ texts: [String]) -> RandomField {
    RandomField(path: path, kind: .text, texts: texts)
  }
}

/// A fact, with the text that leads it to each subject (`""` where the shortest path does).
struct RandomFact {
  var name: String
  var fields: [RandomField]
  /// By subject: the `through` clauses that lead there.
  var routes: [String: [String]]
  /// Fields that a group can be `by`.
  var groups: [String]
}

/// The records over which random libraries are written.
enum RandomSchema {
  static let texts = RandomDataset.texts
  static let subjects = ["habit", "goal", "user", "book", "app"]

  static let habit: [RandomField] = [
    .text("cadence", ["daily", "weekly"]), .text("kind", ["binary", "frequency", "quantity"]),
    .number("weeklyTarget"), .text("name", texts), .day("startDay"), .bool("easy"),
    .text("userId", ["u2", "u10"]),
  ]
  static let goal: [RandomField] = [
    .text("name", texts), .number("target"), .text("userId", ["u2", "u\u{E9}"]),
  ]
  static let user: [RandomField] = [.text("id", ["u2", "uB"])]
  static let book: [RandomField] = [
    .text("level", ["a1", "b1"]), .number("pages"), .number("rating"), .bool("long"),
  ]

  static func fields(ofSubject subject: String) -> [RandomField] {
    switch subject {
    case "habit": habit
    case "goal": goal
    case "user": user
    case "book": book
    default: []
    }
  }

  static let facts: [RandomFact] = [
    RandomFact(
      name: "HabitEntry",
      fields: [
        .number("value"), .day("dayKey"), .opaque("timestampUtc"), .opaque("deletedAt"), .text("id", ["f11"]),
      ]
        + prefixed(habit, "habit"),
      routes: ["habit": [""], "user": [""], "goal": ["through GoalLink "], "app": [""]],
      groups: ["habit.kind", "habit.cadence", "value", "habit.easy"]),
    RandomFact(
      name: "Event",
      fields: [.text("name", texts), .number("value"), .day("dayKey"), .opaque("timestampUtc")],
      routes: ["user": ["", "through user "], "app": [""]], groups: ["name", "value", "dayKey"]),
    RandomFact(
      name: "Session",
      fields: [
        .number("minutes"), .text("mood", ["calm", "tired"]), .number("startPage"), .number("endPage"),
        .number("pages"), .number("weight"), .bool("indoors"), .day("dayKey"), .opaque("notes"),
        .opaque("startedAt"),
        .number("ahead"),
      ] + prefixed(book, "book"),
      routes: ["user": [""], "book": [""], "app": [""]],
      groups: ["mood", "book.level", "bookId", "indoors", "pages", "book.long"]),
    RandomFact(
      name: "HabitTarget", fields: [.number("perWeek"), .day("dayKey")] + prefixed(habit, "habit"),
      routes: ["habit": [""], "user": [""], "app": [""]], groups: ["perWeek", "habit.kind"]),
  ]

  private static func prefixed(_ fields: [RandomField], _ prefix: String) -> [RandomField] {
    fields.map { field in
      var field = field
      field.path = "\(prefix).\(field.path)"
      return field
    }
  }

  /// Facts that lead to a subject.
  static func facts(for subject: String, _ features: LibraryFeatures) -> [RandomFact] {
    facts.filter { fact in
      guard fact.routes[subject] != nil else { return false }
      return subject != "goal" || features.contains(.links)
    }
  }

  /// Declarations of the records that are not built in.
  static func source(_ features: LibraryFeatures) -> String {
    let asks = features.contains(.consent)
    return """
      entity Book {
        id     : ID
        userId : User?
        level  : "a1" | "b1" ?
        pages  : Int min 0
        rating : Decimal?
        long   = pages >= 5
      }
      fact Session {
        id        : ID
        userId    : User
        bookId    : Book?
        dayKey    : DayKey
        minutes   : Decimal min 0
        mood      : "calm" | "tired" ?
        startPage : Int? min 0
        endPage   : Int? min 0
        pages     = greatest(endPage - startPage, 0)
        weight    : Decimal?
        ahead     = book.pages - pages
        indoors   : Bool?
        startedAt : Instant?
        notes     : Text? pii
        deletedAt : Instant? tombstone
        \(asks ? "consent standard" : "")
      }
      fact HabitTarget setting {
        id : ID
        habitId : Habit
        dayKey : DayKey
        perWeek : Int min 1
      }
      extend Habit {
        startDay : DayKey?
        easy = kind == "binary"
      }
      \(asks ? "extend Event { consent essential }" : "")
      \(asks ? "link Identity { guestId : User  userId : User  deletedAt : Instant? tombstone }" : "")
      \(asks ? "extend HabitEntry { consent standard for \"b\" default standard }" : "")

      """
  }
}
