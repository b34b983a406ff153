import MetricTestSupport
import Testing

/// The clauses of section 3: required, misplaced, repeated, exclusive.
@Suite struct ClauseTests {
  static let sound = """
    completion done { for habit  every day  when count(HabitEntry) >= 1 }

    """

  @Test(arguments: [
    ("completion", ["for habit", "every day", "when count(HabitEntry) >= 1"]),
    ("streak", ["of done"]),
    ("momentum", ["of done", "over last 7 days"]),
    ("progress", ["for habit", "value 1"]),
    ("measure", ["for habit", "value 1"]),
    ("level", ["of best_run", "at 1, 2"]),
    ("funnel", ["for user", #"step a Event where name == "a""#, #"step b Event where name == "b""#]),
    ("retention", ["for user", "start Event", "return Event", "after 1 days"]),
  ])
  func everyRequiredClause(_ kind: String, _ clauses: [String]) {
    let base = Self.sound + "streak best_run { of done  best }\n"
    checks(base + "\(kind) x { \(clauses.joined(separator: "\n")) }\n")
    for left in clauses.indices {
      let rest = clauses.indices.filter { $0 != left }.map { clauses[$0] }.joined(separator: "\n")
      let found = findings(of: base + "\(kind) x {\n\(rest)\n}\n")
      #expect(found.count == 1, "\(kind) without \(clauses[left]): \(found)")
    }
    for clause in clauses where !clause.hasPrefix("step") {
      let found = findings(of: base + "\(kind) x {\n\(clauses.joined(separator: "\n"))\n\(clause)\n}\n")
      #expect(found.count == 1, "\(kind) with \(clause) twice: \(found)")
    }
  }

  /// Every clause in every kind: accepted where the table has it, else one finding.
  @Test func everyClauseInEveryKind() {
    let clauses: [(text: String, kinds: Set<String>)] = [
      ("rest when day < habit.startDay", ["completion"]),
      ("best", ["streak"]),
      ("previous", ["streak"]),
      ("grace 1 day", ["streak"]),
      ("forgive 2 in 30 days", ["streak"]),
      ("half life 7 days", []),
      ("target 5", ["progress"]),
      ("within 30 days", ["funnel"]),
      ("order any", ["funnel"]),
      ("after 2 days", []),
      ("over last 7 days", ["progress", "measure", "funnel", "retention"]),
      ("at least 5 users", ["measure", "funnel", "retention"]),
      ("by name", ["measure", "funnel", "retention"]),
      ("by cohort week", ["funnel", "retention"]),
      ("title \"x\"", Set(kinds.keys)),
      ("unit minutes", Set(kinds.keys)),
      ("audience team", Set(kinds.keys)),
      ("deprecated \"use y\"", Set(kinds.keys)),
      ("allow W007 \"why\"", Set(kinds.keys)),
    ]
    for (text, owners) in clauses {
      for (kind, body) in kinds {
        let found = findings(
          of: """
            extend Habit { startDay : DayKey? }
            completion done { for habit  every day  when count(HabitEntry) >= 1  audience team }
            streak best_run { of done  best  audience team }
            \(kind) x { \(body)
              \(text)
              \(text == "audience team" ? "" : "audience team")
              allow W003 "test"  allow W004 "test"  allow W011 "test"
            }
            """)
        #expect(found.count == (owners.contains(kind) ? 0 : 1), "\(text) in \(kind): \(found)")
      }
    }
  }

  private let kinds = [
    "completion": "for habit  every day  when count(HabitEntry) >= 1",
    "streak": "of done",
    "momentum": "of done  over last 7 days",
    "progress": "for user  value count(Event)",
    "measure": "for user  value count(Event)",
    "level": "of best_run  at 1, 2",
    "funnel": "for user  step a Event  step b Event where name == \"b\"",
    "retention": "for user  start Event  return Event  after 1 days",
  ]

  @Test func wrongClauses() {
    checks(
      Self.sound + """
        measure a { for habit }  // error: T009
        measure b { for habit  value 1
          value 2 }  // error: T007
        measure c { for habit  value 1
          grace 1 day }  // error: T008
        streak d { of done  best
          grace 1 day }  // error: T008
        streak d2 { of done  grace 1 day
          forgive 2 in 30 days }  // error: T008
        streak d3 { of done  best
          forgive 2 in 30 days  previous }  // error: T008
        momentum e { of done  over last 7 days
          half life 7 days }  // error: T008
        momentum f { of done }  // error: T009
        funnel g { for user
          step one Event }  // error: T009
        momentum h { of done
          over all time }  // error: T016
        momentum i { of done
          over calendar week }  // error: T016
        streak j { for habit of done }  // error: T008
        """)
  }

  /// What a broken clause may have been is not missed a second time.
  @Test func aBrokenClauseIsNoCascade() {
    checks(
      Self.sound + """
        momentum a { of done
          over lst 7 days }  // error: S022
        funnel b { for user
          step one Event
          step two }  // error: S011
        measure c { for habit
          value }  // error: S016
        """)
  }

  @Test func allow() {
    checks(
      Self.sound + """
        measure a { for habit  value 1
          allow T012 "no" }  // error: T030
        measure b { for habit  value 1
          allow C401 "no" }  // error: T030
        measure c { for habit  value 1
          allow W003 "" }  // error: T030
        measure d { for habit  value 1  allow W003 "because"
          allow W003 "because" }  // error: T007
        streak e { of done  grace 1 day  allow W003 "the day is still open" }
        streak f { of done
          grace 1 day }  // warning: W003
        """)
  }

  @Test func audiences() {
    checks(
      """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      measure a { for app  value count(HabitEntry)
        audience user }  // error: T026
      measure b { for app  value count(HabitEntry)  audience team }
      measure c { for habit  value count(HabitEntry)  audience team }
      measure d { for habit  value count(HabitEntry)  audience user }
      funnel e { for user  step one Event where name == "1"  step two Event where name == "2"
        audience user }  // error: T026
      retention f { for user  start Event  return Event  after 1 days
        audience user }  // error: T026
      retention g { for user  start Event  return Event  after 1 days }
      """)
  }

  @Test func atLeast() {
    checks(
      """
      fact Visit { dayKey : DayKey  place : Text? }
      measure a { for habit  value count(HabitEntry)
        at least 5 users }  // error: T026
      measure b { for app  value count(Visit)
        at least 5 users }  // error: T014
      measure c { for app  value count(Event)
        at least 0 users }  // error: T016
      measure d { for app  value count(Event)  at least 5 users }
      measure e { for app  value count(HabitEntry)  at least 5 users }
      measure f { for app  value d + e
        at least 5 users }  // error: T024
      """)
  }

  @Test func theWholeDatasetTakesNoCondition() {
    checks(
      """
      measure a { for app where 1 == 1  value count(HabitEntry) }  // error: T012
      measure b { for habit where 1 == 1  value count(HabitEntry) }
      """)
  }

  /// `for S where E` is over the entity's own fields.
  @Test func subjectConditions() {
    checks(
      """
      extend User { plan : Text? }
      measure a { for habit where cadence == "weekly" and habit.kind is not none  value 1 }
      measure b { for habit where user.plan == "pro"  value 1 }  // error: T031
      measure c { for habit where habit.user.plan == "pro"  value 1 }  // error: T031
      measure d { for habit where userId == "ann"  value 1 }
      measure e { for habit where day > 2026-01-01  value 1 }  // error: T031
      measure f { for habit where a > 1  value 1 }  // error: T031
      measure g { for habit where count(HabitEntry) > 1  value 1 }  // error: T031
      measure h { for habit where weeklyTarget  value 1 }  // error: T012
      """)
  }
}

/// A funnel's facts carry a bit for each step.
@Suite struct FunnelStepTests {
  @Test(arguments: [31, 32])
  func stepsAreCounted(_ count: Int) {
    let steps = (1...count).map { number in
      "  step s\(number) Event where name == \"\(number)\"" + (number == 32 ? "  // error: T036" : "")
    }
    checks("funnel way {\n  for user\n\(steps.joined(separator: "\n"))\n}")
  }
}
