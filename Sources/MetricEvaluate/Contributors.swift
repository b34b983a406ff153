import MetricPlan

/// The distinct users behind the facts that the aggregates of a value read.
struct Contributors {
  /// One aggregate: its facts (those without the field, too) and the users behind them.
  struct Source {
    var list: FactList
    var period: Period?
    /// For each chain of references to a user, by row of the fact: the number of the user, or -1.
    var users: [[Int32]]
  }

  var sources: [Source]
  /// Users behind the subjects that the value counts.
  var others: [(_ worker: Worker) -> Set<Int32>]

  /// - Parameter key: the subject, or the pair of subject and group, by which the lists are indexed.
  func users(_ key: Int, _ worker: Worker) -> Set<Int32> {
    var found: Set<Int32> = []
    for source in sources {
      let end = worker.place.windowEnd
      let start = source.period?.start(endingAt: end) ?? worker.place.windowStart
      for slot in source.list.index.slots(of: key, from: start, through: end) {
        let row = Int(source.list.index.rows[slot])
        for users in source.users where users[row] >= 0 { found.insert(users[row]) }
      }
    }
    for other in others { found.formUnion(other(worker)) }
    return found
  }

  /// Whether a fact of the subject lies there whose condition leaves the range of numbers: which groups
  /// there are cannot be said.
  func isBeyondRange(_ subject: Int, _ worker: Worker) -> Bool {
    let end = worker.place.windowEnd
    return sources.contains { source in
      let start = source.period?.start(endingAt: end) ?? worker.place.windowStart
      return source.list.beyond.map { !$0.slots(of: subject, from: start, through: end).isEmpty } ?? false
    }
  }

  /// Whether any fact lies in its aggregate's period, so that the group exists.
  func hasFacts(_ key: Int, _ worker: Worker) -> Bool {
    let end = worker.place.windowEnd
    return sources.contains { source in
      let start = source.period?.start(endingAt: end) ?? worker.place.windowStart
      return !source.list.index.slots(of: key, from: start, through: end).isEmpty
    }
  }
}

extension Compiler {
  /// What is behind a value: its own aggregates, by pairs where it is grouped. The metrics that it reads
  /// have their own `at least`: their many users would let the few of a small group pass.
  func contributors(of value: Expression, needsUsers: Bool) throws(EvaluationError) -> Contributors {
    var aggregates: [Aggregate] = []
    var subjects: [SubjectAggregate] = []
    value.visit { part in
      switch part {
      case .aggregate(let aggregate): aggregates.append(aggregate)
      case .subjects(let aggregate): subjects.append(aggregate)
      default: break
      }
    }
    var contributors = Contributors(sources: [], others: [])
    for aggregate in aggregates {
      var facts = aggregate
      facts.function = .count
      facts.argument = nil
      facts.type = .int
      contributors.sources.append(
        .init(
          list: try factList(facts), period: aggregate.period,
          users: needsUsers ? engine.users(behind: aggregate.record) : []))
    }
    guard needsUsers else { return contributors }
    for aggregate in subjects { contributors.others.append(try users(behind: aggregate)) }
    return contributors
  }

  /// The users that are counted themselves, or behind the counted subjects.
  private func users(behind aggregate: SubjectAggregate) throws(EvaluationError) -> (Worker) -> Set<Int32> {
    let inner = with(row: aggregate.entity, isFact: false)
    var filter: Program?
    if let expression = aggregate.filter { filter = try inner.compile(expression) }
    let members = engine.members(of: aggregate, self)
    let rows = dataset.space(aggregate.entity).rows
    let users = engine.users(behindEntity: aggregate.entity)
    return { worker in
      var found: Set<Int32> = []
      for number in members(worker.place.subject) {
        let behind = users.map { $0[Int(number)] }.filter { $0 >= 0 }
        if behind.isEmpty { continue }
        var place = worker.place
        place.counted = Int(number)
        place.row = Int(rows[Int(number)])
        if worker.at(place, { filter.map { $0(worker) == 1 } ?? true }) { found.formUnion(behind) }
      }
      return found
    }
  }
}
