import MetricEvaluate

/// The records of an app, and the metrics of a library over them.
///
/// An app that shows a number after each entry keeps a session instead of evaluating all its data again: inserting a
/// fact and asking for a number cost what the fact changes, not what the dataset holds. The answers are always those of
/// `metricc eval` over the same records.
///
///     struct HabitEntry: Codable {
///       var id: String
///       var habitId: String
///       var dayKey: DayKey
///     }
///     let session = try MetricSession(library: library)
///     try session.insert(HabitEntry(id: "e1", habitId: "read", dayKey: today))
///     try session.value(of: "daily_streak", for: "read", on: today, as: Int.self)  // 1
///
/// A record that changes what facts belong to (an entity, a link, a `Consent`, a fact that names an id for
/// the first time) makes the next question index the records again, and so costs one pass over them.
///
/// A session is not `Sendable`: it lives in an actor, or on the main actor. It can be filled elsewhere and then sent
/// there.
public final class MetricSession {
  let known: SessionMetrics
  let session: EvaluationSession
  private var knownColumns: [RecordID: [(schema: ColumnSchema, isKept: Bool)]] = [:]
  let pool = StringPool()
  var feeds: [Feed] = []

  /// - Parameters:
  ///   - library: only metrics that it accepts can be requested.
  ///   - names: the metrics that will be requested; empty for all that are accepted. What none of them reads is
  ///     not kept.
  /// - Throws: if a metric is unknown or rejected.
  public init(library: MetricLibrary, metrics names: [String] = []) throws(SessionError) {
    known = SessionMetrics(library, names)
    session = EvaluationSession(
      library: library.plan, metrics: known.ids.values.sorted(), tables: [:], pool: pool)
    for name in names { _ = try known.id(name) }
  }

  var plan: Library { known.plan }

  /// Inserts a record.
  ///
  /// Fields are found by the names of its coding keys and hold what `MetricConvertible` lists, enums over it, or what
  /// encodes itself as a text or a number. A field that is not there is missing.
  ///
  /// - Parameters:
  ///   - record: a struct, or a `[String: Value]`.
  ///   - name: the record type; without it the name of the Swift type.
  /// - Returns: which values it may have changed.
  /// - Throws: what a reader would refuse: a field that the record type does not have, a required value that is
  ///   missing, one of another type, below its `min` or not among the allowed texts; and an `id` that is there already.
  @discardableResult
  public func insert<Record: Encodable>(
    _ record: Record, into name: String? = nil
  ) throws(SessionError) -> SessionChange {
    try insert(contentsOf: CollectionOfOne(record), into: name)
  }

  /// Inserts records of one type: all, or none if one is refused.
  @discardableResult
  public func insert<Records: Sequence>(
    contentsOf records: Records, into name: String? = nil
  ) throws(SessionError) -> SessionChange where Records.Element: Encodable {
    let name = name ?? String(describing: Records.Element.self)
    let record = try self.record(name)
    var rows: [[Int64?]] = []
    for value in records {
      if let cells = try cells(of: value, name, record) { rows.append(cells) }
    }
    return publish(try append(rows, to: record))
  }

  /// Inserts the records of a file, given by its bytes: all, or none if it has a mistake.
  ///
  ///     try session.insert(bytes, as: .csv, into: "HabitEntry")
  @discardableResult
  public func insert(
    _ file: some Collection<UInt8>, as format: DataFormat, into name: String
  ) throws(SessionError) -> SessionChange {
    let record = try self.record(name)
    let columns = self.columns(of: record)
    let result = Array(file).withUnsafeBytes {
      readTable(
        $0, format: format, schema: TableSchema(record: name, columns: columns.map(\.schema)), path: name,
        pool: pool)
    }
    guard result.findingCount == 0 else { throw .malformedFile(record: name, findings: result.findings) }
    guard session.keeps(record) else { return change(of: record, []) }
    let kept = columns.filter(\.isKept).map { result.table.column(named: $0.schema.name) }
    let rows = (0..<result.table.rowCount).map { row in kept.map { $0?[row] } }
    return publish(try append(rows, to: record))
  }

  /// Replaces the record with the same `id`.
  ///
  /// - Throws: as `insert` does, and where there is no such record.
  @discardableResult
  public func update<Record: Encodable>(
    _ record: Record, in name: String? = nil
  ) throws(SessionError) -> SessionChange {
    let name = name ?? String(describing: Record.self)
    let number = try self.record(name)
    guard let cells = try cells(of: record, name, number), let schema = session.schema(of: number) else {
      return change(of: number, [])
    }
    guard let column = schema.columns.firstIndex(where: { $0.name == "id" }), let cell = cells[column] else {
      throw .invalidRecord(record: name, field: "id", reason: "an update needs the `id` of the record")
    }
    let id = pool.string(Int32(cell))
    guard session.contains(id: cell, in: number) else { throw .unknownID(id, record: name) }
    let change = withdraw(id, from: number)
    return publish(change.union(try append([cells], to: number)))
  }

  /// Removes the record with an id, as if it had never been there.
  ///
  /// - Throws: if there is none.
  @discardableResult
  public func remove(id: String, from name: String) throws(SessionError) -> SessionChange {
    let record = try self.record(name)
    guard session.keeps(record) else { return change(of: record, []) }
    guard let cell = pool.lookup(id), session.contains(id: Int64(cell), in: record) else {
      throw .unknownID(id, record: name)
    }
    return publish(withdraw(id, from: record))
  }

  private func withdraw(_ id: String, from record: RecordID) -> SessionChange {
    let change = change(of: record, session.liveRows(withID: id, in: record))
    _ = session.remove(id: id, from: record)
    return change
  }

  private func append(_ rows: [[Int64?]], to record: RecordID) throws(SessionError) -> SessionChange {
    if let column = session.schema(of: record)?.columns.firstIndex(where: { $0.name == "id" }) {
      var seen: Set<Int64> = []
      for id in rows.lazy.compactMap({ $0[column] }) {
        guard seen.insert(id).inserted, !session.contains(id: id, in: record) else {
          throw .duplicateID(pool.string(Int32(id)), record: plan.records[record].name)
        }
      }
    }
    let appended = session.append(rows, to: record)
    return change(of: record, appended.filter { session.isLive(record, $0) })
  }

  private func change(of record: RecordID, _ rows: [Int]) -> SessionChange {
    SessionChange(rows.isEmpty ? [:] : session.affected(by: record, rows: rows), known)
  }

  private func record(_ name: String) throws(SessionError) -> RecordID {
    if let id = plan.record(named: name) { return id }
    throw .unknownRecord(name, nearest: nearestName(to: name, in: plan.records.map(\.name)))
  }

  /// The cells of a record's schema; nil if no metric reads the record. What no metric reads is checked, too, so that a
  /// record that fits keeps fitting when metrics come and go.
  private func cells(
    of value: some Encodable, _ name: String, _ record: RecordID
  ) throws(SessionError) -> [Int64?]? {
    let fields = try RecordFields.values(of: value, record: name)
    let columns = self.columns(of: record)
    if columns.count(where: { fields[$0.schema.name] != nil }) < fields.count {
      // The first field that is not stored.
      let stored = columns.map(\.schema.name)
      let field = fields.keys.filter { !stored.contains($0) }.min() ?? ""
      let hint = nearestName(to: field, in: stored).map { "; did you mean `\($0)`?" } ?? ""
      let isComputed = plan.records[record].field(named: field) != nil
      throw .invalidRecord(
        record: name, field: field,
        reason: isComputed ? "the field is computed: leave it out" : "there is no such field\(hint)")
    }
    var cells: [Int64?] = []
    for (column, isKept) in columns {
      do throws(Misfit) {
        let cell = try column.cell(of: fields[column.name] ?? .none, isKept ? pool : nil)
        if isKept { cells.append(cell) }
      } catch {
        throw .invalidRecord(record: name, field: column.name, reason: error.reason)
      }
    }
    return session.keeps(record) ? cells : nil
  }

  /// The stored fields of a record, and which of them some metric reads.
  private func columns(of record: RecordID) -> [(schema: ColumnSchema, isKept: Bool)] {
    if let known = knownColumns[record] { return known }
    let kept = Set((session.schema(of: record)?.columns ?? []).map(\.name))
    let stored = plan.schema(of: record, fields: Array(plan.records[record].fields.indices))
    let columns = stored.columns.map { ($0, kept.contains($0.name)) }
    knownColumns[record] = columns
    return columns
  }
}

/// Why a value does not fit its field.
private struct Misfit: Error {
  var reason: String
}

extension ColumnSchema {
  /// The cell of a value; nil is missing. Without a pool it is only checked.
  fileprivate func cell(of value: Value, _ pool: StringPool?) throws(Misfit) -> Int64? {
    func expected(_ what: String) -> Misfit {
      Misfit(reason: "expected \(what), found \(value == .none ? "nothing" : "`\(value.literalText)`")")
    }
    func checked(_ number: FixedDecimal?) throws(Misfit) -> FixedDecimal {
      guard let number else { throw expected("a number in range") }
      if let minimum, number < minimum { throw expected("`\(minimum)` or more") }
      return number
    }
    switch (type, value) {
    case (_, .none), (.text, .text("")), (.instant, .text("")), (.dayKey, .text("")):
      if isRequired { throw expected("a value") }
      return nil
    case (.text, .int(let number)) where isIdentifier: return pool.map { Int64($0.intern("\(number)")) } ?? 0
    case (.text, .text(let text)):
      if let choices, !choices.contains(text) {
        throw expected("one of \(choices.map { "`\($0)`" }.joined(separator: ", "))")
      }
      return pool.map { Int64($0.intern(text)) } ?? 0
    case (.int, .int(let number)):
      return try checked(FixedDecimal(number)).millionths / FixedDecimal.scale
    case (.int, .decimal(let number)) where number.isWhole:
      return try checked(number).millionths / FixedDecimal.scale
    case (.decimal, .int), (.decimal, .decimal): return try checked(FixedDecimal(value)).millionths
    case (.bool, .bool(let holds)): return holds ? 1 : 0
    case (.dayKey, .day(let day)):
      guard DayKey.all.contains(day) else { throw expected("a day from \(DayKey.range)") }
      return Int64(day.number)
    case (.dayKey, .text(let text)):
      guard let day = DayKey(text) else { throw expected("a day YYYY-MM-DD") }
      return Int64(day.number)
    case (.instant, .text(let text)):
      guard let instant = Instant(text) else { throw expected("an Instant such as 2026-01-31T07:30:00Z") }
      return instant.microseconds
    case (.text, _): throw expected("a text")
    case (.int, _): throw expected("a whole number")
    case (.decimal, _): throw expected("a number")
    case (.bool, _): throw expected("true or false")
    case (.dayKey, _): throw expected("a day")
    case (.instant, _): throw expected("an Instant such as 2026-01-31T07:30:00Z")
    }
  }
}
