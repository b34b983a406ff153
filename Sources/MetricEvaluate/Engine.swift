import MetricData
import MetricPlan

/// A metric under one of the two rules of consent: twice its id, plus 1 where only facts of users who
/// consented are read.
typealias VariantID = Int

/// Everything that the metrics of one evaluation share: the dataset, its indexes and the compiled
/// metrics. Compiling fills it on one thread; afterwards it is only read.
final class Engine: @unchecked Sendable {
  let library: Library
  let dataset: Dataset
  let routing: Routing
  let needs: DataNeeds
  /// The last day that anything will ask about.
  let lastDay: Int32

  private var metrics: [VariantID: CompiledMetric] = [:]
  private var completions: [VariantID: CompiledCompletion] = [:]
  private var lists: [ListKey: FactList] = [:]

  private struct ListKey: Hashable {
    var aggregate: Aggregate
    var isTeam: Bool
  }

  init(library: Library, dataset: Dataset, needs: DataNeeds, lastDay: DayKey) {
    self.library = library
    self.dataset = dataset
    self.needs = needs
    self.lastDay = lastDay.number
    routing = Routing(dataset: dataset)
  }

  // MARK: Metrics

  /// The variant of a metric that a reader sees.
  func variant(_ id: MetricID, isTeam: Bool) -> VariantID {
    id * 2 + (isTeam && library.asksConsent ? 1 : 0)
  }

  /// The variant of a metric that is asked for itself.
  func variant(_ id: MetricID) -> VariantID {
    variant(id, isTeam: library.metrics[id].audience == .team)
  }

  /// The compiled metric; compiles it and what it reads where that has not happened.
  @discardableResult
  func compile(_ variant: VariantID) throws(EvaluationError) -> CompiledMetric {
    if let known = metrics[variant] { return known }
    let id = variant / 2
    let compiler = Compiler(
      engine: self, metric: id, isTeam: variant % 2 == 1, subject: library.metrics[id].subject.entity)
    if case .completion(let completion) = library.metrics[id].body {
      completions[variant] = try compile(completion, compiler)
    }
    let metric = try CompiledMetric(compiler)
    metrics[variant] = metric
    return metric
  }

  /// A metric that has been compiled.
  func metric(_ id: VariantID) -> CompiledMetric {
    guard let metric = metrics[id] else { preconditionFailure("metric \(id) was not compiled") }
    return metric
  }

  /// A completion that has been compiled.
  func completion(_ id: VariantID) -> CompiledCompletion {
    guard let completion = completions[id] else { preconditionFailure("completion \(id) was not compiled") }
    return completion
  }

  private func compile(
    _ completion: Completion, _ compiler: Compiler
  ) throws(EvaluationError) -> CompiledCompletion {
    let when = try compiler.compile(completion.when)
    var rest: Program?
    if let expression = completion.rest { rest = try compiler.compile(expression) }
    var presence: [FactIndex] = []
    let sources = library.presence(of: completion.when, subject: compiler.subject)
    for source in sources.facts {
      presence.append(try routing.index(source.record, source.route, isTeam: compiler.isTeam))
    }
    return CompiledCompletion(
      window: completion.window, when: when, rest: rest, presence: presence,
      lookBack: sources.lookBack)
  }

  // MARK: Facts

  /// The facts that an aggregate looks at; one list serves every period.
  func factList(_ aggregate: Aggregate, _ compiler: Compiler) throws(EvaluationError) -> FactList {
    var aggregate = aggregate
    aggregate.period = nil
    let key = ListKey(aggregate: aggregate, isTeam: compiler.isTeam)
    if let known = lists[key] { return known }
    let list = try FactListBuilder(aggregate: aggregate, compiler: compiler).build()
    lists[key] = list
    return list
  }

  // MARK: Subjects

  /// Which numbers of an entity exist for a metric that reads these records: its table names them,
  /// or a record that the metric may read refers to them.
  func existing(_ entity: RecordID, reads: Set<RecordID>, isTeam: Bool) -> [Bool] {
    let space = dataset.space(entity)
    var exists = space.rows.map { $0 >= 0 }
    for record in reads.sorted() {
      let table = dataset.table(record)
      let readable = routing.readableRows(record, isTeam: isTeam)
      for field in library.references(from: record, to: entity) {
        guard case .narrow(let cells)? = table.column(field) else { continue }
        for row in readable {
          if let number = space.number(ofPool: Cell(cells[Int(row)])) { exists[number] = true }
        }
      }
    }
    return exists
  }

  /// The existing subjects that an aggregate over subjects looks at, by the metric's own subject.
  func members(of aggregate: SubjectAggregate, _ compiler: Compiler) -> (Int) -> [Int32] {
    let exists = existing(
      aggregate.entity, reads: needs.reads[compiler.metric] ?? [], isTeam: compiler.isTeam)
    let all = (0..<Int32(exists.count)).filter { exists[Int($0)] }
    guard !aggregate.relation.isEmpty else { return { _ in all } }
    let ends = dataset.followFromEntity(aggregate.relation, from: aggregate.entity)
    var byEnd: [Int32: [Int32]] = [:]
    for number in all where ends[Int(number)] >= 0 { byEnd[ends[Int(number)], default: []].append(number) }
    return { byEnd[Int32($0)] ?? [] }
  }

  /// For each chain of references to a user, by row of a fact: the number of the user, or -1.
  func users(behind record: RecordID) -> [[Int32]] { routing.usersBehind(record) }

  /// For each chain of references to a user, by number of an entity: the number of the user, or -1.
  func users(behindEntity entity: RecordID) -> [[Int32]] {
    guard let user = library.entity(named: "User") else { return [] }
    if user == entity { return [(0..<Int32(dataset.space(entity).count)).map { $0 }] }
    return library.userPaths(of: entity).map { dataset.followFromEntity($0, from: entity) }
  }

  /// A cell as a value of the results.
  func value(of cell: Cell, _ type: ValueType) -> Value {
    if cell == noValue { return .none }
    return switch type {
    case .bool: .bool(cell != 0)
    case .int: .int(cell)
    case .decimal: .decimal(FixedDecimal(millionths: cell))
    case .dayKey: .day(DayKey(number: Int32(cell)))
    case .text: .text(dataset.pool.string(Int32(cell)))
    case .instant: .int(cell)
    }
  }

  /// A cell as a group's name; a missing value is the empty group.
  func text(of cell: Cell, _ type: ValueType) -> String {
    switch value(of: cell, type) {
    case .none: ""
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .decimal(let value): value.description
    case .day(let day): day.description
    case .text(let text): text
    }
  }

  func id(_ entity: RecordID?, _ number: Int) -> String {
    entity.map { dataset.pool.string(dataset.space($0).ids[number]) } ?? ""
  }
}
