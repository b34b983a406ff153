extension Page {
  static let warnings: [Page] = [
    Page(
      "W001", "stored-like-name", "A name by which apps store metrics",
      what: "`…Streak`, `…Count`, `isCompleted` and `percentComplete` name stored numbers.",
      why: "If somebody stores a metric there, say `stored`, and no metric will read it.",
      wrong: "entity Reader { id : ID  readingStreak : Int? }",
      right: "entity Reader { id : ID  readingStreak : Int? stored }",
      seeAlso: ["C101"]),
    Page(
      "W002", "calendar-window", "A calendar window in a number that a person sees",
      what: "`every calendar week` and `every calendar month` start from nothing on their first day.",
      why: """
        On Monday morning all that was done on Sunday is gone. A rolling window looks back from every day.
        """,
      wrong: "completion met { for habit  every calendar week  when count(HabitEntry) >= 3 }",
      right: "completion met { for habit  every week  when count(HabitEntry) >= 3 }"),
    Page(
      "W003", "departs-from-canon", "A habit is read in another way than usual",
      what: "`grace` and `half life` on a habit.",
      why: "Two apps that show a streak should mean the same. Where it is meant, `allow` says why.",
      wrong: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        streak kind_run { of done  grace 1 day }
        """,
      right: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        streak kind_run { of done  grace 1 day  allow W003 "a day still open is not shown as 0" }
        """),
    Page(
      "W004", "ungated-groups", "Groups of any size are shown",
      what: "A team metric is grouped `by` something without `at least K users`.",
      why: "A small group points at people.",
      wrong: "measure visits { for app  value count(Event)  by name }",
      right: "measure visits { for app  value count(Event)  by name  at least 5 users }"),
    Page(
      "W005", "name-style", "A name in another style",
      what: "Metrics and steps are written `snake_case`, records `PascalCase`, fields `lowerCamelCase`.",
      why: "The style says what a name is.",
      wrong: "measure dailyMinutes { for user  value count(Event) }",
      right: "measure daily_minutes { for user  value count(Event) }",
      seeAlso: ["S012"]),
    Page(
      "W006", "missing-doc", "A metric does not say what it means",
      what: "No `///` comment stands above it.",
      why: "The person who reads the number does not read the definition.",
      wrong: "measure visits { for user  value count(Event) }",
      right: """
        /// How often you came by.
        measure visits { for user  value count(Event) }
        """),
    Page(
      "W007", "missing-test", "No test covers a metric",
      what: "No `expect` names the metric or one that reads it.",
      why: "A test states what the number must be, so that a change of meaning is seen.",
      wrong: "measure entries { for habit  value count(HabitEntry) }",
      right: """
        measure entries { for habit  value count(HabitEntry) }
        test "each entry counts" {
          log "read" from 2026-01-01 "##"
          expect entries for "read" at 2026-01-02 = 2
        }
        """),
    Page(
      "W008", "anti-pattern-name", "A name speaks of penalties, clocks or stored state",
      what: "One word of a name is `missed`, `late`, `penalty`, `cached`, `today` or the like.",
      why: "The name is what the person sees first. Name what was done, not what was not.",
      wrong: "measure missed_days { for habit  value days(HabitEntry) }",
      right: "measure active_days { for habit  value days(HabitEntry) }",
      seeAlso: ["C402"]),
    Page(
      "W009", "misplaced-doc", "A doc comment describes nothing",
      what: "`///` stands above a declaration, a clause or a field. Elsewhere a comment is `//`.",
      why: "What is meant as documentation would not be shown.",
      wrong: "measure visits { for user /// everybody\n  value count(Event) }",
      right: "measure visits { for user // everybody\n  value count(Event) }"),
    Page(
      "W010", "missing-consent", "The team reads a user's fact without a word on consent",
      what: "The library uses `consent`, and a team metric reads a fact of a user that has no such line.",
      why: "Forgetting the line would read everybody's facts. `consent none` says that it is meant.",
      wrong: """
        fact Visit { id : ID  userId : User  dayKey : DayKey  consent standard }
        fact Walk { id : ID  userId : User  dayKey : DayKey }
        measure walks { for app  value count(Walk) }
        """,
      right: """
        fact Visit { id : ID  userId : User  dayKey : DayKey  consent standard }
        fact Walk { id : ID  userId : User  dayKey : DayKey  consent none }
        measure walks { for app  value count(Walk) }
        """),
    Page(
      "W011", "overlapping-steps", "One fact may serve two steps of a funnel",
      what: "The conditions of two steps do not exclude each other.",
      why: "Then one act reaches both, and the conversion between them says nothing.",
      wrong: """
        funnel start {
          for user
          step opened Event
          step read   Event where name == "read"
        }
        """,
      right: """
        funnel start {
          for user
          step opened Event where name == "opened"
          step read   Event where name == "read"
        }
        """,
      seeAlso: ["T032"]),
    Page(
      "W012", "reads-deprecated", "A metric reads one that is on its way out",
      what: "The metric that is read says `deprecated`, and what to use instead.",
      why: "Nothing new should rest on it.",
      wrong: """
        measure old { for user  value count(Event)  deprecated "use visits" }
        measure twice { for user  value old * 2 }
        """,
      right: """
        measure visits { for user  value count(Event) }
        measure twice { for user  value visits * 2 }
        """),
    Page(
      "W013", "unknown-allowance", "An `allow` names no warning",
      what: "There is no warning with this code.",
      why: "It silences nothing, and looks as if it did.",
      wrong: #"measure visits { for user  value count(Event)  allow W999 "why" }"#,
      right: "measure visits { for user  value count(Event) }",
      seeAlso: ["T030"]),
  ]
}
