import MetricData
import MetricEvaluate
import MetricPlan

/// Why a record is refused: it was not appended, and nothing has changed.
public struct RecordError: Error, Hashable, Sendable {
  /// ``expected `minutes` to be 0 or more, found `-3` ``
  public var message: String
}

/// A dataset that grows by single records, and the metrics of a library over it.
///
/// An app that shows a number after each entry keeps a session instead of evaluating all its data again:
/// appending a fact and asking for a number cost what the fact changes, not what the dataset holds. The
/// answers are always those of `MetricLibrary.evaluate` over the same records.
///
///     let session = MetricSession(library: library)
///     try session.append(["habitId": .text("read"), "dayKey": .day(today)], to: "HabitEntry")
///     try session.value(of: "daily_streak", subject: "read", at: today)  // .int(1)
///
/// A record that changes what facts belong to (an entity, a link, a `Consent`, a fact that names an id for
/// the first time) makes the next question index the records anew, and so costs one pass over them.
///
/// A session belongs to one thread at a time.
public final class MetricSession {
  private let plan: Library
  private let metrics: [String: MetricID]
  private let session: EvaluationSession
  private let pool: StringPool

  /// - Parameters:
  ///   - library: only metrics that it accepts can be asked for.
  ///   - metrics: names of the metrics that will be asked for; empty for all. What none of them reads is
  ///     not kept.
  ///   - tables: by record name, decoded with `library.schemas(for: metrics)`, or with more fields: only
  ///     records that were read with their ids can be replaced or removed.
  ///   - pool: the pool that the tables were read with.
  public init(
    library: MetricLibrary, metrics: [String] = [], tables: [String: Table] = [:],
    pool: StringPool = StringPool()
  ) {
    plan = library.plan
    self.pool = pool
    let accepted = Set(library.metrics.lazy.filter(\.isAccepted).map(\.name))
    var chosen: [String: MetricID] = [:]
    for (id, metric) in plan.metrics.enumerated() where accepted.contains(metric.name) {
      if metrics.isEmpty || metrics.contains(metric.name) { chosen[metric.name] = id }
    }
    self.metrics = chosen
    session = EvaluationSession(
      library: library.plan, metrics: chosen.values.sorted(), tables: tables, pool: pool)
  }

  // MARK: Records

  /// Appends a record.
  ///
  /// - Parameters:
  ///   - fields: by name; one that is not there is missing, and one that no metric reads is passed over.
  ///     An Instant is a text such as `2026-01-31T07:30:00Z`.
  ///   - record: the name of the record type.
  /// - Throws: what a reader would refuse: a required value that is missing, one of another type, below its
  ///   `min` or not among the allowed texts.
  public func append(_ fields: [String: Value], to record: String) throws(RecordError) {
    let id = try self.record(record)
    guard let cells = try cells(fields, id) else { return }
    session.append(cells, to: id)
  }

  /// Puts a record in place of those with the same `id`; appends it where there are none.
  public func replace(_ fields: [String: Value], in record: String) throws(RecordError) {
    let number = try self.record(record)
    guard case .text(let id)? = fields["id"], !id.isEmpty else {
      throw RecordError(message: "expected an `id` that says which \(record) is replaced, found none")
    }
    guard let cells = try cells(fields, number) else { return }
    _ = session.remove(id: id, from: number)
    session.append(cells, to: number)
  }

  /// Takes away the records with an id, as if they had never been there.
  ///
  /// - Returns: whether there was one. What was given as a table without its ids cannot be named.
  @discardableResult
  public func remove(id: String, from record: String) throws(RecordError) -> Bool {
    session.remove(id: id, from: try self.record(record)) > 0
  }

  private func record(_ name: String) throws(RecordError) -> RecordID {
    guard let id = plan.record(named: name) else {
      throw RecordError(message: "expected the name of a record, found `\(name)`")
    }
    return id
  }

  /// The cells of a record's schema; nil where no metric reads the record.
  private func cells(_ fields: [String: Value], _ record: RecordID) throws(RecordError) -> [Int64?]? {
    guard let schema = session.schema(of: record) else { return nil }
    var cells: [Int64?] = []
    for column in schema.columns {
      let cell = try column.cell(of: fields[column.name] ?? .none, pool)
      if cell == nil, column.isRequired { throw column.expected("a value", .none) }
      cells.append(cell)
    }
    return cells
  }

  // MARK: Questions

  /// A value of a metric, as `metricc eval` shows it; nil where there is no such row.
  ///
  /// - Parameters:
  ///   - metric: one of the session's; nil is the answer for any other name.
  ///   - subject: the subject's id; empty for `app`, funnels and retentions.
  /// - Throws: where a number leaves its range, or bundles form a circle.
  public func value(
    of metric: String, part: String = "", subject: String = "", group: String = "", at day: DayKey
  ) throws(EvaluationError) -> Value? {
    try rows(of: metric, subject: subject, at: day).first { $0.part == part && $0.group == group }?.value
  }

  /// All rows of a metric for a subject at a day: by group, then by part in its own order.
  public func rows(
    of metric: String, subject: String = "", at day: DayKey
  ) throws(EvaluationError) -> [ResultRow] {
    guard let id = metrics[metric] else { return [] }
    return try session.rows(of: id, subject: subject, at: day)
  }
}

extension ColumnSchema {
  /// The cell of a value; nil is missing.
  fileprivate func cell(of value: Value, _ pool: StringPool) throws(RecordError) -> Int64? {
    switch (type, value) {
    case (_, .none), (.text, .text("")), (.instant, .text("")): return nil
    case (.text, .text(let text)):
      if let choices, !choices.contains(text) {
        throw expected("one of \(choices.map { "`\($0)`" }.joined(separator: ", "))", value)
      }
      return Int64(pool.intern(text))
    case (.int, .int(let number)):
      guard number.magnitude <= UInt64(FixedDecimal.intLimit) else {
        throw expected("a number in range", value)
      }
      try check(FixedDecimal(millionths: number * FixedDecimal.scale), value)
      return number
    case (.decimal, .int(let number)):
      guard let decimal = FixedDecimal(number) else { throw expected("a number in range", value) }
      try check(decimal, value)
      return decimal.millionths
    case (.decimal, .decimal(let number)):
      try check(number, value)
      return number.millionths
    case (.bool, .bool(let holds)): return holds ? 1 : 0
    case (.dayKey, .day(let day)): return Int64(day.number)
    case (.instant, .text(let text)):
      guard let instant = Instant(text) else { throw expected("an Instant", value) }
      return instant.microseconds
    case (.text, _): throw expected("a text", value)
    case (.int, _): throw expected("a whole number", value)
    case (.decimal, _): throw expected("a number", value)
    case (.bool, _): throw expected("true or false", value)
    case (.dayKey, _): throw expected("a day", value)
    case (.instant, _): throw expected("an Instant as a text", value)
    }
  }

  private func check(_ number: FixedDecimal, _ value: Value) throws(RecordError) {
    if let minimum, number < minimum { throw expected("`\(minimum)` or more", value) }
  }

  fileprivate func expected(_ what: String, _ found: Value) -> RecordError {
    let found = found == .none ? "nothing" : "`\(found.literalText)`"
    return RecordError(message: "expected `\(name)` to be \(what), found \(found)")
  }
}
