extension FoldedFacts {
  /// A folded record by the subjects that its key names, in the order in which every metric visits them.
  convenience init(_ store: FoldStore, _ space: EntitySpace) {
    var slots = [Int32](repeating: -1, count: space.count)
    for (slot, key) in store.keys.enumerated() {
      if let number = space.number(ofPool: Cell(key)) { slots[number] = Int32(slot) }
    }
    self.init(store, by: slots)
  }

  /// The bundle that answers a shape; nil if the records were folded for other metrics.
  func bundle(_ shape: FoldShape) -> Int? {
    spec.bundles.firstIndex { $0.condition == shape.condition && $0.amount == shape.amount }
  }

  /// A bundle's total of each day: the sum, or the number of facts.
  func withDailySums(_ bundle: Int, of subject: Int, _ worker: Worker, _ body: (FactSlice) -> Void) {
    guard subject >= 0, subject < slotCount else {
      return body(FactSlice(count: 0, days: nil, numbers: nil, rows: nil))
    }
    let most = mostDays(bundle, of: subject)
    worker.with(Int32.self, most) { days in
      worker.withCells(most) { sums in
        let (count, isRising) = copyDays(bundle, of: subject, to: days, sums)
        if !isRising { FoldedFacts.sort(days, sums, count) }
        body(FactSlice(count: count, days: days, numbers: sums, rows: nil))
      }
    }
  }

  /// Sorts days that the file had in another order; a day may then appear several times.
  private static func sort(
    _ days: UnsafeMutablePointer<Int32>, _ sums: UnsafeMutablePointer<Cell>, _ count: Int
  ) {
    let sorted = (0..<count).map { (day: days[$0], sum: sums[$0]) }.sorted { $0.day < $1.day }
    for (index, entry) in sorted.enumerated() { (days[index], sums[index]) = (entry.day, entry.sum) }
  }
}

/// Where the facts of an aggregate are.
enum FactSource {
  case list(FactList)
  case filtered(FilteredFacts)
  case fold(FoldedFacts, bundle: Int)

  /// The days of a subject's facts; a day may appear several times.
  func withDays(of key: Int, _ worker: Worker, _ body: (FactSlice) -> Void) {
    switch self {
    case .list(let list): body(list.slice(key))
    case .filtered(let facts): facts.withDays(of: key, worker, body)
    case .fold(let facts, let bundle):
      guard let bits = bits(of: key) else { return facts.withDailySums(bundle, of: key, worker, body) }
      worker.with(Int32.self, bits.count(from: .min, through: .max)) { days in
        var count = 0
        bits.forEach(through: .max) {
          days[count] = $0
          count += 1
        }
        body(FactSlice(count: count, days: days, numbers: nil, rows: nil))
      }
    }
  }

  /// The days of a subject's facts as bits, where a fold keeps them so.
  func bits(of key: Int) -> DayBits? {
    guard case .fold(let facts, let bundle) = self, facts.spec.bundles[bundle].keepsDays
    else { return nil }
    return facts.days(bundle, of: key)
  }

  /// The days of a subject's facts with what those of each add up to.
  func withTotals(of key: Int, _ worker: Worker, _ body: (FactSlice) -> Void) {
    if case .fold(let facts, let bundle) = self, facts.spec.bundles[bundle].keepsDaily {
      facts.withDailySums(bundle, of: key, worker, body)
    } else {
      withDays(of: key, worker, body)
    }
  }

  /// The days of the facts of a place's subject, in a grouped measure of its group.
  func withDays(of place: Place, _ worker: Worker, _ body: (FactSlice) -> Void) {
    if case .list(let list) = self {
      body(list.slice(place))
    } else {
      withDays(of: place.subject, worker, body)
    }
  }

  /// Marks the asked days of a place whose period holds a fact. For a few days the bits of a fold are asked: writing all
  /// days first took a twentieth of the time of habit metrics. For a series of 365 days that takes a quarter more time.
  func mark<Mark>(
    _ mark: Mark, _ period: Period, _ place: Place, _ out: UnsafeMutablePointer<Mark>, _ worker: Worker
  ) {
    guard place.count <= 16, let days = bits(of: place.subject) else {
      return withDays(of: place, worker) { $0.mark(mark, period, place.days, out) }
    }
    var units = PeriodUnits(period)
    for lane in 0..<place.count {
      let held = units.days(at: place.days[lane])
      if days.firstDay(from: held.lowerBound, through: held.upperBound) != nil { out[lane] = mark }
    }
  }

  /// The first day when a subject has a fact.
  func firstDay(of key: Int, _ worker: Worker) -> Int32? {
    if case .list(let list) = self { return list.slice(key).first }
    if let days = bits(of: key) { return days.firstDay(from: .min, through: .max) }
    var day: Int32?
    withDays(of: key, worker) { day = $0.first }
    return day
  }
}

extension Compiler {
  /// The fold that answers an aggregate, if its record was folded.
  ///
  /// - Parameter isWhole: whether the aggregate itself is asked for, and not on which days it has facts.
  func folded(_ aggregate: Aggregate, isWhole: Bool = false) -> (facts: FoldedFacts, bundle: Int)? {
    guard let schema = dataset.table(aggregate.record).foldedSchema,
      let shape = engine.library.foldShape(aggregate, schema),
      let facts = engine.routing.folded(aggregate.record, by: shape.key)
    else { return nil }
    let inPeriod = (isWhole ? firstDay(of: aggregate) : nil).flatMap {
      facts.bundle(shape.from($0, day: facts.spec.day))
    }
    return (inPeriod ?? facts.bundle(shape)).map { (facts, $0) }
  }

  /// The first day of an aggregate's period, where it is asked for at the one reference day alone, and all facts of the
  /// period at once.
  func firstDay(of aggregate: Aggregate) -> Int32? {
    guard aggregate.function != .days, aggregate.function.traits.form != .picks, engine.hasOneDay,
      !engine.shifted.contains(metric), let over = engine.library.metrics[metric].body.over
    else { return nil }
    let period = aggregate.period ?? over
    return period.holdsReferenceDay ? period.days(at: engine.lastDay).lowerBound : nil
  }

  /// The facts that an aggregate reads, in any period.
  ///
  /// - Parameter isWhole: whether the aggregate itself is asked for, and not on which days it has facts.
  func facts(_ aggregate: Aggregate, isWhole: Bool = false) throws(EvaluationError) -> FactSource {
    if let (facts, bundle) = folded(aggregate, isWhole: isWhole) { return .fold(facts, bundle: bundle) }
    let content = content(of: aggregate, isWhole: isWhole)
    if let facts = try engine.filtered(content, self) { return .filtered(facts) }
    return .list(try engine.list(content, self))
  }

  /// The list of the facts that an aggregate reads, whose record is not folded.
  func list(_ aggregate: Aggregate, hasRows: Bool) throws(EvaluationError) -> FactList {
    var content = content(of: aggregate, isWhole: true)
    content.hasRows = hasRows
    return try engine.list(content, self)
  }

  private func content(of aggregate: Aggregate, isWhole: Bool) -> FactContent {
    let isFirstOrLast = aggregate.function == .first || aggregate.function == .last
    let since = isWhole ? firstDay(of: aggregate) : nil
    let isListed = aggregate.argument.map(engine.listedArguments.contains) ?? false
    return FactContent(
      record: aggregate.record, route: aggregate.route, filter: aggregate.filter,
      argument: aggregate.argument,
      contribution: aggregate.function == .contribution ? aggregate.type : nil,
      group: groups.compactMap { $0.paths[aggregate.record] }, since: since,
      isOrdered: isFirstOrLast && aggregate.argument != nil,
      summary: since == nil || isListed ? nil : aggregate.summary)
  }
}

/// The facts that a fold must keep to answer an aggregate, whatever it keeps of them.
struct FoldShape: Hashable {
  /// The fact's reference by which its records are gathered.
  var key: FieldReference
  var condition: RowExpression?
  /// The column that is summed, where one is.
  var amount: Int?

  /// The same facts from a day on.
  func from(_ first: Int32, day column: Int) -> FoldShape {
    guard first > .min else { return self }
    let day = RowExpression.literal(.day(DayKey(number: first)))
    let isInPeriod = RowExpression.comparison(.greaterOrEqual, .column(column), day)
    var shape = self
    shape.condition = condition.map { .and(isInPeriod, $0) } ?? isInPeriod
    return shape
  }
}

extension Library {
  /// The shape of an aggregate whose facts find their subject by one reference, and whose `where` and field
  /// are of the fact itself; nil for all others.
  ///
  /// - Parameter columns: the schema's columns of the record, which the fold's columns are counted in.
  func foldShape(_ aggregate: Aggregate, _ schema: TableSchema) -> FoldShape? {
    guard let key = foldKey(aggregate) else { return nil }
    var shape = FoldShape(key: key)
    if let filter = aggregate.filter {
      // A fold numbers its keys itself, so they cannot be compared with anything.
      guard !filter.reads(key), let condition = rowExpression(filter, aggregate.record, schema) else {
        return nil
      }
      shape.condition = condition
    }
    if let argument = aggregate.argument, aggregate.function != .distinct {
      guard case .field(let path) = argument, let column = column(path, schema),
        [.int, .decimal].contains(self[path.field].type)
      else { return nil }
      shape.amount = column
    }
    return shape
  }

  /// Where a schema has a field of a record.
  func column(_ field: Int, of record: RecordID, _ schema: TableSchema) -> Int? {
    schema.columns.firstIndex { $0.name == records[record].fields[field].name }
  }

  /// Where a schema has the DayKey of a record.
  func dayColumn(of record: RecordID, _ schema: TableSchema) -> Int? {
    records[record].dayKeyField.flatMap { column($0, of: record, schema) }
  }

  /// The one reference by which the facts of an aggregate are gathered.
  private func foldKey(_ aggregate: Aggregate) -> FieldReference? {
    let route: [FieldReference]
    switch aggregate.route {
    case .whole:
      // Distinct references among all facts can be counted, as each is a key.
      guard aggregate.function == .distinct, case .field(let path)? = aggregate.argument, path.root == .row,
        path.references.isEmpty, case .reference = self[path.field].type
      else { return nil }
      route = [path.field]
    case .references(let references): route = references
    case .link(let link) where aggregate.function == .contribution: route = link.fromFact
    case .link: return nil
    }
    return route.count == 1 ? route.first : nil
  }

  /// The column of a field of the fact itself that is not computed.
  private func column(_ path: FieldPath, _ schema: TableSchema) -> Int? {
    guard path.root == .row, path.references.isEmpty, self[path.field].computed == nil else { return nil }
    return column(path.field.field, of: path.field.record, schema)
  }

  /// A `where` that reads nothing but the fact's own fields, and computes nothing with them that could leave
  /// the range of numbers.
  func rowExpression(
    _ expression: Expression, _ record: RecordID, _ schema: TableSchema
  ) -> RowExpression? {
    func inner(_ operand: Expression) -> RowExpression? { rowExpression(operand, record, schema) }
    switch expression {
    case .literal(let literal): return .literal(literal)
    case .day: return dayColumn(of: record, schema).map { .column($0) }
    case .field(let path): return column(path, schema).map { .column($0) }
    case .comparison(let operation, let left, let right):
      guard let left = inner(left), let right = inner(right) else { return nil }
      return .comparison(operation, left, right)
    case .membership(let operand, let literals, let negated):
      return inner(operand).map { .membership($0, literals, negated: negated) }
    case .isNone(let operand, let negated): return inner(operand).map { .isNone($0, negated: negated) }
    case .and(let left, let right):
      guard let left = inner(left), let right = inner(right) else { return nil }
      return .and(left, right)
    case .or(let left, let right):
      guard let left = inner(left), let right = inner(right) else { return nil }
      return .or(left, right)
    case .not(let operand): return inner(operand).map { .not($0) }
    case .widened(.literal(.int(let value))): return FixedDecimal(value).map { .literal(.decimal($0)) }
    case .arithmetic, .negated, .conditional, .function, .widened, .metric, .aggregate, .completions,
      .subjects:
      return nil
    }
  }
}

extension Aggregate {
  /// The same facts, counted.
  var countingAll: Aggregate {
    var counting = self
    counting.argument = nil
    return counting
  }
}

extension Expression {
  /// Whether a field is read somewhere in it.
  fileprivate func reads(_ field: FieldReference) -> Bool {
    var reads = false
    visit { if case .field(let path) = $0, path.field == field { reads = true } }
    return reads
  }

  /// The aggregate of a comparison that asks only whether there is a fact (`count(F …) >= 1`), and whether it
  /// asks that there is none.
  var existence: (aggregate: Aggregate, negated: Bool)? {
    guard let (aggregate, operation, bound) = comparedTotal, aggregate.function == .count else { return nil }
    switch (operation, bound) {
    case (.greaterOrEqual, 1), (.greater, 0), (.notEqual, 0): return (aggregate, false)
    case (.less, 1), (.lessOrEqual, 0), (.equal, 0): return (aggregate, true)
    default: return nil
    }
  }

  /// Whether it holds only in windows that have a fact, because it asks what their facts add up to.
  var needsFact: Bool {
    guard let (aggregate, operation, bound) = comparedTotal, aggregate.period == nil else { return false }
    switch operation {
    case .greaterOrEqual, .equal: return bound >= 1
    case .greater: return bound >= 0
    case .notEqual: return bound == 0
    case .less, .lessOrEqual: return false
    }
  }

  /// The aggregate of a comparison that holds for one number, which is above 0, and for all greater ones.
  var leastTotal: (aggregate: Aggregate, least: Cell)? {
    guard needsFact, let (aggregate, operation, bound) = comparedTotal else { return nil }
    switch operation {
    case .greaterOrEqual: return (aggregate, bound)
    case .greater: return (aggregate, bound + 1)
    case .equal, .notEqual, .less, .lessOrEqual: return nil
    }
  }

  /// A comparison of a number of facts or of their days, or of a sum, with a constant, the constant on the right.
  private var comparedTotal: (aggregate: Aggregate, operation: ComparisonOperator, bound: Cell)? {
    guard case .comparison(let operation, let left, let right) = self else { return nil }
    let isFlipped = left.constant != nil
    guard case .aggregate(let aggregate) = isFlipped ? right : left,
      let bound = (isFlipped ? left : right).constant
    else { return nil }
    switch aggregate.function {
    case .count, .days, .sum: return (aggregate, isFlipped ? operation.flipped : operation, bound)
    case .min, .max, .average, .stddev, .percentile, .distinct, .contribution, .first, .last:
      return nil
    }
  }

  private var constant: Cell? {
    if case .widened(let inner) = self { return inner.constant.map { $0 * FixedDecimal.scale } }
    guard case .literal(let literal) = self else { return nil }
    switch literal {
    case .int(let value): return value
    case .decimal(let value): return value.millionths
    case .none, .bool, .text, .day: return nil
    }
  }
}
