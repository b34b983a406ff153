import MetricData
import MetricPlan

/// Which days an evaluation will ask about.
package enum AskedDays: Hashable, Sendable {
  /// One; nil is the last day of the data.
  case one(DayKey?)
  /// Several, up to the last one of them; nil is the last day of the data.
  case several(through: DayKey?)
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
/// A record is folded where every question of every metric is answered by days, and totals up to the one
/// reference day, of facts gathered by one reference. That is decided from the typed plan alone; the
/// evaluator then finds the fold in place of the facts and compiles the same aggregates to questions to it.
package struct LoadPlan: Sendable {
  /// A schema for each record that the metrics read, with only the fields that they read.
  package let schemas: [TableSchema]
  /// By record name.
  package let folds: [String: FoldSpec]

  package init(
    library: Library, metrics: some Sequence<MetricID>, days: AskedDays, storage: Storage = .measured
  ) {
    let needs = DataNeeds(library: library, metrics: metrics)
    schemas = needs.fields.keys.sorted().map { needs.schema(of: $0) }
    var folds: [String: FoldSpec] = [:]
    var uses = FactUses(library: library, needs: needs, days: days)
    uses.visit()
    for (record, use) in uses.records
    where storage != .lists
      && (storage == .folds || use.dailyQuestions <= FactUse.mostDailyQuestions)
    {
      folds[library.records[record].name] = use.spec(library, needs.schema(of: record), days)
    }
    self.folds = folds
  }
}

/// What metrics ask of one fact record.
private struct FactUse {
  var record: RecordID
  var key: FieldReference?
  var bundles: [FoldSpec.Bundle] = []
  /// Whether some question needs the facts themselves.
  var needsFacts = false

  /// How many questions need numbers by day.
  var dailyQuestions = 0

  /// More than these are not folded: each costs a pass over every batch, and words for every slot.
  static let mostBundles = 128
  /// More questions than these about numbers by day are not folded. Ten million records folded for sums over windows with
  /// conditions of their own take 1.4 s for one sum, 2.3 s for two and 4.3 s for four; with columns it is 1.5, 1.9 and 2.2.
  static let mostDailyQuestions = 2

  /// What a bundle is to keep.
  enum Kept { case days, total, extremes, daily }

  mutating func ask(_ shape: FoldShape?, _ kept: Kept) {
    guard let shape, key == nil || key == shape.key else {
      needsFacts = true
      return
    }
    key = shape.key
    let found = bundles.firstIndex { $0.condition == shape.condition && $0.amount == shape.amount }
    let index = found ?? bundles.count
    if found == nil {
      bundles.append(.init(condition: shape.condition, amount: shape.amount))
    }
    switch kept {
    case .days: bundles[index].keepsDays = true
    case .total: bundles[index].keepsTotal = true
    case .extremes: bundles[index].keepsExtremes = true
    case .daily:
      bundles[index].keepsDaily = true
      dailyQuestions += 1
    }
  }

  /// Nil if the records must be kept.
  func spec(_ library: Library, _ schema: TableSchema, _ days: AskedDays) -> FoldSpec? {
    let fields = library.records[record].fields
    func column(_ field: Int) -> Int? { schema.columns.firstIndex { $0.name == fields[field].name } }
    guard !needsFacts, let key, let keyColumn = column(key.field), bundles.count <= FactUse.mostBundles,
      let day = library.dayColumn(of: record, schema),
      library.askedConsent(of: record) == nil, library.mergedFields(of: record).isEmpty
    else { return nil }
    let references = fields.indices.filter { field in
      if case .reference = fields[field].type { field != key.field } else { false }
    }
    let last: DayKey? =
      switch days {
      case .one(let day): day
      case .several(let day): day
      }
    return FoldSpec(
      key: keyColumn, day: day, tombstones: library.records[record].tombstones.compactMap(column),
      noted: references.compactMap(column), lastDay: last?.number, bundles: bundles)
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
  }

  mutating func visit() {
    for id in needs.reads.keys.sorted() { visit(id) }
  }

  private mutating func visit(_ id: MetricID) {
    let metric = library.metrics[id]
    if metric.body.atLeast != nil || metric.grouping.hasPaths { keepAll(needs.reads[id] ?? []) }
    let isAtDay = isOneDay && !shifted.contains(id)
    if let over = metric.body.over {
      for expression in metric.body.expressions { visit(expression, over: over, isAtDay: isAtDay) }
    } else if case .completion(let completion) = metric.body {
      for expression in metric.body.expressions { visit(expression, over: nil, isAtDay: false) }
      for source in library.presence(of: completion.when, subject: metric.subject.entity).facts {
        askPresence(source)
      }
      // The days of the facts behind `rest` are the days when it can change.
      if let rest = completion.rest {
        for source in library.presence(of: rest, subject: metric.subject.entity).facts { askPresence(source) }
      }
    } else if case .level(let level) = metric.body, level.hasDays {
      for source in library.presence(of: level.metric) { askPresence(source) }
    } else if case .retention(let retention) = metric.body {
      if let value = retention.value { keepAll([value.record]) }
      // A retention needs only the days of starts and returns.
      for case .fact(let record, let route, let filter) in [retention.start, retention.returns] {
        ask(Aggregate(daysOf: record, route, where: filter), .days)
      }
    } else if metric.kind == .funnel {
      keepAll(needs.reads[id] ?? [])
    }
  }

  private var isOneDay: Bool { if case .one = days { true } else { false } }

  private mutating func keepAll(_ read: Set<RecordID>) {
    for record in read { records[record]?.needsFacts = true }
  }

  private mutating func askPresence(_ source: PresenceSources.Fact) {
    ask(Aggregate(daysOf: source.record, source.route), .days)
  }

  /// - Parameter first: the day from which on facts count; nil for all.
  private mutating func ask(_ aggregate: Aggregate, _ kept: FactUse.Kept, from first: Int32? = nil) {
    let schema = needs.schema(of: aggregate.record)
    let day = library.dayColumn(of: aggregate.record, schema)
    var shape = library.foldShape(aggregate, schema)
    if let first { shape = day.flatMap { shape?.from(first, day: $0) } }
    records[aggregate.record]?.ask(shape, kept)
  }

  // MARK: Expressions

  /// - Parameters:
  ///   - over: the period of aggregates without one of their own.
  ///   - isAtDay: whether the expression is evaluated at the one reference day alone.
  private mutating func visit(_ expression: Expression, over: Period?, isAtDay: Bool) {
    if let (aggregate, _) = expression.existence { return ask(aggregate, .days) }
    switch expression {
    case .aggregate(let aggregate):
      visit(aggregate, in: isAtDay ? aggregate.period ?? over : nil)
    case .subjects(let aggregate):
      for inner in aggregate.inner {
        visit(inner, over: over, isAtDay: isAtDay)
      }
    case .metric(let reference) where reference.days?.mayBeAllTime ?? false:
      for source in library.presence(of: reference.metric) { askPresence(source) }
    case .literal, .field, .day, .metric, .completions, .arithmetic, .negated, .comparison, .membership,
      .isNone, .and, .or, .not, .conditional, .function, .widened:
      for operand in expression.operands { visit(operand, over: over, isAtDay: isAtDay) }
    }
  }

  /// - Parameter period: that of the aggregate, where it is asked for at the one reference day alone.
  private mutating func visit(_ aggregate: Aggregate, in period: Period?) {
    var first: Int32? = period == .allTime ? .min : nil
    if let period, period.holdsReferenceDay, case .one(let day?) = days {
      first = period.days(at: day.number).lowerBound
    }
    switch aggregate.function {
    case .days: ask(aggregate, .days)
    case .first where aggregate.argument == nil, .last where aggregate.argument == nil:
      ask(aggregate, .days)
    case .distinct where aggregate.route == .whole: ask(aggregate, .days)
    case .count, .sum, .contribution: ask(aggregate, first == nil ? .daily : .total, from: first)
    case .average where first != nil: ask(aggregate, .total, from: first)
    case .min where first != nil, .max where first != nil: ask(aggregate, .extremes, from: first)
    // A fold keeps nothing else: from the facts themselves every aggregate can be computed, also a new one.
    default: records[aggregate.record]?.needsFacts = true
    }
    if aggregate.function == .contribution, aggregate.argument != nil {
      // A link may count, too.
      ask(aggregate.countingAll, first == nil ? .daily : .total, from: first)
    }
  }
}

extension Library {
  /// Which of some metrics are also evaluated at other days than the reference days.
  func shifted(among ids: some Sequence<MetricID>) -> Set<MetricID> {
    var shifted: Set<MetricID> = []
    // A metric comes after those it reads, so in reverse order readers come first.
    for id in ids.sorted().reversed() {
      let isShifted = shifted.contains(id)
      var isCompletion = false
      if case .completion = metrics[id].body { isCompletion = true }
      if case .level(let level) = metrics[id].body, isShifted || level.hasDays {
        shifted.insert(level.metric)
      }
      for case .metric(let reference) in metrics[id].body.expressionsAndGroups.flatMap(\.allParts)
      where isShifted || isCompletion || reference.offset != nil || reference.days != nil {
        shifted.insert(reference.metric)
      }
    }
    return shifted
  }
}
