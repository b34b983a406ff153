/// Expressions that are too deep for an engine's parser, computed in steps: each step is a relation that has
/// the columns of the one before it and some more, which are parts of the expressions.
///
/// What is in a branch of a `CASE` is computed in a step only where the branch is taken, so that an error
/// in one that is not stays away.
struct Steps {
  /// What the names of steps begin with.
  let name: String
  let isDeep: (SQLExpression) -> Bool
  /// The relations of the steps, each after those that it reads.
  private(set) var definitions: [SQLDefinition] = []

  func needsSteps(_ select: SQLSelect) -> Bool { select.allExpressions.contains(where: isDeep) }

  /// The query that is left where all that is too deep is computed before it.
  mutating func query(_ select: SQLSelect) -> SQLSelect {
    var rest = select
    var (relation, columns) = base(of: &rest)
    // Columns are computed of the rows alone that pass every condition.
    if !rest.conditions.isEmpty {
      var lifting = Lifting(prefix: "w", isDeep: isDeep)
      rest.conditions = rest.conditions.map { lifting.shallow($0) }
      relation = define(lifting, on: relation, &columns)
      if needsSteps(rest) {
        relation = define(
          SQLSelect(columns: columns.map(own), from: step(relation), conditions: rest.conditions))
        rest.conditions = []
      }
    }
    var lifting = Lifting(prefix: "p", isDeep: isDeep)
    rest.columns = rest.columns.map { SQLColumn(lifting.shallow($0.expression), $0.name) }
    rest.groups = rest.groups.map { lifting.shallow($0) }
    rest.from = step(define(lifting, on: relation, &columns))
    return rest
  }

  /// The rows that pass the conditions which are not deep, with every column that the query names; in the
  /// query, columns of it take their place.
  private mutating func base(of select: inout SQLSelect) -> (relation: String, columns: [String]) {
    var names: [SQLExpression: String] = [:]
    var columns: [SQLColumn] = []
    for leaf in select.allExpressions.flatMap(\.leaves) where names[leaf] == nil {
      let name = "c\(columns.count + 1)"
      names[leaf] = name
      columns.append(SQLColumn(leaf, name))
    }
    var rows = select
    rows.isDistinct = false
    rows.columns = columns
    rows.groups = []
    rows.conditions = select.conditions.filter { !isDeep($0) }
    let relation = define(rows)
    func renamed(_ expression: SQLExpression) -> SQLExpression {
      expression.replacing { leaf in names[leaf].map { Steps.column($0) } }
    }
    select.joins = []
    select.columns = select.columns.map { SQLColumn(renamed($0.expression), $0.name) }
    select.conditions = select.conditions.filter(isDeep).map(renamed)
    select.groups = select.groups.map(renamed)
    return (relation, columns.map(\.name))
  }

  /// A relation for each level of what was lifted: a part comes after those that it names.
  private mutating func define(_ lifting: Lifting, on base: String, _ columns: inout [String]) -> String {
    var relation = base
    for level in lifting.levels {
      relation = define(SQLSelect(columns: columns.map(own) + level, from: step(relation)))
      columns += level.map(\.name)
    }
    return relation
  }

  private mutating func define(_ select: SQLSelect) -> String {
    // No other relation has a dot in its name.
    let relation = "\(name).\(definitions.count + 1)"
    let comment = definitions.isEmpty ? "\(name), in steps: its expressions are deep." : nil
    // Where the engine put a step into its reader, the expression would be deep again.
    definitions.append(
      SQLDefinition(name: relation, comment: comment, query: .select(select), isKept: true))
    return relation
  }

  private func step(_ relation: String) -> SQLRelation { SQLRelation(path: [relation], alias: Steps.alias) }

  private func own(_ name: String) -> SQLColumn { SQLColumn(Steps.column(name), name) }

  static let alias = "step"
  static func column(_ name: String) -> SQLExpression { .column(relation: alias, name: name) }
}

/// Takes parts out of expressions until what is left is not deep.
private struct Lifting {
  /// What the names of parts begin with.
  let prefix: String
  let isDeep: (SQLExpression) -> Bool
  /// The parts that were taken out; those of a level name only parts of levels before it.
  private(set) var levels: [[SQLColumn]] = []
  var known: [SQLExpression: SQLExpression] = [:]
  var levelOf: [SQLExpression: Int] = [:]

  /// - Parameter guards: the expression is computed only under these conditions.
  mutating func shallow(_ expression: SQLExpression, _ guards: [SQLExpression] = []) -> SQLExpression {
    guard isDeep(expression) else { return expression }
    switch expression {
    case .conditional(let branches, let otherwise): return choice(branches, otherwise, guards)
    // The right side counts where the left one does not decide.
    case .infix(.and, let left, let right):
      let first = part(shallow(left, guards), guards)
      let open = guards + [.coalesce([first, .bool(true)])]
      return first.and(part(shallow(right, open), open))
    case .infix(.or, let left, let right):
      let first = part(shallow(left, guards), guards)
      let open = guards + [.not(.coalesce([first, .bool(false)]))]
      return first.or(part(shallow(right, open), open))
    default: break
    }
    let operands = expression.operands.map { shallow($0, guards) }
    let rebuilt = expression.with(operands: operands)
    return isDeep(rebuilt) ? expression.with(operands: operands.map { part($0, guards) }) : rebuilt
  }

  private mutating func choice(
    _ branches: [SQLBranch], _ otherwise: SQLExpression?, _ guards: [SQLExpression]
  ) -> SQLExpression {
    var earlier = guards
    let shallowBranches = branches.map { branch in
      let condition = part(shallow(branch.condition, earlier), earlier)
      let taken = earlier + [condition]
      // Not true is false or missing.
      earlier.append(.not(.coalesce([condition, .bool(false)])))
      return SQLBranch(condition: condition, value: part(shallow(branch.value, taken), taken))
    }
    let last = otherwise.map { part(shallow($0, earlier), earlier) }
    return .conditional(shallowBranches, otherwise: last)
  }

  /// The column of a part, computed in a step before; what is no deeper than a column stays. Steps have no groups, so of
  /// an aggregate only what it takes is computed there.
  private mutating func part(_ expression: SQLExpression, _ guards: [SQLExpression]) -> SQLExpression {
    guard !expression.operands.isEmpty else { return expression }
    if expression.hasAggregate {
      return expression.with(operands: expression.operands.map { part($0, guards) })
    }
    let guarded =
      SQLExpression.all(guards.filter { !$0.hasAggregate }).map { expression.when($0) } ?? expression
    if let column = known[guarded] { return column }
    let level = (guarded.leaves.compactMap { levelOf[$0] }.max() ?? -1) + 1
    let name = "\(prefix)\(levelOf.count + 1)"
    let column = Steps.column(name)
    while levels.count <= level { levels.append([]) }
    levels[level].append(SQLColumn(guarded, name))
    levelOf[column] = level
    known[guarded] = column
    return column
  }
}
