/// Findings about records.
let recordMessages: [MessageCase] = [
  MessageCase(
    "comma after a field",
    #"""
    fact F { id : ID, userId : User }

    """#,
    #"""
    1:17: error: a comma is not allowed after a field [S015 stray-separator]
    fix: remove it
    """#),
  MessageCase(
    "colon missing",
    #"""
    fact F {
      id ID
      mood "calm"
    }

    """#,
    #"""
    2:5: error: expected `:` between `id` and its type [S027 expected-member]
    fix: write `:`
    3:7: error: expected `:` between `mood` and its type [S027 expected-member]
    fix: write `:`
    """#),
  MessageCase(
    "type missing",
    #"""
    fact F {
      y :
      z : Int
    }

    """#,
    #"""
    2:6: error: expected a type, found `z` [S028 expected-type]
    note: a type is `ID`, `Text`, `Int`, `Decimal`, `Bool`, `DayKey`, `Instant`, a list like `"calm" | "tired"`, or an entity
    """#),
  MessageCase(
    "computed field missing",
    #"""
    fact F {
      z = a +
      w : Int
      v =
      u = 1
    }

    """#,
    #"""
    2:10: error: expected an expression, found `w` [S016 expected-expression]
    4:6: error: expected an expression, found `u` [S016 expected-expression]
    """#),
  MessageCase(
    "choices",
    #"""
    fact F {
      mood : "calm" | tired ?
      w : Int
    }

    """#,
    #"""
    2:19: error: expected an allowed text after `|`, found `tired` [S025 expected-text]
    note: put the text in quotes
    """#),
  MessageCase(
    "modifiers",
    #"""
    fact F {
      x : Int requird
      y : Int tombstne
      z : Int min a
      w : Int
    }

    """#,
    #"""
    2:11: error: `requird` is not a modifier of a field [S029 unknown-modifier]
    note: the modifiers are `min`, `stored`, `observed`, `pii` and `tombstone`
    3:11: error: `tombstne` is not a modifier of a field [S029 unknown-modifier]
    note: did you mean `tombstone`?
    4:15: error: expected a number after `min`, found `a` [S024 expected-number]
    """#),
  MessageCase(
    "no field",
    #"""
    fact F {
      7 : Int
      foo bar
      dayKey : DayKey
    }

    """#,
    #"""
    2:3: error: expected a field, found the number `7` [S027 expected-member]
    note: a field is written like `minutes : Decimal min 0` or `pages = endPage - startPage`
    3:3: error: expected a field, found `foo` [S027 expected-member]
    note: a field is written like `minutes : Decimal min 0` or `pages = endPage - startPage`
    """#),
  MessageCase(
    "consent",
    #"""
    fact F {
      consent foo
      consnet standard
      consent : Text
    }

    """#,
    #"""
    2:11: error: expected `none`, `essential`, `standard` or `detailed`, found `foo` [S026 expected-word]
    3:3: error: expected a field, found `consnet` [S027 expected-member]
    note: did you mean `consent`?
    """#),
  MessageCase(
    "setting",
    #"""
    entity E setting { id : ID }

    """#,
    #"""
    1:10: error: only a fact can be a `setting`, not this `entity` [S026 expected-word]
    """#),
  MessageCase(
    "brace missing",
    #"""
    fact F {
      id : ID
    entity E { id : ID }

    """#,
    #"""
    2:10: error: expected `}`, found `entity` [S013 unbalanced-brace]
    1:8: note: the braces open here
    """#),
]
