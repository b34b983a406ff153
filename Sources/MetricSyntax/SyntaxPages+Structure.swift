import MetricDiagnostics

extension Page {
  /// Declarations, clauses, expressions and tests.
  static let structure: [Page] = declarations + expressions + rest

  private static let declarations: [Page] = [
    Page(
      "S010", "expected-declaration", "Something that does not start a declaration",
      what: """
        A file holds metrics, records and tests. A misspelled kind, or a clause outside of braces, ends up \
        here.
        """,
      why: "There are no imports and no statements: the files of a folder are one library, in any order.",
      wrong: """
        import habits
        measure visits { for user  value count(Event) }
        """,
      right: "measure visits { for user  value count(Event) }"),
    Page(
      "S011", "expected-name", "A name is missing",
      what: "A metric, a record, a step and what a clause refers to need a name.",
      why: "Without a name it cannot be read or tested.",
      wrong: "measure { for user  value count(Event) }",
      right: "measure visits { for user  value count(Event) }"),
    Page(
      "S012", "name-case", "A name starts with the wrong case",
      what: "A record's name starts with an upper-case letter, every other name with a lower-case one.",
      why: "`Habit` is always a record and `habit` always a subject.",
      wrong: "measure Visits { for user  value count(Event) }",
      right: "measure visits { for user  value count(Event) }",
      seeAlso: ["W005"]),
    Page(
      "S013", "unbalanced-brace", "A brace is missing or too many",
      what: "A declaration opens with `{` and ends with `}`. The next declaration is still checked.",
      why: "Clauses mean nothing until it is certain where their declaration ends.",
      wrong: """
        measure visits {
          for user
          value count(Event)

        measure again { for user  value count(Event) }
        """,
      right: """
        measure visits {
          for user
          value count(Event)
        }

        measure again { for user  value count(Event) }
        """),
    Page(
      "S014", "expected-clause", "Something that does not start a clause",
      what: "A metric consists of clauses, each with its word: `for`, `value`, `when` and so on.",
      why: "If an unknown word were ignored, what it asks for would silently not happen.",
      wrong: "measure visits { for user  colour red  value count(Event) }",
      right: "measure visits { for user  value count(Event) }",
      seeAlso: ["T008"]),
    Page(
      "S021", "expected-window", "Something that is not a window",
      what: "`every` takes `day`, `week`, a length such as `10 days`, `calendar week` or `calendar month`.",
      why: "Windows roll unless `calendar` is written. Months differ in length, so they cannot roll.",
      wrong: "completion done { for habit  every month  when count(HabitEntry) >= 1 }",
      right: "completion done { for habit  every 30 days  when count(HabitEntry) >= 1 }",
      seeAlso: ["W002"]),
    Page(
      "S022", "expected-period", "Something that is not a period",
      what: "`over` takes `last N days`, `last N weeks`, `calendar week`, `calendar month` or `all time`.",
      why: "A period ends at the reference day; `last` says so.",
      wrong: "measure visits { for user  value count(Event)  over 7 days }",
      right: "measure visits { for user  value count(Event)  over last 7 days }"),
    Page(
      "S023", "expected-length", "Something that is not a length",
      what: "A length is a number and a unit: `days`, `weeks` or, of windows, `windows`.",
      why: "A bare number does not say what it counts.",
      wrong: "completion done { for habit  every 3 months  when count(HabitEntry) >= 1 }",
      right: "completion done { for habit  every 90 days  when count(HabitEntry) >= 1 }",
      seeAlso: ["T016"]),
    Page(
      "S024", "expected-number", "A number is missing",
      what: "A threshold, a minimum, a number of users or of days is written as a number.",
      why: "A definition fixes these; what may change is a field or a `setting`.",
      wrong: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        streak best_run { of done  best }
        level rank { of best_run  at 7, many }
        """,
      right: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        streak best_run { of done  best }
        level rank { of best_run  at 7, 30 }
        """),
    Page(
      "S025", "expected-text", "A text is missing",
      what: "Titles, reasons, names of tests, ids in tests and allowed texts are in quotes.",
      why: "A bare word would be a name.",
      wrong: "measure visits { for user  title Visits  value count(Event) }",
      right: #"measure visits { for user  title "Visits"  value count(Event) }"#),
    Page(
      "S026", "expected-word", "Another word is expected here",
      what: "Some places take one of a few words: `audience user` or `team`, `order any` or `strict`.",
      why: "Any other word has no meaning there.",
      wrong: "measure visits { for user  audience everyone  value count(Event) }",
      right: "measure visits { for user  audience team  value count(Event) }"),
    Page(
      "S027", "expected-member", "Something that is not a field",
      what: "A record holds fields, `name : Type` or `name = expression`, and a `consent` line.",
      why: "A field without a type could be read as anything.",
      wrong: """
        fact Walk {
          id ID
          dayKey : DayKey
        }
        """,
      right: """
        fact Walk {
          id     : ID
          dayKey : DayKey
        }
        """),
    Page(
      "S028", "expected-type", "A type is missing",
      what: "After `:` comes a type, a list of allowed texts or an entity.",
      why: "The reader of the data rejects values of another type, so it must know the type.",
      wrong: "fact Walk { id : ID  dayKey : DayKey  steps : }",
      right: "fact Walk { id : ID  dayKey : DayKey  steps : Int }",
      seeAlso: ["T010"]),
    Page(
      "S029", "unknown-modifier", "Something that is not a modifier of a field",
      what: #"After the type of a field come `min N`, `stored`, `observed "why"`, `pii` and `tombstone`."#,
      why: "A modifier is a promise about the data. A misspelled one would silently promise nothing.",
      wrong: "fact Walk { id : ID  dayKey : DayKey  steps : Int required }",
      right: "fact Walk { id : ID  dayKey : DayKey  steps : Int min 0 }"),
  ]

  private static let nested = String(repeating: "(", count: 120) + "1" + String(repeating: ")", count: 120)

  private static let expressions: [Page] = [
    Page(
      "S016", "expected-expression", "An expression is missing",
      what: "A value, a condition or an operand is expected, and something else is there.",
      why: "An empty condition could mean always or never.",
      wrong: "measure visits { for user  value count(Event) + }",
      right: "measure visits { for user  value count(Event) + 1 }"),
    Page(
      "S017", "chained-comparison", "Chained comparisons",
      what: "`a < b < c` has no meaning; join two comparisons with `and`.",
      why: "In some languages it compares a truth with a number. Here it is neither guessed nor allowed.",
      wrong: "measure some { for user  audience team  value if 0 < count(Event) == true then 1 else 0 }",
      right: """
        measure some {
          for user
          audience team
          value if 0 < count(Event) and count(Event) < 5 then 1 else 0
        }
        """),
    Page(
      "S018", "needs-parentheses", "An operand needs parentheses",
      what: "`if` and `not` bind more loosely than the operator before them.",
      why: "Where `1 + if a then 2 else 3 + 4` ends is a matter of opinion; parentheses settle it.",
      wrong: "measure points { for habit  value 1 + if count(HabitEntry) > 3 then 2 else 1 }",
      right: "measure points { for habit  value 1 + (if count(HabitEntry) > 3 then 2 else 1) }"),
    Page(
      "S019", "nested-too-deeply", "An expression is too deep or too long",
      what: "An expression may be 100 levels deep and hold 500 operators.",
      why: "Every stage walks through an expression; a limit here keeps a hostile one from exhausting it.",
      wrong: "measure points { for user  value ((((( … 120 deep … 1 … ))))) }",
      wrongInFull: { "measure points { for user  value \(nested) }" },
      right: "measure points { for user  value (((((1))))) }",
      seeAlso: ["T034"]),
    Page(
      "S020", "unclosed-parenthesis", "A parenthesis is not closed",
      what: "The `(` of an operand or of a call has no `)`.",
      why: "What belongs to a call decides what it counts.",
      wrong: "measure visits { for user  value (count(Event) + 1  over last 7 days }",
      right: "measure visits { for user  value (count(Event) + 1)  over last 7 days }"),
    Page(
      "S032", "misplaced-list", "A list in the wrong place",
      what: "A list is allowed only after `in` and `not in`.",
      why: "No value of the language is a list.",
      wrong: #"measure visits { for user  value count(Event where name == ["a", "b"]) }"#,
      right: #"measure visits { for user  value count(Event where name in ["a", "b"]) }"#),
    Page(
      "S033", "call-order", "The words of a call are in the wrong order",
      what: "An aggregate takes `through`, `where`, `over`, in this order, each once.",
      why: "One order makes equal calls look equal.",
      wrong: #"measure visits { for user  value count(Event over last 7 days where name == "a") }"#,
      right: #"measure visits { for user  value count(Event where name == "a" over last 7 days) }"#),
    Page(
      "S034", "offset-operand", "`offset` shifts something that is not a metric",
      what: "Only a metric has a value at another day, so `offset` comes after its name.",
      why: "To shift an expression, shift each metric in it.",
      wrong: """
        measure visits { for user  value count(Event) }
        measure before { for user  value (visits + 1) offset 7 days }
        """,
      right: """
        measure visits { for user  value count(Event) }
        measure before { for user  value (visits offset 7 days) + 1 }
        """),
    Page(
      "S036", "expected-literal", "A literal is missing",
      what: """
        A list, a field in a test and an expectation hold literals: numbers, texts, days, truths, `none`.
        """,
      why: "A test states what must hold; a computed value would need a test itself.",
      wrong: #"measure visits { for user  value count(Event where name in ["a", b]) }"#,
      right: #"measure visits { for user  value count(Event where name in ["a", "b"]) }"#),
  ]

  private static let rest: [Page] = [
    Page(
      "S030", "expected-statement", "Something that is not a statement of a test",
      what: "A test holds `given`, `log` and `expect`.",
      why: "A test is data and expectations; it has no steps and runs nothing.",
      wrong: #"""
        measure visits { for habit  value count(HabitEntry) }
        test "one entry" {
          assert visits
          log "read" from 2026-01-01 "#"
          expect visits for "read" at 2026-01-01 = 1
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
      "S037", "expected-sign", "A missing or wrong sign",
      what: "`given` writes `field: value` with commas between, `expect` one `=` before the value.",
      why: "A test reads like a table of records and a table of results.",
      wrong: #"""
        measure visits { for habit  value count(HabitEntry) }
        test "one entry" {
          log "read" from 2026-01-01 "#"
          expect visits for "read" at 2026-01-01 == 1
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
      "W009", "misplaced-doc", "A doc comment describes nothing",
      what: "`///` goes above a declaration, a clause or a field. Elsewhere a comment is `//`.",
      why: "Documentation in another place would not be shown.",
      wrong: "measure visits { for user /// everybody\n  value count(Event) }",
      right: "measure visits { for user // everybody\n  value count(Event) }"),
  ]
}
