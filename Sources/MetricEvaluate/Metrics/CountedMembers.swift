import Synchronization

/// Subjects that are counted, a number each. Of a group that may be another one on another day (GRP-07) a subject is
/// there once for each stretch of days on which it is in the group.
struct Members {
  var numbers: [Int32] = []
  /// The stretch of each number; empty if all are there on all days.
  var days: [ClosedRange<Int32>] = []

  /// Calls `body` with the number of each subject in some places and its stretches.
  @inline(__always)
  func forEach(
    in places: Range<Int>, _ body: (_ number: Int32, _ days: ArraySlice<ClosedRange<Int32>>) -> Void
  ) {
    guard !days.isEmpty else {
      for place in places { body(numbers[place], []) }
      return
    }
    var start = places.lowerBound
    while start < places.upperBound {
      var end = start + 1
      while end < places.upperBound, numbers[end] == numbers[start] { end += 1 }
      body(numbers[start], days[start..<end])
      start = end
    }
  }
}

/// The subjects that an aggregate over subjects counts, by the metric's own subject, and in a grouped measure also by
/// their group (GRP-06, GRP-07).
final class CountedMembers {
  private let all: (Int) -> [Int32]
  /// For each field of the group its value of a counted subject.
  private let fields: [Program]
  /// Whether a field is a metric, which has a value for each day.
  private let varies: Bool
  /// By number of the subject, since when it may be counted.
  let since: [Int32]?
  private let known = Mutex<[Key: [Cell: Members]]>([:])

  private struct Key: Hashable {
    var subject: Int
    var days: DayRange
  }

  private static let mostKnown = 64

  init(_ all: @escaping (Int) -> [Int32], fields: [Program], varies: Bool, since: [Int32]?) {
    (self.all, self.fields, self.varies, self.since) = (all, fields, varies, since)
  }

  func callAsFunction(_ place: Place, _ worker: Worker) -> Members {
    guard !fields.isEmpty else { return Members(numbers: all(place.subject)) }
    return byGroup(place.subject, place.days, worker)[place.group] ?? Members()
  }

  /// The groups, without that of the subjects whose group is out of range.
  func groups(of subject: Int, _ days: DayRange, _ worker: Worker) -> [Cell] {
    fields.isEmpty ? [] : byGroup(subject, days, worker).keys.filter { $0 != outOfRange }
  }

  /// Calls `body` with the place of each subject, and with whether it is counted on each asked day.
  func forEach(
    _ place: Place, where filter: Program?, _ worker: Worker,
    _ body: (_ place: Place, _ holds: UnsafePointer<Cell>) -> Void
  ) {
    let members = self(place, worker)
    forEach(of: members, in: members.numbers.indices, place, where: filter, worker, body)
  }

  /// The same for some of the members of a place.
  @inline(__always)
  func forEach(
    of members: Members, in places: Range<Int>, _ place: Place, where filter: Program?, _ worker: Worker,
    _ body: (_ place: Place, _ holds: UnsafePointer<Cell>) -> Void
  ) {
    worker.withCells(place.count) { holds in
      var place = place
      members.forEach(in: places) { number, stretches in
        place.counted = Int(number)
        if let filter { filter(place, holds, worker) } else { holds.update(repeating: 1, count: place.count) }
        leaveOut(place, outside: stretches, holds)
        body(place, holds)
      }
    }
  }

  /// Makes a condition false on the asked days before a subject may be counted, and on those that lie in none of its
  /// stretches, where it has some.
  private func leaveOut(
    _ place: Place, outside stretches: ArraySlice<ClosedRange<Int32>>, _ holds: UnsafeMutablePointer<Cell>
  ) {
    if let since { holds.update(repeating: 0, count: place.days.firstIndex(notBefore: since[place.counted])) }
    guard !stretches.isEmpty else { return }
    var lane = 0
    for stretch in stretches {
      let inside = place.days.indices(stretch)
      for before in lane..<max(lane, inside.lowerBound) { holds[before] = 0 }
      lane = max(lane, inside.upperBound)
    }
    for after in lane..<place.count { holds[after] = 0 }
  }

  private func byGroup(_ subject: Int, _ days: DayRange, _ worker: Worker) -> [Cell: Members] {
    let days = varies ? days : DayRange(0)
    let key = Key(subject: subject, days: days)
    if let known = known.withLock({ $0[key] }) { return known }
    let members = all(subject)
    let made = worker.map(members.count) { groups(of: members[$0], subject, days, $1) }
    let found = made.dropFirst().reduce(into: made[0]) { all, part in
      all.merge(part) { Members(numbers: $0.numbers + $1.numbers, days: $0.days + $1.days) }
    }
    known.withLock {
      if $0.count >= Self.mostKnown { $0.removeAll() }
      $0[key] = found
    }
    return found
  }

  private func groups(
    of members: ArraySlice<Int32>, _ subject: Int, _ days: DayRange, _ worker: Worker
  ) -> [Cell: Members] {
    var found: [Cell: Members] = [:]
    var place = Place(subject: subject, days: days, period: .allTime)
    worker.withCells(2 * days.count) { memory in
      let (groups, cells) = (memory, memory + days.count)
      for number in members {
        place.counted = Int(number)
        write(groups, cells, place, worker)
        var lane = varies ? since.map { days.firstIndex(notBefore: $0[Int(number)]) } ?? 0 : 0
        while lane < days.count {
          let (start, group) = (lane, groups[lane])
          while lane < days.count, groups[lane] == group { lane += 1 }
          found[group, default: Members()].numbers.append(number)
          if days.count > 1 { found[group]?.days.append(days[start]...days[lane - 1]) }
        }
      }
    }
    return found
  }

  /// The group of a subject on each day, out of range where one of its fields is.
  private func write(
    _ groups: UnsafeMutablePointer<Cell>, _ cells: UnsafeMutablePointer<Cell>, _ place: Place,
    _ worker: Worker
  ) {
    for (index, field) in fields.enumerated() {
      guard index > 0 else {
        field(place, groups, worker)
        continue
      }
      field(place, cells, worker)
      for lane in 0..<place.count {
        if groups[lane] == outOfRange { continue }
        if cells[lane] == outOfRange {
          groups[lane] = outOfRange
        } else {
          worker.combine(groups + lane, cells + lane, 1)
        }
      }
    }
  }
}
