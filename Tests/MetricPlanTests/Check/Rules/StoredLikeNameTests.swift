import MetricTestSupport
import Testing

/// W001: a name that sounds like a stored number.
@Suite struct StoredLikeNameTests {
  @Test func storedLikeNames() {
    checks(
      """
      fact Visit {
        dayKey : DayKey
        userId : User
        readingStreak : Int?  // warning: W001
        bookCount : Int?  // warning: W001
        isCompleted : Bool?  // warning: W001
        percentComplete : Decimal?  // warning: W001
        longestStreak : Int? stored
        shownStreak : Int? observed "what a widget of another app said"
        countOfBooks : Int?  // warning: W001
        streak : Int?  // warning: W001
        discounted : Int?
        level : "a1" | "b1" ?
      }
      entity Profile { id : ID  readingStreak : Int?  pageCount : Int? }
      measure loginCount { for user  value count(Event) }  // warning: W001 W005
      measure login_count { for user  value count(Event) }
      measure tapCount { for user  value count(Event)  allow W001 "old name"  allow W005 "old name" }
      """)
  }
}
