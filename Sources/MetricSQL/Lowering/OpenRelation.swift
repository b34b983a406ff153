/// A relation that gets columns until the statement is complete: one for all metrics that ask about its rows.
final class OpenRelation {
  private struct Value {
    var expression: SQLExpression
    /// Where they do not hold, the value is null, or the row counts for no aggregate.
    var conditions: [SQLExpression]
    var name: String
  }

  let name: String
  let level: Int
  let builder: SelectBuilder
  private let comment: String
  let keys: [SQLColumn]
  /// Whether a row is a group of rows with the same keys.
  private let isGrouped: Bool
  private var values: [Value] = []

  init(
    _ name: String, level: Int = 0, _ comment: String, _ builder: SelectBuilder, keys: [SQLColumn],
    isGrouped: Bool = true
  ) {
    (self.name, self.level, self.comment) = (name, level, comment)
    (self.builder, self.keys, self.isGrouped) = (builder, keys, isGrouped)
  }

  /// The column of a value; `v1`, `v2`, … where it is given no name. The same value twice is one column.
  func add(
    _ expression: SQLExpression, where conditions: [SQLExpression] = [], named name: String? = nil
  ) -> String {
    // Aggregates skip what is missing.
    let conditions = conditions.flatMap(\.conjuncts).filter { condition in
      if case .aggregate(_, let argument?) = expression { condition != argument.isPresent } else { true }
    }
    if let known = values.first(where: { $0.expression == expression && $0.conditions == conditions }) {
      return known.name
    }
    let name = name ?? "v\(values.count + 1)"
    values.append(Value(expression: expression, conditions: conditions, name: name))
    return name
  }

  /// - Parameter earlier: relations of the same rows, the last of which takes the place of the first relation; their
  ///   columns are passed on.
  func definition(behind earlier: [OpenRelation] = []) -> SQLDefinition {
    // Rows that count nowhere are not read.
    let common = (isGrouped ? values.first?.conditions ?? [] : []).filter { condition in
      values.allSatisfy { $0.conditions.contains(condition) }
    }
    let passed = earlier.flatMap(\.values).map { SQLColumn(builder[$0.name], $0.name) }
    let own = values.map { value in
      let conditions = value.conditions.filter { !common.contains($0) }
      let expression = SQLExpression.all(conditions).map { value.expression.counted(where: $0) }
      return SQLColumn(expression ?? value.expression, value.name)
    }
    let query = builder.select(
      keys + passed + own, groupedBy: isGrouped ? keys.map(\.expression) : [], where: common,
      from: earlier.last?.name)
    return SQLDefinition(name: name, columns: nil, comment: comment, query: query)
  }
}

extension SQLExpression {
  /// The value where a condition holds, or the aggregate of the rows where it does.
  fileprivate func counted(where condition: SQLExpression) -> SQLExpression {
    switch self {
    case .aggregate(.count, nil): .aggregate(.countTrue, condition)
    case .aggregate(let aggregate, let argument?): .aggregate(aggregate, argument.when(condition))
    case .operation(let operation, let operands) where hasAggregate:
      .operation(operation, operands.map { $0.counted(where: condition) })
    default: when(condition)
    }
  }
}

extension [SQLDefinition] {
  /// Each after those that it reads, else as they stand.
  var inOrder: [SQLDefinition] {
    let byName = Dictionary(uniqueKeysWithValues: map { ($0.name, $0) })
    var seen: Set<String> = []
    var ordered: [SQLDefinition] = []
    func add(_ definition: SQLDefinition) {
      guard seen.insert(definition.name).inserted else { return }
      for name in definition.query.relations { byName[name].map(add) }
      ordered.append(definition)
    }
    forEach(add)
    return ordered
  }
}
