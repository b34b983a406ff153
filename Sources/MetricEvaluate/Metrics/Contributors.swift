import MetricPlan

/// The facts that the aggregates of a value look at, and the distinct users behind them. The metrics that it reads have
/// their own `at least`: their many users would let the few of a small group pass (PRIV-06).
struct Contributors {
  /// One aggregate: its facts (those without the field, too) and the users behind them.
  private struct Source {
    var list: FactList
    var period: Period?
    /// For each chain of references to a user, by row of the fact: the number of the user, or -1.
    var users: [[Int32]]
  }

  /// Counted subjects: for whom they count, and the users behind each.
  private struct Counted {
    var members: (Int) -> [Int32]
    var filter: Program?
    /// For each chain of references to a user, by number of the subject.
    var users: [[Int32]]
  }

  private var sources: [Source] = []
  private var counted: [Counted] = []
  private let isGrouped: Bool

  init(_ value: Expression, _ compiler: Compiler, needsUsers: Bool = true) throws(EvaluationError) {
    isGrouped = compiler.groups != nil
    var aggregates: [Aggregate] = []
    var subjects: [SubjectAggregate] = []
    value.visit { part in
      if case .aggregate(let aggregate) = part { aggregates.append(aggregate) }
      if case .subjects(let aggregate) = part { subjects.append(aggregate) }
    }
    let engine = compiler.engine
    for var aggregate in aggregates {
      let period = aggregate.period
      aggregate.function = .count
      aggregate.argument = nil
      guard case .list(let list) = try compiler.facts(aggregate, hasRows: needsUsers) else { continue }
      sources.append(
        Source(
          list: list, period: period, users: needsUsers ? engine.routing.usersBehind(aggregate.record) : []))
    }
    guard needsUsers else { return }
    for aggregate in subjects {
      counted.append(
        Counted(
          members: engine.members(of: aggregate, compiler),
          filter: try compiler.within(.counted(aggregate.entity)).compile(aggregate.filter),
          users: engine.users(behindEntity: aggregate.entity)))
    }
  }

  private func slice(_ source: Source, _ place: Place) -> FactSlice {
    source.list.slice(isGrouped ? place.pair : place.subject)
  }

  /// By day, whether any fact lies in its aggregate's period, so that the group is there.
  func exists(_ place: Place, _ worker: Worker) -> [Bool] {
    var exists = [Bool](repeating: false, count: place.count)
    for source in sources {
      slice(source, place).forEachPeriod(source.period ?? place.period, place.days) {
        if !$1.isEmpty { exists[$0] = true }
      }
    }
    return exists
  }

  /// A group that is out of range on the days on which a fact of the subject lies in an aggregate's period whose
  /// condition leaves the range of numbers; nil where there is none.
  func outOfRangeColumn(_ place: Place) -> GroupColumn? {
    var isBeyond = [Bool](repeating: false, count: place.count)
    for source in sources {
      source.list.beyond?.slice(place.subject).forEachPeriod(source.period ?? place.period, place.days) {
        if !$1.isEmpty { isBeyond[$0] = true }
      }
    }
    guard isBeyond.contains(true) else { return nil }
    return GroupColumn(group: noValue, parts: [isBeyond.map { $0 ? outOfRange : noValue }], exists: isBeyond)
  }

  // MARK: Users

  /// The users behind a value, with the asked days on which they are.
  private struct Appearance {
    var user: Int32
    var lanes: Range<Int>
  }

  /// By day, how many distinct users are behind the value.
  func counts(_ place: Place, _ worker: Worker) -> [Cell] {
    var counts = [Cell](repeating: 0, count: place.count)
    var distinct: DistinctCounts
    if counted.isEmpty, sources.count == 1 {
      // Its facts come by day already.
      distinct = DistinctCounts(.allTime, place.days)
      forEachUser(sources[0], place) { distinct.add(Cell($0), $1) }
    } else {
      var appearances: [Appearance] = []
      for source in sources {
        forEachUser(source, place) { appearances.append(Appearance(user: $0, lanes: $1)) }
      }
      for source in counted { add(source, place, worker, to: &appearances) }
      // Stretches of asked days must not start before those before them.
      appearances.sort { $0.lanes.lowerBound < $1.lanes.lowerBound }
      distinct = DistinctCounts(.allTime, place.days)
      for appearance in appearances { distinct.add(Cell(appearance.user), appearance.lanes) }
    }
    counts.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { distinct.write(to: base) } }
    return counts
  }

  /// Calls `body` with the users behind the facts of an aggregate, in the order of their days.
  @inline(__always)
  private func forEachUser(
    _ source: Source, _ place: Place, _ body: (_ user: Int32, _ lanes: Range<Int>) -> Void
  ) {
    let slice = slice(source, place)
    guard let rows = slice.rows else { return }
    let period = source.period ?? place.period
    for fact in 0..<slice.count {
      let lanes = place.days.indices(
        from: slice.days[fact], through: period.lastEnd(holding: slice.days[fact]))
      guard !lanes.isEmpty else { continue }
      for users in source.users where users[Int(rows[fact])] >= 0 {
        body(users[Int(rows[fact])], lanes)
      }
    }
  }

  private func add(_ source: Counted, _ place: Place, _ worker: Worker, to appearances: inout [Appearance]) {
    worker.withCells(place.count) { holds in
      holds.update(repeating: 1, count: place.count)
      var place = place
      for number in source.members(place.subject) {
        let users = source.users.map { $0[Int(number)] }.filter { $0 >= 0 }
        if users.isEmpty { continue }
        place.counted = Int(number)
        source.filter?(place, holds, worker)
        for lane in 0..<place.count where holds[lane] == 1 {
          for user in users { appearances.append(Appearance(user: user, lanes: lane..<lane + 1)) }
        }
      }
    }
  }

  /// The value where there are enough users.
  func hiding(_ value: @escaping Program, atLeast: Int) -> Program {
    { place, out, worker in
      value(place, out, worker)
      let counts = counts(place, worker)
      for lane in 0..<place.count where counts[lane] < Cell(atLeast) { out[lane] = noValue }
    }
  }
}
