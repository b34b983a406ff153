import MetricDiagnostics

extension Page {
  /// What only `check --data` looks for.
  static let dataset = read(
    #"""
    D040 duplicate-id: Duplicate ids
    Two records of one type have the same `id`, live or not. Found by `check --data`; the evaluator and SQL count
    both. A later version of a record does not replace an earlier one: a deletion is a value in it.
    In: csv
     id,userId,dayKey
     1,ada,2026-01-31
    -1,ada,2026-01-31
    +2,ada,2026-01-31

    D041 dangling-reference: A dangling reference
    A live record names an entity by an id that no record has, live or deleted: a typo, or an export that was
    cut off. Found by `check --data`. If the whole file of the entity is missing, this is one warning for each
    field, or nothing if the entity has only its id.
    See: D040
     completion done { for habit  every day  when count(HabitEntry) >= 1 }
     test "the id that the habit has" {
       given Habit { id: "read" }
    -  given HabitEntry { habitId: "raed", dayKey: 2026-01-01 }
    +  given HabitEntry { habitId: "read", dayKey: 2026-01-01 }
       expect done for "read" at 2026-01-01 = true
     }

    D042 day-far-from-instant: A day far from its instant
    The DayKey of a fact is two days or more from the UTC date of its instant; one day is normal, because
    DayKeys are local. Found by `check --data`. A later instant is a note that `--strict` ignores: the entry was
    made afterwards. An earlier one is an error: seconds were taken for milliseconds, or day and month were
    swapped.
    See: D012, D020
    In: csv
     id,userId,dayKey,startedAt
    -1,ada,2026-01-31,2026-01-28T23:30:00Z
    +1,ada,2026-01-31,2026-02-01T11:30:00Z

    D043 counted-measure: Entries counted as a measure
    A link with `count` adds 1 for each entry, and its goal has a unit that measures an amount, such as `km` or one in
    which some habit is measured: 29 entries would read as 29 km. Found by `check --data`, as a warning. Let the link
    `sum` the values, or leave the goal's unit out.
    See: D032
     progress far { for goal  value contribution(HabitEntry through GoalLink) }
     test "runs" {
    -  given Goal { id: "g", unit: "km" }
    +  given Goal { id: "g" }
       given Habit { id: "run" }
       given GoalLink { goalId: "g", habitId: "run", contribution: "count" }
       given HabitEntry { habitId: "run", dayKey: 2026-01-01 }
       expect far for "g" at 2026-01-01 = 1
     }
    """#)
}
