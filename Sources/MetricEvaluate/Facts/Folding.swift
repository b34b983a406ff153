import MetricData
import MetricPlan

/// The facts that a fold must keep to answer an aggregate, whatever it keeps of them.
struct FoldShape: Hashable {
  /// The fact's reference by which its records are gathered.
  var key: FieldReference
  var condition: RowExpression?
  /// The column that is summed, where one is.
  var amount: Int?
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
      guard let condition = rowExpression(filter, aggregate.record, key, schema) else { return nil }
      shape.condition = condition
    }
    if let argument = aggregate.argument, aggregate.function != .distinct {
      guard case .field(let path) = argument, let column = column(path, schema),
        self[path.field].type == .int || self[path.field].type == .decimal
      else { return nil }
      shape.amount = column
    }
    return shape
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

  /// The column of a field of the fact itself that is no computed one.
  private func column(_ path: FieldPath, _ schema: TableSchema) -> Int? {
    guard path.root == .row, path.references.isEmpty, self[path.field].computed == nil else { return nil }
    return schema.columns.firstIndex { $0.name == self[path.field].name }
  }

  /// A `where` that reads nothing but the fact's own fields, and computes nothing with them that could leave
  /// the range of numbers.
  private func rowExpression(
    _ expression: Expression, _ record: RecordID, _ key: FieldReference, _ schema: TableSchema
  ) -> RowExpression? {
    func inner(_ operand: Expression) -> RowExpression? { rowExpression(operand, record, key, schema) }
    switch expression {
    case .literal(let literal): return RowExpression(literal)
    case .day:
      return records[record].dayKeyField.flatMap { field in
        schema.columns.firstIndex { $0.name == records[record].fields[field].name }.map { .column($0) }
      }
    case .field(let path):
      // A fold numbers its keys itself, so they cannot be compared with anything.
      return path.field == key ? nil : column(path, schema).map { .column($0) }
    case .comparison(let operation, let left, let right):
      guard let left = inner(left), let right = inner(right) else { return nil }
      return .comparison(RowComparison(operation), left, right)
    case .membership(let operand, let literals, let negated):
      return inner(operand).map { .membership($0, literals.map { RowExpression($0) }, negated: negated) }
    case .isNone(let operand, let negated): return inner(operand).map { .isNone($0, negated: negated) }
    case .and(let left, let right):
      guard let left = inner(left), let right = inner(right) else { return nil }
      return .and(left, right)
    case .or(let left, let right):
      guard let left = inner(left), let right = inner(right) else { return nil }
      return .or(left, right)
    case .not(let operand): return inner(operand).map { .not($0) }
    case .widened(.literal(.int(let value))): return .cell(value * FixedDecimal.scale)
    case .arithmetic, .negated, .conditional, .function, .widened, .metric, .aggregate, .completions,
      .subjects:
      return nil
    }
  }
}

extension Aggregate {
  /// The days that have a fact.
  init(daysOf record: RecordID, _ route: Route, where filter: Expression? = nil) {
    self.init(
      function: .days, record: record, route: route, argument: nil, filter: filter, period: nil, type: .int)
  }

  /// The same facts, counted.
  var countingAll: Aggregate {
    var counting = self
    counting.argument = nil
    return counting
  }
}

extension Expression {
  /// The aggregate of a comparison that asks only whether there is a fact (`count(F …) >= 1`), and whether it
  /// asks that there is none.
  var existence: (aggregate: Aggregate, negated: Bool)? {
    guard let (aggregate, operation, bound) = comparedCount else { return nil }
    switch (operation, bound) {
    case (.greaterOrEqual, 1), (.greater, 0), (.notEqual, 0): return (aggregate, false)
    case (.less, 1), (.lessOrEqual, 0), (.equal, 0): return (aggregate, true)
    default: return nil
    }
  }

  /// Whether it holds only in windows that have a fact, because it asks for a number of them.
  var needsFact: Bool {
    guard let (aggregate, operation, bound) = comparedCount, aggregate.period == nil else { return false }
    switch operation {
    case .greaterOrEqual, .equal: return bound >= 1
    case .greater: return bound >= 0
    case .notEqual: return bound == 0
    case .less, .lessOrEqual: return false
    }
  }

  /// A comparison of a count with a number, the count on the left.
  private var comparedCount: (aggregate: Aggregate, operation: ComparisonOperator, bound: Int64)? {
    switch self {
    case .comparison(let operation, .aggregate(let aggregate), .literal(.int(let bound)))
    where aggregate.function == .count:
      (aggregate, operation, bound)
    case .comparison(let operation, .literal(.int(let bound)), .aggregate(let aggregate))
    where aggregate.function == .count:
      (aggregate, operation.flipped, bound)
    default: nil
    }
  }
}

extension RowComparison {
  fileprivate init(_ operation: ComparisonOperator) {
    self =
      switch operation {
      case .equal: .equal
      case .notEqual: .notEqual
      case .less: .less
      case .lessOrEqual: .lessOrEqual
      case .greater: .greater
      case .greaterOrEqual: .greaterOrEqual
      }
  }
}

extension RowExpression {
  fileprivate init(_ literal: Literal) {
    self =
      switch literal {
      case .none: .cell(noValue)
      case .bool(let value): .cell(value ? 1 : 0)
      case .int(let value): .cell(value)
      case .decimal(let value): .cell(value.millionths)
      case .text(let text): .text(text)
      case .day(let day): .cell(Cell(day.number))
      }
  }
}
