import MetricDiagnostics

/// A field named for a clock or a zone carries what a change of the zone would rewrite.
enum ClockField: Rule {
  static let page = Page(
    """
    W016 clock-field: A metric reads a clock or a time zone from a field
    A field that the metric reads is named for an hour, a clock, a zone or an offset. An hour in UTC is a
    different hour where the person was.
    See: C301, C303
     fact Walk {
       id        : ID
       userId    : User
       dayKey    : DayKey
       hourUtc   : Int? min 0
       partOfDay : "morning" | "evening" ?
     }
    -measure early_walks { for user  value count(Walk where hourUtc < 6) }
    +measure early_walks { for user  value count(Walk where partOfDay == "morning") }
    """)

  private static let words: Set<String> = ["hour", "clock", "zone", "timezone", "tz", "utc", "gmt", "offset"]
  private static let stems = ["localtime", "timeofday", "timezone", "utcoffset"]

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    return scope.ids.flatMap { id -> [Diagnostic] in
      let metric = library.metrics[id]
      let leaves = scope.provenance.directLeaves(of: id)
      return leaves.filter { library[$0].type != .instant && isClock(library[$0].name) }.map { leaf in
        let name = "\(library.records[leaf.record].name).\(library[leaf].name)"
        return metric.warning(
          page.code, "`\(metric.name)` reads `\(name)`, which is named for a clock or a zone", at: "value",
          "when", notes: [Note("log the local part of the day, or count by DayKey")])
      }
    }
  }

  private static func isClock(_ name: String) -> Bool {
    let split = Words.split(name)
    // `pointsPerHour` is a rate.
    return Words.contain(split, anyOf: stems)
      || split.indices.contains { words.contains(split[$0]) && ($0 == 0 || split[$0 - 1] != "per") }
  }
}
