import MetricDiagnostics

extension Page {
  /// The codes of the lexer and the parser.
  package static let syntax = read(
    #"""
    S001 not-utf8: The source is not UTF-8
    Names and texts are compared byte by byte, so every tool must read the same bytes.
     measure cafe_visits {
       for user
    -  value count(Event where name == "caf\xE9")
    +  value count(Event where name == "café")
     }

    S002 unexpected-character: A character that the language does not use
    It is no letter, digit, sign or quote of the language, or it is invisible: what you cannot see must not
    change a meaning.
    See: S008, S035
    -measure visits { for user  value count(Event) @ }
    +measure visits { for user  value count(Event) }

    S003 unterminated-string: A text has no closing quote
    A text ends on the line it starts on, so that a forgotten quote does not affect the rest of the file.
     measure opened {
       for user
    -  title "Times the app was opened
    +  title "Times the app was opened"
       value count(Event)
     }

    S004 invalid-escape: An unknown escape after a backslash
    The escapes are `\"`, `\\`, `\n`, `\t` and `\u{…}` with a code point.
    -measure drives { for user  title "C:\drive"  value count(Event) }
    +measure drives { for user  title "C:\\drive"  value count(Event) }

    S005 malformed-number: A malformed number
    Numbers have no leading zeros, a digit on both sides of a point, at most 6 after it, `_` only between
    digits, and a space before a word. More digits are never rounded silently.
    See: T017
    -measure share { for user  value count(Event) * 0.1234567 }
    +measure share { for user  value count(Event) * 0.123457 }

    S006 malformed-day: A malformed day
    A day has four, two and two digits: `2026-01-31`.
    See: T018
    -measure since { for user  value count(Event where day >= 2026-01-5) }
    +measure since { for user  value count(Event where day >= 2026-01-05) }

    S007 quote-style: A text in other quotes
    Texts are written in `"`, not in `'` or typographic quotes.
    -measure opened { for user  value count(Event where name == 'opened') }
    +measure opened { for user  value count(Event where name == "opened") }

    S008 foreign-operator: An operator of another language
    The operators are words: `and`, `or`, `not`; equality is `==`.
    -measure opened { for user  value count(Event where name == "a" || name == "b") }
    +measure opened { for user  value count(Event where name == "a" or name == "b") }

    S009 foreign-comment: A comment of another language
    Comments start with `//` and end with the line.
    -# all visits
    +// all visits
     measure visits { for user  value count(Event) }

    S010 expected-declaration: Something that does not start a declaration
    A file holds metrics, records and tests; its folder is one library, in any order. A misspelled kind, or a
    clause outside of braces, ends up here.
    -import habits
     measure visits { for user  value count(Event) }

    S011 expected-name: A name is missing
    A metric, a record, a step and what a clause refers to need a name of one word.
    -measure { for user  value count(Event) }
    +measure visits { for user  value count(Event) }

    S012 name-case: A name starts with the wrong case
    A record's name starts with an upper-case letter, every other name with a lower-case one: `Habit` is a
    record, `habit` a subject.
    See: W005
    -measure Visits { for user  value count(Event) }
    +measure visits { for user  value count(Event) }

    S013 unbalanced-brace: A brace is missing or too many
    A declaration opens with `{` and ends with `}`. The next declaration is still checked.
     measure visits {
       for user
       value count(Event)
    +}
     measure again { for user  value count(Event) }

    S014 expected-clause: Something that does not start a clause
    A metric consists of clauses, each with its word: `for`, `value`, `when` and so on. Unknown words are not
    ignored.
    See: T008
    -measure visits { for user  colour red  value count(Event) }
    +measure visits { for user  value count(Event) }

    S015 stray-separator: A comma or semicolon that separates nothing
    A clause or field ends where the next one starts.
    -measure visits { for user;  value count(Event) }
    +measure visits { for user  value count(Event) }

    S016 expected-expression: An expression is missing
    A value, a condition or an operand is expected here. An empty condition could mean always or never.
    -measure visits { for user  value count(Event) + }
    +measure visits { for user  value count(Event) + 1 }

    S017 chained-comparison: Chained comparisons
    `a < b < c` has no meaning; join two comparisons with `and`.
    -measure some { for user  audience team  value if 0 < count(Event) == true then 1 else 0 }
    +measure some {
    +  for user
    +  audience team
    +  value if 0 < count(Event) and count(Event) < 5 then 1 else 0
    +}

    S018 needs-parentheses: An operand needs parentheses
    `if` and `not` bind more loosely than the operator before them.
    -measure points { for habit  value 1 + if count(HabitEntry) > 3 then 2 else 1 }
    +measure points { for habit  value 1 + (if count(HabitEntry) > 3 then 2 else 1) }

    S019 nested-too-deeply: An expression is too deep or too long
    An expression may be 100 levels deep and hold 500 operators.
    See: T034
    -measure points { for user  value ((((( … 120 deep … 1 … ))))) }
    +measure points { for user  value (((((1))))) }

    S020 unclosed-parenthesis: A parenthesis is not closed
    The `(` of an operand or of a call has no `)`.
    -measure visits { for user  value (count(Event) + 1 }
    +measure visits { for user  value (count(Event) + 1) }

    S021 expected-window: Something that is not a window
    `every` takes `day`, `week`, a length such as `10 days`, or `calendar` with `week`, `month`, `quarter` or
    `year`. Other windows roll, and months differ in length.
    See: W002
    -completion done { for habit  every month  when count(HabitEntry) >= 1 }
    +completion done { for habit  every 30 days  when count(HabitEntry) >= 1 }

    S022 expected-period: Something that is not a period
    `over` takes `last N days`, `last N weeks`, `calendar` with `week`, `month`, `quarter` or `year`, or `all
    time`, which end at the reference day, or `previous calendar month` and the like, the whole unit before.
    -measure visits { for user  value count(Event)  over 7 days }
    +measure visits { for user  value count(Event)  over last 7 days }

    S023 expected-length: Something that is not a length
    A length is a number and a unit: `days`, `weeks` or, of windows, `windows`.
    See: T016
    -completion done { for habit  every 3 months  when count(HabitEntry) >= 1 }
    +completion done { for habit  every 90 days  when count(HabitEntry) >= 1 }

    S024 expected-number: A number is missing
    A threshold, a minimum, a number of users or of days is a literal number. What may change is a field or a
    `setting`.
     completion done { for habit  every day  when count(HabitEntry) >= 1 }
     streak best_run { of done  best }
    -level rank { of best_run  at 7, many }
    +level rank { of best_run  at 7, 30 }

    S025 expected-text: A text is missing
    Titles, reasons, names of tests, ids in tests and allowed texts are in quotes.
    -measure visits { for user  title Visits  value count(Event) }
    +measure visits { for user  title "Visits"  value count(Event) }

    S026 expected-word: Another word is expected here
    Some places take one of a few words: `audience user` or `team`, `order any` or `strict`.
    -measure visits { for user  audience everyone  value count(Event) }
    +measure visits { for user  audience team  value count(Event) }

    S027 expected-member: Something that is not a field
    A record holds fields, `name : Type` or `name = expression`, and a `consent` line.
     fact Walk {
    -  id ID
    +  id     : ID
       dayKey : DayKey
     }

    S028 expected-type: A type is missing
    After `:` comes a type, a list of allowed texts or an entity.
    See: T010
    -fact Walk { id : ID  dayKey : DayKey  steps : }
    +fact Walk { id : ID  dayKey : DayKey  steps : Int }

    S029 unknown-modifier: Something that is not a modifier of a field
    After the type of a field come `min N`, `stored`, `observed "why"`, `pii` and `tombstone`.
    -fact Walk { id : ID  dayKey : DayKey  steps : Int required }
    +fact Walk { id : ID  dayKey : DayKey  steps : Int min 0 }

    S030 expected-statement: Something that is not a statement of a test
    A test holds `given`, `log` and `expect`: data and expectations, no steps.
     measure visits { for habit  value count(HabitEntry) }
     test "one entry" {
    -  assert visits
       log "read" from 2026-01-01 "#"
       expect visits for "read" at 2026-01-01 = 1
     }

    S032 misplaced-list: A list in the wrong place
    A list is allowed only after `in` and `not in`.
    -measure visits { for user  value count(Event where name == ["a", "b"]) }
    +measure visits { for user  value count(Event where name in ["a", "b"]) }

    S033 call-order: The words of a call are in the wrong order
    An aggregate takes `through`, `where`, `over`, in this order, each once.
    -measure visits { for user  value count(Event over last 7 days where name == "a") }
    +measure visits { for user  value count(Event where name == "a" over last 7 days) }

    S034 offset-operand: `offset` shifts something that is not a metric
    Only a metric has a value at another day. To shift an expression, shift each metric in it.
     measure visits { for user  value count(Event) }
    -measure before { for user  value (visits + 1) offset 7 days }
    +measure before { for user  value (visits offset 7 days) + 1 }

    S035 non-ascii-name: A name with letters beyond a–z
    Names are written with a–z, A–Z, digits and `_`. A `title` is free text.
    -measure größe { for user  value count(Event) }
    +measure size { for user  title "Größe"  value count(Event) }

    S036 expected-literal: A literal is missing
    A list, a field in a test and an expectation hold literals: numbers, texts, days, `true`, `false`, `none`.
    -measure visits { for user  value count(Event where name in ["a", b]) }
    +measure visits { for user  value count(Event where name in ["a", "b"]) }

    S037 expected-sign: A missing or wrong sign
    `given` writes `field: value` with commas between, `expect` one `=` before the value.
     measure visits { for habit  value count(HabitEntry) }
     test "one entry" {
       log "read" from 2026-01-01 "#"
    -  expect visits for "read" at 2026-01-01 == 1
    +  expect visits for "read" at 2026-01-01 = 1
     }

    S038 too-long: A name or a number that is too long
    A name has at most 255 characters, a number at most 64.
    See: T017
    -measure visits { for user  value count(Event) + 1000000 … 70 digits … 000000 }
    +measure visits { for user  value count(Event) + 1000000 }

    W009 misplaced-doc: A doc comment describes nothing
    `///` goes above a declaration, a clause or a field. Elsewhere a comment is `//`.
    -measure visits { for user /// everybody
    +measure visits { for user // everybody
       value count(Event) }

    W025 declares-nothing: A file without a declaration
    It is empty or holds nothing but comments.
    -// Visits come here.
    +measure visits { for user  value count(Event) }
    """#,
    inFull: [
      "S019": {
        let nested = String(repeating: "(", count: 120) + "1" + String(repeating: ")", count: 120)
        return "measure points { for user  value \(nested) }"
      },
      "S038": { "measure visits { for user  value count(Event) + 1\(String(repeating: "0", count: 70)) }" },
    ])
}
