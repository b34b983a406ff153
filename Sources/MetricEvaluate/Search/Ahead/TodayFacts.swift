/// The facts that may be logged today for a subject, so that an aggregate of the metric takes them.
struct TodayFacts {
  private static let mostReferences = 40
  private static let mostNumbers = 8
  /// Ways to fulfil a `where`, which may leave a choice.
  private static let wishes: UInt64 = 4

  let library: Library
  let subject: String
  let entity: RecordID?
  let day: DayKey
  let near: NearbyEntities
  let vocabulary: Vocabulary
  /// What was logged last: it fits conditions that compare fields, whose form does not say what they have to be.
  let again: [TestRow]

  init(_ question: AheadQuestion, _ tables: [String: Table], _ pool: StringPool) {
    let (library, day) = (question.library, question.day)
    (self.library, self.day, subject) = (library, day, question.subject)
    entity = library.metrics[question.metric].subject.entity
    vocabulary = Vocabulary(library: library, metric: question.metric)
    let near = NearbyEntities(library, of: subject, entity, tables, pool)
    self.near = near
    let records = Set(vocabulary.aggregates.map(\.record)).sorted().map { ($0, library.records[$0]) }
    again = records.filter { $1.kind == .fact && !$1.isSetting }.flatMap { id, record in
      near.recent(id, in: tables[record.name]).map { library.moved($0, to: day) }
    }
  }

  /// The facts in a fixed order: by aggregate as the metric names them, by what they name, by their numbers; then what was
  /// logged last.
  ///
  /// - Parameter hints: numbers that may be just enough, in millionths.
  func facts(hints: [Int64]) -> [TestRow] {
    let found = vocabulary.aggregates.flatMap { aggregate -> [TestRow] in
      let record = library.records[aggregate.record]
      guard record.kind == .fact, !record.isSetting else { return [] }
      return plainFacts(aggregate.record).flatMap { granted(aggregate, $0) }
        .flatMap { counted(aggregate, $0, hints) }
    }
    return (found + again).once(by: \.self)
  }

  /// A fact of today without anything that is not required, for each way to fill its references.
  func plainFacts(_ record: RecordID) -> [TestRow] {
    let fields = library.records[record].fields
    var values: [Int: Literal] = [:]
    var references: [(field: Int, choices: [Literal?])] = []
    for (index, field) in fields.enumerated() where field.isFree {
      if case .reference(let target) = field.type {
        references.append((index, choices(target, field, among: fields)))
      } else if !field.isOptional {
        values[index] = plain(field)
      }
    }
    if let field = library.records[record].dayKeyField { values[field] = .day(day) }
    var rows = [values]
    for (field, choices) in references {
      rows = rows.flatMap { row in
        choices.map { choice in
          var row = row
          row[field] = choice
          return row
        }
      }
      rows = Array(rows.prefix(TodayFacts.mostReferences))
    }
    return rows.map { TestRow(record: record, values: $0, span: library.records[record].span) }
  }

  /// The subject where a record names one of its kind; of two such fields one may name another.
  private func choices(_ target: RecordID, _ field: Field, among fields: [Field]) -> [Literal?] {
    let nearby = (near.ids[target] ?? []).filter { target != entity || $0 != subject }
    let ways = fields.count { $0.type == .reference(target) && $0.computed == nil }
    let ids = target == entity ? [subject] + (ways > 1 ? nearby.prefix(2) : []) : nearby
    return ids.map { .text($0) } + (field.isOptional && target != entity ? [nil] : [])
  }

  private func plain(_ field: Field) -> Literal? {
    let least = field.minimum?.millionths ?? 0
    switch field.type {
    case .id, .reference: return nil
    case .text: return .text("x")
    case .choice(let texts): return texts.first.map { .text($0) }
    case .bool: return .bool(false)
    case .dayKey: return .day(day)
    // Noon, in microseconds.
    case .instant: return .int((Int64(day.number) * 24 + 12) * 3_600_000_000)
    case .int: return .int(-FixedDecimal.floor(-least))
    case .decimal: return .decimal(FixedDecimal(millionths: least))
    }
  }

  private func granted(_ aggregate: Aggregate, _ row: TestRow) -> [TestRow] {
    guard let filter = aggregate.filter else { return [row] }
    return (0..<TodayFacts.wishes).map { seed in
      var (row, random) = (row, SplitMix(seed: seed))
      Wish(library: library, record: aggregate.record).grant(filter, true, to: &row.values, &random)
      return row
    }
  }

  /// With a number in the fields that are aggregated.
  private func counted(_ aggregate: Aggregate, _ row: TestRow, _ hints: [Int64]) -> [TestRow] {
    let fields = library.records[aggregate.record].fields
    let paths = aggregate.argument?.parts.compactMap(\.path) ?? []
    let own = paths.filter { $0.root == .row && $0.references.isEmpty }.map(\.field.field)
      .filter { fields[$0].computed == nil && fields[$0].type.valueType.isNumber }
    guard !own.isEmpty else { return [row] }
    let numbers = [FixedDecimal.scale] + hints.filter { $0 > 0 }.sorted() + vocabulary.numbers.sorted()
    return numbers.once(by: \.self).prefix(TodayFacts.mostNumbers).map { number in
      var row = row
      for field in own { row.values[field] = fields[field].holding(number) }
      return row
    }
  }
}
