import Synchronization

/// What the metrics of one evaluation share: the dataset, its indexes and the compiled metrics. It is filled
/// while compiling, on one thread, and read-only afterwards.
final class Engine: @unchecked Sendable {
  let library: Library
  let dataset: Dataset
  let routing: Routing
  let needs: DataNeeds
  /// Whether there is one reference day.
  let hasOneDay: Bool
  /// The last day of any question, where the data cannot grow.
  let lastDay: Int32
  /// Whether the data can grow. One-pass structures that serve a single answer are then not built.
  let isGrowing: Bool
  /// The columns of metrics that have one value for the whole dataset.
  let wholeColumns = WholeColumns()
  let groupCells = GroupCells()
  /// How many expressions and metrics read each metric.
  let readers: [MetricID: Int]
  /// Metrics that are also evaluated at other days than the reference days.
  let shifted: Set<MetricID>
  /// What is aggregated by functions that ask for each fact.
  let listedArguments: Set<Expression>

  /// Those that have been compiled.
  private(set) var metrics: [MetricID: CompiledMetric] = [:]
  private var completions: [MetricID: CompiledCompletion] = [:]
  private var lists: [ListKey: KnownList] = [:]
  private var referenceCounts: [ReferenceKey: [Int32]] = [:]
  private var knownToExist: [SubjectScope: [Bool]] = [:]
  private var knownAgreement: [SubjectScope: [Int32]] = [:]
  private var countedMembers: [MembersKey: CountedMembers] = [:]
  private var knownNames: [RecordID: EntityNames] = [:]

  private struct ListKey: Hashable {
    var content: FactContent
    var consent: AskedConsent?
  }

  /// A list, and the metric and subject for which its conditions were compiled.
  private struct KnownList {
    var list: FactList
    var metric: MetricID
    var subject: RecordID?
  }

  private struct MembersKey: Hashable {
    var entity: RecordID
    var relation: [FieldReference]
    var groups: [GroupField]
    var metric: MetricID
  }

  private struct ReferenceKey: Hashable {
    var field: FieldReference
    var consent: AskedConsent?
  }

  /// - Parameter days: the reference days, rising; at least one, if the data cannot grow.
  init(library: Library, dataset: Dataset, needs: DataNeeds, days: [DayKey], isGrowing: Bool = false) {
    self.library = library
    self.dataset = dataset
    self.needs = needs
    self.isGrowing = isGrowing
    hasOneDay = days.count == 1
    lastDay = days.last?.number ?? 0
    routing = Routing(dataset: dataset)
    shifted = library.shifted(among: needs.reads.keys)
    var (readers, listed): ([MetricID: Int], Set<Expression>) = ([:], [])
    for body in needs.reads.keys.map({ library.metrics[$0].body }) {
      for case .metric(let reference) in body.expressionsAndGroups.flatMap(\.allParts) {
        readers[reference.metric, default: 0] += 1
      }
      if case .level(let level) = body { readers[level.metric, default: 0] += 1 }
      for case .aggregate(let aggregate) in body.expressions.flatMap(\.allParts)
      where aggregate.summary == nil {
        if let argument = aggregate.argument { listed.insert(argument) }
      }
    }
    (self.readers, listedArguments) = (readers, listed)
  }

  var threads: Int { dataset.threads }

  /// The compiled metric; compiles it and the metrics it reads on first use.
  @discardableResult
  func compile(_ id: MetricID) throws(EvaluationError) -> CompiledMetric {
    if let known = metrics[id] { return known }
    let metric = try CompiledMetric(
      Compiler(engine: self, metric: id, subject: library.metrics[id].subject.entity))
    metrics[id] = metric
    return metric
  }

  /// A metric that has been compiled.
  func metric(_ id: MetricID) -> CompiledMetric {
    guard let metric = metrics[id] else { preconditionFailure("metric \(id) was not compiled") }
    return metric
  }

  /// The compiled completion of a metric that is one.
  func completion(_ id: MetricID) throws(EvaluationError) -> CompiledCompletion {
    if let known = completions[id] { return known }
    let plan = library.metrics[id]
    guard case .completion(let completion) = plan.body else {
      preconditionFailure("metric \(id) is no completion")
    }
    let compiled = try CompiledCompletion(
      completion, Compiler(engine: self, metric: id, subject: plan.subject.entity))
    completions[id] = compiled
    return compiled
  }

  /// The ids of an entity in their order.
  func names(_ entity: RecordID) -> EntityNames {
    if let known = knownNames[entity] { return known }
    let names = EntityNames(dataset.space(entity), dataset.pool)
    knownNames[entity] = names
    return names
  }

  /// A list of facts; in a grouped measure by pairs of subject and group.
  func list(_ content: FactContent, _ compiler: Compiler) throws(EvaluationError) -> FactList {
    var content = content
    if content.hasRows { content.summary = nil }
    if let known = knownList(content, compiler) { return known }
    // Many windows of the same facts are served by one list.
    if content.summary == nil, hasManyLists(of: content) { content.since = nil }
    if isGrowing { content.hasRows = true }
    let list = try FactListBuilder(content, compiler).build()
    let key = ListKey(content: content, consent: compiler.consent(to: content.record))
    lists[key] = KnownList(list: list, metric: compiler.metric, subject: compiler.subject)
    return list
  }

  private func hasManyLists(of content: FactContent) -> Bool {
    lists.keys.count { $0.content.record == content.record && $0.content.route == content.route }
      >= FilteredFacts.fewestLists && !routing.days(content.record).isEmpty
  }

  /// A list that has what is wanted, or more.
  private func knownList(_ content: FactContent, _ compiler: Compiler) -> FactList? {
    var key = ListKey(content: content, consent: compiler.consent(to: content.record))
    for summary in content.summary == nil ? [nil] : [content.summary, nil] {
      for since in content.since == nil ? [nil] : [content.since, nil] {
        for hasRows in content.hasRows ? [true] : [false, true] {
          (key.content.summary, key.content.since, key.content.hasRows) = (summary, since, hasRows)
          if let known = lists[key] { return known.list }
        }
      }
    }
    return nil
  }

  /// The facts of one list that pass a `where`; nil if a list of their own serves better.
  func filtered(_ content: FactContent, _ compiler: Compiler) throws(EvaluationError) -> FilteredFacts? {
    guard hasManyLists(of: content), knownList(content, compiler) == nil,
      dataset.table(content.record).rowCount
        <= FilteredFacts.mostFactsASubject * routing.subjectCount(compiler.subject)
    else { return nil }
    return try FilteredFacts(content, compiler)
  }

  /// Drops the compiled metrics and the routes of a record before its table changes, because they retain it.
  func forgetReaders(of record: RecordID) {
    routing.forget(record)
    metrics.removeAll()
    completions.removeAll()
    wholeColumns.removeAll()
    countedMembers.removeAll()
  }

  /// Updates all lists for one added or removed fact; entities stay the same.
  ///
  /// - Parameter isNew: true if the fact was appended to its table, false if it is about to be removed.
  func change(_ record: RecordID, row: Int, isNew: Bool) {
    routing.forget(record)
    knownToExist.removeAll()
    for key in Array(referenceCounts.keys) where key.field.record == record {
      guard var counts = referenceCounts.removeValue(forKey: key), key.consent == nil else { continue }
      if let id = dataset.table(record).cell(key.field.field, row) {
        while counts.count <= Int(id) { counts.append(0) }
        counts[Int(id)] += isNew ? 1 : -1
      }
      referenceCounts[key] = counts
    }
    for (key, known) in lists where key.content.record == record {
      let compiler = Compiler(engine: self, metric: known.metric, subject: known.subject)
      // A list that cannot be changed is made again when it is requested.
      let isKept =
        key.consent == nil
        && (try? FactListBuilder(key.content, compiler).change(known.list, row: row, isNew: isNew)) == true
      if !isKept { lists[key] = nil }
    }
  }

  /// By number of the entity, whether it exists: those in its table, and those that a readable record refers to.
  func existing(_ scope: SubjectScope) -> [Bool] {
    if let known = knownToExist[scope] { return known }
    let space = dataset.space(scope.entity)
    var exists = space.rows.map { $0 >= 0 }
    for record in scope.reads {
      for field in library.references(from: record, to: scope.entity) {
        let reference = FieldReference(record: record, field: field)
        let named = dataset.table(record).notedReferences(library[reference]) ?? ids(in: reference, scope)
        for id in named { if let number = space.number(ofPool: Cell(id)) { exists[number] = true } }
      }
    }
    if let since = agreedSince(scope) {
      for number in exists.indices where since[number] == Consents.never { exists[number] = false }
    }
    knownToExist[scope] = exists
    return exists
  }

  /// By number of an entity, the day since which the people behind it consent to everything a team metric reads; nil if
  /// consent does not apply (PRIV-14).
  func agreedSince(_ scope: SubjectScope) -> [Int32]? {
    if scope.consents.isEmpty { return nil }
    if let known = knownAgreement[scope] { return known }
    let users = users(behindEntity: scope.entity)
    guard !users.isEmpty else { return nil }
    let count = dataset.space(scope.entity).count
    let since = routing.agreedSince(scope.consents, users, count: count, nobody: .min)
    knownAgreement[scope] = since
    return since
  }

  /// `existing` for one number of the entity.
  private func exists(_ number: Int, _ scope: SubjectScope) -> Bool {
    if let since = agreedSince(scope), since[number] == Consents.never { return false }
    let space = dataset.space(scope.entity)
    if space.rows[number] >= 0 { return true }
    let id = Int(space.ids[number])
    return scope.reads.contains { record in
      library.references(from: record, to: scope.entity).contains { field in
        let counts = referenceCounts(FieldReference(record: record, field: field), scope)
        return id < counts.count && counts[id] > 0
      }
    }
  }

  /// The texts that readable records have in a field.
  private func ids(in field: FieldReference, _ scope: SubjectScope) -> [Int32] {
    let counts = referenceCounts(field, scope)
    return (0..<Int32(counts.count)).filter { counts[Int($0)] > 0 }
  }

  /// By string number, how many readable records have that text in a field.
  private func referenceCounts(_ field: FieldReference, _ scope: SubjectScope) -> [Int32] {
    let consent = scope.consents.isEmpty ? nil : library.askedConsent(of: field.record)
    let key = ReferenceKey(field: field, consent: consent)
    if let known = referenceCounts[key] { return known }
    var counts = [Int32](repeating: 0, count: dataset.pool.count)
    if case .narrow(let cells)? = dataset.table(field.record).column(field.field) {
      let readable = routing.readability(field.record, consent)
      counts.withUnsafeMutableBufferPointer { counts in
        for row in cells.indices where cells[row] >= 0 && readable?[row] ?? true {
          counts[Int(cells[row])] &+= 1
        }
      }
    }
    referenceCounts[key] = counts
    return counts
  }

  /// The existing subjects that an aggregate over subjects counts.
  func members(
    of aggregate: SubjectAggregate, _ compiler: Compiler
  ) throws(EvaluationError) -> CountedMembers {
    let key = MembersKey(
      entity: aggregate.entity, relation: aggregate.relation, groups: compiler.groups, metric: compiler.metric
    )
    if let known = countedMembers[key] { return known }
    let counted = compiler.within(.counted(aggregate.entity))
    let fields = try compiler.groups.map { field throws(EvaluationError) in
      try counted.compile(field.expression(of: aggregate.entity)) ?? Operators.constant(noValue)
    }
    let members = CountedMembers(
      members(of: aggregate, compiler.metric), fields: fields,
      varies: compiler.groups.vary, since: compiler.agreedSince(aggregate.entity))
    countedMembers[key] = members
    return members
  }

  private func members(of aggregate: SubjectAggregate, _ metric: MetricID) -> (Int) -> [Int32] {
    let exists = existing(needs.subjects(of: aggregate.entity, for: metric))
    let all = (0..<Int32(exists.count)).filter { exists[Int($0)] }
    guard !aggregate.relation.isEmpty else { return { _ in all } }
    let ends = dataset.followFromEntity(aggregate.relation, from: aggregate.entity)
    var byEnd: [Int32: [Int32]] = [:]
    for number in all where ends[Int(number)] >= 0 { byEnd[ends[Int(number)], default: []].append(number) }
    return { byEnd[Int32($0)] ?? [] }
  }

  /// For each reference path to a user, by number of an entity: the user's number, or -1.
  func users(behindEntity entity: RecordID) -> [EntityNumbers] {
    guard let user = library.entity(named: "User") else { return [] }
    if user == entity { return [EntityNumbers(Array(0..<Int32(dataset.space(entity).count)))] }
    return library.userPaths(of: entity).map { dataset.followFromEntity($0, from: entity) }
  }

  /// A cell as a value of the results.
  func value(of cell: Cell, _ type: ValueType) -> Value {
    cell == noValue ? .none : Value(cell, type, dataset.pool)
  }

  /// A cell as a group's name; a missing value is the empty group.
  func text(of cell: Cell, _ type: ValueType) -> String { value(of: cell, type).plainText }

  /// The number of an entity by any of its names; nil if no record names it. The whole dataset has none.
  func number(of name: String, _ entity: RecordID?) -> Int? {
    guard let entity else { return name.isEmpty ? 0 : nil }
    return dataset.pool.lookup(name).flatMap { dataset.space(entity).number(ofPool: Cell($0)) }
  }

  /// The number of an entity by any of its names, if it exists for a metric.
  func number(of name: String, _ scope: SubjectScope) -> Int? {
    number(of: name, scope.entity).flatMap { exists($0, scope) ? $0 : nil }
  }

  func id(_ entity: RecordID?, _ number: Int) -> String {
    entity.map { dataset.pool.string(dataset.space($0).ids[number]) } ?? ""
  }
}

/// Columns that are computed once for all rows and threads.
final class WholeColumns: Sendable {
  private let columns = Mutex<[ColumnKey: [Cell]]>([:])
  private let groups = Mutex<[ColumnKey: [GroupColumn]]>([:])

  subscript(key: ColumnKey) -> [Cell]? {
    get { columns.withLock { $0[key] } }
    set { columns.withLock { $0[key] = newValue } }
  }

  func groups(_ metric: MetricID, _ days: DayRange, _ make: () -> [GroupColumn]) -> [GroupColumn] {
    let key = ColumnKey(metric: metric, days: days)
    if let known = groups.withLock({ $0[key] }) { return known }
    // Made outside the lock, because it may read other metrics.
    let made = make()
    groups.withLock { $0[key] = made }
    return made
  }

  func removeAll() {
    columns.withLock { $0.removeAll() }
    groups.withLock { $0.removeAll() }
  }
}
