/// What a condition says about the fields of a fact if it is true.
struct StepCondition {
  private struct Allowed {
    /// The only values that it can have; nil is any.
    var values: Set<Literal>?
    var without: Set<Literal> = []
    /// Bounds of a number, in millionths, or of a day.
    var low = Int64.min
    var high = Int64.max
    var isNone: Bool?

    func excludes(_ other: Allowed) -> Bool {
      if let isNone, let otherIsNone = other.isNone, isNone != otherIsNone { return true }
      if max(low, other.low) > min(high, other.high) { return true }
      return values?.allSatisfy { !other.admits($0) } ?? false
        || other.values?.allSatisfy { !admits($0) } ?? false
    }

    private func admits(_ literal: Literal) -> Bool {
      guard values?.contains(literal) ?? true, !without.contains(literal) else { return false }
      return StepCondition.place(of: literal).map { low <= $0 && $0 <= high } ?? true
    }

    /// Both are known.
    func met(with other: Allowed) -> Allowed {
      Allowed(
        values: values.map { own in other.values.map(own.intersection) ?? own } ?? other.values,
        without: without.union(other.without), low: max(low, other.low),
        high: min(high, other.high), isNone: isNone ?? other.isNone)
    }

    /// One of the two is known.
    func joined(with other: Allowed) -> Allowed {
      Allowed(
        values: values.flatMap { own in other.values.map(own.union) },
        without: without.intersection(other.without), low: min(low, other.low),
        high: max(high, other.high), isNone: isNone == other.isNone ? isNone : nil)
    }
  }

  private let fields: [FieldPath: Allowed]

  init(_ condition: Expression?) {
    fields = condition.map { StepCondition.fields($0, where: true) } ?? [:]
  }

  /// The fields that have one of some values where the condition is true; those of which none is left are not among them.
  var values: [FieldPath: Set<Literal>] {
    fields.compactMapValues(\.values).filter { !$0.value.isEmpty }
  }

  /// Whether no fact meets both.
  func excludes(_ other: StepCondition) -> Bool {
    fields.contains { path, allowed in other.fields[path].map(allowed.excludes) ?? false }
  }

  /// What is known where a condition is true, or where it is false.
  private static func fields(_ condition: Expression, where truth: Bool) -> [FieldPath: Allowed] {
    switch condition {
    case .and(let left, let right):
      return junction(fields(left, where: truth), fields(right, where: truth), isBoth: truth)
    case .or(let left, let right):
      return junction(fields(left, where: truth), fields(right, where: truth), isBoth: !truth)
    case .not(let operand): return fields(operand, where: !truth)
    case .field(let path): return [path: Allowed(values: [key(of: .bool(truth))], isNone: false)]
    case .isNone(let operand, let negated):
      return operand.withoutWidening.path.map { [$0: Allowed(isNone: negated != truth)] } ?? [:]
    case .membership(let operand, let members, let negated):
      let values = Set(members.map(key(of:)))
      let isIn = negated != truth
      let allowed = Allowed(values: isIn ? values : nil, without: isIn ? [] : values, isNone: false)
      return operand.withoutWidening.path.map { [$0: allowed] } ?? [:]
    case .comparison(let operation, let left, .literal(let literal)):
      return compared(left, truth ? operation : operation.negation, literal)
    case .comparison(let operation, .literal(let literal), let right):
      return compared(right, (truth ? operation : operation.negation).flipped, literal)
    case .literal, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .negated, .comparison,
      .conditional, .function, .widened:
      return [:]
    }
  }

  private static func junction(
    _ one: [FieldPath: Allowed], _ other: [FieldPath: Allowed], isBoth: Bool
  ) -> [FieldPath: Allowed] {
    if isBoth { return one.merging(other) { $0.met(with: $1) } }
    return one.merging(other) { $0.joined(with: $1) }.filter { one[$0.key] != nil && other[$0.key] != nil }
  }

  private static func compared(
    _ operand: Expression, _ operation: ComparisonOperator, _ literal: Literal
  ) -> [FieldPath: Allowed] {
    let key = key(of: literal)
    let place = place(of: key)
    let allowed: Allowed? =
      switch operation {
      case .equal: Allowed(values: [key], isNone: false)
      case .notEqual: Allowed(without: [key], isNone: false)
      case .less: place.map { Allowed(high: $0 - 1, isNone: false) }
      case .lessOrEqual: place.map { Allowed(high: $0, isNone: false) }
      case .greater: place.map { Allowed(low: $0 + 1, isNone: false) }
      case .greaterOrEqual: place.map { Allowed(low: $0, isNone: false) }
      }
    guard let path = operand.withoutWidening.path, let allowed else { return [:] }
    return [path: allowed]
  }

  /// Numbers in millionths, so that `1` and `1.0` are the same; a Bool is 0 or 1.
  private static func key(of literal: Literal) -> Literal { literal.millionths.map(Literal.int) ?? literal }

  private static func place(of key: Literal) -> Int64? {
    switch key {
    case .int(let millionths): millionths
    case .day(let day): Int64(day.number)
    case .none, .bool, .decimal, .text: nil
    }
  }
}
