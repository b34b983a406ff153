import MetricDiagnostics
import MetricValues

extension Page {
  /// What may stand together.
  static let types: [Page] = [
    Page(
      "T012", "type-mismatch", "Types that do not fit",
      what: "An operator, a clause or a test meets a type that it does not take.",
      why: "Nothing is converted silently except an Int beside a Decimal.",
      wrong: "completion done { for habit  every day  when count(HabitEntry) }",
      right: "completion done { for habit  every day  when count(HabitEntry) >= 1 }"),
    Page(
      "T013", "unknown-choice", "A text that the field never has",
      what: "The field lists its allowed texts, and this is none of them.",
      why: "The comparison would be false for every record, always.",
      wrong: #"measure weekly { for habit  value count(HabitEntry where habit.cadence == "weekley") }"#,
      right: #"measure weekly { for habit  value count(HabitEntry where habit.cadence == "weekly") }"#),
    Page(
      "T016", "bad-length", "A length that does not fit",
      what: """
        A length is a whole number from 1 to 3660 days, and a multiple of the rolling window that it counts. A number of
        windows goes up to 3660, an offset in months up to 120.
        """,
      why: """
        Four days hold no whole number of weeks; over calendar windows only `windows` fits. Ten years are more than a
        habit needs; `over all time` has no limit.
        """,
      wrong: """
        completion weekly { for habit  every week  when count(HabitEntry) >= 1 }
        momentum weeks { of weekly  over last 10 days }
        """,
      right: """
        completion weekly { for habit  every week  when count(HabitEntry) >= 1 }
        momentum weeks { of weekly  over last 4 weeks }
        """),
    Page(
      "T017", "number-out-of-range", "A number out of range",
      what: "Numbers lie within ±9,000,000,000,000.",
      why: "A result outside is an error, not a wrong number.",
      wrong: "measure lots { for user  value 9_000_000_000_001 }",
      right: "measure lots { for user  value 9_000_000_000_000 }",
      seeAlso: ["D016", "D033"]),
    Page(
      "T018", "no-real-date", "A day that the calendar does not have",
      what: "Days are real dates from \(DayKey.range).",
      why: "No record can carry it, so the comparison would hide a mistake.",
      wrong: "measure since { for user  value count(Event where day >= 2026-02-29) }",
      right: "measure since { for user  value count(Event where day >= 2026-02-28) }",
      seeAlso: ["S006", "D011"]),
    Page(
      "T019", "unit-mismatch", "Two units meet",
      what: "`+`, `-` and comparisons of metrics with different declared units.",
      why: "Minutes and pages have no sum. A ratio of them is fine.",
      wrong: """
        measure minutes { for habit  unit minutes  value count(HabitEntry) }
        measure pages { for habit  unit pages  value count(HabitEntry) }
        measure both { for habit  value minutes + pages }
        """,
      right: """
        measure minutes { for habit  unit minutes  value count(HabitEntry) }
        measure more { for habit  unit minutes  value count(HabitEntry) + 1 }
        measure both { for habit  value minutes + more }
        """,
      seeAlso: ["D032"]),
    Page(
      "T023", "wrong-arguments", "Wrong arguments of a function",
      what: "`sum` takes a field, `days` a record, `percentile` a rank, `contribution` a link, and so on.",
      why: "A guess could compute the wrong number.",
      wrong: "measure values { for habit  value sum(HabitEntry) }",
      right: "measure values { for habit  value sum(HabitEntry.value) }"),
  ]

  private static let longChain =
    "measure m0 { for user  value count(Event) }\n"
    + (1...501).map { "measure m\($0) { for user  value m\($0 - 1) }" }.joined(separator: "\n")

  /// What metrics rest on.
  static let reads: [Page] = [
    Page(
      "T011", "recursion", "A metric or field reads itself",
      what: "Directly or through others. The finding shows the circle.",
      why: "A metric rests on facts in the end; a circle rests on nothing and never ends.",
      wrong: """
        measure a { for habit  value b + 1 }
        measure b { for habit  value a + 1 }
        """,
      right: """
        measure a { for habit  value b + 1 }
        measure b { for habit  value count(HabitEntry) }
        """),
    Page(
      "T014", "no-path", "A fact does not lead to the subject",
      what: "No reference leads from the record to the subject, directly or over other entities.",
      why: "References say whose facts they are; nothing is guessed.",
      wrong: """
        fact Weather { id : ID  dayKey : DayKey }
        measure rain { for user  value count(Weather) }
        """,
      right: """
        fact Walk { id : ID  dayKey : DayKey  userId : User }
        measure walks { for user  value count(Walk) }
        """,
      seeAlso: ["T015"]),
    Page(
      "T015", "ambiguous-path", "A fact leads to the subject in two ways",
      what: "Two shortest paths of references. `through field` names the one to start with.",
      why: "The sender's messages and the receiver's are different numbers.",
      wrong: """
        fact Message { id : ID  dayKey : DayKey  fromId : User  toId : User }
        measure sent { for user  value count(Message) }
        """,
      right: """
        fact Message { id : ID  dayKey : DayKey  fromId : User  toId : User }
        measure sent { for user  value count(Message through from) }
        """,
      seeAlso: ["T014"]),
    Page(
      "T031", "bad-operand", "Something that has no value here",
      what: """
        A record, a subject, a metric that has only parts, or an aggregate stands where it has no value. \
        `where` holds no metric and no aggregate.
        """,
      why: "A condition on a fact looks at that fact; otherwise its meaning would depend on the other facts.",
      wrong: """
        measure entries { for habit  value count(HabitEntry) }
        measure odd { for habit  value count(HabitEntry where entries > 1) }
        """,
      right: """
        measure entries { for habit  value count(HabitEntry) }
        measure odd { for habit  value if entries > 1 then entries else 0 }
        """),
    Page(
      "T034", "too-deep", "A chain of metrics is too long",
      what: "A metric rests on a chain of more than 500 others, or on expressions nested too deeply.",
      why: "Nobody can follow it, and every stage would have to.",
      wrong: """
        measure m0 { for user  value count(Event) }
        measure m1 { for user  value m0 }
        // and so on up to
        measure m501 { for user  value m500 }
        """,
      wrongInFull: { longChain },
      right: """
        measure m0 { for user  value count(Event) }
        measure m1 { for user  value m0 }
        """,
      seeAlso: ["S019"]),
    Page(
      "T035", "unsupported-language", "Another version of the language",
      what:
        "`language 1` says which version of the language a library is written in. There is only version 1.",
      why: "A library written for a later version would silently mean something else here.",
      wrong: """
        language 2
        measure entries { for habit  value count(HabitEntry) }
        """,
      right: """
        language 1
        measure entries { for habit  value count(HabitEntry) }
        """),
    Page(
      "T036", "too-many-steps", "A funnel has too many steps",
      what: "A funnel has at most 31 steps.",
      why: "Nobody compares more, and every engine would have to support them.",
      wrong: """
        funnel way {
          for user
          step s1 Event where name == "1"
          step s2 Event where name == "2"
          // and so on up to
          step s32 Event where name == "32"
        }
        """,
      wrongInFull: {
        "funnel way {\n  for user\n"
          + (1...32).map { "  step s\($0) Event where name == \"\($0)\"\n" }.joined() + "}"
      },
      right: """
        funnel way {
          for user
          step opened Event where name == "opened"
          step read   Event where name == "read"
        }
        """),
  ]
}
