import MetricDiagnostics

extension Page {
  package static let syntax: [Page] = characters + structure

  /// Characters, texts, numbers and names.
  private static let characters: [Page] = [
    Page(
      "S001", "not-utf8", "The source is not UTF-8",
      what: "A byte of the file is not valid UTF-8.",
      why: "Names and texts are compared byte by byte, so every tool must read the same bytes.",
      wrong: #"""
        measure cafe_visits {
          for user
          value count(Event where name == "caf\xE9")
        }
        """#,
      right: #"""
        measure cafe_visits {
          for user
          value count(Event where name == "café")
        }
        """#),
    Page(
      "S002", "unexpected-character", "A character that the language does not use",
      what: "The character is no letter, digit, sign or quote of the language, or it is invisible.",
      why: "What you cannot see must not change what a metric means.",
      wrong: "measure visits { for user  value count(Event) @ }",
      right: "measure visits { for user  value count(Event) }",
      seeAlso: ["S008", "S035"]),
    Page(
      "S003", "unterminated-string", "A text has no closing quote",
      what: "A text ends on the line it starts on.",
      why: "A forgotten quote then affects one line, not the rest of the file.",
      wrong: #"""
        measure opened {
          for user
          title "Times the app was opened
          value count(Event)
        }
        """#,
      right: #"""
        measure opened {
          for user
          title "Times the app was opened"
          value count(Event)
        }
        """#),
    Page(
      "S004", "invalid-escape", "An unknown escape after a backslash",
      what: #"The escapes are `\"`, `\\`, `\n`, `\t` and `\u{…}` with a code point."#,
      why: "A text must mean the same everywhere, also in SQL.",
      wrong: #"measure drives { for user  title "C:\drive"  value count(Event) }"#,
      right: #"measure drives { for user  title "C:\\drive"  value count(Event) }"#),
    Page(
      "S005", "malformed-number", "A malformed number",
      what: """
        Numbers have no leading zeros, a digit on both sides of a point, at most 6 after it, `_` only \
        between digits, and a space before a word.
        """,
      why: "A decimal is a whole number of millionths; more digits are never rounded silently.",
      wrong: "measure share { for user  value count(Event) * 0.1234567 }",
      right: "measure share { for user  value count(Event) * 0.123457 }",
      seeAlso: ["T017"]),
    Page(
      "S006", "malformed-day", "A malformed day",
      what: "A day has four, two and two digits: `2026-01-31`.",
      why: "A DayKey names a day: no hour, no zone, one spelling.",
      wrong: "measure since { for user  value count(Event where day >= 2026-01-5) }",
      right: "measure since { for user  value count(Event where day >= 2026-01-05) }",
      seeAlso: ["T018"]),
    Page(
      "S007", "quote-style", "A text in other quotes",
      what: #"Texts are written in `"`, not in `'` or typographic quotes."#,
      why: "One spelling is easy to search for.",
      wrong: "measure opened { for user  value count(Event where name == 'opened') }",
      right: #"measure opened { for user  value count(Event where name == "opened") }"#),
    Page(
      "S008", "foreign-operator", "An operator of another language",
      what: """
        The operators are words: `and`, `or`, `not`; equality is `==`. The finding says which one is meant.
        """,
      why: "Several spellings of one thing make definitions hard to compare.",
      wrong: #"measure opened { for user  value count(Event where name == "a" || name == "b") }"#,
      right: #"measure opened { for user  value count(Event where name == "a" or name == "b") }"#),
    Page(
      "S009", "foreign-comment", "A comment of another language",
      what: "Comments start with `//` and end with the line.",
      why: "A comment that spans lines hides definitions when its end is forgotten.",
      wrong: """
        # all visits
        measure visits { for user  value count(Event) }
        """,
      right: """
        // all visits
        measure visits { for user  value count(Event) }
        """),
    Page(
      "S015", "stray-separator", "A comma or semicolon that separates nothing",
      what: "A clause or field ends where the next one starts; there is no separator.",
      why: "Optional separators would make two layouts of each definition.",
      wrong: "measure visits { for user;  value count(Event) }",
      right: "measure visits { for user  value count(Event) }"),
    Page(
      "S035", "non-ascii-name", "A name with letters beyond a–z",
      what: "Names are written with a–z, A–Z, digits and `_`. A `title` is free text.",
      why: "Names become columns and files; letters that look alike must not make two of them.",
      wrong: "measure größe { for user  value count(Event) }",
      right: #"measure size { for user  title "Größe"  value count(Event) }"#),
    Page(
      "S038", "too-long", "A name or a number that is too long",
      what: "A name has at most 255 characters, a number at most 64.",
      why: "Names are repeated in messages, columns and SQL; nobody reads or writes one of a megabyte.",
      wrong: "measure visits { for user  value count(Event) + 1000000 … 70 digits … 000000 }",
      wrongInFull: {
        "measure visits { for user  value count(Event) + 1\(String(repeating: "0", count: 70)) }"
      },
      right: "measure visits { for user  value count(Event) + 1000000 }",
      seeAlso: ["T017"]),
  ]
}
