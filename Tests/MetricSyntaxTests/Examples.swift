/// Sources that are right, and between them use every part of the language.
enum Examples {
  static let all: [(name: String, text: String)] = [
    ("habits", habits), ("reading", reading), ("business", business), ("records", records),
    ("tests", tests),
  ]

  static let habits = """
    /// Was there at least one live entry?
    completion done {
      for habit
      every day
      when count(HabitEntry) >= 1
      rest when day < habit.startDay or weekday(day) in ["saturday", "sunday"]
    }

    streak daily_streak { of done }
    streak best_streak  { of done  best }
    streak kind_streak  { of done  grace 1 day  allow W012 "asked for by users" }

    momentum momentum7 { of done  over last 7 days }
    momentum strength { of done half life 10 days }

    completion weekly_met {
      for habit where cadence == "weekly" and weeklyTarget is not none
      every week  // rolling
      when if habit.kind == "quantity" then sum(HabitEntry.value) >= habit.weeklyTarget
           else if habit.kind == "frequency" then count(HabitEntry) >= habit.weeklyTarget
           else count(HabitEntry) >= 1
    }
    completion sunday_week { for habit every calendar week from sunday when count(HabitEntry) > 2 }
    completion month_done { for habit every calendar month when days(HabitEntry) >= 20 }
    momentum last_weeks { of weekly_met over last 4 windows }
    level medals { of best_streak  at 7, 30, 100 }

    """

  static let reading = """
    progress pages_read {
      title "Pages \\u{1F4D6} read\\n\\"so far\\""
      for readingPlan
      value sum(ReadingSession.pages through bookId where book.level == "b1" over last 4 weeks)
      target readingPlan.target
      over all time
      unit pages
    }
    measure ratio {
      for user
      /// Twice the share, at most one.
      value least(2 * (sum(ReadingSession.minutes) / -pages_read.fraction), 1) - 80%
      by book.level
      audience team
      at least 5 users
    }
    measure change {
      for user
      value reading_minutes - reading_minutes offset 7 days + greatest(a.d30.rate offset 1 month, 0.25)
      owner "growth team"
      tags ["growth", "weekly"]
      approved "Ana" on 2026-06-30 meaning "3f1c27a09be4d856"
      deprecated "use ratio"
    }
    measure flags { for user value not (a < b) and not c is none or x not in [1, -2.5, 2026-01-31, none] }
    progress goal_progress { for goal value contribution(HabitEntry through GoalLink) }

    """

  static let business = """
    funnel first_lesson {
      for user
      step opened   Event where name == "app_opened"
      step added    Event where name == "book_added" and value >= 1_000
      step finished done
      within 30 days
      order strict
      over last 90 days
      by cohort week
      at least 10 users
    }
    retention kept {
      for user
      start first Event where name == "signed_up"
      return Event
      after 1, 7, 30 days or later
      by plan
      over calendar month
    }
    retention each_time { for user start each done return done after 1 day }
    measure stickiness { for app value dau / mau at least 20 users }
    measure doers { for app value percentile(user.reading_minutes, 95) + count(user where done) }

    """

  static let records = """
    fact ReadingSession {
      id        : ID
      userId    : User
      bookId    : Book?
      dayKey    : DayKey
      /// Refused below zero.
      minutes   : Decimal min 0
      mood      : "calm" | "tired" ?
      pages     = greatest(endPage - startPage, 0)
      startedAt : Instant?
      notes     : Text? pii
      deletedAt : Instant? tombstone
      offset    : Int? min -10
      consent   standard
    }
    entity UserProfile { id : ID  readingStreak : Int stored  consent : Text? }
    fact HabitTarget setting { id : ID   habitId : Habit   dayKey : DayKey   perWeek : Int min 1 }
    link PlanLink { planId : ReadingPlan bookId : Book }
    extend Habit { startDay : DayKey?  isOld = startDay < 2020-01-01 }

    """

  static let tests = """
    test "a missed day ends a streak" {
      given Habit { id: "read", weeklyTarget: 3, kind: none }
      given Switch { }
      log "read" from 2026-01-01 "### #.."   // a blank is nothing
      given HabitEntry { habitId: "read", dayKey: 2026-01-09, value: -2.5, live: true }
      expect daily_streak for "read" at 2026-01-04 = 4
      expect kept group "b1" part "d30.rate" at 2026-03-01 = none
    }

    """
}
