import MetricData
import MetricEvaluate
import MetricPlan
import MetricValues

/// Asks the evaluator itself what a part of a metric was.
///
/// Each question becomes a small metric beside those of the library. So whatever an explanation says
/// was computed by the same code as the number that it explains. To name facts, every table gets a
/// column with the numbers of its rows, by which a question can be grouped.
final class Prober {
  let library: Library
  let pool: StringPool
  private let tables: [String: Table]
  /// By record, the field that holds the row's number.
  private let rowFields: [RecordID: FieldReference]

  /// The name of that field: no definition can have it.
  private static let rowName = "#row"

  init(library: Library, tables: [String: Table], pool: StringPool) {
    var library = library
    var numbered: [String: Table] = [:]
    var fields: [RecordID: FieldReference] = [:]
    for (id, record) in library.records.enumerated() {
      guard let table = tables[record.name] else { continue }
      numbered[record.name] = table.numbered(Prober.rowName)
      fields[id] = FieldReference(record: id, field: record.fields.count)
      library.records[id].fields.append(
        Field(name: Prober.rowName, type: .int, isOptional: true, span: record.span))
    }
    self.library = library
    self.tables = numbered
    self.pool = pool
    rowFields = fields
  }

  /// Who asks: a metric for a subject, and what aggregates without a period of their own look at.
  struct Scope {
    var metric: MetricID
    /// Nil for all subjects.
    var subject: String?
    /// Whether consent applies.
    var isTeam: Bool
    var over: Period
    /// The group that is asked about, in a metric that has groups by a field.
    var group: String?
  }

  /// A fact that an aggregate looks at.
  struct Fact: Hashable {
    var row: Int
    var day: DayKey
    /// What the aggregate takes from it; nil where it takes nothing.
    var value: Value?
  }

  /// Rows of metrics that were made for a question.
  private func rows(_ made: [Metric], subject: String?, days: [DayKey]) throws(EvaluationError) -> [ResultRow]
  {
    var library = library
    let ids = made.indices.map { library.metrics.count + $0 }
    library.metrics += made
    let request = EvaluationRequest(
      metrics: ids, subjects: subject.map { [$0] } ?? [], days: Array(Set(days)).sorted())
    return try evaluate(request, library: library, tables: tables, pool: pool)
  }

  private func named(_ index: Int, _ metric: Metric, isTeam: Bool) -> Metric {
    var metric = metric
    metric.name = "#\(index)"
    metric.audience = isTeam ? .team : .user
    return metric
  }

  // MARK: Metrics

  /// The rows of a metric itself, as somebody reads it who is or is not bound by consent.
  func rows(
    of metric: MetricID, subject: String?, isTeam: Bool, at days: [DayKey]
  ) throws(EvaluationError) -> [ResultRow] {
    let plan = library.metrics[metric]
    return try rows([named(0, plan, isTeam: isTeam)], subject: subject, days: days)
  }

  /// The rows of a metric that is like another one, but for its body and its subject's condition.
  func rows(
    like metric: MetricID, body: Body, condition: Expression?, subject: String?, isTeam: Bool,
    at days: [DayKey]
  ) throws(EvaluationError) -> [ResultRow] {
    var plan = library.metrics[metric]
    plan.body = body
    plan.subject.condition = condition
    return try rows([named(0, plan, isTeam: isTeam)], subject: subject, days: days)
  }

  // MARK: Expressions

  /// What an expression was: by subject and day. One that is not there has no value; `nil` is a result
  /// that leaves the range of numbers.
  struct Answers {
    var values: [Key: Value] = [:]
    var isOutOfRange = false

    struct Key: Hashable {
      var subject: ByteKey
      var day: DayKey
    }

    func value(_ subject: String, _ day: DayKey) -> Value {
      values[Key(subject: ByteKey(subject), day: day)] ?? .none
    }
  }

  /// - Parameter entity: whose subjects are asked about; that of the metric where it is not given.
  func ask(
    _ expressions: [Expression], _ scope: Scope, entity: RecordID?? = nil, at days: [DayKey]
  ) -> [Answers] {
    guard !expressions.isEmpty, !days.isEmpty else { return expressions.map { _ in Answers() } }
    let made = expressions.enumerated().map { measure($1, scope, entity: entity, index: $0) }
    do throws(EvaluationError) {
      return try answers(made, scope, days)
    } catch {
      // One of them leaves the range: each is asked by itself.
      return made.map { metric in
        do throws(EvaluationError) {
          return try answers([metric], scope, days).first ?? Answers()
        } catch {
          return Answers(isOutOfRange: true)
        }
      }
    }
  }

  private func answers(
    _ made: [Metric], _ scope: Scope, _ days: [DayKey]
  ) throws(EvaluationError) -> [Answers] {
    let numbers = Dictionary(uniqueKeysWithValues: made.enumerated().map { ($1.name, $0) })
    var answers = made.map { _ in Answers() }
    for row in try rows(made, subject: scope.subject, days: days) {
      guard let number = numbers[row.metric] else { continue }
      if made[number].grouping != nil, !row.group.hasSameBytes(as: scope.group ?? "") { continue }
      answers[number].values[Answers.Key(subject: ByteKey(row.subject), day: row.at)] = row.value
    }
    return answers
  }

  /// A measure whose value is the expression. It also names the current metric, without evaluating it,
  /// so that the same subjects exist for both.
  private func measure(
    _ expression: Expression, _ scope: Scope, entity: RecordID??, index: Int
  ) -> Metric {
    let plan = library.metrics[scope.metric]
    var grouping: Grouping?
    var whole = Expression.metric(
      MetricReference(
        root: .subject, metric: scope.metric, part: plan.parts[0].name, offset: nil, type: plan.parts[0].type)
    )
    if scope.group != nil, case .measure(let measure) = plan.body {
      grouping = measure.grouping
      whole = measure.value
    }
    let value = Expression.conditional(
      condition: .literal(.bool(true)), then: expression, else: whole)
    let metric = Metric(
      name: "", subject: Subject(entity: entity ?? plan.subject.entity), audience: plan.audience,
      body: .measure(Measure(value: value, over: scope.over, grouping: grouping, atLeast: nil)),
      parts: [Part(name: "", type: expression.type)], span: plan.span)
    return named(index, metric, isTeam: scope.isTeam)
  }

  // MARK: Facts

  /// The live facts of the subject up to a day that pass an aggregate's `where`, whatever its period;
  /// with `argument` what each of them gives, and only those that give something.
  func facts(
    _ aggregate: Aggregate, _ scope: Scope, from first: DayKey? = nil, through day: DayKey
  ) throws(EvaluationError) -> [Fact] {
    guard let rowField = rowFields[aggregate.record] else { return [] }
    let path = FieldPath(root: .row, references: [], field: rowField, type: .int)
    var question = aggregate
    question.function = .first
    question.period = .allTime
    question.type = aggregate.argument?.type ?? .dayKey
    question.filter = narrowed(aggregate, scope, from: first)
    var days = question
    days.argument = nil
    days.type = .dayKey
    let plan = library.metrics[scope.metric]
    func metric(_ index: Int, _ aggregate: Aggregate) -> Metric {
      let body = Body.measure(
        Measure(
          value: .aggregate(aggregate), over: .allTime,
          grouping: .field([aggregate.record: path], type: .int), atLeast: nil))
      let metric = Metric(
        name: "", subject: Subject(entity: plan.subject.entity), audience: plan.audience, body: body,
        parts: [Part(name: "", type: aggregate.type)], span: plan.span)
      return named(index, metric, isTeam: scope.isTeam)
    }
    let made = aggregate.argument == nil ? [metric(0, days)] : [metric(0, days), metric(1, question)]
    var found: [Int: Fact] = [:]
    var values: [Int: Value] = [:]
    for row in try rows(made, subject: scope.subject, days: [day]) {
      guard let number = Int(row.group) else { continue }
      if row.metric == "#1" { values[number] = row.value }
      if row.metric == "#0", case .day(let day) = row.value { found[number] = Fact(row: number, day: day) }
    }
    let facts = found.values.sorted { ($0.day, $0.row) < ($1.day, $1.row) }
    guard aggregate.argument != nil else { return facts }
    return facts.compactMap { fact in
      values[fact.row].map { Fact(row: fact.row, day: fact.day, value: $0) }
    }
  }

  /// What a condition is for each live fact up to a day that an aggregate could look at, whatever its own
  /// `where` says.
  func outcomes(
    of condition: Expression, _ aggregate: Aggregate, _ scope: Scope, through day: DayKey
  ) -> [(day: DayKey, value: Value)] {
    var question = aggregate
    question.filter = nil
    question.argument = nil
    question.function = .count
    var valued = question
    valued.argument = condition
    // Facts for which the condition is none are only among all of them.
    guard let all = try? facts(question, scope, through: day),
      let decided = try? facts(valued, scope, through: day)
    else { return [] }
    let values = Dictionary(decided.map { ($0.row, $0.value ?? .none) }, uniquingKeysWith: { one, _ in one })
    return all.map { ($0.day, values[$0.row] ?? .none) }
  }

  /// That a row of a record is of the current group; nil where there is none.
  func isInGroup(_ record: RecordID, _ scope: Scope) -> Expression? {
    guard let group = scope.group, case .field(let paths, let type) = library.metrics[scope.metric].grouping,
      let path = paths[record]
    else { return nil }
    guard let literal = Literal(group: group, type: type) else {
      return .isNone(.field(path), negated: false)
    }
    return .comparison(.equal, .field(path), .literal(literal))
  }

  /// The aggregate's `where`, with what spares the evaluator the facts of all others: the subject at
  /// the end of the references, the first day, the group.
  private func narrowed(_ aggregate: Aggregate, _ scope: Scope, from first: DayKey?) -> Expression? {
    var conditions: [Expression] = []
    if case .references(let path) = aggregate.route, let last = path.last, let subject = scope.subject {
      let field = FieldPath(root: .row, references: Array(path.dropLast()), field: last, type: .text)
      conditions.append(.comparison(.equal, .field(field), .literal(.text(subject))))
    }
    if let first { conditions.append(.comparison(.greaterOrEqual, .day, .literal(.day(first)))) }
    if let group = isInGroup(aggregate.record, scope) { conditions.append(group) }
    if let filter = aggregate.filter { conditions.append(filter) }
    guard let head = conditions.first else { return nil }
    return conditions.dropFirst().reduce(head) { .and($0, $1) }
  }
}

extension Literal {
  /// The value that a group's name stands for; nil for the empty group.
  init?(group: String, type: ValueType) {
    if group.isEmpty { return nil }
    switch type {
    case .int, .instant:
      guard let value = Int64(group) else { return nil }
      self = .int(value)
    case .decimal:
      guard let value = FixedDecimal(canonical: group) else { return nil }
      self = .decimal(value)
    case .bool: self = .bool(group == "true")
    case .dayKey:
      guard let day = DayKey(group) else { return nil }
      self = .day(day)
    case .text: self = .text(group)
    }
  }
}

extension FixedDecimal {
  /// What `description` writes: `-12.5`.
  fileprivate init?(canonical text: String) {
    let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = halves.count == 2 ? String(halves[1]) : ""
    guard fraction.count <= 6,
      let value = Int64(halves[0] + fraction + String(repeating: "0", count: 6 - fraction.count))
    else { return nil }
    self.init(millionths: value)
  }
}
