import MetricData
import MetricPlan

/// `count(user where active28 and not active7)`: how many subjects meet a condition made of completions
/// that ask for any fact at all, for all days at once.
///
/// The days on which a condition holds are bits, so that `and`, `or` and `not` work on 64 days together.
indirect enum ActiveCondition {
  /// Active on the stretches of a period after each fact, this many days later.
  case facts(DaySets, ActivePeriod, offset: Int32)
  case and(ActiveCondition, ActiveCondition)
  case or(ActiveCondition, ActiveCondition)
  case not(ActiveCondition)

  /// Whether it holds where there are no facts.
  var holdsWithoutFacts: Bool {
    switch self {
    case .facts: false
    case .and(let left, let right): left.holdsWithoutFacts && right.holdsWithoutFacts
    case .or(let left, let right): left.holdsWithoutFacts || right.holdsWithoutFacts
    case .not(let operand): !operand.holdsWithoutFacts
    }
  }

  /// The first day on which a fact can matter.
  var firstDay: Int32 {
    switch self {
    case .facts(let sets, _, _): sets.dayCount == 0 ? .max : sets.firstDay
    case .and(let left, let right), .or(let left, let right): min(left.firstDay, right.firstDay)
    case .not(let operand): operand.firstDay
    }
  }

  /// How many conditions stand one in the other; each level needs words of its own.
  var depth: Int {
    switch self {
    case .facts: 1
    case .and(let left, let right), .or(let left, let right): max(left.depth, right.depth + 1)
    case .not(let operand): operand.depth
    }
  }

  /// Writes the days of a subject into the first `count` words; those behind them are room for the rest.
  func write(_ subject: Int, from first: Int32, _ words: UnsafeMutablePointer<UInt64>, _ count: Int) {
    switch self {
    case .facts(let sets, let period, let offset):
      words.update(repeating: 0, count: count)
      period.forEachStretch(subject, sets) { from, last in
        let low = Int(from) - Int(first) + Int(offset)
        ActiveCondition.set(low, Int(last) - Int(first) + Int(offset), words, count)
      }
    case .and(let left, let right):
      left.write(subject, from: first, words, count)
      right.write(subject, from: first, words + count, count)
      for index in 0..<count { words[index] &= words[count + index] }
    case .or(let left, let right):
      left.write(subject, from: first, words, count)
      right.write(subject, from: first, words + count, count)
      for index in 0..<count { words[index] |= words[count + index] }
    case .not(let operand):
      operand.write(subject, from: first, words, count)
      for index in 0..<count { words[index] = ~words[index] }
    }
  }

  /// Sets the bits `low…high`, as far as there are words for them.
  private static func set(_ low: Int, _ high: Int, _ words: UnsafeMutablePointer<UInt64>, _ count: Int) {
    let high = min(high, count * 64 - 1)
    guard low <= high else { return }
    let (first, last) = (low >> 6, high >> 6)
    let head = ~UInt64(0) << UInt64(low & 63)
    let tail = ~UInt64(0) >> UInt64(63 - high & 63)
    if first == last {
      words[first] |= head & tail
    } else {
      words[first] |= head
      for word in first + 1..<last { words[word] = ~0 }
      words[last] |= tail
    }
  }
}

extension Compiler {
  /// Nil where the subjects have to be asked one by one.
  func activeSubjects(_ aggregate: SubjectAggregate) throws(EvaluationError) -> Program? {
    guard !engine.isGrowing, aggregate.function == .count, aggregate.argument == nil,
      aggregate.relation.isEmpty,
      let filter = aggregate.filter, let condition = try activeCondition(filter, aggregate.entity)
    else { return nil }
    let exists = engine.existing(
      aggregate.entity, reads: engine.needs.reads[metric] ?? [], isTeam: isTeam)
    guard let table = countDays(condition, exists) else { return nil }
    return { table[$0.place.day] }
  }

  private func activeCondition(
    _ filter: Expression, _ entity: RecordID
  ) throws(EvaluationError) -> ActiveCondition? {
    switch filter {
    case .and(let left, let right):
      guard let left = try activeCondition(left, entity), let right = try activeCondition(right, entity)
      else { return nil }
      return .and(left, right)
    case .or(let left, let right):
      guard let left = try activeCondition(left, entity), let right = try activeCondition(right, entity)
      else { return nil }
      return .or(left, right)
    case .not(let operand):
      return try activeCondition(operand, entity).map { .not($0) }
    case .metric(let reference):
      return try activeFacts(reference, entity)
    case .literal, .field, .day, .aggregate, .completions, .subjects, .arithmetic, .negated, .comparison,
      .membership, .isNone, .conditional, .function, .widened:
      return nil
    }
  }

  /// A completion that any fact of its window completes.
  private func activeFacts(
    _ reference: MetricReference, _ entity: RecordID
  ) throws(EvaluationError) -> ActiveCondition? {
    let plan = engine.library.metrics[reference.metric]
    guard reference.root == .row, plan.subject == Subject(entity: entity),
      case .completion(let completion) = plan.body, let aggregate = completion.when.anyFact,
      aggregate.filter?.staysInRange(engine.library) ?? true
    else { return nil }
    var offset: Int32 = 0
    switch reference.offset {
    case .days(let days): offset = Int32(days)
    case .months: return nil
    case nil: break
    }
    // The conditions of the facts are those of the completion's own subject.
    let inner = Compiler(engine: engine, metric: reference.metric, isTeam: isTeam, subject: entity)
    let sets = try inner.daySets(
      aggregate.record, aggregate.route, where: aggregate.filter,
      subjectCount: engine.routing.subjectCount(entity))
    guard let sets else { return nil }
    let period = ActivePeriod(aggregate.period ?? completion.window.period, sets)
    return .facts(sets, period, offset: offset)
  }

  private func countDays(_ condition: ActiveCondition, _ exists: [Bool]) -> ActiveDays? {
    let holds = condition.holdsWithoutFacts
    let before = holds ? exists.count { $0 } : 0
    let first = condition.firstDay
    guard first != .max else { return ActiveDays(firstDay: 0, before: Cell(before), differences: []) }
    guard let length = engine.dayTableLength(from: first) else { return nil }
    let words = (length + 63) / 64
    let pieces = max(1, min(engine.threads, exists.count / 4096))
    let found = PieceList<[Int]>(count: pieces)
    Parallel.perform(pieces: pieces) { number in
      var differences = [Int](repeating: 0, count: words * 64)
      let room = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, words * condition.depth))
      defer { room.deallocate() }
      room.initialize(repeating: 0, count: words * condition.depth)
      for subject in Parallel.part(number, of: pieces, exists.count) where exists[subject] {
        condition.write(subject, from: first, room, words)
        var last: UInt64 = holds ? 1 : 0
        for word in 0..<words {
          let bits = room[word]
          var changes = bits ^ (bits << 1 | last)
          last = bits >> 63
          while changes != 0 {
            let bit = changes.trailingZeroBitCount
            changes &= changes - 1
            differences[word * 64 + bit] += bits >> UInt64(bit) & 1 == 1 ? 1 : -1
          }
        }
      }
      found.set(Array(differences.prefix(length)), at: number)
    }
    return ActiveDays(firstDay: first, before: Cell(before), differences: found.values)
  }
}

extension Expression {
  /// The aggregate of `count(F …) >= 1` and its like: true as soon as there is any fact.
  fileprivate var anyFact: Aggregate? {
    guard case .comparison(let comparison, .aggregate(let aggregate), .literal(.int(let number))) = self,
      aggregate.function == .count || aggregate.function == .days
    else { return nil }
    switch (comparison, number) {
    case (.greaterOrEqual, 1), (.greater, 0), (.notEqual, 0): return aggregate
    default: return nil
    }
  }
}
