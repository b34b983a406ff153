/// What changes from one reference day to the next in the groups of a metric: everything that holds on
/// a stretch of days is noted where it begins and where it ends, and one pass over the days adds it up.
struct GroupSweep {
  /// One day of a sweep.
  struct Day {
    var groups: [GroupValues]
    /// For each set of parts, how many different users are behind each group.
    var users: [[Cell: Int]]
  }

  let days: ReferenceDays
  private let parts: Int
  private let sets: Int
  private var changes: [[Change]]
  private var userChanges: [[UserChange]]

  private struct Change {
    var group: Cell
    /// The first parts that are counted; 0 says only that the group is there.
    var parts: Range<Int>
    var amount: Int
  }

  private struct UserChange {
    var key: UserKey
    var amount: Int
  }

  private struct UserKey: Hashable {
    var group: Cell
    var set: Int
    var user: Int32
  }

  /// - Parameter sets: how many sets of parts have users of their own; 0 where nobody counts users.
  init(_ days: ReferenceDays, parts: Int, sets: Int) {
    self.days = days
    self.parts = parts
    self.sets = sets
    changes = Array(repeating: [], count: days.count)
    userChanges = Array(repeating: [], count: sets == 0 ? 0 : days.count)
  }

  /// Adds 1 to some parts of a group on some reference days; the group is there on all of them.
  mutating func add(_ group: Cell, parts: Range<Int>, on range: Range<Int>) {
    guard !range.isEmpty else { return }
    changes[range.lowerBound].append(Change(group: group, parts: parts, amount: 1))
    if range.upperBound < days.count {
      changes[range.upperBound].append(Change(group: group, parts: parts, amount: -1))
    }
  }

  /// Notes the users behind a group for a set of its parts.
  mutating func add(users: Set<Int32>, _ group: Cell, set: Int, on range: Range<Int>) {
    guard !range.isEmpty, set < sets else { return }
    for user in users {
      let key = UserKey(group: group, set: set, user: user)
      userChanges[range.lowerBound].append(UserChange(key: key, amount: 1))
      if range.upperBound < days.count {
        userChanges[range.upperBound].append(UserChange(key: key, amount: -1))
      }
    }
  }

  /// Calls `body` with each reference day.
  ///
  /// - Parameter always: a group that is there even where nothing is.
  func forEachDay(always: Cell?, _ body: (Day) -> Void) {
    var present: [Cell: Int] = always.map { [$0: 1] } ?? [:]
    var counts: [Cell: [Cell]] = [:]
    var users: [UserKey: Int] = [:]
    var distinct = [[Cell: Int]](repeating: [:], count: sets)
    let zeros = [Cell](repeating: 0, count: parts)
    for index in 0..<days.count {
      for change in changes[index] {
        let now = present[change.group, default: 0] + change.amount
        present[change.group] = now == 0 ? nil : now
        for part in change.parts { counts[change.group, default: zeros][part] += Cell(change.amount) }
      }
      for change in sets == 0 ? [] : userChanges[index] {
        let before = users[change.key, default: 0]
        users[change.key] = before + change.amount == 0 ? nil : before + change.amount
        let step = (before + change.amount > 0 ? 1 : 0) - (before > 0 ? 1 : 0)
        distinct[change.key.set][change.key.group, default: 0] += step
      }
      let groups = present.keys.map { GroupValues(group: $0, values: counts[$0] ?? zeros) }
      body(Day(groups: groups, users: distinct))
    }
  }
}
