/// Findings about the clauses of metrics.
let clauseMessages: [MessageCase] = [
  MessageCase(
    "misspelled clause",
    #"""
    completion done {
      for habit
      evry day
      when count(HabitEntry) >= 1
    }

    """#,
    #"""
    3:3: error: `evry` does not start a clause [S014 expected-clause]
    note: did you mean `every`?
    """#),
  MessageCase(
    "no clause",
    #"""
    measure m {
      for app
      colour red
      value 1
    }

    """#,
    #"""
    3:3: error: expected a clause, found `colour` [S014 expected-clause]
    """#),
  MessageCase(
    "comma after a clause",
    #"""
    measure m {
      for app
      value 1,
      unit pages,
    }

    """#,
    #"""
    3:10: error: a comma is not allowed after a clause [S015 stray-separator]
    fix: remove it
    4:13: error: a comma is not allowed after a clause [S015 stray-separator]
    fix: remove it
    """#),
  MessageCase(
    "misplaced words",
    #"""
    measure m {
      for app
      value x
      where x == 3
      over all time
      if a then b
      every week from monday
      value y)
    }

    """#,
    #"""
    4:3: error: expected a clause, found `where` [S014 expected-clause]
    note: write it inside the aggregate, `count(Record where …)`; `for SUBJECT where …` chooses subjects
    6:3: error: expected a clause, found `if` [S014 expected-clause]
    note: a completion has `when …`; in an expression write `value if … then … else …`
    7:14: error: expected a clause, found `from` [S014 expected-clause]
    note: a metric reads the records that its expression names: `value count(Record)`; a calendar week may start `from monday`
    8:10: error: expected a clause, found `)` [S014 expected-clause]
    note: nothing is open here
    """#),
  MessageCase(
    "misspelled operator",
    #"""
    measure m {
      for app
      value count(Event) adn b
    }

    """#,
    #"""
    3:22: error: expected a clause, found `adn` [S014 expected-clause]
    note: did you mean `and`?
    """#),
  MessageCase(
    "subject missing",
    #"""
    measure m {
      for app
      for
      value 1
    }

    """#,
    #"""
    3:6: error: expected a subject, found `value` [S011 expected-name]
    """#),
  MessageCase(
    "windows",
    #"""
    measure m {
      for app
      every daily
      every weekly
      every month
      every fortnight
      every dya
      every 3 months
    }

    """#,
    #"""
    3:9: error: `daily` is not a window; write `every day` [S021 expected-window]
    fix: write `day`
    4:9: error: `weekly` is not a window; write `every week` [S021 expected-window]
    fix: write `week`
    5:9: error: expected a window, found `month` [S021 expected-window]
    note: months differ in length; write `every 30 days`, or `every calendar month`, which starts over on the first
    6:9: error: expected a window, found `fortnight` [S021 expected-window]
    note: write `every 2 weeks`
    7:9: error: expected a window, found `dya` [S021 expected-window]
    note: did you mean `day`?
    8:11: error: expected `days` or `weeks`, found `months` [S023 expected-length]
    note: months differ in length; write `91 days`
    """#),
  MessageCase(
    "calendars",
    #"""
    measure m {
      for app
      every calendar decade
      over calendar month from monday
      over calendar week from sun
    }

    """#,
    #"""
    3:18: error: expected `week`, `month`, `quarter` or `year` after `calendar`, found `decade` [S021 expected-window]
    4:23: error: a calendar month starts on its first day, not `from` another [S021 expected-window]
    5:27: error: expected a day of the week, found `sun` [S026 expected-word]
    """#),
  MessageCase(
    "periods",
    #"""
    measure m {
      for app
      over 7 days
      over lst 7 days
      over week
      over all
      over
    }

    """#,
    #"""
    3:8: error: a period that ends at the reference day needs `last` before the number `7` [S022 expected-period]
    fix: write `last 7`
    4:8: error: expected a period, found `lst` [S022 expected-period]
    note: did you mean `last`?
    5:8: error: expected a period, found `week` [S022 expected-period]
    note: a period is written like `last 7 days`, `calendar month`, `previous calendar month` or `all time`
    6:11: error: expected `time` after `all`, found `over` [S022 expected-period]
    7:7: error: expected a period, found `}` [S022 expected-period]
    note: a period is written like `last 7 days`, `calendar month`, `previous calendar month` or `all time`
    """#),
  MessageCase(
    "lengths",
    #"""
    measure m {
      for app
      within days
      grace 2
      half life 2 moons
      within 30
    }

    """#,
    #"""
    3:10: error: expected a length, found `days` [S023 expected-length]
    note: write the number too: `7 days`
    4:10: error: expected `days`, `weeks` or `windows`, found `half` [S023 expected-length]
    5:15: error: expected `days`, `weeks` or `windows`, found `moons` [S023 expected-length]
    6:12: error: expected `days` or `weeks`, found `}` [S023 expected-length]
    note: write the unit too: `30 days`
    """#),
  MessageCase(
    "half clauses",
    #"""
    measure m {
      for app
      rest day < 3
      half 7 days
      of 3
      of a.
    }

    """#,
    #"""
    3:8: error: expected `when` after `rest`, found `day` [S026 expected-word]
    4:8: error: expected `life` after `half`, found the number `7` [S026 expected-word]
    5:6: error: expected the name of a metric, found the number `3` [S011 expected-name]
    6:8: error: expected a name after the point, found `}` [S011 expected-name]
    """#),
  MessageCase(
    "thresholds",
    #"""
    measure m {
      for app
      at 1, 2,
      by plan
      at many
      at least users
      at least 5 people
    }

    """#,
    #"""
    3:11: error: expected a threshold as a number, found `by` [S024 expected-number]
    5:6: error: expected a threshold as a number, found `many` [S024 expected-number]
    6:12: error: expected a number of users, found `users` [S024 expected-number]
    7:14: error: expected `users`, found `people` [S026 expected-word]
    note: write `at least 5 users`; a condition is `when sum(Record.field) >= 5`
    """#),
  MessageCase(
    "words out of a few",
    #"""
    measure m {
      for app
      order random
      audience everyone
      by cohort decade
    }

    """#,
    #"""
    3:9: error: expected `any` or `strict`, found `random` [S026 expected-word]
    4:12: error: expected `user` or `team`, found `everyone` [S026 expected-word]
    note: write `audience user`
    5:13: error: expected `day`, `week`, `month`, `quarter` or `year`, found `decade` [S026 expected-word]
    """#),
  MessageCase(
    "texts",
    #"""
    measure m {
      for app
      title Reading
      deprecated
      allow "x"
      allow W012
    }

    """#,
    #"""
    3:9: error: expected the title as a text, found `Reading` [S025 expected-text]
    note: put the text in quotes
    4:13: error: expected a text that says what to use instead, found `allow` [S025 expected-text]
    5:9: error: expected the code of a warning, found the text `"x"` [S011 expected-name]
    note: it is written like `allow W012 "why"`; a streak forgives with `grace 1 day`
    6:13: error: expected a text that says why, found `}` [S025 expected-text]
    """#),
  MessageCase(
    "steps",
    #"""
    measure m {
      for app
      step Event where name == "x"
      step 7 Event
      step a
    }

    """#,
    #"""
    3:8: error: a step needs a name and a fact, found only `Event` [S011 expected-name]
    note: it is written like `step opened Event where name == "app_opened"`
    4:8: error: expected a name for the step, found the number `7` [S011 expected-name]
    5:8: error: a step needs a name and a fact, found only `a` [S011 expected-name]
    note: it is written like `step opened Event where name == "app_opened"`
    """#),
  MessageCase(
    "after",
    #"""
    measure m {
      for app
      after days
      after 1, 7 or later
      after 1 day or sooner
    }

    """#,
    #"""
    3:9: error: expected a number of days, found `days` [S024 expected-number]
    4:14: error: expected `days` or `weeks`, found `or` [S023 expected-length]
    5:18: error: expected `later` after `or`, found `sooner` [S026 expected-word]
    """#),
  MessageCase(
    "start and return",
    #"""
    measure m {
      for app
      start
      return Event where
      start first 7
    }

    """#,
    #"""
    3:8: error: expected a fact, found `return` [S011 expected-name]
    4:21: error: expected an expression, found `start` [S016 expected-expression]
    5:15: error: expected a clause, found the number `7` [S014 expected-clause]
    note: numbers of a list are separated by commas: `at 7, 30`
    """#),
]
