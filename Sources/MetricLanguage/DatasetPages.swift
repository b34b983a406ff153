import MetricDiagnostics

extension Page {
  /// What only `check --data` looks for.
  static let dataset: [Page] = [
    Page(
      "D040", "duplicate-id", "Duplicate ids",
      what: """
        Two records of one type have the same `id`, live or not. `check --data` finds them; the evaluator \
        and SQL trust ids to be unique, and count both.
        """,
      why: """
        A copy counts twice. A later version of a record does not replace an earlier one: there is one \
        record for each id, and a deletion is a value in it.
        """,
      language: .csv,
      wrong: """
        id,userId,dayKey
        1,ada,2026-01-31
        1,ada,2026-01-31
        """,
      right: """
        id,userId,dayKey
        1,ada,2026-01-31
        2,ada,2026-01-31
        """),
    Page(
      "D041", "dangling-reference", "A dangling reference",
      what: """
        A live record names an entity by an id that no record has, live or deleted. Found by `check --data`. \
        If the whole file of the entity is missing, this is one warning for each field, or nothing if the \
        entity has only its id.
        """,
      why: """
        The subject exists, because a record names it, but all its fields are missing. Usually the id has a \
        typo, or an export was cut off.
        """,
      wrong: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        test "a slip in the id" {
          given Habit { id: "read" }
          given HabitEntry { habitId: "raed", dayKey: 2026-01-01 }
          expect done for "raed" at 2026-01-01 = true
        }
        """,
      right: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        test "the id that the habit has" {
          given Habit { id: "read" }
          given HabitEntry { habitId: "read", dayKey: 2026-01-01 }
          expect done for "read" at 2026-01-01 = true
        }
        """,
      seeAlso: ["D040"]),
    Page(
      "D042", "day-far-from-instant", "A day far from its instant",
      what: """
        The DayKey of a fact is two days or more from the UTC date of its instant. Found by `check --data`. \
        One day is normal: DayKeys are local, and zones reach from 12 hours behind UTC to 14 ahead. A later \
        instant is a note that `--strict` ignores: the entry was made afterwards. An earlier one is an \
        error.
        """,
      why: """
        Nothing is entered days before it happens. Seconds were taken for milliseconds, or day and month \
        were swapped.
        """,
      language: .csv,
      wrong: """
        id,userId,dayKey,startedAt
        1,ada,2026-01-31,2026-01-28T23:30:00Z
        """,
      right: """
        id,userId,dayKey,startedAt
        1,ada,2026-01-31,2026-02-01T11:30:00Z
        """,
      seeAlso: ["D012", "D020"]),
  ]
}
