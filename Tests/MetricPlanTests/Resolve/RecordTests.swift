import MetricTestSupport
import Testing

@Suite struct RecordTests {
  @Test func shapes() {
    checks(
      """
      fact NoDay { id : ID }  // error: T025
      fact TwoDays { dayKey : DayKey
        other : DayKey }  // error: T025
      fact MaybeDay {
        dayKey : DayKey? }  // error: T025
      fact Fine { dayKey : DayKey  gone : DayKey? tombstone  shown = dayKey }
      entity NoId { name : Text? }  // error: T025
      entity MaybeId {
        id : ID? }  // error: T025
      entity WithDay { id : ID  start : DayKey? }
      link WithDay2 { userId : User
        dayKey : DayKey }  // error: T025
      link Nothing { id : ID }  // error: T025
      link Good { userId : User  name : Text? }
      entity Set setting { id : ID }  // error: S026
      fact Target setting { dayKey : DayKey  habitId : Habit  perWeek : Int min 1 }
      fact Grave { dayKey : DayKey
        gone : Instant tombstone }  // error: T025
      fact Hidden {
        dayKey : DayKey stored }  // error: T025
      """)
  }

  @Test func types() {
    checks(
      """
      entity Book { id : ID  size : Integer? }  // error: T010
      entity Shelf { id : ID  entryId : HabitEntry? }  // error: T010
      entity Board { id : ID  linkId : GoalLink? }  // error: T010
      entity Room { id : ID  shelfId : Shelf?  mood : "a" | "b" ? }
      entity Chair { id : ID
        mood : "a" | "a" }  // error: T025
      entity Table { id : ID
        mood : "a" | "" }  // error: T025
      entity Lamp { id : ID
        name : Text min 0 }  // error: T012
      entity Desk { id : ID  size : Int min 0  width : Decimal? min -1.5 }
      entity Sofa { id : ID
        size : Int min 0 min 1 }  // error: T007
      """)
  }

  @Test func consent() {
    checks(
      """
      fact Visit { dayKey : DayKey  userId : User  consent standard }
      fact Walk { dayKey : DayKey  userId : User
        consent standart }  // error: S026
      entity Place { id : ID
        consent standard }  // error: T025
      extend Visit {
        consent none }  // error: T007
      extend Event { consent none }
      """)
    checks(
      """
      fact Crash { dayKey : DayKey  userId : User  consent essential for "crashes" default essential }
      fact Hang { dayKey : DayKey  userId : User  consent detailed for "crashes" default essential }
      fact Walk { dayKey : DayKey  userId : User
        consent standard for "crashes" }  // error: T025
      fact Run { dayKey : DayKey  userId : User  consent standard default none }
      fact Ride { dayKey : DayKey  userId : User
        consent none for "" }  // error: T025
      fact Swim { dayKey : DayKey  userId : User
        consent standard default standard }  // error: T025
      """)
  }

  @Test func computedFields() {
    checks(
      """
      fact Reading {
        id : ID
        habitId : Habit
        dayKey : DayKey
        startPage : Int? min 0
        endPage : Int? min 0
        pages = greatest(endPage - startPage, 0)
        double = pages * 2
        unit = habit.unit
        early = dayKey < 2026-01-01
        mood = if pages > 10 then "long" else "short"
        bad1 = nothing + 1  // error: T001
        bad2 = count(HabitEntry)  // error: T031
        bad3 = day  // error: T031
        bad4 = total  // error: T031
        bad5 = "a" + 1  // error: T012
      }
      measure total { for habit  value sum(Reading.double where early and mood == "long") }
      measure a { for habit  value sum(Reading.bad1) }
      measure b { for habit  value count(Reading where bad2 == "a") }
      measure c { for habit  value count(Reading where mood == "middling") }  // error: T013
      """)
  }

  @Test func recursiveFields() {
    checks(
      """
      entity Ring { id : ID
        a = b + 1  // error: T011
        b = a + 1
        c = not d  // error: T011
        d = not c
        e = e + 1  // error: T011
        f = a + 1
      }
      """)
  }

  @Test func extensions() {
    checks(
      """
      extend Habit { startDay : DayKey?  isOld = startDay < 2020-01-01 }
      extend HabitEntry { mood : "calm" | "tired" ? }
      measure a { for habit where isOld  value count(HabitEntry where mood == "calm") }
      extend Habit { startDay : DayKey? }  // error: T004
      extend HabitEntry {
        extraKey : DayKey }  // error: T025
      """)
  }

  @Test func unreadableFields() {
    checks(
      """
      extend Habit { bestStreak : Int? stored  diary : Text? pii }
      extend HabitEntry { notes : Text? pii  loggedAt : Instant?  hasNotes = notes is not none
        badNotes = notes  // error: T022
      }
      measure a { for habit  value habit.bestStreak }  // error: C101
      measure b { for habit  value habit.bestStreak is none }  // error: C101
      measure c { for habit  value habit.diary == "x" }  // error: T022
      measure d { for habit  value habit.diary is not none }
      measure e { for habit  value count(HabitEntry where notes is none and loggedAt is not none) }
      measure f { for habit  value count(HabitEntry where loggedAt == timestampUtc) }  // error: C301 C301
      measure g { for habit  value last(HabitEntry.timestampUtc) }  // error: C301
      measure h { for habit  value distinct(HabitEntry.notes) }  // error: T022
      measure i { for habit  value count(HabitEntry where hasNotes and (notes) is none) }  // warning: W020
      measure j { for app  value count(HabitEntry)
        by notes }  // error: T022
      measure k { for app  value count(HabitEntry)
        by timestampUtc }  // error: C301
      """)
  }

  /// A field that could not be read is not missed a second time.
  @Test func brokenFieldsAreNoCascade() {
    checks(
      """
      fact Visit {
        dayKey : Daykey  // error: T010
        userId : Usr  // error: T010
        bookId : Book?
        size : Integer?  // error: T010
        place Text  // error: S027
      }
      entity Book { id : ID  level : Txt? }  // error: T010
      measure a { for user  value count(Visit where size > 1) }
      measure b { for user  value sum(Visit.size) }
      measure c { for user  value count(Visit where book.level == "b1" and user.id == "ann") }
      measure d { for user  value count(Visit where place == "x") }
      """)
  }
}
