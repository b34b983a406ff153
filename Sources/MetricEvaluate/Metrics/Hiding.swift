import MetricPlan
import MetricValues

/// `at least K users`: which groups show no value (PRIV-06, PRIV-07).
enum Hiding {
  /// A line is the groups with the same first fields, such as all of a country. In each the small lines of one field more
  /// are hidden and, as their sum could be computed from the total of the whole line, its next smallest.
  ///
  /// - Parameter levels: by number of fields, from one to all, for each group the distinct users behind its line, of the
  ///   aggregate that has the fewest.
  /// - Returns: whether each group is hidden.
  static func hidden(users levels: [[Int]], groups: [GroupKey], atLeast minimum: Int) -> [Bool] {
    var hidden = groups.map { _ in false }
    for (level, users) in levels.enumerated() where users.contains(where: { $0 < minimum }) {
      let lines = Dictionary(grouping: groups.indices) { GroupKey(Array(groups[$0].fields.prefix(level))) }
      for line in lines.values where line.contains(where: { users[$0] < minimum }) {
        let names = line.map { (users: users[$0], field: GroupKey(groups[$0].fields[level])) }
        let next = names.filter { $0.users >= minimum }.min { $0 < $1 }
        for (index, name) in zip(line, names) where name.users < minimum || next.map({ $0 == name }) ?? false
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
