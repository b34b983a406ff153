import MetricLanguage

private struct Entry: Encodable {
  var id: String
  var habitId: String
  var dayKey: DayKey
  var value: Int
  var kind: String
  var at: String
}

/// One person, five habits, ten years: an entry comes, and a number is shown.
func sessionBenchmarks(_ isWanted: (String) -> Bool) throws -> [Measurement] {
  let source = """
    completion done { for habit every day when count(Entry) >= 1 }
    streak run { of done }
    streak best { of done best }
    momentum week { of done over last 7 days }
    progress total { for habit value sum(Entry.value) }
    """
  let library = MetricLibrary(sources: [SourceFile(path: "micro.metric", text: Entries.records + source)])
  let session = try MetricSession(library: library)
  let today = Entries.lastDay
  var number = 0

  func entry(_ id: String, _ subject: Int, _ day: DayKey) -> Entry {
    Entry(id: id, habitId: "s\(subject)", dayKey: day, value: 1, kind: "a", at: "2026-06-30T12:00:00Z")
  }
  // An entry of each subject on five days of seven.
  var history: [Entry] = []
  for day in 0..<3650 {
    for subject in 0..<5 where (day * 3 + subject) % 7 < 5 {
      history.append(entry("e\(day)-\(subject)", subject, today.advanced(by: day - 3649)))
    }
  }
  try session.insert(contentsOf: history)
  func append() throws {
    number += 1
    try session.insert(entry("n\(number)", number % 5, today))
  }
  func ask(_ metric: String) throws {
    if try session.value(of: metric, for: "s\(number % 5)", on: today, as: Value.self) != nil { sink += 1 }
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
