/// Findings about characters and tokens.
let lexicalMessages: [MessageCase] = [
  MessageCase(
    "a name and a number that nobody wrote",
    """
    measure m {
      for app
      value \(String(repeating: "a", count: 300)) + \(String(repeating: "1", count: 70))
    }

    """,
    """
    3:9: error: `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…` is 300 bytes long; a name has at most 255 \
    characters [S038 too-long]
    3:312: error: `111111111111111111111111111111111111111111111111111111111111…` is 70 bytes long; a number has at most 64 \
    characters [S038 too-long]
    """),
  MessageCase(
    "characters",
    #"""
    measure m {
      for app
      value a @ b
    }

    """#,
    #"""
    3:11: error: `@` is not part of the language [S002 unexpected-character]
    note: there are no attributes or variables; a clause is a word, such as `deprecated "…"`
    """#),
  MessageCase(
    "a backtick",
    #"""
    measure m {
      for app
      value `a`
    }

    """#,
    #"""
    3:9: error: a backtick is not part of the language [S002 unexpected-character]
    note: names stand alone, without quotes
    """#),
  MessageCase(
    "control and invisible characters",
    #"""
    measure m {\#u{1} for\#u{a0}app }

    """#,
    #"""
    1:12: error: a control character is not allowed here [S002 unexpected-character]
    fix: remove it
    1:17: error: the invisible character U+00A0 is not allowed here [S002 unexpected-character]
    fix: write a space
    """#),
  MessageCase(
    "unterminated text",
    #"""
    measure m {
      for app
      value count(Event where name == "x)
      over last 7 days
    }

    """#,
    #"""
    3:35: error: this text has no closing `"` [S003 unterminated-string]
    note: a text ends on the line it starts on; a line break in it is written `\n`
    """#),
  MessageCase(
    "escapes",
    #"""
    measure m {
      for app
      title "a\qb\u{D800}\u41\u{}"
    }

    """#,
    #"""
    3:11: error: `\q` is not an escape [S004 invalid-escape]
    note: the escapes are `\"`, `\\`, `\n`, `\t` and `\u{…}` with a code point
    3:14: error: `\u{D800}` names no character [S004 invalid-escape]
    note: the escapes are `\"`, `\\`, `\n`, `\t` and `\u{…}` with a code point
    3:22: error: `\u` needs a code point in braces [S004 invalid-escape]
    note: the escapes are `\"`, `\\`, `\n`, `\t` and `\u{…}` with a code point
    3:26: error: `\u{}` names no character [S004 invalid-escape]
    note: the escapes are `\"`, `\\`, `\n`, `\t` and `\u{…}` with a code point
    """#),
  MessageCase(
    "numbers",
    #"""
    measure m {
      for app
      value 007 + 1_ + 1__0 + 0.1234567 + 3rd + .5 + 0.12345%
    }

    """#,
    #"""
    3:9: error: the number `007` starts with a zero [S005 malformed-number]
    3:15: error: the number `1_` has a `_` that is not between two digits [S005 malformed-number]
    3:20: error: the number `1__0` has a `_` that is not between two digits [S005 malformed-number]
    3:27: error: the number `0.1234567` has more than 6 digits after its decimal point [S005 malformed-number]
    3:39: error: `3rd` is not a number [S005 malformed-number]
    note: a number is written like `30`, `0.25`, `1_000` or `80%`
    3:45: error: the number `.5` needs a digit before its decimal point [S005 malformed-number]
    3:50: error: the number `0.12345%` has more than 4 digits after its decimal point [S005 malformed-number]
    """#),
  MessageCase(
    "number touching a word",
    #"""
    measure m {
      for app
      over last 7days
    }

    """#,
    #"""
    3:13: error: `7days` needs a space between number and word [S005 malformed-number]
    fix: add a space
    """#),
  MessageCase(
    "number touching a letter",
    #"""
    measure m {
      for app
      over last 7d
      value 1e5
    }

    """#,
    #"""
    3:13: error: `7d` is not a number [S005 malformed-number]
    note: write the unit as a word: `7 days`
    4:9: error: `1e5` is not a number [S005 malformed-number]
    note: write all digits: `1_000`
    """#),
  MessageCase(
    "days",
    #"""
    measure m {
      for app
      target 2026-01-5
      value 2026-01-31T08
    }

    """#,
    #"""
    3:10: error: `2026-01-5` is not a day [S006 malformed-day]
    note: a day is written with four, two and two digits, like `2026-01-31`
    4:9: error: `2026-01-31T08` is not a day [S006 malformed-day]
    note: a day is written with four, two and two digits, like `2026-01-31`
    """#),
  MessageCase(
    "quotes",
    #"""
    measure m {
      for app
      value count(Event where name == 'x' or name == “y”)
    }

    """#,
    #"""
    3:35: error: texts are written in `"`, not in `'` [S007 quote-style]
    fix: write `"x"`
    3:50: error: texts are written in `"`, not in `“` [S007 quote-style]
    fix: write `"y"`
    """#),
  MessageCase(
    "an apostrophe",
    #"""
    measure m {
      for app
      value don't
    }

    """#,
    #"""
    3:12: error: `'` is not part of the language [S002 unexpected-character]
    """#),
  MessageCase(
    "operators of other languages",
    #"""
    measure m {
      for app
      value a && b || !(c <> d) and e => f
    }

    """#,
    #"""
    3:11: error: `&&` is not an operator of the language; write `and` [S008 foreign-operator]
    fix: write `and`
    3:16: error: `||` is not an operator of the language; write `or` [S008 foreign-operator]
    fix: write `or`
    3:19: error: `!` is not an operator of the language; write `not` [S008 foreign-operator]
    fix: write `not`
    3:23: error: `<>` is not an operator of the language; write `!=` [S008 foreign-operator]
    fix: write `!=`
    3:35: error: `=>` is not an operator of the language; write `>=` [S008 foreign-operator]
    fix: write `>=`
    """#),
  MessageCase(
    "operators beyond ASCII",
    #"""
    measure m {
      for app
      value a ≥ b × c
    }

    """#,
    #"""
    3:11: error: `≥` is not an operator of the language; write `>=` [S008 foreign-operator]
    fix: write `>=`
    3:15: error: `×` is not an operator of the language; write `*` [S008 foreign-operator]
    fix: write `*`
    """#),
  MessageCase(
    "a percent sign apart",
    #"""
    measure m {
      for app
      value 80 %
    }

    """#,
    #"""
    3:12: error: `%` must touch the number before it [S008 foreign-operator]
    note: `80%` is 0.8; there is no remainder operator, and `floor(a / b)` divides whole numbers
    """#),
  MessageCase(
    "comments of other languages",
    #"""
    # one
    measure m { /* two
     */ for app }

    """#,
    #"""
    1:1: error: `#` does not start a comment [S009 foreign-comment]
    note: comments start with `//`
    fix: write `//`
    2:13: error: `/*` does not start a comment [S009 foreign-comment]
    note: comments start with `//` and end with the line
    """#),
  MessageCase(
    "semicolon",
    #"""
    measure m {
      for app
      value a;
    }

    """#,
    #"""
    3:10: error: `;` has no meaning in the language [S015 stray-separator]
    note: a clause ends where the next one starts
    fix: remove it
    """#),
  MessageCase(
    "name beyond ASCII",
    #"""
    measure m {
      for app
      value größe
    }

    """#,
    #"""
    3:9: error: the name `größe` has letters beyond a–z [S035 non-ascii-name]
    note: names are written with the letters a–z, A–Z, digits and `_`
    """#),
]
