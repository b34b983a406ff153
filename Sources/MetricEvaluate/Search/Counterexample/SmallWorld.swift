/// Makes small datasets for a metric: one or two of each entity, one of each link, and facts that lead to
/// them. How they are changed is in `SmallWorld+Changes.swift`.
struct SmallWorld {
  let library: Library
  let vocabulary: Vocabulary
  /// The id of the subject that is examined.
  let subject: String
  private let records: [RecordID]
  let facts: [RecordID]
  let settings: [RecordID]
  let base: DayKey
  /// Numbers worth trying, in millionths.
  private let numbers: [Int64]
  let subjectEntity: RecordID?

  init(library: Library, metric: MetricID) {
    self.library = library
    vocabulary = Vocabulary(library: library, metric: metric)
    subjectEntity = library.metrics[metric].subject.entity
    subject = subjectEntity.map { library.records[$0].subjectName + "-1" } ?? ""
    let needs = DataNeeds(library: library, metrics: [metric])
    // Bundles only lead to what a link can name directly.
    records = needs.fields.keys.sorted().filter { library.records[$0].name != "BundleMember" }
    let kinds = records.filter { library.records[$0].kind == .fact }
    facts = kinds.filter { !library.records[$0].isSetting }
    settings = kinds.filter { library.records[$0].isSetting }
    base = vocabulary.days.min()?.advanced(by: -3) ?? DayKey(number: 20_454)  // 2026-01-01
    var numbers: Set<Int64> = [0, 1, 2, 5, 10, 30, 100, 10_000, 1_000_000].reduce(into: []) {
      $0.insert($1 * FixedDecimal.scale)
    }
    numbers.formUnion([-FixedDecimal.scale, -10 * FixedDecimal.scale, FixedDecimal.scale / 2])
    for number in vocabulary.numbers {
      numbers.formUnion([number, number + FixedDecimal.scale, number - FixedDecimal.scale, number + 1])
    }
    self.numbers = numbers.filter { $0.magnitude <= UInt64(FixedDecimal.limit) }.sorted()
  }

  /// Numbers of facts at which something may turn.
  var counts: [Int] { (vocabulary.counts.union([1, 2, 20, 99])).sorted() }

  /// Of an entity that is not the metric's: more than two only matter where they are counted.
  private var mostSubjects: Int { vocabulary.countsSubjects ? 4 : 2 }

  func id(of entity: RecordID, _ number: Int = 1) -> String {
    "\(library.records[entity].subjectName)-\(number)"
  }

  // MARK: Rows

  /// Entities and links.
  func frame(_ random: inout SplitMix) -> [TestRow] {
    var rows: [TestRow] = []
    for record in records where library.records[record].kind != .fact {
      rows.append(row(of: record, day: base, full: 70, &random))
      // Others beside it, to choose from; never another subject.
      let isEntity = library.records[record].kind == .entity
      guard isEntity, record != subjectEntity, let field = library.records[record].idField else { continue }
      for number in 2...mostSubjects where random.chance(40) {
        var other = row(of: record, day: base, full: 70, &random)
        other.values[field] = .text(id(of: record, number))
        rows.append(other)
      }
    }
    return rows
  }

  /// Entities and links, and in most cases some settings.
  func frame(settings count: (inout SplitMix) -> Int, _ random: inout SplitMix) -> [TestRow] {
    var rows = frame(&random)
    guard !settings.isEmpty, random.chance(60) else { return rows }
    for _ in 0..<count(&random) { rows.append(fact(random.pick(settings), span: 5, &random)) }
    return rows
  }

  /// A fact on one of the first days.
  func fact(_ record: RecordID, span: Int, _ random: inout SplitMix) -> TestRow {
    row(of: record, day: anyDay(span: span, &random), full: 80, &random)
  }

  private func anyDay(span: Int, _ random: inout SplitMix) -> DayKey {
    if !vocabulary.days.isEmpty, random.chance(50) {
      return random.pick(vocabulary.days.sorted()).advanced(by: random.int(-1...1))
    }
    return base.advanced(by: random.int(0...span))
  }

  /// - Parameters:
  ///   - full: in how many of 100 cases an optional field has a value.
  ///   - hints: numbers that may fit better than those of the vocabulary, in millionths.
  func row(
    of record: RecordID, day: DayKey, full: Int, hints: [Int64] = [], _ random: inout SplitMix
  ) -> TestRow {
    var values: [Int: Literal] = [:]
    let declared = library.records[record]
    for (index, field) in declared.fields.enumerated()
    where field.computed == nil && !field.isTombstone && !field.isStored {
      if field.isOptional, field.type.target == nil, !random.chance(full) { continue }
      if let value = value(of: field, record: record, day: day, hints: hints, &random) {
        values[index] = value
      }
    }
    if declared.kind == .fact, let identifier = declared.idField { values[identifier] = nil }
    return TestRow(record: record, values: values, span: declared.span)
  }

  func value(
    of field: Field, record: RecordID, day: DayKey, hints: [Int64] = [], _ random: inout SplitMix
  ) -> Literal? {
    switch field.type {
    case .id:
      let isOwn =
        library.records[record].idField.map { library.records[record].fields[$0].name } == field.name
      guard isOwn else { return .text(random.pick(vocabulary.texts.sorted() + ["x", "y"])) }
      return library.records[record].kind == .entity ? .text(id(of: record)) : nil
    // A link names its habit directly, and no bundle.
    case .reference(let target): return reference(to: target, from: record, &random)
    case .text: return .text(random.pick(vocabulary.texts.sorted() + ["x"]))
    case .choice(let texts): return texts.isEmpty ? nil : .text(random.pick(texts))
    case .bool: return .bool(random.chance(50))
    case .dayKey: return .day(library.records[record].kind == .fact ? day : anyDay(span: 10, &random))
    case .instant: return instant(on: day, hour: random.int(6...18))
    case .int:
      let least = field.minimum.map { -FixedDecimal.floor(-$0.millionths) } ?? -FixedDecimal.intLimit
      let whole = allowed(field, hints, &random).map { $0 / FixedDecimal.scale }.filter { $0 >= least }
      return whole.isEmpty ? nil : .int(random.pick(whole))
    case .decimal:
      let numbers = allowed(field, hints, &random)
      return numbers.isEmpty ? nil : .decimal(FixedDecimal(millionths: random.pick(numbers)))
    }
  }

  /// Another subject only where a record names two of them, such as the giver and the receiver of a gift.
  private func reference(to target: RecordID, from record: RecordID, _ random: inout SplitMix) -> Literal? {
    if library.records[target].name == "Bundle" { return nil }
    let ways = library.records[record].fields.count { $0.type == .reference(target) }
    let isOther = (target != subjectEntity || ways > 1) && random.chance(vocabulary.countsSubjects ? 50 : 20)
    return .text(id(of: target, isOther ? random.int(2...mostSubjects) : 1))
  }

  /// An Instant is held in microseconds.
  private func instant(on day: DayKey, hour: Int) -> Literal {
    .int((Int64(day.number) * 24 + Int64(hour)) * 3_600_000_000)
  }

  private func allowed(_ field: Field, _ hints: [Int64], _ random: inout SplitMix) -> [Int64] {
    let low = field.minimum?.millionths ?? -FixedDecimal.limit
    func fitting(_ numbers: [Int64]) -> [Int64] { numbers.filter { $0 >= low && $0 <= FixedDecimal.limit } }
    let hinted = fitting(hints)
    if !hinted.isEmpty, random.chance(40) { return hinted }
    if low <= 0, random.chance(10) { return [0] }
    let numbers = fitting(numbers)
    return numbers.isEmpty ? [low] : numbers
  }
}
