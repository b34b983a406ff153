extension Page {
  static let checklist: [Page] = [
    Page(
      "C101", "reads-stored-field", "A metric reads a stored metric",
      what: "The field is marked `stored`: somebody keeps a computed number there.",
      why: """
        A stored number drifts from the facts that it came from, and then no one can say which is right. What is
        derived is derived from facts.
        """,
      wrong: """
        extend Habit { bestStreak : Int? stored }
        measure best { for habit  value habit.bestStreak }
        """,
      right: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        streak best { of done  best }
        """,
      seeAlso: ["W001"]),
    Page(
      "C201", "stores-state", "A metric is to be kept",
      what: "`stored`, `cached` and `persist` ask for a metric to be written down.",
      why: "If all metrics are deleted, truth remains: it is in the facts. A copy would be a second truth.",
      wrong: "measure visits { for user  value count(Event)  cached }",
      right: "measure visits { for user  value count(Event) }"),
    Page(
      "C202", "mutates-state", "A metric is to be changed",
      what: "`increment`, `reset` and `override` ask a metric to change something.",
      why: "A number is corrected by correcting the fact that it rests on; then every metric agrees.",
      wrong: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        streak run { of done  reset monthly }
        """,
      right: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        streak run { of done }
        """),
    Page(
      "C203", "reads-level", "A metric reads a level",
      what: "No metric may rest on a level.",
      why: "A level interprets a number for a person. Once others rest on it, it has become a truth.",
      wrong: """
        measure visits { for user  value count(Event) }
        level rank { of visits  at 5, 10 }
        measure points { for user  value rank * 100 }
        """,
      right: """
        measure visits { for user  value count(Event) }
        level rank { of visits  at 5, 10 }
        measure points { for user  value visits * 10 }
        """),
    Page(
      "C301", "reads-instant", "An instant is used for more than order",
      what: "An Instant orders the facts of one day, and may be asked `is none`. Nothing else reads it.",
      why: "The day of an instant depends on a zone; who travels would see history change. DayKeys stay.",
      wrong: """
        measure last_seen { for habit  value count(HabitEntry where timestampUtc == timestampUtc) }
        """,
      right: "measure seen { for habit  value count(HabitEntry where timestampUtc is not none) }"),
    Page(
      "C302", "reads-clock", "A metric asks for the time",
      what: "`now` and `today` do not exist.",
      why: "A metric depends on the dataset and a reference day, so the same question has the same answer.",
      wrong: "measure entries { for habit  value count(HabitEntry where day == today) }",
      right: "measure entries { for habit  value count(HabitEntry over last 1 day) }"),
    Page(
      "C303", "uses-time-zone", "A metric asks for a zone or a timestamp",
      what: "`timezone` and `timestamp` ask to aggregate by instants.",
      why: "A day was that day where it was lived. Another zone must not move it.",
      wrong: #"measure entries { for habit  value count(HabitEntry)  timezone "Europe/Berlin" }"#,
      right: "measure entries { for habit  value count(HabitEntry) }"),
    Page(
      "C401", "falls-when-logged", "Logging something can lower a number that a person sees",
      what: """
        It is not proved that the metric, or a part of it, stays or rises with every fact that is added; a
        completion may also lose a window or end a rest. The note says which part of the expression falls.
        """,
      why: """
        Who does more must never see less. An average falls with the next small entry, a ratio with the next
        attempt. `audience team` is for numbers that the person is not shown.
        """,
      wrong: "measure mean { for habit  value average(HabitEntry.value) }",
      right: """
        measure total { for habit  value sum(HabitEntry.value) }
        measure mean { for habit  value average(HabitEntry.value)  audience team }
        """,
      seeAlso: ["C404", "C405", "C406"]),
    Page(
      "C402", "penalty-term", "A metric names a penalty",
      what: "`penalty`, `missed`, `late` and `deadline` have no meaning in a metric.",
      why: "What was not done is simply not counted. A metric never punishes.",
      wrong: """
        measure points { for habit  value count(HabitEntry)  penalty 5 per missed day }
        """,
      right: "measure points { for habit  value 5 * count(HabitEntry) }",
      seeAlso: ["W008"]),
    Page(
      "C403", "day-as-score", "Passing days are a score",
      what: "A metric that a person sees may compare `day` but not compute with it.",
      why: "A number of days since something grows worse by doing nothing.",
      wrong: """
        extend Habit { startDay : DayKey? }
        measure age { for habit  value greatest(day - habit.startDay, 0) }
        """,
      right: """
        extend Habit { startDay : DayKey? }
        measure entries { for habit  value count(HabitEntry where day >= habit.startDay) }
        """),
    Page(
      "C404", "reads-team-metric", "A user metric reads a team metric",
      what: "A metric that is shown to a person rests on one that is not.",
      why: "The fourth question does not bind team metrics, so nothing that rests on one is proved.",
      wrong: """
        measure total { for habit  value sum(HabitEntry.value)  audience team }
        measure double { for habit  value total * 2 }
        """,
      right: """
        measure total { for habit  value sum(HabitEntry.value) }
        measure double { for habit  value total * 2 }
        """,
      seeAlso: ["C401", "T026"]),
    Page(
      "C405", "below-zero", "A number that a person sees can go below 0",
      what: "It is not proved that the value is never negative.",
      why: "A person starts at 0 or above. A debt is a punishment.",
      wrong: """
        extend Habit { bonus : Int? }
        measure points { for habit  value habit.bonus }
        """,
      right: """
        extend Habit { bonus : Int? min 0 }
        measure points { for habit  value habit.bonus }
        """,
      seeAlso: ["C401"]),
    Page(
      "C406", "level-can-fall", "A level can fall as days pass",
      what: "The level rests on a number that can be lower tomorrow without anything being done.",
      why: "What a level names has been reached. It is not taken away by resting.",
      wrong: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        streak run { of done }
        level rank { of run  at 7, 30 }
        """,
      right: """
        completion done { for habit  every day  when count(HabitEntry) >= 1 }
        streak best_run { of done  best }
        level rank { of best_run  at 7, 30 }
        """,
      seeAlso: ["C401"]),
  ]
}
