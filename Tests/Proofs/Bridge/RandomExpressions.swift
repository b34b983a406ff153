import MetricDiagnostics
import MetricPlan
import MetricValues

/// SplitMix64: the same seed gives the same expressions everywhere.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Expressions in which no record, field and number occurs twice: the fragment that the model covers.
struct RandomExpressions {
  private var random: SplitMix
  private var records: [RecordID] = []
  private var fields: [FieldReference] = []
  private var hasDay = false
  private var numbers: Set<Int64> = []

  static let recordCount = 40
  private static let here = Span(file: 0, start: 0, end: 0)

  private static func field(
    _ name: String, _ type: FieldType, _ minimum: Int64? = nil, optional: Bool = true
  ) -> Field {
    var field = Field(name: name, type: type, isOptional: optional, span: here)
    field.minimum = minimum.map(FixedDecimal.init(millionths:))
    return field
  }

  private static let kinds = [
    field("whole", .int), field("natural", .int, 0), field("some", .int, 2_000_000),
    field("amount", .decimal), field("share", .decimal, 0), field("half", .decimal, 500_000),
    field("flag", .bool),
  ]

  /// Fact types that differ only in name, every fifth of them a setting, and an entity with many fields.
  static let library: Library = {
    let own = [field("id", .id, optional: false), field("dayKey", .dayKey, optional: false)]
    var records = (0..<recordCount).map {
      Record(name: "Fact\($0)", kind: .fact, isSetting: $0 % 5 == 0, fields: own + kinds, span: here)
    }
    let fields = (0..<6).flatMap { _ in kinds + [field("since", .dayKey)] }
    records.append(Record(name: "Thing", kind: .entity, fields: fields, span: here))
    return Library(records: records, metrics: [], tests: [])
  }()

  init(seed: UInt64) { random = SplitMix(state: seed) }

  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  /// One expression, of any type but a day.
  mutating func next() -> Expression {
    switch below(3) {
    case 0: return start { $0.number(.int, $1) }
    case 1: return start { $0.number(.decimal, $1) }
    default: return nextTruth()
    }
  }

  mutating func nextTruth() -> Expression { start { $0.truth($1) } }
  mutating func nextNumber() -> Expression {
    let type: ValueType = below(2) == 0 ? .int : .decimal
    return start { $0.number(type, $1) }
  }
  /// Two numbers of one type that have nothing in common.
  mutating func nextPair() -> (Expression, Expression) {
    let type: ValueType = below(2) == 0 ? .int : .decimal
    return start { ($0.number(type, $1), $0.number(type, $1)) }
  }

  /// Every record, field and number is free again.
  private mutating func start<Result>(_ body: (inout RandomExpressions, Int) -> Result) -> Result {
    records = (0..<RandomExpressions.recordCount).map { RecordID($0) }.shuffled(using: &random)
    let entity = RecordID(RandomExpressions.recordCount)
    fields = RandomExpressions.library.records[entity].fields.indices.map {
      FieldReference(record: entity, field: $0)
    }
    fields.shuffle(using: &random)
    (numbers, hasDay) = ([], false)
    let depth = 1 + below(4)
    return body(&self, depth)
  }

  // MARK: Leaves

  private mutating func literal(_ type: ValueType) -> Expression {
    while true {
      let half = Int64(below(81)) - 40
      let millionths = type == .int ? half * FixedDecimal.scale : half * FixedDecimal.scale / 2
      // A number beyond a divisor of 0 is nothing at all, and a condition says so of its other side.
      guard half != 0, numbers.insert(millionths).inserted else { continue }
      return .literal(type == .int ? .int(half) : .decimal(FixedDecimal(millionths: millionths)))
    }
  }

  private mutating func aggregate(
    _ function: AggregateFunction, _ fields: ClosedRange<Int>?, _ type: ValueType
  ) -> Expression {
    let record = records.removeLast()
    let period: Period? =
      [nil, nil, nil, nil, .lastDays(7), .lastDays(1), .calendar(.month), .previous(.quarter)][below(8)]
    let argument = fields.map { range in
      let field = FieldReference(record: record, field: range.lowerBound + below(range.count))
      let type = RandomExpressions.library[field].type.valueType
      return Expression.field(FieldPath(root: .row, references: [], field: field, type: type))
    }
    return .aggregate(Aggregate(function, of: record, .whole, argument: argument, over: period, type: type))
  }

  private mutating func leaf(_ type: ValueType) -> Expression {
    let percentile = AggregateFunction.percentile([1, 50, 100][below(3)])
    return switch (type, below(12)) {
    case (_, 0): field(type) ?? literal(type)
    case (.int, 1): aggregate(.count, nil, .int)
    case (.int, 2): aggregate(.days, nil, .int)
    case (.int, 3): aggregate(.distinct, 2...8, .int)
    case (.int, 4), (.int, 5): aggregate(.sum, 2...4, .int)
    case (.int, 6): aggregate(.max, 2...4, .int)
    case (.int, 7), (.int, 8): aggregate(.min, 2...4, .int)
    case (.int, 9): aggregate(percentile, 2...4, .int)
    case (.int, _): aggregate([.first, .last][below(2)], 2...4, .int)
    case (_, 1): aggregate([.average, .stddev][below(2)], 2...7, .decimal)
    case (_, 2), (_, 3), (_, 4): aggregate(.sum, 5...7, .decimal)
    case (_, 5): aggregate(.contribution, 5...7, .decimal)
    case (_, 6): aggregate(.max, 5...7, .decimal)
    case (_, 7), (_, 8): aggregate(.min, 5...7, .decimal)
    case (_, 9): aggregate(percentile, 5...7, .decimal)
    default: aggregate([.first, .last][below(2)], 5...7, .decimal)
    }
  }

  private mutating func field(_ type: ValueType) -> Expression? {
    guard
      let place = fields.firstIndex(where: { RandomExpressions.library[$0].type.valueType == type })
    else { return nil }
    return .field(FieldPath(root: .subject, references: [], field: fields.remove(at: place), type: type))
  }

  private mutating func writtenDay() -> Expression {
    while true {
      let number = Int32(20_000 + below(400))
      if numbers.insert(Int64(number)).inserted { return .literal(.day(DayKey(number: number))) }
    }
  }

  private mutating func day() -> Expression {
    if !hasDay, below(4) == 0 {
      hasDay = true
      return .day
    }
    if below(4) == 0, let field = field(.dayKey) { return field }
    if below(4) == 0 { return writtenDay() }
    return aggregate([.first, .last][below(2)], nil, .dayKey)
  }

  // MARK: Operators

  private mutating func number(_ type: ValueType, _ depth: Int) -> Expression {
    guard depth > 0, records.count > 12 else { return below(3) == 0 ? literal(type) : leaf(type) }
    let inner = depth - 1
    switch below(type == .int ? 13 : 12) {
    case 12: return .function(.daysBetween, [day(), day()])
    case 0: return .arithmetic(.add, number(type, inner), number(type, inner))
    case 1, 2: return .arithmetic(.subtract, number(type, inner), number(type, inner))
    case 3: return .arithmetic(.multiply, number(type, inner), number(type, inner))
    case 4: return .negated(number(type, inner))
    case 5: return .function(.least, [number(type, inner), number(type, inner)])
    case 6: return .function(.greatest, [number(type, inner), number(type, inner)])
    case 7:
      return .conditional(condition: truth(inner), then: number(type, inner), else: number(type, inner))
    case 8, 9:
      return type == .int
        ? .function(.floor, [number(.decimal, inner)])
        : .arithmetic(.divide, number(.decimal, inner), divisor())
    case 10: return type == .int ? leaf(.int) : .widened(number(.int, inner))
    default: return leaf(type)
    }
  }

  private mutating func divisor() -> Expression {
    switch below(5) {
    case 0: .widened(leaf(.int))
    case 1: leaf(.decimal)
    case 2: literal(.decimal)
    case 3: .widened(.arithmetic(.add, leaf(.int), literal(.int)))
    default: .arithmetic(.subtract, leaf(.decimal), literal(.decimal))
    }
  }

  private mutating func truth(_ depth: Int) -> Expression {
    let inner = max(0, depth - 1)
    switch depth == 0 || records.count <= 12 ? below(7) : below(14) {
    case 0, 1: return order(inner)
    case 2: return equality([.int, .decimal][below(2)], inner)
    case 3: return .comparison([.less, .equal, .greaterOrEqual, .notEqual][below(4)], day(), day())
    case 4: return field(.bool) ?? order(inner)
    case 5: return aggregate([.first, .last][below(2)], 8...8, .bool)
    case 6: return membership([.int, .decimal][below(2)], inner)
    case 7: return .and(truth(inner), truth(inner))
    case 8: return .or(truth(inner), truth(inner))
    case 9: return .not(truth(inner))
    case 10: return .isNone(number(.decimal, inner), negated: false)
    case 11: return .isNone([order(inner), aggregate(.last, 8...8, .bool)][below(2)], negated: false)
    case 12:
      return .comparison([.equal, .notEqual][below(2)], truth(inner), .literal(.bool(below(2) == 0)))
    default: return .conditional(condition: truth(inner), then: truth(inner), else: truth(inner))
    }
  }

  private mutating func equality(_ type: ValueType, _ depth: Int) -> Expression {
    .comparison([.equal, .notEqual][below(2)], number(type, depth), number(type, depth))
  }

  /// Neighbours and others, among them what the number cannot be.
  private mutating func membership(_ type: ValueType, _ depth: Int) -> Expression {
    let first = Int64(below(5)) - 1
    let members = (0..<Int64(1 + below(3))).map { place in
      let number = first + place * Int64(1 + below(5) / 4)
      return type == .int
        ? Literal.int(number) : .decimal(FixedDecimal(millionths: number * FixedDecimal.scale / 2))
    }
    return .membership(number(type, depth), members, negated: below(3) == 0)
  }

  private mutating func order(_ depth: Int) -> Expression {
    let type: ValueType = below(2) == 0 ? .int : .decimal
    let operation: ComparisonOperator = [.less, .lessOrEqual, .greater, .greaterOrEqual][below(4)]
    return .comparison(operation, number(type, depth), number(type, depth))
  }
}
