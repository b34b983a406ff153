/// What funnels and retentions share: their subjects, groups, and the hiding of small groups. An object, as it is passed on
/// for each subject: copies of a structure of as many arrays took 3 % of a retention's time.
final class ManySubjects {
  /// Numbers of the subjects, rising.
  let subjects: [Int32]
  /// By number of the subject, since when its events count.
  private let since: [Int32]?
  let events: Events
  private let hiding: Hiding?
  let grouping: [GroupField]
  /// Whether it matters which event began an attempt, or was a day 0, and not only on which day.
  let asksForEvents: Bool
  let engine: Engine
  /// By source of events, for each field of the group its value of a fact; nil for a cohort.
  private let groups: [[Program?]]
  /// By source, for each way to a user, by row of the fact: the number of the user, or -1.
  private let users: [[EntityNumbers]]
  /// For each way to a user, by number of the subject: the user behind it, or -1.
  private let subjectUsers: [EntityNumbers]
  /// The most ways to users that a source has.
  private let ways: Int
  private let ids: [Column?]

  /// - Parameter isTraced: whether events are asked for, as by `why` or the days to a step.
  init(
    keepsAll: Bool = false, keepsOrigins: Bool = false, isTraced: Bool = false, _ compiler: Compiler
  ) throws(EvaluationError) {
    let engine = compiler.engine
    self.engine = engine
    let plan = engine.library.metrics[compiler.metric]
    let entity = plan.subject.entity
    (grouping, hiding) = (plan.grouping, Hiding(plan))
    let included = try CompiledMetric.included(plan, compiler)
    let exists = entity.map { engine.existing(engine.needs.subjects(of: $0, for: compiler.metric)) }
    subjects = (0..<Int32(engine.routing.subjectCount(entity))).filter {
      (included?[Int($0)] ?? true) && (exists?[Int($0)] ?? true)
    }
    since = entity.flatMap { compiler.agreedSince($0) }
    asksForEvents = grouping.hasPaths || hiding != nil || isTraced
    events = try Events(
      plan.body.sources, keepsAll: keepsAll, hasOrigins: asksForEvents || keepsAll || keepsOrigins, compiler)
    groups = try events.records.map { record throws(EvaluationError) in
      let inner = record.map { compiler.within(.rows($0, isFact: true)) }
      return try plan.grouping.map { field throws(EvaluationError) in
        try inner?.compile(record.flatMap { field.expression(of: $0) })
      }
    }
    users =
      hiding == nil ? [] : events.records.map { Routing.ways($0.map(engine.routing.usersBehind) ?? []) }
    subjectUsers = hiding == nil ? [] : Routing.ways(entity.map { engine.users(behindEntity: $0) } ?? [])
    ways = hiding == nil ? 0 : engine.library.ways(of: plan)
    ids = events.records.map { record in
      record.flatMap { id in
        engine.library.records[id].idField.flatMap { engine.dataset.table(id).column($0) }
      }
    }
  }

  /// Counts the subjects in parallel, in chunks.
  ///
  /// - Parameters:
  ///   - readsEvents: whether `add` asks for events, and not for folded days itself.
  ///   - add: takes in the events of a subject up to the last of the days.
  func count(
    _ days: DayRange, parts: Int, amounts: Int = 0, sets: Int, readsEvents: Bool = true, _ worker: Worker,
    add: (_ events: EventList, _ subject: Int, _ counts: inout GroupCounts, _ worker: Worker) -> Void
  ) -> GroupCounts {
    var all: [(GroupCounts, isOutOfRange: Bool)] = []
    var low = 0
    events.forEachStretch { stretch, stored in
      let high = subjects[low...].firstIndex { Int($0) >= stretch.upperBound } ?? subjects.count
      let own = subjects[low..<high]
      low = high
      all += worker.map(own.count) { places, part in
        var counts = GroupCounts(
          days, parts: parts, amounts: amounts, sets: sets * ways, always: grouping.isEmpty ? noValue : nil)
        for subject in own.dropFirst(places.lowerBound).prefix(places.count) {
          guard readsEvents else {
            add(.empty, Int(subject), &counts, part)
            continue
          }
          withEvents(of: Int(subject), stored, through: days.last, part) { events in
            add(events, Int(subject), &counts, part)
          }
        }
        return (counts, part.isOutOfRange)
      }
    }
    if all.contains(where: \.isOutOfRange) { worker.isOutOfRange = true }
    return GroupCounts.sum(all.map(\.0))
  }

  /// Calls `body` with the events of a subject that count; those of completions up to a day.
  private func withEvents(
    of subject: Int, _ stored: StoredEvents?, through last: Int32, _ worker: Worker,
    _ body: (EventList) -> Void
  ) {
    events.with(subject: subject, of: stored, through: last, worker) { events in
      let first = since.map { since in events.partitioningIndex { $0.day >= since[subject] } } ?? 0
      body(events.part(first..<events.count))
    }
  }

  /// Calls `body` with the events of one subject that count, up to a day.
  func withEvents(of subject: Int, through last: Int32, _ worker: Worker, _ body: (EventList) -> Void) {
    withEvents(of: subject, events.stored(of: subject), through: last, worker) { events in
      body(events.part(0..<events.partitioningIndex { $0.day > last }))
    }
  }

  /// The record of an event; nil for a day of a completion.
  func record(of index: Int, _ all: EventList) -> RecordReference? {
    guard let origin = all.origins?[index], origin.row >= 0 else { return nil }
    return events.records[Int(origin.source)].map { engine.dataset.reference($0, Int(origin.row)) }
  }

  /// The first day from which a subject's events count.
  func firstDay(of subject: Int) -> Int32 { since?[subject] ?? .min }

  func groupName(_ events: EventList, _ index: Int, _ worker: Worker) -> GroupKey {
    engine.key(of: group(events[index], events.origins?[index], worker), grouping)
  }

  /// The group of the event that began an attempt or is a day 0 (GRP-04, GRP-05).
  func group(_ event: Event, _ origin: EventOrigin?, _ worker: Worker) -> Cell {
    var group = noValue
    for (number, field) in grouping.enumerated() {
      var cell = noValue
      if case .cohort(let unit) = field {
        cell = Cell(unit.days(holding: event.day).lowerBound)
      } else if let origin, origin.row >= 0, let program = groups[Int(origin.source)][number] {
        withUnsafePointer(to: origin.row) { program(Place(count: 1, rows: $0), &cell, worker) }
      }
      if number == 0 { group = cell } else { worker.combine(&group, &cell, 1) }
    }
    return group
  }

  /// The earliest of some events, by day, Instant and id; where nothing tells them apart, the one with the lowest
  /// group. The events stand by day and Instant.
  func earliest(_ indices: [Int], _ events: EventList, _ worker: Worker) -> Int? {
    guard let first = indices.first, grouping.hasPaths, let origins = events.origins else {
      return indices.first
    }
    let ties = indices.prefix { !events[first].isEarlier(than: events[$0]) }
    guard ties.count > 1 else { return first }
    return ties.min { left, right in
      let (one, other) = (id(of: origins[left]), id(of: origins[right]))
      if one != other { return one.lexicographicallyPrecedes(other) }
      return groupName(events, left, worker) < groupName(events, right, worker)
    }
  }

  private func id(of origin: EventOrigin) -> [UInt8] {
    guard origin.row >= 0, let id = ids[Int(origin.source)]?[Int(origin.row)] else { return [] }
    return Array(engine.dataset.pool.string(Int32(id)).utf8)
  }

  /// By way, the users behind some events; behind a day of a completion is its subject's user.
  func users(behind indices: [Int], _ events: EventList, subject: Int) -> [Set<Int32>] {
    (0..<ways).map { way in
      var found: Set<Int32> = []
      // Neighbouring events mostly have the same user; a set for each took a sixth of a funnel's time.
      var last: Int32 = -1
      for index in indices {
        let origin = events.origins.flatMap { $0[index].row >= 0 ? $0[index] : nil }
        let behind = origin.map { users[Int($0.source)] } ?? subjectUsers
        guard !behind.isEmpty else { continue }
        let user = behind[min(way, behind.count - 1)][origin.map { Int($0.row) } ?? subject]
        if user != last, user >= 0 { found.insert(user) }
        last = user
      }
      return found
    }
  }

  /// Of the users at or below a percentile, and of those at or above it, how many there are of the fewer.
  private func fewest(beside percentile: Int, of sample: [GroupCounts.Sample]) -> Int {
    let middle = GroupCounts.percentile(percentile, of: sample)
    let sides = [sample.filter { $0.days <= middle }, sample.filter { $0.days >= middle }]
    return (0..<ways).flatMap { way in
      sides.map { side in side.reduce(into: Set<Int32>()) { $0.formUnion($1.users[way]) }.count }
    }.min() ?? 0
  }

  /// Hides the values of small groups.
  func hide(_ columns: inout [GroupColumn], _ counts: GroupCounts, _ worker: Worker) {
    guard let hiding else { return }
    let levels = hiding.levels
    let names = columns.map { engine.key(of: $0.group, grouping) }
    let lines = levels.map { level in columns.map { worker.line($0.group, level, of: grouping.count) } }
    let users = levels.map { level in counts.users { worker.line($0, level, of: grouping.count) } }
    let samples = levels.map { level in counts.samples { worker.line($0, level, of: grouping.count) } }
    hiding.hide(&columns, named: names) { set, level, column, lane in
      let line = lines[level][column]
      if case .took(let step, let percentile) = hiding.sets[set].people {
        return fewest(beside: percentile, of: (samples[level][line] ?? []).filter { $0.is(step, lane) })
      }
      return users[level][set * ways..<(set + 1) * ways].map { Int($0[line]?[lane] ?? 0) }.min() ?? 0
    }
  }
}

extension GroupColumn {
  /// Replaces all groups if a completion that serves as an event is out of range.
  init(outOfRangeOn days: DayRange, parts: Int, _ worker: Worker) {
    worker.isOutOfRange = false
    self.init(
      group: noValue, cells: Array(repeating: outOfRange, count: days.count * parts), dayCount: days.count)
  }
}

/// Counts of subjects by group, part and asked day. What holds on a stretch of days is noted where it begins and where
/// it ends, and one pass over the days adds it up.
struct GroupCounts {
  let days: DayRange
  private let parts: Int
  private let amounts: Int
  private let sets: Int
  private var groups = PairNumbers(subjectCount: 1)
  private var last: (group: Cell, number: Int)?
  /// By group: for each day and one more, how often the group is there and then the parts.
  private var changes: [[Int]] = []
  /// By group: for each amount, and for each day and one more, what comes in then. Beside the counts, as the sum of many
  /// subjects needs more bits (NUM-02).
  private var additions: [[Int128]] = []
  /// Users behind a group, for a set of its parts, on some days.
  private var users: [Users] = []
  /// How many days subjects took to a step.
  private var samples: [(group: Int, sample: Sample)] = []

  /// How many days a subject took to a step, on some asked days; and by way the users behind it.
  struct Sample {
    var step: Int
    var days: Cell
    var users: [Set<Int32>]
    var lanes: Range<Int>

    func `is`(_ step: Int, _ lane: Int) -> Bool { self.step == step && lanes.contains(lane) }
  }

  private struct Users {
    var group: Int32
    var set: Int32
    var user: Int32
    var lanes: Range<Int32>
  }

  /// - Parameters:
  ///   - amounts: how many sums there are beside the counts.
  ///   - sets: how many sets of parts have users of their own, times the ways to them; 0 where nobody counts users.
  init(_ days: DayRange, parts: Int, amounts: Int = 0, sets: Int, always group: Cell?) {
    self.days = days
    self.parts = parts
    self.amounts = amounts
    self.sets = sets
    if let group {
      let number = self.number(group)
      changes[number][0] += 1
    }
  }

  private mutating func number(_ group: Cell) -> Int {
    if let last, last.group == group { return last.number }
    let number = Int(groups.number(Pair(subject: 0, group: group)))
    if number == changes.count {
      changes.append(Array(repeating: 0, count: (days.count + 1) * (parts + 1)))
      additions.append(Array(repeating: 0, count: (days.count + 1) * amounts))
    }
    last = (group, number)
    return number
  }

  /// Adds 1 to some parts of a group on some days, on which the group then exists.
  mutating func add(_ group: Cell, parts added: Range<Int>, on lanes: Range<Int>) {
    guard !lanes.isEmpty else { return }
    let number = number(group)
    let (start, end) = (lanes.lowerBound * (parts + 1), lanes.upperBound * (parts + 1))
    changes[number].withUnsafeMutableBufferPointer { changes in
      changes[start] += 1
      changes[end] -= 1
      for part in added {
        changes[start + 1 + part] += 1
        changes[end + 1 + part] -= 1
      }
    }
  }

  /// Adds to an amount of a group on some days.
  mutating func add(_ amount: Int128, _ group: Cell, _ place: Int, on lanes: Range<Int>) {
    guard !lanes.isEmpty, amount != 0 else { return }
    let (number, start) = (number(group), place * (days.count + 1))
    additions[number][start + lanes.lowerBound] += amount
    additions[number][start + lanes.upperBound] -= amount
  }

  /// An amount of a group, by day.
  func amounts(of group: Cell, _ place: Int) -> [Int128] {
    guard let number = groups.find(Pair(subject: 0, group: group)).map({ Int($0) }) else { return [] }
    var sum: Int128 = 0
    return additions[number][(place * (days.count + 1))...].prefix(days.count).map { change in
      sum += change
      return sum
    }
  }

  /// Notes the users behind a group for a set of its parts, by the way to them.
  mutating func add(users ways: [Set<Int32>], _ group: Cell, set: Int, on lanes: Range<Int>) {
    guard !ways.isEmpty, !lanes.isEmpty else { return }
    let number = Int32(number(group))
    let lanes = Int32(lanes.lowerBound)..<Int32(lanes.upperBound)
    for (way, found) in ways.enumerated() {
      let set = Int32(set * ways.count + way)
      for user in found { users.append(Users(group: number, set: set, user: user, lanes: lanes)) }
    }
  }

  mutating func add(days: Int32, _ group: Cell, step: Int, users: [Set<Int32>], on lanes: Range<Int>) {
    guard !lanes.isEmpty else { return }
    samples.append((number(group), Sample(step: step, days: Cell(days), users: users, lanes: lanes)))
  }

  /// By the line of a table in which its group is.
  func samples(_ line: (_ group: Cell) -> Cell) -> [Cell: [Sample]] {
    let lines = groups.all.map { line($0.group) }
    return Dictionary(grouping: samples) { lines[$0.group] }.mapValues { $0.map(\.sample) }
  }

  /// AGG-03; `noValue` of nobody.
  static func percentile(_ percentile: Int, of sample: [Sample]) -> Cell {
    var days = sample.map(\.days)
    return days.withUnsafeMutableBufferPointer { Statistics.percentile($0, rank: percentile) }
  }

  /// The sum of several threads' counts.
  static func sum(_ all: [GroupCounts]) -> GroupCounts {
    var sum = all[0]
    for other in all.dropFirst() {
      var numbers = [Int32](repeating: 0, count: other.changes.count)
      for (number, pair) in other.groups.all.enumerated() {
        let own = sum.number(pair.group)
        numbers[number] = Int32(own)
        for index in sum.changes[own].indices { sum.changes[own][index] += other.changes[number][index] }
        for index in sum.additions[own].indices {
          sum.additions[own][index] += other.additions[number][index]
        }
      }
      sum.samples += other.samples.map { (Int(numbers[$0.group]), $0.sample) }
      sum.users += other.users.map {
        Users(group: numbers[Int($0.group)], set: $0.set, user: $0.user, lanes: $0.lanes)
      }
    }
    return sum
  }

  /// The groups, with the counts of their parts.
  var columns: [GroupColumn] {
    groups.all.enumerated().map { number, pair in
      var sums = [Int](repeating: 0, count: parts + 1)
      var column = GroupColumn(group: pair.group, parts: parts, dayCount: days.count)
      for lane in 0..<days.count {
        for index in 0...parts { sums[index] += changes[number][lane * (parts + 1) + index] }
        for part in 0..<parts where sums[0] > 0 { column[part, lane] = Cell(sums[part + 1]) }
      }
      return column
    }
  }

  /// By set and line of a table, how many different users are behind the line on each day.
  func users(_ line: (_ group: Cell) -> Cell) -> [[Cell: [Cell]]] {
    var counts = [[Cell: [Cell]]](repeating: [:], count: sets)
    let lines = groups.all.map { line($0.group) }
    for (set, users) in Dictionary(grouping: users, by: \.set) {
      counts[Int(set)] = Dictionary(grouping: users) { lines[Int($0.group)] }.mapValues { users in
        var distinct = DistinctCounts(days)
        for entry in users.sorted(by: { $0.lanes.lowerBound < $1.lanes.lowerBound }) {
          distinct.add(Cell(entry.user), Int(entry.lanes.lowerBound)..<Int(entry.lanes.upperBound))
        }
        return distinct.column
      }
    }
    return counts
  }
}
