import MetricDiagnostics

extension Page {
  /// What only `check --data` looks for.
  static let dataset: [Page] = [
    Page(
      "D040", "duplicate-id", "Duplicate ids",
      what: """
        Two records of one type have the same `id`, whether they are live or not. `check --data` looks for it; \
        the evaluator and SQL trust ids to be unique, and count both.
        """,
      why: """
        A copy that slipped in counts twice. And a later version of a record, or a second one that says when it \
        was deleted, does not replace the first: there is one record for each id, and a deletion is a value in it.
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
        A live record refers to an entity by an id that no record of it has. Found by `check --data`. A record \
        that is not live is still there. Where the whole file of the entity is left out, as it may be, this is \
        a warning, once for each field; and nothing at all where the entity has no field but its id.
        """,
      why: """
        The subject exists all the same, since a record speaks of it, but all its fields are missing: a habit \
        without a cadence, a session that reaches no user. Mostly it is a slip in the id, or an export that \
        was cut off.
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
        The DayKey of a fact is two days or more from the UTC date of the instant that orders it. Found by \
        `check --data`.

        Instants are in UTC, and DayKeys are local. Zones reach from 12 hours behind UTC to 14 hours ahead of \
        it, so the DayKey is the UTC date of the instant, the day before or the day after. An instant further \
        behind is a note, which `--strict` passes over: the entry was made later, for the relevant day. An \
        instant further before the day is an error.
        """,
      why: """
        Nothing is entered days before it happens: one of the two is wrong. Seconds were taken for milliseconds, or \
        a date for another order of day and month.
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
