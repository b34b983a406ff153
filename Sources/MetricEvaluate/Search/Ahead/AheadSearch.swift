/// Searches the smallest additions today: facts are put beside the records of a session, led by the distance to the
/// condition that decides (`Guide`), and what is found is made as small as it gets.
///
/// Nothing is random: the same records give the same answer. It looks at some thousand datasets at most.
final class AheadSearch {
  static let mostLooks = 4_000
  static let mostFacts = 60

  private let question: AheadQuestion
  private let library: Library
  private let session: EvaluationSession
  private let facts: TodayFacts
  private let guide: Guide?
  private let probes: [MetricID]
  private let pool: StringPool
  /// Whether the number moves by a window alone.
  private let isLedByWindow: Bool
  private var looks = 0

  /// A number with some additions.
  private struct Look {
    var value: Value
    var values: [Value]
    var distance: Double
  }

  /// - Parameter guide: the way to the condition; nil for a metric of the whole app.
  init(_ question: AheadQuestion, led guide: Guide?, tables: [String: Table], pool: StringPool) {
    (self.question, self.guide, self.pool) = (question, guide, pool)
    library = guide?.library ?? question.library
    isLedByWindow = guide != nil && library.windows(behind: question.metric) != nil
    probes = guide?.probes(of: [0]) ?? []
    session = EvaluationSession(
      library: library, metrics: [question.metric] + probes, tables: tables, pool: pool)
    facts = TodayFacts(question, tables, pool)
  }

  typealias Found = (rows: [TestRow], value: Value)

  func additions(_ isReached: (Value) -> Bool) -> Found? {
    var rows: [TestRow] = []
    guard var here = look(rows) else { return nil }
    while rows.count < AheadSearch.mostFacts, looks < AheadSearch.mostLooks {
      // A window that is complete does no more for the number.
      if isLedByWindow, here.distance <= Guide.reach { return nil }
      var best: (row: TestRow, look: Look)?
      // What was nearer once may be so again.
      for row in rows.suffix(1) + facts.facts(hints: guide?.numbers(for: 0, here.values) ?? []) {
        guard looks < AheadSearch.mostLooks, let found = look(rows + [row]) else { continue }
        if isReached(found.value) { return smallest(rows + [row], isReached) }
        if found.distance < best?.look.distance ?? here.distance {
          best = (row, found)
          if row == rows.last { break }
        }
      }
      guard let best else { return copies(rows, isReached) }
      rows.append(best.row)
      here = best.look
    }
    return nil
  }

  /// Where no distance leads: the same fact as often as something is compared with.
  private func copies(_ rows: [TestRow], _ isReached: (Value) -> Bool) -> Found? {
    let counts = facts.vocabulary.counts.sorted().filter {
      $0 > 1 && $0 + rows.count <= AheadSearch.mostFacts
    }
    for row in facts.facts(hints: []) {
      for count in counts where looks < AheadSearch.mostLooks {
        let more = rows + Array(repeating: row, count: count)
        if let found = look(more), isReached(found.value) { return smallest(more, isReached) }
      }
    }
    return nil
  }

  /// Without facts, fields and amounts that are not needed.
  private func smallest(_ found: [TestRow], _ isReached: (Value) -> Bool) -> Found? {
    func reaches(_ rows: [TestRow]) -> Bool { look(rows).map { isReached($0.value) } ?? false }
    var rows = found.thinned(by: [1], reaches)
    for index in rows.indices {
      let fields = library.records[rows[index].record].fields
      for field in rows[index].values.keys.sorted() {
        let own = rows[index].values[field]
        func with(_ value: Literal?) -> [TestRow] {
          var other = rows
          other[index].values[field] = value
          return other
        }
        if fields[field].isOptional, reaches(with(nil)) {
          rows = with(nil)
        } else if fields[field].type.valueType.isNumber, let most = own?.inMillionths {
          let least = least(fields[field], most) { reaches(with($0)) }
          rows = with(least ?? own)
        }
      }
    }
    return look(rows).map { (rows, $0.value) }
  }

  /// The smallest number that is enough: a whole one, or one of two digits where that is less and not any number above a
  /// whole one would do.
  private func least(_ field: Field, _ most: Int64, _ isEnough: (Literal) -> Bool) -> Literal? {
    let floor = max(0, field.minimum?.millionths ?? 0)
    guard most > floor else { return nil }
    func smallest(in step: Int64) -> Literal? {
      func steps(_ number: Int64) -> Int64 { (number + step - 1) / step }
      var (low, high) = (steps(floor) - 1, steps(most))
      while high - low > 1 {
        let middle = low + (high - low) / 2
        if field.holding(middle * step).map(isEnough) ?? false { high = middle } else { low = middle }
      }
      return field.holding(high * step).flatMap { isEnough($0) ? $0 : nil }
    }
    let whole = smallest(in: FixedDecimal.scale)
    let step = FixedDecimal.scale / 100
    guard field.type == .decimal, let exact = smallest(in: step), let number = exact.inMillionths else {
      return whole
    }
    guard let most = whole?.inMillionths else { return exact }
    return number > most - FixedDecimal.scale + step && number < most ? exact : whole
  }

  /// The number with some facts more; nil if that is an error.
  private func look(_ rows: [TestRow]) -> Look? {
    looks += 1
    var added: [(record: RecordID, row: Int)] = []
    defer { for (record, row) in added.reversed() { session.remove(row: row, from: record) } }
    for (number, row) in rows.enumerated() {
      guard let schema = session.schema(of: row.record) else { continue }
      let record = library.records[row.record]
      let cells = schema.columns.map { column -> Int64? in
        // No record has an id that begins like this.
        if column.name == "id", record.idField != nil { return Int64(pool.intern("\u{1}\(number)")) }
        return record.field(named: column.name).flatMap { row.values[$0] }.flatMap { $0.cell(pool) }
      }
      added += session.append([cells], to: row.record).map { (row.record, $0) }
    }
    do throws(EvaluationError) {
      var values: [Value] = []
      for asked in [question.metric] + probes {
        // A measure that reads no record has no rows.
        if case .measure(let measure) = library.metrics[asked].body, !measure.isProgress,
          case .literal(let literal) = measure.value
        {
          values.append(literal.value)
          continue
        }
        let rows = try session.rows(of: asked, subject: question.subject, days: [question.day])
        values.append(rows.first { $0.part.isEmpty }?.value ?? .none)
      }
      let value = values.removeFirst()
      return Look(
        value: value, values: values, distance: guide?.distance(to: 0, now: values, before: []) ?? 0)
    } catch {
      return nil
    }
  }

  /// Equal facts together, with the fields that a plain one does not have.
  func described(_ rows: [TestRow]) -> [Ahead.Addition] {
    rows.once(by: \.self).map { row in
      let record = library.records[row.record]
      let plain = facts.plainFacts(row.record).first?.values ?? [:]
      let fields = record.fields.enumerated().compactMap { index, field -> Ahead.Field? in
        guard let value = row.values[index] else { return nil }
        if case .reference(let target) = field.type {
          let isSubject = target == facts.entity && value == .text(question.subject)
          return isSubject ? nil : Ahead.Field(name: field.name, value: value.value, isReference: true)
        }
        guard plain[index] != value || field.type.valueType.isNumber else { return nil }
        return Ahead.Field(name: field.name, value: value.value, isReference: false)
      }
      return Ahead.Addition(record: record.name, count: rows.count { $0 == row }, fields: fields)
    }
  }
}
