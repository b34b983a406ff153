/// A field named for a clock or a zone holds what a change of the zone would rewrite.
enum ClockField: MetricRule {
  static let page = Page.checklist("W016")

  private static let words: Set<String> = ["hour", "clock", "zone", "timezone", "tz", "utc", "gmt", "offset"]
  private static let stems = ["localtime", "timeofday", "timezone", "utcoffset"]

  static func findings(of metric: Metric, _: MetricID, in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    let leaves = library.directReads(of: metric).leaves.sorted()
    return leaves.filter { library[$0].type != .instant && isClock(library[$0].name) }.map { leaf in
      metric.warning(
        page.code,
        "`\(metric.name)` reads `\(library.name(of: leaf))`, which is named for a clock or a zone",
        at: "value", "when", notes: ["log the local part of the day, or count by DayKey"])
    }
  }

  private static func isClock(_ name: String) -> Bool {
    let split = Words.split(name)
    // `pointsPerHour` is a rate.
    return Words.contain(split, anyOf: stems)
      || split.indices.contains { words.contains(split[$0]) && ($0 == 0 || split[$0 - 1] != "per") }
  }
}
