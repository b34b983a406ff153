import MetricData
import MetricDiagnostics
import MetricLanguage

/// Ten years of a person's entries, or those of many people.
struct Entries {
  let library: MetricLibrary
  let pool = StringPool()
  private(set) var tables: [String: Table] = [:]
  static let firstDay = DayKey("2016-07-03")!
  static let lastDay = firstDay.advanced(by: 3649)

  /// - Parameter source: definitions over `Entry` and `Visit`.
  init(_ source: String, subjects: Int, days: Int) {
    library = MetricLibrary(sources: [SourceFile(path: "micro.metric", text: Entries.records + source)])
    precondition(library.isAccepted, "\(library.findings.filter { $0.severity == .error })")
    for schema in library.schemas(for: []) {
      var table = Table(schema: schema)
      if schema.record == "Entry" || schema.record == "Visit" { fill(&table, subjects, days) }
      tables[schema.record] = table
    }
  }

  static let records = """
    fact Entry {
      id : ID  habitId : Habit  dayKey : DayKey  value : Decimal min 0  kind : "a" | "b" | "c"  at : Instant
    }
    fact Visit {
      id : ID  userId : User  dayKey : DayKey  value : Decimal min 0  kind : "a" | "b" | "c"  at : Instant
    }

    """

  /// An entry of each subject on five days of seven, with values that repeat.
  private func fill(_ table: inout Table, _ subjects: Int, _ days: Int) {
    for day in 0..<days {
      for subject in 0..<subjects where (day * 3 + subject) % 7 < 5 {
        let key = Entries.lastDay.advanced(by: day - days + 1)
        let cells: [Int64?] = table.schema.columns.map { column in
          switch column.name {
          case "id": Int64(pool.intern("e\(day)-\(subject)"))
          case "habitId", "userId": Int64(pool.intern("s\(subject)"))
          case "dayKey": Int64(key.number)
          case "value": Int64((day * 7 + subject) % 50) * 1_000_000
          case "kind": Int64(pool.intern(["a", "b", "c"][(day + subject) % 3]))
          case "at": Int64(key.number) * 86_400_000_000 + Int64(day * 7919 % 86_400) * 1_000_000
          default: nil
          }
        }
        table.append(cells)
      }
    }
  }

  /// The metric that is declared last.
  func evaluate(from: DayKey, to: DayKey) throws {
    let days = (from.number...to.number).map { DayKey(number: $0) }
    sink += try library.evaluate(
      metrics: library.metrics.suffix(1).map(\.name), subjects: [], days: days, tables: tables, pool: pool,
      threads: 1, progress: nil
    ).count
  }
}

/// The body of a metric for each node of a plan.
private let nodes: [(name: String, source: String)] =
  [
    "count(Entry)", "sum(Entry.value)", "min(Entry.value)", "max(Entry.value)", "average(Entry.value)",
    "percentile(Entry.value, 90)", "distinct(Entry.value)", "days(Entry)", "first(Entry.value)",
    "last(Entry.value)", "count(Entry where kind == \"a\" and value > 3)",
    "if sum(Entry.value) > 10 then count(Entry) * 2 + 1 else 0",
  ].map { ($0, "measure m { for habit audience team value \($0) }") } + [
    ("completion", "completion c { for habit every day when count(Entry) >= 1 }"),
    ("streak", "completion c { for habit every day when count(Entry) >= 1 } streak s { of c }"),
    ("streak, best", "completion c { for habit every day when count(Entry) >= 1 } streak s { of c best }"),
    (
      "streak of rolling weeks, best",
      "completion c { for habit every week when count(Entry) >= 3 } streak s { of c best }"
    ),
    (
      "momentum",
      "completion c { for habit every day when count(Entry) >= 1 } momentum s { of c over last 28 days }"
    ),
    (
      "momentum, half life",
      "completion c { for habit every day when count(Entry) >= 1 } momentum s { of c half life 13 days }"
    ),
    ("progress with a target", "progress p { for habit value sum(Entry.value) target 1000 }"),
    ("level", "progress p { for habit value sum(Entry.value) } level l { of p at 10, 100, 1000 }"),
  ]

private let wholes: [(name: String, source: String)] = [
  ("distinct users", "measure m { for app audience team value distinct(Visit.userId) over last 28 days }"),
  (
    "users where active",
    """
    completion active { for user every 28 days when count(Visit) >= 1 }
    measure m { for app audience team value count(user where active and not active offset 28 days) }
    """
  ),
  (
    "funnel",
    """
    funnel f {
      for user step one Visit where kind == "a" step two Visit where kind == "b" step three Visit where kind == "c"
      within 30 days
    }
    """
  ),
  (
    "funnel in any order",
    """
    funnel f {
      for user step one Visit where kind == "a" step two Visit where kind == "b" step three Visit where kind == "c"
      within 30 days order any
    }
    """
  ),
  (
    "retention by cohort",
    "retention r { for user start first Visit return Visit after 1, 7, 30 days by cohort day }"
  ),
  (
    "retention from each day",
    "retention r { for user start each Visit return Visit where kind == \"a\" after 1, 7, 30 days or later }"
  ),
  ("measure by a field", "measure m { for app audience team value sum(Visit.value) by kind }"),
]

/// One metric at one day, the data in memory.
func nodeBenchmarks(_ isWanted: (String) -> Bool) throws -> [Measurement] {
  try (nodes + wholes).filter { isWanted($0.name) }.map { node in
    let entries = Entries(node.source, subjects: 100, days: 365)
    return try measure(node.name, "26,000 facts, 1 day", units: (26_071, "fact")) {
      try entries.evaluate(from: Entries.lastDay, to: Entries.lastDay)
    }
  }
}

/// The same on each of 365 days.
func seriesBenchmarks(_ isWanted: (String) -> Bool) throws -> [Measurement] {
  let chosen =
    nodes.filter { ["sum(Entry.value)", "completion", "streak", "momentum"].contains($0.name) } + wholes
  return try chosen.map { ("series of " + $0.name, $0.source) }.filter { isWanted($0.0) }.map {
    name, source in
    let entries = Entries(source, subjects: 100, days: 365)
    return try measure(name, "26,000 facts, 365 days", units: (365, "day")) {
      try entries.evaluate(from: Entries.lastDay.advanced(by: -364), to: Entries.lastDay)
    }
  }
}
