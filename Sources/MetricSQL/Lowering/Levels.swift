/// Levels: how many thresholds are reached (none by no value), and since when.
struct LevelLowering: MetricLowering {
  let translation: Translation
  let id: MetricID
  let level: Level
  let anchors: Anchors

  private var groups: [String] { translation.isGrouped(id) ? ["grp"] : [] }

  /// Groups are kept.
  func query() -> SQLQuery {
    let builder = SelectBuilder(from: translation.metric(level.metric, anchors).relation, as: "a")
    let columns = zip(metric.parts, values(builder)).map { SQLColumn($1, $0.column) }
    return builder.select(builder.columns(["subject", "r"] + groups) + columns)
  }

  func values(_ builder: SelectBuilder) -> [SQLExpression] {
    let reached = areReached(translation.metric(level.metric, anchors), builder).map(\.asNumber)
    guard level.hasDays else { return [.sum(reached)] }
    let names = ["subject"] + groups
    let firsts = builder.join(.left, firstDays(names), as: "l", same: names)
    let days = metric.parts.dropFirst().map { firsts[$0.name] }
    return [.sum(reached)] + days.map { $0.when($0.isAtMost(builder["r"])) }
  }

  private func areReached(_ place: MetricPlace, _ builder: SelectBuilder) -> [SQLExpression] {
    let part = library.metrics[level.metric].parts.first { $0.name == level.part }
    let value = builder[place.columns[level.part] ?? ""].millionths(part?.type ?? .decimal)
    return level.thresholds.map { value.isAtLeast(.number($0.millionths)) }
  }

  /// `subject`, `grp`?, `on1`…: the first day since the first fact on which each threshold is reached.
  private func firstDays(_ keys: [String]) -> String {
    let place = translation.metric(level.metric, translation.daysSinceFirstFact(of: level.metric))
    let builder = SelectBuilder(from: place.relation, as: "a")
    let columns = zip(metric.parts.dropFirst(), areReached(place, builder)).map { part, isReached in
      SQLColumn(.aggregate(.min, builder["r"].when(isReached)), part.name)
    }
    return define(
      "first_days", "the first day on which each threshold is reached.",
      builder.grouped(columns, by: builder.columns(keys)))
  }
}
