import MetricPlan

/// Counts of subjects by group, part and asked day. What holds on a stretch of days is noted where it begins and where
/// it ends, and one pass over the days adds it up.
struct GroupCounts {
  let days: DayRange
  private let parts: Int
  private let sets: Int
  private var groups: [Cell: Int] = [:]
  private var last: (group: Cell, number: Int)?
  /// By group: for each day and one more, how often the group is there and then the parts.
  private var changes: [[Int]] = []
  /// Users behind a group, for a set of its parts, on some days.
  private var users: [Users] = []

  private struct Users {
    var group: Int32
    var set: Int32
    var user: Int32
    var lanes: Range<Int32>
  }

  /// - Parameter sets: how many sets of parts have users of their own, times the ways to them; 0 where nobody counts users.
  init(_ days: DayRange, parts: Int, sets: Int, always group: Cell?) {
    self.days = days
    self.parts = parts
    self.sets = sets
    if let group {
      let number = self.number(group)
      changes[number][0] += 1
    }
  }

  private mutating func number(_ group: Cell) -> Int {
    if let last, last.group == group { return last.number }
    let number = groups[group] ?? changes.count
    if number == changes.count {
      groups[group] = number
      changes.append(Array(repeating: 0, count: (days.count + 1) * (parts + 1)))
    }
    last = (group, number)
    return number
  }

  /// Adds 1 to some parts of a group on some days, on which the group then exists.
  mutating func add(_ group: Cell, parts added: Range<Int>, on lanes: Range<Int>) {
    guard !lanes.isEmpty else { return }
    let number = number(group)
    let (start, end) = (lanes.lowerBound * (parts + 1), lanes.upperBound * (parts + 1))
    changes[number][start] += 1
    changes[number][end] -= 1
    for part in added {
      changes[number][start + 1 + part] += 1
      changes[number][end + 1 + part] -= 1
    }
  }

  /// Notes the users behind a group for a set of its parts, by the way to them.
  mutating func add(users ways: [Set<Int32>], _ group: Cell, set: Int, on lanes: Range<Int>) {
    guard !lanes.isEmpty else { return }
    let number = Int32(number(group))
    let lanes = Int32(lanes.lowerBound)..<Int32(lanes.upperBound)
    for (way, found) in ways.enumerated() {
      let set = Int32(set * ways.count + way)
      for user in found { users.append(Users(group: number, set: set, user: user, lanes: lanes)) }
    }
  }

  /// The sum of several threads' counts.
  static func sum(_ all: [GroupCounts]) -> GroupCounts {
    var sum = all[0]
    for other in all.dropFirst() {
      var numbers = [Int32](repeating: 0, count: other.changes.count)
      for (group, number) in other.groups {
        let own = sum.number(group)
        numbers[number] = Int32(own)
        for index in sum.changes[own].indices { sum.changes[own][index] += other.changes[number][index] }
      }
      sum.users += other.users.map {
        Users(group: numbers[Int($0.group)], set: $0.set, user: $0.user, lanes: $0.lanes)
      }
    }
    return sum
  }

  /// The groups, with the counts of their parts.
  var columns: [GroupColumn] {
    groups.map { group, number in
      var sums = [Int](repeating: 0, count: parts + 1)
      var column = GroupColumn(
        group: group, parts: Array(repeating: Array(repeating: 0, count: days.count), count: parts),
        exists: Array(repeating: false, count: days.count))
      for lane in 0..<days.count {
        for index in 0...parts { sums[index] += changes[number][lane * (parts + 1) + index] }
        column.exists[lane] = sums[0] > 0
        for part in 0..<parts { column.parts[part][lane] = Cell(sums[part + 1]) }
      }
      return column
    }
  }

  /// By set and group, how many different users are behind the group on each day.
  var userCounts: [[Cell: [Cell]]] {
    var counts = [[Cell: [Cell]]](repeating: [:], count: sets)
    let names = Dictionary(uniqueKeysWithValues: groups.map { ($1, $0) })
    let sorted = users.sorted {
      ($0.set, $0.group, $0.lanes.lowerBound) < ($1.set, $1.group, $1.lanes.lowerBound)
    }
    for same in sorted.chunked(by: { $0.set == $1.set && $0.group == $1.group }) {
      var distinct = DistinctCounts(days)
      for entry in same {
        distinct.add(Cell(entry.user), Int(entry.lanes.lowerBound)..<Int(entry.lanes.upperBound))
      }
      var column = [Cell](repeating: 0, count: days.count)
      column.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { distinct.write(to: base) } }
      if let first = same.first, let group = names[Int(first.group)] {
        counts[Int(first.set)][group] = column
      }
    }
    return counts
  }
}

extension Array {
  /// Stretches of elements of which each belongs to the one before it.
  fileprivate func chunked(by belongs: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
    var chunks: [ArraySlice<Element>] = []
    var start = 0
    for index in indices where index + 1 == count || !belongs(self[index], self[index + 1]) {
      chunks.append(self[start...index])
      start = index + 1
    }
    return chunks
  }
}
