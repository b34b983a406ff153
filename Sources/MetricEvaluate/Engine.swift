import Synchronization

/// What the metrics of one evaluation share: the dataset, its indexes and the compiled metrics. It is filled
/// while compiling, on one thread, and read-only afterwards.
final class Engine: @unchecked Sendable {
  let library: Library
  let dataset: Dataset
  let routing: Routing
  let needs: DataNeeds
  /// The reference days, rising.
  private(set) var days: [Int32]
  /// The last day of any question.
  private(set) var lastDay: Int32
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

  private var metrics: [MetricID: CompiledMetric] = [:]
  private var completions: [MetricID: CompiledCompletion] = [:]
  private var lists: [ListKey: KnownList] = [:]
  private var referenceCounts: [ReferenceKey: [Int32]] = [:]
  private var knownNames: [RecordID: EntityNames] = [:]
  private var knownToExist: [SubjectScope: [Bool]] = [:]
  private var knownAgreement: [SubjectScope: [Int32]] = [:]
  private var countedMembers: [MembersKey: CountedMembers] = [:]

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

  /// - Parameter days: the reference days, rising; at least one.
  init(
    library: Library, dataset: Dataset, needs: DataNeeds, days: [DayKey], isGrowing: Bool = false
  ) {
    self.library = library
    self.dataset = dataset
    self.needs = needs
    self.days = days.map(\.number)
    lastDay = days.last?.number ?? 0
    self.isGrowing = isGrowing
    routing = Routing(dataset: dataset)
    readers = library.readers(among: needs.reads.keys)
    shifted = library.shifted(among: needs.reads.keys)
    var listed: Set<Expression> = []
    for id in needs.reads.keys {
      for case .aggregate(let aggregate) in library.metrics[id].body.expressions.flatMap(\.allParts)
      where aggregate.summary == nil {
        if let argument = aggregate.argument { listed.insert(argument) }
      }
    }
    listedArguments = listed
  }

  /// Whether there is one reference day, and stays.
  var hasOneDay: Bool { days.count == 1 && !isGrowing }

  var threads: Int { dataset.threads }

  // MARK: Metrics

  /// The compiled metric; compiles it and the metrics it reads on first use.
  @discardableResult
  func compile(_ id: MetricID) throws(EvaluationError) -> CompiledMetric {
    if let known = metrics[id] { return known }
    let compiler = Compiler(engine: self, metric: id, subject: library.metrics[id].subject.entity)
    if case .completion(let completion) = library.metrics[id].body {
      completions[id] = try CompiledCompletion(completion, compiler)
    }
    let metric = try CompiledMetric(compiler)
    metrics[id] = metric
    return metric
  }

  /// A metric, if it has been compiled.
  func compiled(_ id: MetricID) -> CompiledMetric? { metrics[id] }

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

  /// The ids of an entity in their order.
  func names(_ entity: RecordID) -> EntityNames {
    if let known = knownNames[entity] { return known }
    let names = EntityNames(dataset.space(entity), dataset.pool)
    knownNames[entity] = names
    return names
  }

  // MARK: Facts

  /// A list of facts; in a grouped measure by pairs of subject and group.
  func list(_ content: FactContent, _ compiler: Compiler) throws(EvaluationError) -> FactList {
    var content = content
    if content.hasRows { content.summary = nil }
    if let known = knownList(content, compiler) { return known }
    // Many windows of the same facts are served by one list.
    if content.summary == nil, hasManyLists(of: content), !routing.days(content.record).isEmpty {
      content.since = nil
    }
    if isGrowing { content.hasRows = true }
    let list = try FactListBuilder(content, compiler).build()
    let key = ListKey(content: content, consent: compiler.consent(to: content.record))
    lists[key] = KnownList(list: list, metric: compiler.metric, subject: compiler.subject)
    return list
  }

  private func hasManyLists(of content: FactContent) -> Bool {
    lists.keys.count { $0.content.record == content.record && $0.content.route == content.route }
      >= FilteredFacts.fewestLists
  }

  /// A list that has what is wanted, or more.
  private func knownList(_ content: FactContent, _ compiler: Compiler) -> FactList? {
    if content.summary != nil {
      let key = ListKey(content: content, consent: compiler.consent(to: content.record))
      if let known = lists[key] { return known.list }
      var content = content
      content.summary = nil
      return knownList(content, compiler)
    }
    for since in content.since == nil ? [nil] : [content.since, nil] {
      for hasRows in content.hasRows ? [true] : [false, true] {
        var key = ListKey(content: content, consent: compiler.consent(to: content.record))
        (key.content.since, key.content.hasRows) = (since, hasRows)
        if let known = lists[key] { return known.list }
      }
    }
    return nil
  }

  /// The facts of one list that pass a `where`; nil if a list of their own serves better.
  func filtered(_ content: FactContent, _ compiler: Compiler) throws(EvaluationError) -> FilteredFacts? {
    guard hasManyLists(of: content), !routing.days(content.record).isEmpty,
      knownList(content, compiler) == nil,
      dataset.table(content.record).rowCount
        <= FilteredFacts.mostFactsASubject * routing.subjectCount(compiler.subject)
    else { return nil }
    return try FilteredFacts(content, compiler)
  }

  // MARK: Growth

  /// Switches to other reference days, in rising order. Cached windows of workers are invalid afterwards.
  func move(to days: [Int32]) {
    self.days = days
    lastDay = days.last ?? 0
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

  // MARK: Subjects

  /// By number of the entity, whether it exists: those in its table, and those that a readable record refers to.
  func existing(_ scope: SubjectScope) -> [Bool] {
    if let known = knownToExist[scope] { return known }
    let space = dataset.space(scope.entity)
    var exists = space.rows.map { $0 >= 0 }
    for record in scope.reads.sorted() {
      let table = dataset.table(record)
      for field in library.references(from: record, to: scope.entity) {
        if let noted = table.notedReferences(library.records[record].fields[field]) {
          for id in noted { if let number = space.number(ofPool: Cell(id)) { exists[number] = true } }
          continue
        }
        let counts = referenceCounts(FieldReference(record: record, field: field), scope)
        for (id, count) in counts.enumerated() where count > 0 {
          if let number = space.number(ofPool: Cell(id)) { exists[number] = true }
        }
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
  func exists(_ number: Int, _ scope: SubjectScope) -> Bool {
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

  /// By string number, how many readable records have that text in a field.
  private func referenceCounts(_ field: FieldReference, _ scope: SubjectScope) -> [Int32] {
    let consent = scope.consents.isEmpty ? nil : library.askedConsent(of: field.record)
    let key = ReferenceKey(field: field, consent: consent)
    if let known = referenceCounts[key] { return known }
    var counts = [Int32](repeating: 0, count: dataset.pool.count)
    if case .narrow(let cells)? = dataset.table(field.record).column(field.field) {
      let readable = routing.readability(field.record, consent)
      let pieces = Parallel.pieces(rows: cells.count, threads: threads)
      let parts = Parallel.map(pieces: pieces) { piece in
        var part = [Int32](repeating: 0, count: dataset.pool.count)
        part.withUnsafeMutableBufferPointer { part in
          for row in Parallel.part(piece, of: pieces, cells.count)
          where cells[row] >= 0 && readable?[row] ?? true { part[Int(cells[row])] &+= 1 }
        }
        return part
      }
      for part in parts { for id in part.indices { counts[id] &+= part[id] } }
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
    var fields: [Program] = []
    for field in compiler.groups {
      fields.append(
        try counted.compile(field.expression(of: aggregate.entity)) ?? Operators.constant(noValue))
    }
    let members = CountedMembers(
      members(of: aggregate, compiler.metric), fields: fields,
      varies: compiler.groups.vary, since: compiler.agreedSince(aggregate.entity))
    countedMembers[key] = members
    return members
  }

  private func members(
    of aggregate: SubjectAggregate, _ metric: MetricID
  ) -> (Int) -> [Int32] {
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

  /// The number of an entity by any of its names; nil if no record names it.
  func number(of name: String, _ entity: RecordID) -> Int? {
    dataset.pool.lookup(name).flatMap { dataset.space(entity).number(ofPool: Cell($0)) }
  }

  func id(_ entity: RecordID?, _ number: Int) -> String {
    entity.map { dataset.pool.string(dataset.space($0).ids[number]) } ?? ""
  }
}

extension Library {
  /// How often each metric is read.
  fileprivate func readers(among ids: some Sequence<MetricID>) -> [MetricID: Int] {
    var readers: [MetricID: Int] = [:]
    for metric in ids.map({ metrics[$0] }) {
      for case .metric(let reference) in metric.body.expressionsAndGroups.flatMap(\.allParts) {
        readers[reference.metric, default: 0] += 1
      }
      if case .level(let level) = metric.body { readers[level.metric, default: 0] += 1 }
    }
    return readers
  }
}

/// Columns that are computed once for all rows and threads.
final class WholeColumns: Sendable {
  private struct Key: Hashable {
    var metric: MetricID
    var part: Int
    var days: DayRange
  }

  private let columns = Mutex<[Key: [Cell]]>([:])
  private let groups = Mutex<[Key: [GroupColumn]]>([:])

  func value(_ metric: MetricID, _ part: Int, _ days: DayRange) -> [Cell]? {
    columns.withLock { $0[Key(metric: metric, part: part, days: days)] }
  }

  func remember(_ column: [Cell], _ metric: MetricID, _ part: Int, _ days: DayRange) {
    columns.withLock { $0[Key(metric: metric, part: part, days: days)] = column }
  }

  func groups(_ metric: MetricID, _ days: DayRange, _ make: () -> [GroupColumn]) -> [GroupColumn] {
    let key = Key(metric: metric, part: 0, days: days)
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
