/// The files that `metricc init` writes. A test checks, formats, tests and evaluates them.
enum StarterLibrary {
  static let files: [(name: String, text: String)] = [
    ("reading.metric", definitions), ("reading_tests.metric", tests), ("sample/Book.csv", books),
    ("sample/ReadingSession.csv", sessions),
  ]

  private static let definitions = """
    // What the data looks like: a file sample/Book.csv and a file sample/ReadingSession.csv.

    entity Book {
      id    : ID
      title : Text?
    }

    fact ReadingSession {
      id        : ID
      bookId    : Book
      dayKey    : DayKey  // the calendar day, as the person lived it
      pages     : Int min 0  // the loader refuses less
      deletedAt : Instant? tombstone
    }

    // What is derived from it.

    /// Did you read in this book on this day?
    completion read_on_day {
      title "Read"
      for book
      every day
      when count(ReadingSession) >= 1
    }

    /// How many days in a row you read in it, up to and including this day.
    streak reading_streak {
      title "Days in a row"
      unit days
      of read_on_day
    }

    /// The most days in a row that you ever read in it. It never gets smaller.
    streak best_reading_streak {
      title "Most days in a row"
      unit days
      of read_on_day
      best
    }

    /// On how many of the last seven days you read in it.
    momentum reading_momentum {
      title "This week"
      unit days
      of read_on_day
      over last 7 days
    }

    /// How many pages you have read in it.
    progress pages_read {
      title "Pages"
      unit pages
      for book
      value sum(ReadingSession.pages)
    }

    """

  private static let tests = """
    test "a day without reading ends the streak, and nothing is lost" {
      given Book { id: "momo" }
      given ReadingSession { bookId: "momo", dayKey: 2026-01-01, pages: 10 }
      given ReadingSession { bookId: "momo", dayKey: 2026-01-02, pages: 5 }
      given ReadingSession { bookId: "momo", dayKey: 2026-01-02, pages: 7 }
      given ReadingSession { bookId: "momo", dayKey: 2026-01-04, pages: 3 }
      expect read_on_day         for "momo" at 2026-01-02 = true
      expect reading_streak      for "momo" at 2026-01-02 = 2
      expect reading_streak      for "momo" at 2026-01-03 = 0
      expect best_reading_streak for "momo" at 2026-01-04 = 2
      expect reading_momentum    for "momo" at 2026-01-04 = 3
      expect pages_read          for "momo" at 2026-01-04 = 25
    }

    """

  private static let books = """
    id,title
    momo,Momo
    heidi,Heidi
    emil,Emil and the Detectives

    """

  /// From 2026-01-01 on, a character a day: how many pages, in tens; `.` is a day without reading.
  private static let diary = [
    ("momo", "2213..1221221132"), ("heidi", "1.1..1.21.11.1.1"), ("emil", ".........3334233"),
  ]

  private static var sessions: String {
    var rows = ["id,bookId,dayKey,pages,deletedAt"]
    for (book, days) in diary {
      for (index, mark) in days.enumerated() {
        guard let tens = mark.wholeNumberValue else { continue }
        let day = index + 1
        rows.append("\(book)-\(day),\(book),2026-01-\(day < 10 ? "0" : "")\(day),\(tens * 10 + index % 7),")
      }
    }
    return rows.map { $0 + "\n" }.joined()
  }
}
