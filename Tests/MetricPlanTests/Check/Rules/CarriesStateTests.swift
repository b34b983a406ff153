import MetricTestSupport
import Testing

/// C103 and C104: no record carries what was derived.
@Suite struct CarriesStateTests {
  @Test("CHK-08: a fact carries no derived number") func stateInFacts() {
    checks(
      """
      fact DayLog {
        id : ID  habitId : Habit  dayKey : DayKey  completed : Bool?  streak : Int? min 0
        totalMINUTES : Int? min 0  progressPercent : Decimal? min 0  summary : Text?  pageCount : Int? min 0
        quizScore : Int? min 0 observed "the points of the quiz"  rank : Int? stored  minutes : Int? min 0
        level : "a1" | "b1" ?
      }
      measure a { for habit  value max(DayLog.streak) }  // error: C103
      completion b { for habit  every day  when count(DayLog where completed) >= 1 }  // error: C103
      measure c { for habit  value sum(DayLog.totalMINUTES) }  // error: C103
      measure d { for app  value average(DayLog.progressPercent) }  // error: C103
      measure e { for habit  value last(DayLog.summary) }  // error: C103
      measure f { for habit  value sum(DayLog.pageCount) }  // error: C103
      measure g { for habit  value max(DayLog.quizScore) }
      measure h { for habit  value max(DayLog.rank) }  // error: C101
      measure i { for habit  value sum(DayLog.minutes where level == "a1") }
      measure j { for habit  value a * 2 }
      """)
  }

  @Test(
    "CHK-08: entities, links and settings carry no derived field",
    arguments: [
      "isComplete : Bool?", "wasDone : Bool?", "dayDone : Bool?", "currentStreak : Int? min 0",
      "habitsDone : Int? min 0", "streakDays : Int? min 0", "totalMinutes : Decimal? min 0",
      "completedOn : DayKey?", "badgeCount : Int? min 0", "karma : Int?",
      "lastDoneOn : DayKey?", "achievedAt : DayKey?", "goalProgress : Decimal? min 0", "ranking : Int? min 0",
      "status : \"done\" | \"open\" ?", "outcome : \"complete\" | \"missed\" | \"late\" ?",
      "state : \"passed\" | \"not passed yet\" ?", "completionStatus : Text?",
    ])
  func stateInEntities(_ field: String) {
    let name = field.prefix { $0 != " " }
    for condition in ["habit.\(name) is not none", "habit.\(name) == habit.\(name)"] {
      checks(
        """
        extend Habit { \(field) }
        completion a { for habit  every day  when count(HabitEntry) >= 1 and \(condition) }  // error: C103
        """)
    }
    checks(
      """
      extend Habit { \(field) observed "as the user of the app sees it" }
      completion a { for habit  every day  when count(HabitEntry) >= 1 and habit.\(name) is not none }
      """)
  }

  @Test("CHK-08: everywhere that a metric reads") func everyClause() {
    checks(
      """
      extend Habit { done : Bool?  status : "done" | "open" ? }
      extend Goal { progress : Decimal? min 0 }
      extend GoalLink { wasReached : Bool?  completed : Bool? }
      fact Pref setting { id : ID  userId : User  dayKey : DayKey  isDone : Bool }
      extend Habit { ready = done }
      measure a { for habit where done  value count(HabitEntry) }  // error: C103
      measure b { for habit  value habit.status }  // error: C103
      measure c { for user  value count(habit where status == "done") }  // error: C103
      progress d { for goal  value contribution(HabitEntry through GoalLink)  target goal.progress }  // error: C103
      measure e { for habit  value count(HabitEntry where habit.ready) }  // error: C103
      measure f { for app  value count(HabitEntry) by habit.status  at least 5 users }  // error: C103
      completion g { for user  every day  when count(Event) >= 1 and last(Pref.isDone) }  // error: C103
      measure h { for habit  value if habit.done then count(HabitEntry) else 0 }  // error: C103
      """)
  }

  @Test("CHK-08: what somebody chose stays usable") func choices() {
    checks(
      """
      extend Habit {
        archivedAt : Instant?  plan : Text?  level : "easy" | "hard" ?  pageCount : Int? min 1  points : Int? min 1
        pausedOn : DayKey?  kindOfDay : "work" | "free" ?  targetStreak : Int? min 1
      }
      extend User { state : Text?  subscriptionStatus : "active" | "expired" ? observed "what the store says" }
      fact Mood { id : ID  userId : User  dayKey : DayKey  level : Int min 1 }
      fact Payment { id : ID  userId : User  dayKey : DayKey  event : "started" | "failed" | "completed" }
      measure a { for habit where level == "easy"  value count(HabitEntry) }
      progress b { for habit  value count(HabitEntry)  target habit.targetStreak }
      measure c { for user  value last(Mood.level)  reading "how the last day felt" }
      measure d { for app  value count(user where subscriptionStatus == "active" and state == "BY")  at least 5 users }
      measure e { for habit where archivedAt is none  value count(HabitEntry where habit.pausedOn is none) }
      measure f { for app  value count(Payment where event == "failed")  at least 5 users }
      measure g { for habit  value least(count(HabitEntry), habit.pageCount) }
      measure h { for habit  value count(HabitEntry) * habit.points }
      """)
  }

  @Test(
    "CHK-08: records that somebody derived",
    arguments: [
      "LogDigest", "DailySummary", "HabitStats", "Achievement", "StreakDay", "LeaderboardRow", "GoalProgress",
    ])
  func derivedRecords(_ name: String) {
    let variable = name.prefix(1).lowercased() + name.dropFirst()
    checks(
      """
      fact \(name) { id : ID  userId : User  dayKey : DayKey  n : Int min 0 }
      measure a { for user  value count(\(name)) }  // error: C104
      measure b { for user  value sum(\(name).n) }  // error: C104
      """)
    checks(
      """
      entity \(name) { id : ID  user : User }
      fact Look { id : ID  \(variable)Id : \(name)  dayKey : DayKey }
      measure a { for \(variable)  value count(Look) }  // error: C104
      measure b { for user  value count(Look) }  // error: C104
      """)
    checks(
      """
      fact \(name) { id : ID observed "as it was shown"  userId : User  dayKey : DayKey }
      measure a { for user  value count(\(name)) }
      """)
  }
}
