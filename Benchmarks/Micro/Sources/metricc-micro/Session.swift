import MetricData
import MetricDiagnostics
import MetricLanguage

/// One person, five habits, ten years: an entry comes, and a number is shown.
func sessionBenchmarks(_ isWanted: (String) -> Bool) throws -> [Measurement] {
  let source = """
    completion done { for habit every day when count(Entry) >= 1 }
    streak run { of done }
    streak best { of done best }
    momentum week { of done over last 7 days }
    progress total { for habit value sum(Entry.value) }
    """
  let entries = Entries(source, subjects: 5, days: 3650)
  let session = MetricSession(library: entries.library, tables: entries.tables, pool: entries.pool)
  let today = Entries.lastDay
  var number = 0

  func append() throws {
    number += 1
    try session.append(
      [
        "id": .text("n\(number)"), "habitId": .text("s\(number % 5)"), "dayKey": .day(today),
        "value": .int(1),
        "kind": .text("a"), "at": .text("2026-06-30T12:00:00Z"),
      ], to: "Entry")
  }
  func ask(_ metric: String) throws {
    if try session.value(of: metric, subject: "s\(number % 5)", at: today) != nil { sink += 1 }
  }
  // The first question indexes the records.
  try ask("run")

  var found: [Measurement] = []
  for metric in ["total", "run", "best", "week"] where isWanted("session: append, ask for \(metric)") {
    found.append(
      try measure("session: append, ask for \(metric)", "5 habits, 10 years", units: (1, "entry")) {
        try append()
        try ask(metric)
      })
  }
  if isWanted("session: ask again") {
    found.append(
      try measure("session: ask again", "5 habits, 10 years", units: (1, "question")) { try ask("run") })
  }
  return found
}
