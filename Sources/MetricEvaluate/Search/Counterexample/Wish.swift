/// Fills a fact's own fields so that a `where` holds, or does not, as far as its form tells.
///
/// It is a guess, not a promise: what a comparison of two fields or a referred entity asks for is left as it is.
struct Wish {
  let library: Library
  let record: RecordID

  func grant(
    _ condition: Expression, _ holds: Bool, to values: inout [Int: Literal], _ random: inout SplitMix
  ) {
    switch condition {
    case .not(let operand): grant(operand, !holds, to: &values, &random)
    case .and(let left, let right), .or(let left, let right):
      let needsBoth = if case .or = condition { !holds } else { holds }
      let picksLeft = random.chance(50)
      if needsBoth || picksLeft { grant(left, holds, to: &values, &random) }
      if needsBoth || !picksLeft { grant(right, holds, to: &values, &random) }
    case .conditional(let test, let then, let otherwise):
      let goesThen = random.chance(50)
      grant(test, goesThen, to: &values, &random)
      grant(goesThen ? then : otherwise, holds, to: &values, &random)
    case .field: if let field = own(condition) { values[field] = .bool(holds) }
    case .isNone(let operand, let negated):
      guard let field = own(operand), holds != negated else { return }
      if library.records[record].fields[field].isOptional { values[field] = nil }
    case .membership(let operand, let members, let negated) where holds != negated:
      if let field = own(operand), !members.isEmpty { put(random.pick(members), field, &values) }
    case .comparison(let operation, let left, .literal(let literal)):
      compare(left, holds ? operation : operation.negation, literal, &values, &random)
    case .comparison(let operation, .literal(let literal), let right):
      compare(right, (holds ? operation : operation.negation).flipped, literal, &values, &random)
    // What no field of the fact grants is left to chance.
    default: break
    }
  }

  /// The fact's own field that an expression reads.
  private func own(_ expression: Expression) -> Int? {
    guard let path = expression.withoutWidening.path, path.root == .row, path.references.isEmpty,
      library[path.field].computed == nil, path.field.record == record
    else { return nil }
    return path.field.field
  }

  private func compare(
    _ side: Expression, _ operation: ComparisonOperator, _ literal: Literal,
    _ values: inout [Int: Literal], _ random: inout SplitMix
  ) {
    guard let field = own(side) else { return }
    guard let number = literal.inMillionths else {
      if operation == .equal { put(literal, field, &values) }
      return
    }
    let one = FixedDecimal.scale
    let choices: [Int64] =
      switch operation {
      case .equal: [number]
      case .notEqual: [number + one, number - one]
      case .less: [number - 1, number - one, number - 3 * one]
      case .lessOrEqual: [number, number - one]
      case .greater: [number + 1, number + one, number + 3 * one]
      case .greaterOrEqual: [number, number + one]
      }
    put(.decimal(FixedDecimal(millionths: random.pick(choices))), field, &values)
  }

  /// Where the field can hold it.
  private func put(_ literal: Literal, _ field: Int, _ values: inout [Int: Literal]) {
    let declared = library.records[record].fields[field]
    guard declared.type == .int || declared.type == .decimal, let number = literal.inMillionths else {
      if declared.type.valueType == literal.type { values[field] = literal }
      return
    }
    guard number >= declared.minimum?.millionths ?? -FixedDecimal.limit else { return }
    values[field] = declared.holding(number) ?? values[field]
  }
}
