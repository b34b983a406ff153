/// Findings about test blocks.
let testMessages: [MessageCase] = [
  MessageCase(
    "name missing",
    #"""
    test {
      expect s at 2026-01-01 = 4
    }

    """#,
    #"""
    1:6: error: expected the name of the test as a text, found `{` [S025 expected-text]
    """#),
  MessageCase(
    "no statement",
    #"""
    test "t" {
      lgo "read" from 2026-01-01 "#"
      assert s
      expect s at 2026-01-01 = 4
    }

    """#,
    #"""
    2:3: error: `lgo` does not start a statement of a test [S030 expected-statement]
    note: did you mean `log`?
    3:3: error: expected `given`, `log` or `expect`, found `assert` [S030 expected-statement]
    note: write `expect NAME at DAY = VALUE`
    """#),
  MessageCase(
    "commas in given",
    #"""
    test "t" {
      given Habit { id: "read" weeklyTarget: 3, }
    }

    """#,
    #"""
    2:27: error: expected `,` between two fields [S037 expected-sign]
    fix: write `,`
    2:43: error: a comma is not allowed after the last item [S015 stray-separator]
    fix: remove it
    """#),
  MessageCase(
    "signs in given",
    #"""
    test "t" {
      given Habit { id = "read", weeklyTarget 3 }
      given Habit { id: read }
      given Habit
      given { }
    }

    """#,
    #"""
    2:20: error: a field is given with `:`, not `=` [S037 expected-sign]
    fix: write `:`
    2:43: error: expected `:` after the field `weeklyTarget`, found the number `3` [S037 expected-sign]
    3:21: error: a text is written in quotes [S036 expected-literal]
    fix: write `"read"`
    4:14: error: expected `{` and the fields of the record, found `given` [S013 unbalanced-brace]
    note: write `given Habit { id: "1", dayKey: 2026-01-01 }`
    5:9: error: expected the name of a record, found `{` [S011 expected-name]
    """#),
  MessageCase(
    "given over several lines",
    #"""
    test "t" {
      given Habit {
        id: "read" 5
      }
      expect s at 2026-01-01 = 4
    }

    """#,
    #"""
    3:16: error: expected `,` or `}`, found the number `5` [S013 unbalanced-brace]
    2:15: note: the braces open here
    """#),
  MessageCase(
    "log",
    #"""
    test "t" {
      log read from 2026-01-01 "#"
      log "read" 2026-01-01 "#"
      log "read" from 2026-1-1 "#"
      log "read" from 2026-01-01
    }

    """#,
    #"""
    2:7: error: expected the subject as a text, found `read` [S025 expected-text]
    note: put the text in quotes
    3:14: error: expected `from` and the first day, found the day `2026-01-01` [S026 expected-word]
    note: write `log "read" from 2026-01-01 "##.#"`
    4:19: error: expected a day like `2026-01-31`, found the number `2026` [S036 expected-literal]
    5:29: error: expected the pattern as a text, like `"### #.."`, found `}` [S025 expected-text]
    """#),
  MessageCase(
    "equal signs",
    #"""
    test "t" {
      expect s for "read" at 2026-01-01 == 4
      expect s at 2026-01-01 4
    }

    """#,
    #"""
    2:37: error: an expectation is written with one `=` [S037 expected-sign]
    fix: write `=`
    3:26: error: expected `=` and the value, found the number `4` [S037 expected-sign]
    """#),
  MessageCase(
    "order of an expectation",
    #"""
    test "t" {
      expect s group "g" for "read" at 2026-01-01 = 4
      expect s for "read" = 4
      expect s.rate at 2026-01-01 = 4
    }

    """#,
    #"""
    2:22: error: expected `at` and a day, found `for` [S026 expected-word]
    note: the order is `expect NAME for "subject" group "g" part "p" at DAY = VALUE`
    3:23: error: expected `at` and a day, found `=` [S026 expected-word]
    note: the order is `expect NAME for "subject" group "g" part "p" at DAY = VALUE`
    4:11: error: expected `at` and a day, found `.` [S026 expected-word]
    note: a part of a metric is written `part "fraction"`
    """#),
  MessageCase(
    "values",
    #"""
    test "t" {
      expect s at 2026-01-01 = four
      expect s at 2026-01-01 = -
      expect s for read at 2026-01-01 = 1
    }

    """#,
    #"""
    2:28: error: expected a literal, found `four` [S036 expected-literal]
    note: put the text in quotes
    3:29: error: expected a number after `-`, found `expect` [S024 expected-number]
    4:16: error: expected the subject as a text, found `read` [S025 expected-text]
    note: put the text in quotes
    """#),
]
