/// Findings about expressions.
let expressionMessages: [MessageCase] = [
  MessageCase(
    "operand missing",
    #"""
    measure m {
      for app
      value
      over last 7 days
    }

    """#,
    #"""
    3:8: error: expected an expression, found `over` [S016 expected-expression]
    """#),
  MessageCase(
    "operand missing inside",
    #"""
    measure m {
      for app
      value a + * b
      target (a + )
    }

    """#,
    #"""
    3:13: error: expected an expression, found `*` [S016 expected-expression]
    4:15: error: expected an expression, found `)` [S016 expected-expression]
    """#),
  MessageCase(
    "operand missing between words",
    #"""
    measure m {
      for app
      value a and and b
      target a or
    }

    """#,
    #"""
    3:15: error: expected an expression, found `and` [S016 expected-expression]
    4:14: error: expected an expression, found `}` [S016 expected-expression]
    """#),
  MessageCase(
    "chained comparison",
    #"""
    measure m {
      for app
      value 1 < 2 < 3
    }

    """#,
    #"""
    3:15: error: comparisons cannot be chained [S017 chained-comparison]
    3:11: note: the first one is here
    note: join two comparisons with `and`
    """#),
  MessageCase(
    "parentheses needed",
    #"""
    measure m {
      for app
      value 1 + if a then b else c
      target a == not b
    }

    """#,
    #"""
    3:13: error: `if` needs parentheses around it here [S018 needs-parentheses]
    note: it binds more loosely than what comes before it: write `(if …)`
    4:15: error: `not` needs parentheses around it here [S018 needs-parentheses]
    note: it binds more loosely than what comes before it: write `(not …)`
    """#),
  MessageCase(
    "branches missing",
    #"""
    measure m {
      for app
      value if a then b
      target if a else b
    }

    """#,
    #"""
    3:20: error: expected `else`, found `target` [S016 expected-expression]
    note: an `if` needs both branches: `if … then … else …`
    4:15: error: expected `then`, found `else` [S016 expected-expression]
    note: an `if` needs both branches: `if … then … else …`
    """#),
  MessageCase(
    "single equal sign",
    #"""
    measure m {
      for app
      value count(Event where name = "x")
    }

    """#,
    #"""
    3:32: error: `=` does not compare; write `==` [S008 foreign-operator]
    fix: write `==`
    """#),
  MessageCase(
    "parenthesis open",
    #"""
    measure m {
      for app
      value (count(Event) + 1
      over last 7 days
    }

    """#,
    #"""
    3:26: error: expected `)`, found `over` [S020 unclosed-parenthesis]
    note: `through`, `where` and `over` may follow a record: `count(Record where …)`
    3:9: note: `(` opens here
    """#),
  MessageCase(
    "call open",
    #"""
    measure m {
      for app
      value count(Event
      over last 7 days
    }

    """#,
    #"""
    4:19: error: expected `)`, found `}` [S020 unclosed-parenthesis]
    3:14: note: `(` opens here
    """#),
  MessageCase(
    "misspelled word in a call",
    #"""
    measure m {
      for app
      value count(Event were name == "x")
    }

    """#,
    #"""
    3:21: error: expected `)`, found `were` [S020 unclosed-parenthesis]
    note: did you mean `where`?
    3:14: note: `(` opens here
    """#),
  MessageCase(
    "order in a call",
    #"""
    measure m {
      for app
      value count(Event over last 7 days where name == "x")
      target count(Event where a where b)
    }

    """#,
    #"""
    3:38: error: `where` comes before `over` in a call [S033 call-order]
    note: the order is `through … where … over …`
    4:30: error: `where` appears twice in one call [S033 call-order]
    note: join two conditions with `and`
    """#),
  MessageCase(
    "lists",
    #"""
    measure m {
      for app
      value [1, 2]
      target x in 3
      value x in []
      value x in ["a", b]
      value x in [1, ]
    }

    """#,
    #"""
    3:9: error: a list is allowed only after `in` or `not in` [S032 misplaced-list]
    4:15: error: expected a list in `[` and `]`, found the number `3` [S036 expected-literal]
    note: `in` takes a list of literals, like `in ["a", "b"]`
    5:15: error: expected a literal in the list, found `]` [S036 expected-literal]
    6:20: error: a text is written in quotes [S036 expected-literal]
    fix: write `"b"`
    7:16: error: a comma is not allowed after the last item [S015 stray-separator]
    fix: remove it
    """#),
  MessageCase(
    "none",
    #"""
    measure m {
      for app
      value x is 3
      target x is not nothing
    }

    """#,
    #"""
    3:14: error: expected `none` after `is`, found the number `3` [S016 expected-expression]
    note: `is none` asks whether a value is there; values are compared with `==` and `!=`
    4:19: error: expected `none` after `is`, found `nothing` [S016 expected-expression]
    note: `is none` asks whether a value is there; values are compared with `==` and `!=`
    """#),
  MessageCase(
    "offset",
    #"""
    measure m {
      for app
      value (a + b) offset 7 days
      target a offset 7 years
    }

    """#,
    #"""
    3:17: error: `offset` shifts only metrics, by name [S034 offset-operand]
    note: shift each metric inside the expression: `a offset 7 days + b offset 7 days`
    4:21: error: expected `days`, `weeks` or `months`, found `years` [S023 expected-length]
    note: write `84 months`
    """#),
  MessageCase(
    "comma at the end of a call",
    #"""
    measure m {
      for app
      value least(a, b, )
    }

    """#,
    #"""
    3:19: error: a comma is not allowed after the last item [S015 stray-separator]
    fix: remove it
    """#),
  MessageCase(
    "point at the end",
    #"""
    measure m {
      for app
      value habit.
    }

    """#,
    #"""
    3:15: error: expected a name after the point, found `}` [S011 expected-name]
    """#),
]
