import MetricData
import MetricPlan

/// Everything that the metrics of one evaluation share: the dataset, its indexes and the compiled
/// metrics. Compiling fills it on one thread; afterwards it is only read.
final class Engine: @unchecked Sendable {
  let library: Library
  let dataset: Dataset
  let routing: Routing
  let needs: DataNeeds
  /// The last day that anything will ask about.
  let lastDay: Int32

  private var metrics: [MetricID: CompiledMetric] = [:]
  private var completions: [MetricID: CompiledCompletion] = [:]
  private var lists: [Aggregate: FactList] = [:]

  init(library: Library, dataset: Dataset, needs: DataNeeds, lastDay: DayKey) {
    self.library = library
    self.dataset = dataset
    self.needs = needs
    self.lastDay = lastDay.number
    routing = Routing(dataset: dataset)
  }

  // MARK: Metrics

  /// The compiled metric; compiles it and what it reads where that has not happened.
  @discardableResult
  func compile(_ id: MetricID) throws(EvaluationError) -> CompiledMetric {
    if let known = metrics[id] { return known }
    if case .completion(let completion) = library.metrics[id].body {
      completions[id] = try compile(completion, id)
    }
    let metric = try CompiledMetric(id, engine: self)
    metrics[id] = metric
    return metric
  }

  /// A metric that has been compiled.
  func metric(_ id: MetricID) -> CompiledMetric {
    guard let metric = metrics[id] else { preconditionFailure("metric \(id) was not compiled") }
    return metric
  }

  /// A completion that has been compiled.
  func completion(_ id: MetricID) -> CompiledCompletion {
    guard let completion = completions[id] else { preconditionFailure("completion \(id) was not compiled") }
    return completion
  }

  private func compile(_ completion: Completion, _ id: MetricID) throws(EvaluationError) -> CompiledCompletion {
    let subject = library.metrics[id].subject.entity
    let compiler = Compiler(engine: self, metric: id, subject: subject)
    let when = try compiler.compile(completion.when)
    var rest: Program?
    if let expression = completion.rest { rest = try compiler.compile(expression) }
    var presence: [FactIndex] = []
    let sources = library.presence(of: completion.when, subject: subject)
    for source in sources.facts {
      presence.append(try routing.index(source.record, source.route))
    }
    return CompiledCompletion(
      id: id, window: completion.window, when: when, rest: rest, presence: presence,
      lookBack: sources.lookBack)
  }

  // MARK: Facts

  /// The facts that an aggregate looks at; one list serves every period.
  func factList(_ aggregate: Aggregate, _ compiler: Compiler) throws(EvaluationError) -> FactList {
    var key = aggregate
    key.period = nil
    if let known = lists[key] { return known }
    let list = try FactListBuilder(aggregate: key, compiler: compiler).build()
    lists[key] = list
    return list
  }

  // MARK: Subjects

  /// Which numbers of an entity exist for a metric that reads these records: its table names them,
  /// or a live record refers to them.
  func existing(_ entity: RecordID, reads: Set<RecordID>) -> [Bool] {
    let space = dataset.space(entity)
    var exists = space.rows.map { $0 >= 0 }
    for record in reads.sorted() {
      let table = dataset.table(record)
      for field in library.references(from: record, to: entity) {
        guard case .narrow(let cells)? = table.column(field) else { continue }
        for row in 0..<table.rowCount where table.isLive(row) {
          if let number = space.number(ofPool: Cell(cells[row])) { exists[number] = true }
        }
      }
    }
    return exists
  }

  /// The existing subjects that an aggregate over subjects looks at, by the metric's own subject.
  func members(of aggregate: SubjectAggregate, _ compiler: Compiler) -> (Int) -> [Int32] {
    let exists = existing(aggregate.entity, reads: needs.reads[compiler.metric] ?? [])
    let all = (0..<Int32(exists.count)).filter { exists[Int($0)] }
    guard !aggregate.relation.isEmpty else { return { _ in all } }
    let ends = dataset.followFromEntity(aggregate.relation, from: aggregate.entity)
    var byEnd: [Int32: [Int32]] = [:]
    for number in all where ends[Int(number)] >= 0 { byEnd[ends[Int(number)], default: []].append(number) }
    return { byEnd[Int32($0)] ?? [] }
  }

  func id(_ entity: RecordID?, _ number: Int) -> String {
    entity.map { dataset.pool.string(dataset.space($0).ids[number]) } ?? ""
  }
}
