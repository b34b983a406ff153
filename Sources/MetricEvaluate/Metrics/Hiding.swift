/// `at least K users`: which groups show no value (PRIV-06, PRIV-07).
struct Hiding {
  let sets: [PeopleSet]
  /// The levels of lines of a table, of which the last are its groups.
  let levels: Range<Int>
  private let atLeast: Int

  /// Nil where nothing is hidden.
  init?(_ plan: Metric) {
    guard let atLeast = plan.body.atLeast else { return nil }
    self.atLeast = atLeast
    sets = plan.peopleSets
    levels = 0..<max(1, plan.grouping.count)
  }

  /// What is out of range stays an error.
  ///
  /// - Parameter fewest: how many users of a set are behind the line of a column, by the way that has the fewest.
  func hide(
    _ columns: inout [GroupColumn], named names: [GroupKey],
    fewest: (_ set: Int, _ level: Int, _ column: Int, _ lane: Int) -> Int
  ) {
    for lane in 0..<(columns.first?.dayCount ?? 0) {
      let shown = columns.indices.filter { columns[$0].exists(on: lane) }
      var hidden: [[Bool]] = []
      for (number, set) in sets.enumerated() {
        let users = levels.map { level in shown.map { fewest(number, level, $0, lane) } }
        var own = hiding(users: users, groups: shown.map { names[$0] })
        if let behind = set.behind { own = zip(own, hidden[behind]).map { $0 || $1 } }
        hidden.append(own)
        for (index, isHidden) in zip(shown, own) where isHidden {
          for part in set.parts where columns[index][part, lane] != outOfRange {
            columns[index][part, lane] = noValue
          }
        }
      }
    }
  }

  /// A line is the groups with the same first fields, such as all of a country. In each the small lines of one field more
  /// are hidden and, as their sum could be computed from the total of the whole line, its next smallest.
  ///
  /// - Parameter levels: by number of fields, from one to all, for each group the distinct users behind its line, of the
  ///   aggregate that has the fewest.
  /// - Returns: whether each group is hidden.
  private func hiding(users levels: [[Int]], groups: [GroupKey]) -> [Bool] {
    var hidden = groups.map { _ in false }
    for (level, users) in levels.enumerated() where users.contains(where: { $0 < atLeast }) {
      let lines = Dictionary(grouping: groups.indices) { GroupKey(Array(groups[$0].fields.prefix(level))) }
      for line in lines.values where line.contains(where: { users[$0] < atLeast }) {
        let names = line.map { (users: users[$0], field: GroupKey(groups[$0].fields[level])) }
        let next = names.filter { $0.users >= atLeast }.min { $0 < $1 }
        for (index, name) in zip(line, names) where name.users < atLeast || next.map({ $0 == name }) ?? false
        {
          hidden[index] = true
        }
      }
    }
    return hidden
  }
}

extension Worker {
  /// The line of a table in which a group is: its first fields, one at level 0.
  func line(_ group: Cell, _ level: Int, of count: Int) -> Cell {
    self.group(group, at: Array(0...min(level, max(count - 1, 0))), of: count)
  }
}
