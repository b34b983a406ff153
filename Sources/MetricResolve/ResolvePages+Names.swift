import MetricDiagnostics

extension Page {
  package static let resolution: [Page] = names + clauses + types + reads

  /// What a name stands for.
  private static let names: [Page] = [
    Page(
      "T001", "unknown-name", "An unknown name",
      what: "No metric, subject, function or field here has that name.",
      why: "A misspelled name must not become an empty number.",
      wrong: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        streak daily_streak { of dnoe }
        """,
      right: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        streak daily_streak { of done }
        """,
      seeAlso: ["T002", "T003"]),
    Page(
      "T002", "unknown-record", "An unknown record",
      what: "An aggregate, an `extend`, a step or a test names a fact, entity or link that does not exist.",
      why: "All but the built-in records are declared, so that data can be checked against them.",
      wrong: "measure entries { for habit  value count(HabitEntri) }",
      right: "measure entries { for habit  value count(HabitEntry) }"),
    Page(
      "T003", "unknown-field", "An unknown field",
      what: "The record is known and declares no such field.",
      why: "A field that is not declared is not read from the data, so its value would always be missing.",
      wrong: "measure length { for habit  value sum(HabitEntry.length) }",
      right: "measure length { for habit  value sum(HabitEntry.value) }"),
    Page(
      "T004", "duplicate-name", "A name is declared twice",
      what: "Metrics, records, fields, steps, parts and tests in one place need different names.",
      why: "Names are global in a library and order means nothing, so nothing could tell which is meant.",
      wrong: """
        measure visits { for user  value count(Event) }
        measure visits { for user  value count(Event) + 1 }
        """,
      right: """
        measure visits { for user  value count(Event) }
        measure visits_and_one { for user  value count(Event) + 1 }
        """),
    Page(
      "T006", "reserved-name", "A reserved name",
      what: """
        Metrics named like a subject, a function, or one of `true`, `false`, `none`, `if` and `not`; entities named \
        `App`, `Day` or like a type.
        """,
      why: "`count` and `habit` are read in expressions; a metric of that name would hide them.",
      wrong: "measure count { for habit  value count(HabitEntry) }",
      right: "measure entries { for habit  value count(HabitEntry) }"),
    Page(
      "T020", "other-subject", "A metric of another subject is read",
      what: """
        A metric reads metrics of its own subject by name, and those of subjects below it through an \
        aggregate.
        """,
      why: "A user has many habits; say which habit's number is meant.",
      wrong: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        measure done_today { for user  value if done then 1 else 0 }
        """,
      right: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        measure done_today { for user  value count(habit where done) }
        """),
    Page(
      "T021", "unknown-part", "A metric has no such part",
      what: """
        Parts are the steps of a funnel, `dN.rate` of a retention, `target` and `fraction` of a progress.
        """,
      why: "A metric that has only parts is not a number by itself; the part says which is meant.",
      wrong: """
        progress goals { for habit  value count(HabitEntry)  target 10 }
        measure share { for habit  value goals.share }
        """,
      right: """
        progress goals { for habit  value count(HabitEntry)  target 10 }
        measure share { for habit  value goals.fraction }
        """),
    Page(
      "T022", "personal-field", "A personal field is read",
      what: "A field marked `pii` supports only `is none` and `is not none`.",
      why: "That a note was written is behaviour; what it says belongs to the person.",
      wrong: """
        extend HabitEntry { diary : Text? pii }
        measure words { for habit  value distinct(HabitEntry.diary) }
        """,
      right: """
        extend HabitEntry { diary : Text? pii }
        measure written { for habit  value count(HabitEntry where diary is not none) }
        """),
  ]

  /// The clauses of a metric and the fields of a record.
  private static let clauses: [Page] = [
    Page(
      "T007", "repeated-clause", "A clause appears twice",
      what: "Each clause of a metric and each modifier of a field may appear once.",
      why: "Nothing would show whether the first or the last one wins.",
      wrong: "measure visits { for user  value count(Event)  value 2 }",
      right: "measure visits { for user  value count(Event) }"),
    Page(
      "T008", "misplaced-clause", "A clause of another kind",
      what: "This kind of metric has no such clause, or it excludes another one.",
      why: "A clause that changes nothing would say something untrue.",
      wrong: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        streak daily_streak { for habit  of done }
        """,
      right: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        streak daily_streak { of done }
        """),
    Page(
      "T009", "missing-clause", "A clause is missing",
      what: "This kind of metric needs it.",
      why: "No clause that decides what is counted has a default.",
      wrong: "measure visits { for user }",
      right: "measure visits { for user  value count(Event) }"),
    Page(
      "T010", "unknown-type", "An unknown type",
      what: """
        Types are `ID`, `Text`, `Int`, `Decimal`, `Bool`, `DayKey`, `Instant`, a list of texts, an entity.
        """,
      why: "The reader of the data must know what to accept.",
      wrong: "entity Book { id : ID  pages : Integer? }",
      right: "entity Book { id : ID  pages : Int? }"),
    Page(
      "T024", "reads-no-fact", "A condition or group that reads no fact",
      what: "`when` must read at least one fact, and so must what `at least` counts users of.",
      why: "A window without a fact is never complete, so this completion never would be.",
      wrong: "completion done { for habit  every day  when habit.weeklyTarget > 0 }",
      right: """
        completion done {
          for habit
          every day
          when habit.weeklyTarget > 0 and count(HabitEntry) >= 1
        }
        """),
    Page(
      "T025", "bad-record", "An invalid record",
      what: "A fact has exactly one DayKey, an entity an `id`, a link a reference, and so on.",
      why: "A fact without a day belongs to no window, an entity without an id to no fact.",
      wrong: "fact Walk { id : ID  userId : User }",
      right: "fact Walk { id : ID  userId : User  dayKey : DayKey }"),
    Page(
      "T026", "bad-audience", "An audience that the metric cannot have",
      what: """
        Funnels, retentions and metrics `for app` are always for the team; `at least` is for the team only.
        """,
      why: "They are about many people. The checklist protects the one person who sees a number.",
      wrong: "measure visits { for app  value count(Event)  audience user }",
      right: "measure visits { for app  value count(Event) }",
      seeAlso: ["C404"]),
    Page(
      "T027", "bad-thresholds", "Thresholds that do not rise",
      what: "The thresholds of a level rise strictly.",
      why: "The level is how many of them are reached; a repeated one would be reached twice at once.",
      wrong: """
        measure visits { for user  value count(Event) }
        level rank { of visits  at 10, 5 }
        """,
      right: """
        measure visits { for user  value count(Event) }
        level rank { of visits  at 5, 10 }
        """),
    Page(
      "T028", "bad-group", "A group that has no meaning",
      what: """
        `by` names a field that has one type in every fact and every subject the value reads; cohorts are of
        funnels and retentions; and a metric with groups is no operand.
        """,
      why: "It would be unclear which group's value is meant, or a fact would be in no group.",
      wrong: """
        measure visits { for app  value count(Event)  by name  at least 5 users }
        measure double { for app  value visits * 2 }
        """,
      right: """
        measure visits { for app  value count(Event) }
        measure double { for app  value visits * 2 }
        """,
      seeAlso: ["W004"]),
    Page(
      "T029", "bad-test", "An invalid test",
      what: """
        A record lacks a field that it needs, an id is empty, or a metric's row is asked for in a wrong way.
        """,
      why: "A test over data that no reader would accept proves nothing.",
      wrong: #"""
        measure visits { for habit  value count(HabitEntry) }
        test "one entry" {
          log "read" from 2026-01-01 "#"
          expect visits at 2026-01-01 = 1
        }
        """#,
      right: #"""
        measure visits { for habit  value count(HabitEntry) }
        test "one entry" {
          log "read" from 2026-01-01 "#"
          expect visits for "read" at 2026-01-01 = 1
        }
        """#),
    Page(
      "T030", "bad-allow", "An `allow` that silences no warning",
      what: "`allow` names a warning and says why. Errors cannot be silenced.",
      why: "The reason is for the next reader; and a promise to a person has no exceptions.",
      wrong: #"measure visits { for user  value count(Event)  allow C401 "we want it" }"#,
      right: """
        completion week {
          for habit
          every calendar week
          when count(HabitEntry) >= 1
          allow W002 "the team meets on Mondays"
        }
        """,
      seeAlso: ["W013"]),
    Page(
      "T032", "equal-steps", "Two steps of a funnel are equal",
      what: "Two steps take the same fact under the same condition.",
      why: "One fact serves both, so nobody is ever lost between them.",
      wrong: """
        funnel start {
          for user
          step opened Event where name == "opened"
          step again  Event where name == "opened"
        }
        """,
      right: """
        funnel start {
          for user
          step opened Event where name == "opened"
          step read   Event where name == "read"
        }
        """,
      seeAlso: ["W011"]),
  ]
}
