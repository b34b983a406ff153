import MetricData
import MetricPlan

/// What funnels and retentions share: whom they speak of, groups, and the hiding of small ones.
struct WholeEvaluation {
  /// Numbers of the subjects, rising.
  let subjects: [Int]
  let atLeast: Int?
  private let grouping: Grouping?
  /// By record, the group of a fact.
  private let groupPrograms: [Int32: Program]
  private let groupType: ValueType
  /// By record, for each chain of references to a user, by row of a fact: the number of the user, or -1; empty
  /// where it is not asked for.
  private let users: [Int32: [[Int32]]]
  /// For each chain of references to a user, by number of the subject: the user behind it, or -1.
  private let subjectUsers: [[Int32]]
  private let ids: [Int32: Column]
  private let engine: Engine

  /// - Parameter sources: where the events come from that begin an attempt or are a day 0.
  init(
    grouping: Grouping?, atLeast: Int?, sources: [EventSource], _ compiler: Compiler
  ) throws(EvaluationError) {
    let engine = compiler.engine
    self.engine = engine
    self.grouping = grouping
    self.atLeast = atLeast
    let plan = engine.library.metrics[compiler.metric]
    let included = try CompiledMetric.included(plan, compiler)
    let exists = plan.subject.entity.map {
      engine.existing($0, reads: engine.needs.reads[compiler.metric] ?? [], isTeam: compiler.isTeam)
    }
    let count = engine.routing.subjectCount(plan.subject.entity)
    subjects = (0..<count).filter { (included?[$0] ?? true) && (exists?[$0] ?? true) }
    var programs: [Int32: Program] = [:]
    var users: [Int32: [[Int32]]] = [:]
    var ids: [Int32: Column] = [:]
    for case .fact(let record, _, _) in sources {
      if case .field(let paths, _) = grouping, let path = paths[record] {
        programs[Int32(record)] = try compiler.with(row: record, isFact: true).compile(.field(path))
      }
      if atLeast != nil { users[Int32(record)] = engine.users(behind: record) }
      ids[Int32(record)] = engine.library.records[record].idField.flatMap {
        engine.dataset.table(record).column($0)
      }
    }
    groupPrograms = programs
    groupType = if case .field(_, let type) = grouping { type } else { .dayKey }
    self.users = users
    self.ids = ids
    subjectUsers = plan.subject.entity.map { engine.users(behindEntity: $0) } ?? []
  }

  // MARK: Groups

  /// The group that an event belongs to, which began an attempt or is a day 0.
  func group(of event: Event) -> Cell {
    switch grouping {
    case nil: return noValue
    case .cohort(let unit): return unit.first(event.day)
    case .field:
      guard event.row >= 0, let program = groupPrograms[event.record] else { return noValue }
      let worker = Worker(engine: engine)
      worker.place.row = Int(event.row)
      return program(worker)
    }
  }

  /// The earliest of some events, by day, Instant and id; where nothing tells them apart, the one with
  /// the lowest group.
  func earliest(_ events: [Event]) -> Event? {
    guard let first = events.min(by: { $0.isEarlier(than: $1) }) else { return nil }
    guard case .field = grouping else { return first }
    let ties = events.filter { !first.isEarlier(than: $0) }
    guard ties.count > 1 else { return first }
    return ties.min { left, right in
      let (one, other) = (id(of: left), id(of: right))
      if one != other { return one.lexicographicallyPrecedes(other) }
      return name(of: group(of: left)).lexicographicallyPrecedes(name(of: group(of: right)))
    }
  }

  private func id(of event: Event) -> [UInt8] {
    guard event.row >= 0, let id = ids[event.record]?[Int(event.row)] else { return [] }
    return Array(engine.dataset.pool.string(Int32(id)).utf8)
  }

  private func name(of group: Cell) -> [UInt8] { Array(engine.text(of: group, groupType).utf8) }

  // MARK: Hiding

  /// The users behind some events; behind a day of a completion is its subject's user.
  func users(behind events: some Sequence<Event>, subject: Int) -> Set<Int32> {
    var found: Set<Int32> = []
    for event in events {
      if event.row >= 0 {
        for behind in users[event.record] ?? [] where behind[Int(event.row)] >= 0 {
          found.insert(behind[Int(event.row)])
        }
      } else {
        for behind in subjectUsers where subject < behind.count && behind[subject] >= 0 {
          found.insert(behind[subject])
        }
      }
    }
    return found
  }

  /// The rows with the values of small groups taken away.
  ///
  /// - Parameters:
  ///   - users: for each set of parts, how many users are behind each group.
  ///   - partsPerSet: how many parts a set has (all of a funnel; three of a retention).
  func hide(_ rows: [GroupValues], users: [[Cell: Int]], partsPerSet: Int) -> [GroupValues] {
    guard let atLeast else { return rows }
    let names = rows.map { name(of: $0.group) }
    var rows = rows
    for (set, users) in users.enumerated() {
      let counts = rows.map { users[$0.group] ?? 0 }
      let hidden = Hiding.hidden(users: counts, order: names, atLeast: atLeast)
      for index in rows.indices where hidden[index] {
        for part in set * partsPerSet..<(set + 1) * partsPerSet { rows[index].values[part] = noValue }
      }
    }
    return rows
  }
}
