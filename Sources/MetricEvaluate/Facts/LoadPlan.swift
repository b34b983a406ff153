/// Which days an evaluation will ask about.
package enum AskedDays: Hashable, Sendable {
  /// One; nil is the last day of the data.
  case one(DayKey?)
  /// Several, up to the last one of them; nil is the last day of the data. Without a first one they may be any before it.
  case several(from: DayKey? = nil, through: DayKey?)

  /// The first of them; nil where it is not known.
  fileprivate var first: DayKey? {
    switch self {
    case .one(let day), .several(let day, _): day
    }
  }

  /// The last of them; nil is the last day of the data.
  fileprivate var last: DayKey? {
    switch self {
    case .one(let day), .several(_, let day): day
    }
  }
}

/// How records are held. Only one way is the fastest, but all give the same numbers: a test compares them.
package enum Storage: String, Sendable {
  /// As measured: folds where they answer all questions, and not too many.
  case measured
  /// All records are kept.
  case lists
  /// Records are folded wherever that answers all questions.
  case folds
}

/// How the records that some metrics read are to be loaded: which fields, and whether the records are kept
/// or folded while they are read.
///
/// Of records that are not folded those are kept that a question can count.
///
/// A record is folded where every question of every metric is answered by days, and totals up to the one
/// reference day, of facts gathered by one reference. That is decided from the typed plan alone; the
/// evaluator then finds the fold in place of the facts and compiles the same aggregates to questions to it.
package struct LoadPlan: Sendable {
  /// A schema for each record that the metrics read, with only the fields that they read.
  package let schemas: [TableSchema]
  /// By record name.
  package let folds: [String: FoldSpec]
  package let counted: [String: CountedRecords]

  package init(
    library: Library, metrics: some Sequence<MetricID>, days: AskedDays, storage: Storage = .measured
  ) {
    let library = library.withTeamReadings(of: metrics)
    let needs = DataNeeds(library: library, metrics: metrics)
    schemas = needs.fields.keys.sorted().map { needs.schema(of: $0) }
    var folds: [String: FoldSpec] = [:]
    let uses = FactUses(library: library, needs: needs, days: days)
    var counted: [String: CountedRecords] = [:]
    for (record, use) in uses.records where storage != .lists {
      let (name, schema) = (library.records[record].name, needs.schema(of: record))
      counted[name] = use.counted(library, schema, days)
      if storage == .folds || use.dailyQuestions <= FactUse.mostDailyQuestions {
        folds[name] = use.spec(library, schema, days)
      }
    }
    (self.folds, self.counted) = (folds, counted)
  }

  /// How a record's file is to be read.
  package func prepare(_ options: inout ReadOptions, for record: String) {
    (options.fold, options.counted) = (folds[record], counted[record])
  }
}

/// What metrics ask of one fact record.
private struct FactUse {
  var record: RecordID
  var key: FieldReference?
  var bundles: [FoldSpec.Bundle] = []
  /// Whether some question needs the facts themselves.
  var needsFacts = false

  /// The first day of all facts that a question can count; `.max` where there is no question.
  private var firstDay: Int32 = .max
  /// One of these holds for each such fact; nil where it may be any.
  private var conditions: [RowExpression]? = []
  /// Whether days are asked for, and not only all facts from the first day on.
  var needsDays = false

  /// How many questions need numbers by day.
  private(set) var dailyQuestions = 0

  /// More than these are not folded: each costs a pass over every batch, and words for every slot.
  static let mostBundles = 128
  /// More questions than these about numbers by day are not folded. Ten million records folded for sums over windows with
  /// conditions of their own take 1.4 s for one sum, 2.3 s for two and 4.3 s for four; with columns it is 1.5, 1.9 and 2.2.
  static let mostDailyQuestions = 2

  /// Of more conditions none is looked at while reading.
  private static let mostConditions = 4

  init(record: RecordID) { self.record = record }

  /// A question about facts from a day on.
  ///
  /// - Parameters:
  ///   - condition: what holds for each of them; nil where they may be any.
  ///   - asksDays: whether it asks when they were.
  mutating func read(from first: Int32, _ condition: RowExpression?, asksDays: Bool) {
    needsDays = needsDays || asksDays || firstDay < .max && firstDay != first
    firstDay = min(firstDay, first)
    if condition == nil { conditions = nil }
    if let condition, conditions?.contains(condition) == false { conditions?.append(condition) }
  }

  /// What a bundle is to keep.
  typealias Kept = WritableKeyPath<FoldSpec.Bundle, Bool>

  mutating func ask(_ shape: FoldShape?, _ kept: Kept) {
    guard let shape, key == nil || key == shape.key else {
      needsFacts = true
      return
    }
    key = shape.key
    let found = bundles.firstIndex { $0.condition == shape.condition && $0.amount == shape.amount }
    let index = found ?? bundles.count
    if found == nil { bundles.append(.init(condition: shape.condition, amount: shape.amount)) }
    bundles[index][keyPath: kept] = true
    if kept == \.keepsDaily { dailyQuestions += 1 }
  }

  /// Nil if the records must be kept.
  func spec(_ library: Library, _ schema: TableSchema, _ days: AskedDays) -> FoldSpec? {
    guard !needsFacts, let key, let keyColumn = library.column(key.field, of: record, schema),
      bundles.count <= FactUse.mostBundles, let day = library.dayColumn(of: record, schema),
      library.askedConsent(of: record) == nil, library.mergedFields(of: record).isEmpty
    else { return nil }
    return FoldSpec(
      key: keyColumn, day: day,
      tombstones: library.columns(library.records[record].tombstones, of: record, schema),
      noted: library.referenceColumns(of: record, schema).filter { $0 != keyColumn },
      lastDay: days.last?.number, bundles: bundles)
  }

  /// Which of the records are kept where they are not folded.
  func counted(_ library: Library, _ schema: TableSchema, _ days: AskedDays) -> CountedRecords {
    let tombstones = library.columns(library.records[record].tombstones, of: record, schema)
    var counted = CountedRecords(
      day: library.dayColumn(of: record, schema), days: .min...(.max), condition: nil,
      tombstones: tombstones, dropped: tombstones, noted: [])
    // What consents and other names say is known only when all is read.
    guard firstDay < .max, library.askedConsent(of: record) == nil,
      library.mergedFields(of: record).isEmpty,
      record != library.record(named: "Consent"), record != library.identity?.record
    else { return counted }
    counted.noted = library.referenceColumns(of: record, schema)
    let last = days.last?.number ?? .max
    counted.days = min(firstDay, last)...last
    if let day = counted.day, !needsDays { counted.dropped.append(day) }
    if let conditions, conditions.count <= FactUse.mostConditions {
      counted.condition = conditions.dropFirst().reduce(conditions.first) { .or($0 ?? $1, $1) }
    }
    return counted
  }
}

/// Collects what metrics ask of facts.
private struct FactUses {
  let library: Library
  let needs: DataNeeds
  let days: AskedDays
  private(set) var records: [RecordID: FactUse] = [:]
  private let shifted: Set<MetricID>

  init(library: Library, needs: DataNeeds, days: AskedDays) {
    self.library = library
    self.needs = needs
    self.days = days
    shifted = library.shifted(among: needs.reads.keys)
    for record in needs.fields.keys where library.records[record].kind == .fact {
      records[record] = FactUse(record: record)
    }
    for id in needs.reads.keys.sorted() { visit(id) }
  }

  private mutating func visit(_ id: MetricID) {
    let metric = library.metrics[id]
    if metric.body.atLeast != nil || metric.grouping.hasPaths {
      for record in needs.reads[id] ?? [] { records[record]?.needsFacts = true }
    }
    for path in metric.grouping.paths
    where path.field.field == library.records[path.field.record].dayKeyField {
      records[path.field.record]?.needsDays = true
    }
    if let over = metric.body.over {
      let isAtDays = !shifted.contains(id)
      for expression in metric.body.expressions {
        visit(expression, over: over, isAtDays: isAtDays)
      }
    } else if case .completion(let completion) = metric.body {
      for expression in metric.body.expressions { visit(expression, over: nil, isAtDays: false) }
      // The days of the facts behind `rest` are the days when it can change.
      for condition in [completion.when, completion.rest].compactMap({ $0 }) {
        let sources = library.presence(of: condition, subject: metric.subject.entity)
        for source in sources.facts { askPresence(source) }
      }
    } else if case .level(let level) = metric.body, level.hasDays {
      for source in library.presence(of: level.metric) { askPresence(source) }
    } else if case .retention(let retention) = metric.body {
      if let value = retention.value { keepAll([value.record]) }
      // A retention needs only the days of starts and returns.
      for case .fact(let record, let route, let filter) in [retention.start, retention.returns] {
        ask(Aggregate(.days, of: record, route, where: filter), \.keepsDays)
      }
    } else if metric.kind == .funnel {
      keepAll(needs.reads[id] ?? [])
    }
  }

  private mutating func keepAll(_ read: Set<RecordID>) {
    for record in read {
      records[record]?.needsFacts = true
      records[record]?.read(from: .min, nil, asksDays: true)
    }
  }

  private mutating func askPresence(_ source: PresenceSources.Fact) {
    ask(Aggregate(.days, of: source.record, source.route), \.keepsDays)
  }

  /// - Parameters:
  ///   - first: the day from which on facts count; nil for all.
  ///   - period: that of the facts, where it is asked for at the reference days alone.
  ///   - asksDays: whether it asks when they were.
  private mutating func ask(
    _ aggregate: Aggregate, _ kept: FactUse.Kept, from first: Int32? = nil, in period: Period? = nil,
    asksDays: Bool = true
  ) {
    read(aggregate, in: period, asksDays: asksDays)
    let schema = needs.schema(of: aggregate.record)
    let day = library.dayColumn(of: aggregate.record, schema)
    var shape = library.foldShape(aggregate, schema)
    if let first { shape = day.flatMap { shape?.from(first, day: $0) } }
    records[aggregate.record]?.ask(shape, kept)
  }

  /// Notes which facts an aggregate can count.
  private mutating func read(_ aggregate: Aggregate, in period: Period?, asksDays: Bool) {
    let day = library.records[aggregate.record].dayKeyField
    let readsDay = [aggregate.filter, aggregate.argument].contains { expression in
      var reads = false
      expression?.visit { part in
        if case .day = part { reads = true }
        if case .field(let path) = part, path.field.field == day { reads = true }
      }
      return reads
    }
    let first = period.flatMap { period in days.first.map { period.days(at: $0.number).lowerBound } }
    let condition = aggregate.filter.flatMap {
      library.rowExpression($0, aggregate.record, needs.schema(of: aggregate.record))
    }
    records[aggregate.record]?.read(from: first ?? .min, condition, asksDays: asksDays || readsDay)
  }

  /// - Parameters:
  ///   - over: the period of aggregates without one of their own.
  ///   - isAtDays: whether the expression is evaluated at the reference days alone.
  private mutating func visit(_ expression: Expression, over: Period?, isAtDays: Bool) {
    func period(of aggregate: Aggregate) -> Period? { isAtDays ? aggregate.period ?? over : nil }
    if let (aggregate, _) = expression.existence {
      return ask(aggregate, \.keepsDays, in: period(of: aggregate))
    }
    switch expression {
    case .aggregate(let aggregate): visit(aggregate, in: period(of: aggregate))
    case .subjects(let aggregate):
      for inner in aggregate.inner {
        visit(inner, over: over, isAtDays: isAtDays)
      }
    case .metric(let reference) where reference.days?.mayBeAllTime ?? false:
      for source in library.presence(of: reference.metric) { askPresence(source) }
    case .literal, .field, .day, .metric, .completions, .arithmetic, .negated, .comparison, .membership,
      .isNone, .and, .or, .not, .conditional, .function, .widened:
      for operand in expression.operands { visit(operand, over: over, isAtDays: isAtDays) }
    }
  }

  /// - Parameter period: that of the aggregate, where it is asked for at the reference days alone.
  private mutating func visit(_ aggregate: Aggregate, in period: Period?) {
    // Where it is one day, the first of the facts of which only the total is needed.
    var first: Int32?
    if case .one(let day) = days, let period {
      first = period == .allTime ? .min : nil
      if period.holdsReferenceDay, let day { first = period.days(at: day.number).lowerBound }
    }
    let asksDays = first == nil || aggregate.function == .days || aggregate.function.traits.form == .picks
    func ask(_ aggregate: Aggregate, _ kept: FactUse.Kept) {
      self.ask(aggregate, kept, from: kept == \.keepsDays ? nil : first, in: period, asksDays: asksDays)
    }
    switch aggregate.function {
    case .days: ask(aggregate, \.keepsDays)
    case .first where aggregate.argument == nil, .last where aggregate.argument == nil:
      ask(aggregate, \.keepsDays)
    case .distinct where aggregate.route == .whole: ask(aggregate, \.keepsDays)
    case .count, .sum, .contribution: ask(aggregate, first == nil ? \.keepsDaily : \.keepsTotal)
    case .average where first != nil: ask(aggregate, \.keepsTotal)
    case .min where first != nil, .max where first != nil: ask(aggregate, \.keepsExtremes)
    // A fold keeps nothing else: from the facts themselves every aggregate can be computed, also a new one.
    default:
      records[aggregate.record]?.needsFacts = true
      read(aggregate, in: period, asksDays: asksDays)
    }
    if aggregate.function == .contribution, aggregate.argument != nil {
      // A link may count, too.
      ask(aggregate.countingAll, first == nil ? \.keepsDaily : \.keepsTotal)
    }
  }
}

extension Library {
  /// Where a schema has fields of a record.
  fileprivate func columns(_ fields: [Int], of record: RecordID, _ schema: TableSchema) -> [Int] {
    fields.compactMap { column($0, of: record, schema) }
  }

  /// Where a schema has the references of a record.
  fileprivate func referenceColumns(of record: RecordID, _ schema: TableSchema) -> [Int] {
    let fields = records[record].fields
    let references = fields.indices.filter { if case .reference = fields[$0].type { true } else { false } }
    return columns(references, of: record, schema)
  }

  /// Which of some metrics are also evaluated at other days than the reference days.
  func shifted(among ids: some Sequence<MetricID>) -> Set<MetricID> {
    var shifted: Set<MetricID> = []
    func shift(_ id: MetricID) { if shifted.insert(id).inserted { visit(id) } }
    func visit(_ id: MetricID) {
      let (isShifted, isCompletion) = (shifted.contains(id), metrics[id].kind == .completion)
      if case .level(let level) = metrics[id].body, isShifted || level.hasDays {
        shift(level.metric)
      }
      for case .metric(let reference) in metrics[id].body.expressionsAndGroups.flatMap(\.allParts)
      where isShifted || isCompletion || reference.offset != nil || reference.days != nil {
        shift(reference.metric)
      }
    }
    for id in ids { visit(id) }
    return shifted
  }
}
