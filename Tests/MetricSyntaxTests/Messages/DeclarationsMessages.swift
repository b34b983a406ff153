/// Findings about declarations and their braces.
let declarationMessages: [MessageCase] = [
  MessageCase(
    "misspelled declaration",
    #"""
    strek daily { of done }
    momentum m { of daily over last 7 days }

    """#,
    #"""
    1:1: error: `strek` does not start a declaration [S010 expected-declaration]
    note: did you mean `streak`?
    """#),
  MessageCase(
    "no declaration",
    #"""
    import habits

    streak s { of done }

    """#,
    #"""
    1:1: error: expected a declaration, found `import` [S010 expected-declaration]
    note: all `.metric` files given together form one library; nothing is imported
    """#),
  MessageCase(
    "clause outside",
    #"""
    completion a {
      for habit }
      every day
    }
    streak b { of a }

    """#,
    #"""
    3:3: error: expected a declaration, found `every` [S010 expected-declaration]
    note: clauses belong inside the braces of a metric
    """#),
  MessageCase(
    "stray brace",
    #"""
    streak s { of done } }
    streak t { of done }

    """#,
    #"""
    1:22: error: this `}` has no matching `{` [S013 unbalanced-brace]
    note: the declaration before it has already ended
    """#),
  MessageCase(
    "missing name",
    #"""
    measure {
      for app
    }

    """#,
    #"""
    1:9: error: expected a name for the measure, found `{` [S011 expected-name]
    """#),
  MessageCase(
    "case of names",
    #"""
    measure Reading { for app }
    fact session { Id : ID }
    funnel f { step Opened Event }

    """#,
    #"""
    1:9: error: the name of a measure starts with a lower-case letter, found `Reading` [S012 name-case]
    note: write `reading`
    2:6: error: the name of a record starts with an upper-case letter, found `session` [S012 name-case]
    note: write `Session`
    2:16: error: the name of a field starts with a lower-case letter, found `Id` [S012 name-case]
    note: write `id`
    3:17: error: the name of a step starts with a lower-case letter, found `Opened` [S012 name-case]
    note: write `opened`
    """#),
  MessageCase(
    "missing opening brace",
    #"""
    measure m
      for app
      value 1
    }

    """#,
    #"""
    1:10: error: expected `{` and the clauses, found `for` [S013 unbalanced-brace]
    note: write it inside the braces: `NAME { for app  … }`
    """#),
  MessageCase(
    "missing closing brace",
    #"""
    completion a {
      for habit
      every day

    streak b { of a }

    """#,
    #"""
    3:12: error: expected `}`, found `streak` [S013 unbalanced-brace]
    1:14: note: the braces open here
    """#),
  MessageCase(
    "missing closing brace at the end",
    #"""
    completion a {
      for habit

    """#,
    #"""
    2:12: error: expected `}`, found the end of the file [S013 unbalanced-brace]
    1:14: note: the braces open here
    """#),
  MessageCase(
    "doc comments",
    #"""
    completion done {
      /// right
      for habit /// wrong
      every /// wrong
      day
    }
    /// wrong

    """#,
    #"""
    3:13: warning: this doc comment describes nothing [W009 misplaced-doc]
    note: `///` goes above a declaration, a clause or a field; elsewhere write `//`
    4:9: warning: this doc comment describes nothing [W009 misplaced-doc]
    note: `///` goes above a declaration, a clause or a field; elsewhere write `//`
    7:1: warning: this doc comment describes nothing [W009 misplaced-doc]
    note: `///` goes above a declaration, a clause or a field; elsewhere write `//`
    """#),
  MessageCase(
    "nothing but a comment", "// later",
    #"""
    1:1: warning: this file declares nothing [W025 declares-nothing]
    note: `metricc init FOLDER` writes a first metric with its tests and sample data
    """#),
]
