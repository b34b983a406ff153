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
  /// The reference days, rising.
  private(set) var days: [Int32]
  /// The last day that anything will ask about.
  private(set) var lastDay: Int32
  /// Whether the data can grow: what is made in one pass over all facts for one answer is then not made.
  let isGrowing: Bool
  /// How many threads a pass over all facts may take.
  let threads: Int
  /// Whether several reference days are, or will be, asked about, so that what is found for one is worth keeping.
  var isSeries: Bool { days.count > 1 || isGrowing }

  private var metrics: [VariantID: CompiledMetric] = [:]
  private var completions: [VariantID: CompiledCompletion] = [:]
  private var lists: [ListKey: KnownList] = [:]
  private var referenceCounts: [ReferenceKey: [Int32]] = [:]

  private var sets: [ListKey: DaySets?] = [:]

  private var knownNames: [RecordID: EntityNames] = [:]
  private var knownToExist: [ExistenceKey: [Bool]] = [:]
  private var dailyCaches: [DailyKey: Int] = [:]

  private struct DailyKey: Hashable {
    var facts: ObjectIdentifier
    var bundle: Int
  }

  private struct ListKey: Hashable {
    var aggregate: Aggregate
    var isTeam: Bool
  }

  /// A list, and for what its conditions are compiled.
  private struct KnownList {
    var list: FactList
    var metric: MetricID
    var subject: RecordID?
  }

  private struct ExistenceKey: Hashable {
    var entity: RecordID
    var reads: Set<RecordID>
    var isTeam: Bool
  }

  private struct ReferenceKey: Hashable {
    var field: FieldReference
    var isTeam: Bool
  }

  /// - Parameter days: the reference days, rising; at least one.
  init(
    library: Library, dataset: Dataset, needs: DataNeeds, days: [DayKey], threads: Int,
    isGrowing: Bool = false
  ) {
    self.library = library
    self.dataset = dataset
    self.needs = needs
    self.days = days.map(\.number)
    lastDay = days.last?.number ?? 0
    self.threads = threads
    self.isGrowing = isGrowing
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
    var presence: [PresenceDays] = []
    let sources = library.presence(of: completion.when, subject: compiler.subject)
    for source in sources.facts { presence.append(try presenceDays(source.record, source.route, compiler)) }
    return CompiledCompletion(
      window: completion.window, when: when, rest: rest, presence: presence,
      lookBack: sources.lookBack, wholeDays: try wholeDays(completion, compiler),
      whenCourse: try compiler.course(of: completion.when),
      restCourse: try compiler.course(of: completion.rest))
  }

  private func presenceDays(
    _ record: RecordID, _ route: Route, _ compiler: Compiler
  ) throws(EvaluationError) -> PresenceDays {
    if let (facts, bundle) = compiler.folded(Aggregate(daysOf: record, route)) {
      return .folded(facts, bundle: bundle)
    }
    return .facts(try routing.index(record, route, isTeam: compiler.isTeam))
  }

  /// The days of facts; nil where they were folded for other questions.
  func knownPresence(
    _ record: RecordID, _ route: Route, _ compiler: Compiler
  ) throws(EvaluationError) -> PresenceDays? {
    let isFolded = dataset.table(record).folded != nil
    if isFolded, compiler.folded(Aggregate(daysOf: record, route)) == nil { return nil }
    return try presenceDays(record, route, compiler)
  }

  /// The complete days of a completion of day windows that asks only whether there is a fact; nil for others.
  private func wholeDays(
    _ completion: Completion, _ compiler: Compiler
  ) throws(EvaluationError) -> WholeDays? {
    guard completion.window == .rolling(days: 1), completion.rest == nil,
      case (let aggregate, false)? = completion.when.existence,
      aggregate.period == nil || aggregate.period == .lastDays(1)
    else { return nil }
    if let (facts, bundle) = compiler.folded(aggregate) { return .folded(facts, bundle: bundle) }
    let list = try factList(aggregate, compiler)
    // Each day of a series looks at all of a subject's days, so these must not be ten thousand years apart.
    let isShort = !isSeries || list.index.hasNoSpan(over: WholeDays.longestSpan)
    return list.beyond == nil && isShort ? .facts(list.index) : nil
  }

  /// A number for a bundle of a fold, by which workers find what they remember of it.
  func dailyCache(_ facts: FoldedFacts, _ bundle: Int) -> Int {
    let key = DailyKey(facts: ObjectIdentifier(facts), bundle: bundle)
    if let known = dailyCaches[key] { return known }
    dailyCaches[key] = dailyCaches.count
    return dailyCaches.count - 1
  }

  /// The ids of an entity in their order.
  func names(_ entity: RecordID) -> EntityNames {
    if let known = knownNames[entity] { return known }
    let names = EntityNames(dataset.space(entity), dataset.pool)
    knownNames[entity] = names
    return names
  }

  // MARK: Facts

  /// The facts that an aggregate looks at; one list serves every period.
  func factList(_ aggregate: Aggregate, _ compiler: Compiler) throws(EvaluationError) -> FactList {
    precondition(
      dataset.table(aggregate.record).folded == nil, "the records were folded for other metrics than these")
    var aggregate = aggregate
    aggregate.period = nil
    let key = ListKey(aggregate: aggregate, isTeam: compiler.isTeam)
    if let known = lists[key] { return known.list }
    let list = try FactListBuilder(aggregate: aggregate, compiler: compiler).build()
    lists[key] = KnownList(list: list, metric: compiler.metric, subject: compiler.subject)
    return list
  }

  /// The days of the facts of an aggregate, whatever its period; nil where they do not fit into bits.
  func daySets(
    _ aggregate: Aggregate, isTeam: Bool, _ make: () throws(EvaluationError) -> DaySets?
  ) throws(EvaluationError) -> DaySets? {
    let key = ListKey(aggregate: aggregate, isTeam: isTeam)
    if let known = sets[key] { return known }
    let made = try make()
    sets[key] = .some(made)
    return made
  }

  // MARK: Growth

  /// Moves to another reference day. What workers know of the windows up to the last one is void then.
  func move(to day: Int32) {
    days = [day]
    lastDay = day
  }

  /// Forgets the compiled metrics, which hold on to the tables, before these change.
  func forgetPrograms() {
    metrics.removeAll()
    completions.removeAll()
  }

  /// Brings everything that is indexed up to a fact that has come, or takes one out that goes; the entities
  /// stay the same.
  ///
  /// - Parameter isNew: the fact has been appended to its table; otherwise it is about to be removed.
  func change(_ record: RecordID, row: Int, isNew: Bool) {
    let asksConsent = library.askedConsent(of: record) != nil
    routing.change(record, row: row, isNew: isNew)
    knownToExist.removeAll()
    for key in Array(referenceCounts.keys) where key.field.record == record {
      guard var counts = referenceCounts.removeValue(forKey: key), !(key.isTeam && asksConsent) else {
        continue
      }
      if let id = dataset.table(record).cell(key.field.field, row) {
        while counts.count <= Int(id) { counts.append(0) }
        counts[Int(id)] += isNew ? 1 : -1
      }
      referenceCounts[key] = counts
    }
    for (key, known) in lists where key.aggregate.record == record {
      lists[key] = nil
      if key.isTeam && asksConsent { continue }
      let compiler = Compiler(
        engine: self, metric: known.metric, isTeam: key.isTeam, subject: known.subject)
      let builder = FactListBuilder(aggregate: key.aggregate, compiler: compiler)
      // A list that cannot be changed is made anew when it is asked for.
      guard let list = try? builder.changed(known.list, row: Int32(row), isNew: isNew) else { continue }
      lists[key] = KnownList(list: list, metric: known.metric, subject: known.subject)
    }
  }

  // MARK: Subjects

  /// Which numbers of an entity exist for a metric that reads these records: its table names them,
  /// or a record that the metric may read refers to them.
  func existing(_ entity: RecordID, reads: Set<RecordID>, isTeam: Bool) -> [Bool] {
    let key = ExistenceKey(entity: entity, reads: reads, isTeam: isTeam)
    if let known = knownToExist[key] { return known }
    let space = dataset.space(entity)
    var exists = space.rows.map { $0 >= 0 }
    for record in reads.sorted() {
      let table = dataset.table(record)
      for field in library.references(from: record, to: entity) {
        for id in table.foldedReferences(library.records[record].fields[field]) ?? [] {
          if let number = space.number(ofPool: Cell(id)) { exists[number] = true }
        }
        let counts = referenceCounts(FieldReference(record: record, field: field), isTeam: isTeam)
        for (id, count) in counts.enumerated() where count > 0 {
          if let number = space.number(ofPool: Cell(id)) { exists[number] = true }
        }
      }
    }
    knownToExist[key] = exists
    return exists
  }

  /// The same for one number of an entity.
  func exists(_ entity: RecordID, _ number: Int, reads: Set<RecordID>, isTeam: Bool) -> Bool {
    let space = dataset.space(entity)
    if space.rows[number] >= 0 { return true }
    let id = Int(space.ids[number])
    return reads.contains { record in
      library.references(from: record, to: entity).contains { field in
        let counts = referenceCounts(FieldReference(record: record, field: field), isTeam: isTeam)
        return id < counts.count && counts[id] > 0
      }
    }
  }

  /// By number of the pool, how many readable records have that text in a field.
  private func referenceCounts(_ field: FieldReference, isTeam: Bool) -> [Int32] {
    let key = ReferenceKey(field: field, isTeam: isTeam)
    if let known = referenceCounts[key] { return known }
    var counts = [Int32](repeating: 0, count: dataset.pool.count)
    let table = dataset.table(field.record)
    if case .narrow(let cells)? = table.column(field.field) {
      let readable = routing.readability(field.record, isTeam: isTeam)
      for row in 0..<table.rowCount where cells[row] >= 0 && (readable?[row] ?? true) {
        counts[Int(cells[row])] += 1
      }
    }
    referenceCounts[key] = counts
    return counts
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
