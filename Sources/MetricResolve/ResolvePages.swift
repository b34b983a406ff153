import MetricDiagnostics
import MetricValues

extension Page {
  /// The codes of names and types.
  package static let resolution = read(
    #"""
    T001 unknown-name: An unknown name
    No metric, subject, function or field here has that name.
    See: T002, T003
     completion done { for habit  every day  when count(HabitEntry) >= 1 }
    -streak daily_streak { of dnoe }
    +streak daily_streak { of done }

    T002 unknown-record: An unknown record
    An aggregate, an `extend`, a step or a test names a fact, entity or link that does not exist.
    -measure entries { for habit  value count(HabitEntri) }
    +measure entries { for habit  value count(HabitEntry) }

    T003 unknown-field: An unknown field
    The record declares no such field. A field that is not declared is not read from the data.
    -measure length { for habit  value sum(HabitEntry.length) }
    +measure length { for habit  value sum(HabitEntry.value) }

    T004 duplicate-name: A name is declared twice
    Metrics, records, fields, steps, parts and tests in one place need different names.
     measure visits { for user  value count(Event) }
    -measure visits { for user  value count(Event) + 1 }
    +measure visits_and_one { for user  value count(Event) + 1 }

    T006 reserved-name: A reserved name
    Metrics cannot be named like a subject, a function, or one of `true`, `false`, `none`, `if` and `not`;
    entities not `App`, `Day` or like a type.
    -measure count { for habit  value count(HabitEntry) }
    +measure entries { for habit  value count(HabitEntry) }

    T007 repeated-clause: A clause appears twice
    Each clause of a metric and each modifier of a field may appear once.
    -measure visits { for user  value count(Event)  value 2 }
    +measure visits { for user  value count(Event) }

    T008 misplaced-clause: A clause of another kind
    This kind of metric has no such clause, or the clause excludes another one.
     completion done { for habit  every day  when count(HabitEntry) >= 1 }
    -streak daily_streak { for habit  of done }
    +streak daily_streak { of done }

    T009 missing-clause: A clause is missing
    No clause that decides what is counted has a default.
    -measure visits { for user }
    +measure visits { for user  value count(Event) }

    T010 unknown-type: An unknown type
    Types are `ID`, `Text`, `Int`, `Decimal`, `Bool`, `DayKey`, `Instant`, a list of texts, an entity.
    -entity Book { id : ID  pages : Integer? }
    +entity Book { id : ID  pages : Int? }

    T011 recursion: A metric or field reads itself
    Directly or through others. The finding shows the circle.
     measure a { for habit  value b + 1 }
    -measure b { for habit  value a + 1 }
    +measure b { for habit  value count(HabitEntry) }

    T012 type-mismatch: Types that do not fit
    Nothing is converted silently except an Int beside a Decimal.
    -completion done { for habit  every day  when count(HabitEntry) }
    +completion done { for habit  every day  when count(HabitEntry) >= 1 }

    T013 unknown-choice: A text that the field never has
    The field lists its allowed texts, so the comparison would be false for every record.
    -measure weekly { for habit  value count(HabitEntry where habit.cadence == "weekley") }
    +measure weekly { for habit  value count(HabitEntry where habit.cadence == "weekly") }

    T014 no-path: A fact does not lead to the subject
    No reference leads from the record to the subject, directly or over other entities.
    See: T015
     measure walks { for user  value count(Walk) }
    -fact Walk { id : ID  dayKey : DayKey }
    +fact Walk { id : ID  dayKey : DayKey  userId : User }

    T015 ambiguous-path: A fact leads to the subject in two ways
    Two paths of references are equally short. `through field` names the one to start with.
    See: T014
     fact Message { id : ID  dayKey : DayKey  fromId : User  toId : User }
    -measure sent { for user  value count(Message) }
    +measure sent { for user  value count(Message through from) }

    T016 bad-length: A length that does not fit
    A length is a whole number from 1 to 3660 days, and a multiple of the rolling window that it counts; over
    calendar windows only `windows` fits. A number of windows goes up to 3660, an offset in months up to 120.
    `over all time` has no limit.
     completion weekly { for habit  every week  when count(HabitEntry) >= 1 }
    -momentum weeks { of weekly  over last 10 days }
    +momentum weeks { of weekly  over last 4 weeks }

    T017 number-out-of-range: A number out of range
    Numbers lie within ±9,000,000,000,000. A result outside is an error, not a wrong number.
    See: D016, D033
    -measure lots { for user  value 9_000_000_000_001 }
    +measure lots { for user  value 9_000_000_000_000 }

    T018 no-real-date: A day that the calendar does not have
    Days are real dates from \#(DayKey.range).
    See: S006, D011
    -measure since { for user  value count(Event where day >= 2026-02-29) }
    +measure since { for user  value count(Event where day >= 2026-02-28) }

    T019 unit-mismatch: Two units meet
    `+`, `-` and comparisons take metrics of one declared unit. A ratio may have two.
    See: D032
     measure minutes { for habit  unit minutes  value count(HabitEntry) }
    -measure more { for habit  unit pages  value count(HabitEntry) }
    +measure more { for habit  unit minutes  value count(HabitEntry) }
     measure both { for habit  value minutes + more }

    T020 other-subject: A metric of another subject is read
    A metric reads metrics of its own subject by name, and those of subjects below it through an aggregate: a
    user has many habits.
     completion done { for habit  every day  when count(HabitEntry) >= 1 }
    -measure done_today { for user  value if done then 1 else 0 }
    +measure done_today { for user  value count(habit where done) }

    T021 unknown-part: A metric has no such part
    Parts are the steps of a funnel, `dN.rate` of a retention, `target` and `fraction` of a progress. A metric
    that has only parts is not a number by itself.
     progress goals { for habit  value count(HabitEntry)  target 10 }
    -measure share { for habit  value goals.share }
    +measure share { for habit  value goals.fraction }

    T022 personal-field: A personal field is read
    A field marked `pii` supports only `is none` and `is not none`: what a note says belongs to the person.
     extend HabitEntry { diary : Text? pii }
    -measure words { for habit  value distinct(HabitEntry.diary) }
    +measure written { for habit  value count(HabitEntry where diary is not none) }

    T023 wrong-arguments: Wrong arguments of a function
    `sum` takes a field, `days` a record, `percentile` a rank, `contribution` a link, and so on.
    -measure values { for habit  value sum(HabitEntry) }
    +measure values { for habit  value sum(HabitEntry.value) }

    T024 reads-no-fact: A condition or group that reads no fact
    `when` must read a fact, and so must what `at least` counts users of: a window without a fact is never
    complete.
    -completion done { for habit  every day  when habit.weeklyTarget > 0 }
    +completion done {
    +  for habit
    +  every day
    +  when habit.weeklyTarget > 0 and count(HabitEntry) >= 1
    +}

    T025 bad-record: An invalid record
    A fact has exactly one DayKey, an entity an `id`, a link a reference, and so on.
    -fact Walk { id : ID  userId : User }
    +fact Walk { id : ID  userId : User  dayKey : DayKey }

    T026 bad-audience: An audience that the metric cannot have
    Funnels, retentions and metrics `for app` are about many people, so they are for the team; `at least` is for
    the team only.
    See: C404
    -measure visits { for app  value count(Event)  audience user }
    +measure visits { for app  value count(Event) }

    T027 bad-thresholds: Thresholds that do not rise
    A level is how many of its thresholds are reached, so they rise strictly.
     measure visits { for user  value count(Event) }
    -level rank { of visits  at 10, 5 }
    +level rank { of visits  at 5, 10 }

    T028 bad-group: A group that has no meaning
    `by` names a field that has one type in every fact and every subject the value reads; cohorts are of funnels
    and retentions. A metric with groups is read in groups that have its fields, as they are written.
    See: W004
    -measure visits { for app  value count(Event)  by name  at least 5 users }
    +measure visits { for app  value count(Event) }
     measure double { for app  value visits * 2 }

    T029 bad-test: An invalid test
    A record lacks a field that it needs, an id is empty, or the row of a metric is not named as its subject,
    group and parts demand.
     measure visits { for habit  value count(HabitEntry) }
     test "one entry" {
       log "read" from 2026-01-01 "#"
    -  expect visits at 2026-01-01 = 1
    +  expect visits for "read" at 2026-01-01 = 1
     }

    T030 bad-allow: An `allow` that silences no warning
    `allow` names a warning and says why. Errors cannot be silenced.
    See: W013
    -measure visits { for user  value count(Event)  allow C401 "we want it" }
    +measure visits { for user  value count(Event)  allow W006 "the title says it" }

    T031 bad-operand: Something that has no value here
    A record, a subject, a metric that has only parts, or an aggregate stands where it has no value. `where`
    looks at one fact: it holds no metric and no aggregate.
     measure entries { for habit  value count(HabitEntry) }
    -measure odd { for habit  value count(HabitEntry where entries > 1) }
    +measure odd { for habit  value if entries > 1 then entries else 0 }

    T032 equal-steps: Two steps of a funnel are equal
    One fact would reach both, so nobody is ever lost between them.
    See: W011
     funnel start {
       for user
       step opened Event where name == "opened"
    -  step again  Event where name == "opened"
    +  step read   Event where name == "read"
     }

    T034 too-deep: A chain of metrics is too long
    A metric rests on a chain of more than 500 others, or on expressions nested too deeply.
    See: S019
     measure m0 { for user  value count(Event) }
     measure m1 { for user  value m0 }
    -// and so on up to
    -measure m501 { for user  value m500 }

    T035 unsupported-language: Another version of the language
    There is only version 1; a library of a later version could mean something else here.
    -language 2
    +language 1
     measure entries { for habit  value count(HabitEntry) }

    T036 too-many-steps: A funnel has too many steps
    A funnel has at most 31 steps.
     funnel way {
       for user
    -  step s1 Event where name == "1"
    -  step s2 Event where name == "2"
    -  // and so on up to
    -  step s32 Event where name == "32"
    +  step opened Event where name == "opened"
    +  step read   Event where name == "read"
     }
    """#,
    inFull: [
      "T034": {
        "measure m0 { for user  value count(Event) }\n"
          + (1...501).map { "measure m\($0) { for user  value m\($0 - 1) }" }.joined(separator: "\n")
      },
      "T036": {
        "funnel way {\n  for user\n"
          + (1...32).map { "  step s\($0) Event where name == \"\($0)\"\n" }.joined() + "}"
      },
    ])
}
