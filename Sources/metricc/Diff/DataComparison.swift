import MetricLanguage

/// How much the values of changed metrics differ over a dataset.
struct DataComparison {
  struct Difference: Hashable {
    var subject: String
    var group: GroupKey
    var part: String
    var old: Value
    var new: Value

    /// How much a number rose, in millionths; nil if one of the two is not a number.
    var rise: Int128? {
      guard let old = old.millionths, let new = new.millionths else { return nil }
      return new - old
    }
  }

  struct Change: Hashable {
    var metric: String
    /// All that have a row before or after, and those of them with a row that differs.
    var subjectCount: Int
    var changedSubjectCount: Int
    var rose: Int
    var fell: Int
    /// The rows that differ, those that differ most first.
    var differences: [Difference]
  }

  let at: DayKey
  /// In the order of the changes.
  private(set) var changes: [Change] = []

  private struct Place: Hashable {
    var texts: [[UInt8]]

    init(_ row: ResultRow) { texts = [row.subject, row.group.text, row.part].map { Array($0.utf8) } }
  }

  init(changes chosen: [MetricChange], at day: DayKey, old: [ResultRow], new: [ResultRow]) {
    at = day
    let before = Dictionary(grouping: old, by: \.metric)
    let after = Dictionary(grouping: new, by: \.metric)
    for change in chosen {
      changes.append(
        DataComparison.change(
          change.name, before[change.oldName ?? ""] ?? [], after[change.newName ?? ""] ?? []))
    }
  }

  private static func change(_ metric: String, _ old: [ResultRow], _ new: [ResultRow]) -> Change {
    let before = Dictionary(old.map { (Place($0), $0.value) }, uniquingKeysWith: { one, _ in one })
    let known = Set(new.map(Place.init))
    var differences: [Difference] = []
    func add(_ row: ResultRow, _ one: Value, _ other: Value) {
      guard one != other else { return }
      differences.append(
        Difference(subject: row.subject, group: row.group, part: row.part, old: one, new: other))
    }
    for row in new { add(row, before[Place(row)] ?? .none, row.value) }
    for row in old where !known.contains(Place(row)) { add(row, row.value, .none) }
    let sorted = differences.enumerated().sorted {
      let (one, other) = (($0.element.rise ?? 0).magnitude, ($1.element.rise ?? 0).magnitude)
      return one != other ? one > other : $0.offset < $1.offset
    }.map(\.element)
    func subjects(_ names: some Sequence<String>) -> Int { Set(names.map { Array($0.utf8) }).count }
    return Change(
      metric: metric, subjectCount: subjects((old + new).map(\.subject)),
      changedSubjectCount: subjects(differences.map(\.subject)),
      rose: differences.count { ($0.rise ?? 0) > 0 }, fell: differences.count { ($0.rise ?? 0) < 0 },
      differences: sorted)
  }
}
