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
  let changes: [Change]

  init(changes chosen: [MetricChange], at day: DayKey, old: [ResultRow], new: [ResultRow]) {
    at = day
    let before = Dictionary(grouping: old, by: \.metric)
    let after = Dictionary(grouping: new, by: \.metric)
    changes = chosen.map {
      DataComparison.change($0.name, before[$0.oldName ?? ""] ?? [], after[$0.newName ?? ""] ?? [])
    }
  }

  private static func change(_ metric: String, _ old: [ResultRow], _ new: [ResultRow]) -> Change {
    func place(_ row: ResultRow) -> [ByteKey] { [row.subject, row.group.text, row.part].map(ByteKey.init) }
    let before = Dictionary(old.map { (place($0), $0.value) }, uniquingKeysWith: { one, _ in one })
    let known = Set(new.map(place))
    let pairs =
      new.map { ($0, before[place($0)] ?? .none, $0.value) }
      + old.filter { !known.contains(place($0)) }.map { ($0, $0.value, .none) }
    let differences = pairs.filter { $1 != $2 }.map { row, old, new in
      Difference(subject: row.subject, group: row.group, part: row.part, old: old, new: new)
    }
    let sorted = differences.enumerated().sorted {
      let (one, other) = (($0.element.rise ?? 0).magnitude, ($1.element.rise ?? 0).magnitude)
      return one != other ? one > other : $0.offset < $1.offset
    }.map(\.element)
    func subjects(_ names: [String]) -> Int { Set(names.map(ByteKey.init)).count }
    return Change(
      metric: metric, subjectCount: subjects((old + new).map(\.subject)),
      changedSubjectCount: subjects(differences.map(\.subject)),
      rose: differences.count { ($0.rise ?? 0) > 0 }, fell: differences.count { ($0.rise ?? 0) < 0 },
      differences: sorted)
  }
}
