import MetricDiagnostics
import MetricLanguage
import MetricTestSupport
import Testing

@testable import MetricPlan

/// The examples of the language page, as they stand there.
@Suite struct PageTests {
  static let metrics = """
    completion done {
      for habit
      every day
      when count(HabitEntry) >= 1
    }
    streak daily_streak { of done }
    streak best_daily_streak { of done  best }
    momentum momentum7 { of done  over last 7 days }
    completion weekly_target_met {
      for habit where cadence == "weekly"
      every week
      when if habit.kind == "quantity" then sum(HabitEntry.value) >= habit.weeklyTarget
           else if habit.kind == "frequency" then count(HabitEntry) >= habit.weeklyTarget
           else count(HabitEntry) >= 1
    }
    streak   weekly_streak { of weekly_target_met }
    momentum momentum4w    { of weekly_target_met  over last 4 weeks }
    progress habit_progress {
      for habit
      value if habit.kind == "quantity" then sum(HabitEntry.value) else count(HabitEntry)
    }
    progress goal_progress {
      for goal
      value contribution(HabitEntry through GoalLink)
      target goal.target
    }
    funnel first_lesson {
      for user
      step opened   Event where name == "app_opened"
      step added    Event where name == "book_added"
      step started  Event where name == "lesson_started"
      step finished Event where name == "lesson_finished"
      within 30 days
    }
    test "a missed day ends a streak, and nothing is lost" {
      given Habit { id: "read", weeklyTarget: 3 }
      log "read" from 2026-01-01 "### #.."
      given HabitEntry { habitId: "read", dayKey: 2026-01-09, value: 20 }
      expect daily_streak      for "read" at 2026-01-04 = 4
      expect daily_streak      for "read" at 2026-01-05 = 0
      expect best_daily_streak for "read" at 2026-01-09 = 4
    }
    """

  static let records = """
    entity Book { id : ID  level : Text? }
    fact ReadingSession {
      id        : ID
      userId    : User                // reference to an entity
      bookId    : Book?
      dayKey    : DayKey              // exactly one DayKey in a fact
      minutes   : Decimal min 0       // the loader refuses a smaller one
      mood      : "calm" | "tired" ?
      startPage : Int? min 0
      endPage   : Int? min 0
      pages     = greatest(endPage - startPage, 0)
      startedAt : Instant?
      notes     : Text? pii
      deletedAt : Instant? tombstone
      consent   standard
    }
    entity UserProfile {
      id            : ID
      readingStreak : Int stored
    }
    fact HabitTarget setting {
      id : ID   habitId : Habit   dayKey : DayKey   perWeek : Int min 1
    }
    extend Habit { startDay : DayKey? }
    completion active { for user  every day  when count(ReadingSession) >= 1 }
    completion met {
      for habit  every week
      when count(HabitEntry) >= last(HabitTarget.perWeek over all time)
      rest when day < habit.startDay
    }
    measure minutes { for user  value sum(ReadingSession.minutes)  unit minutes }
    measure before { for user  value minutes offset 1 month }
    measure mean { for app  value average(user.minutes) }
    measure away { for app  value count(user where not active and active offset 28 days) }
    measure by_level { for app  value sum(ReadingSession.pages)  by book.level  at least 5 users }
    retention signups { for user  start first ReadingSession  return ReadingSession  after 1, 7, 30 days or later }
    measure d30 { for app  value signups.d30.rate }
    retention each_day { for user  start each active  return active  after 1 days }
    measure empty { for habit  value if habit.kind is not none then count(HabitEntry) else none }
    """

  @Test(arguments: [metrics, records])
  func theyAreSound(_ source: String) {
    checks(source)
  }

  /// A metric stands behind those that it reads.
  @Test(arguments: [metrics, records])
  func thePlanIsInOrder(_ source: String) {
    let plan = MetricLibrary(sources: [SourceFile(path: "page.metric", text: source)]).plan
    for (id, metric) in plan.metrics.enumerated() {
      #expect(plan.reads(metric).allSatisfy { $0 < id })
    }
  }

  /// With any one word gone or doubled there are findings or none, but no crash, and nothing is said
  /// twice.
  @Test(arguments: [metrics, records])
  func mutations(_ source: String) {
    let words = source.split(separator: " ", omittingEmptySubsequences: false)
    for place in words.indices where !words[place].isEmpty {
      for replacement in [[], [words[place], words[place]]] {
        var mutated = words
        mutated.replaceSubrange(place...place, with: replacement)
        let text = mutated.joined(separator: " ")
        let findings = MetricLibrary(sources: [SourceFile(path: "page.metric", text: text)]).findings
        #expect(Set(findings).count == findings.count, "\(text)")
      }
    }
  }
}
