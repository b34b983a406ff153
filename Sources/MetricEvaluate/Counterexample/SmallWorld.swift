import MetricData
import MetricPlan

/// Makes small datasets for a metric: one of each entity, one of each link, and facts that lead to them.
struct SmallWorld {
  private let library: Library
  private let vocabulary: Vocabulary
  /// The records that the metric reads.
  private let records: [RecordID]
  let facts: [RecordID]
  let settings: [RecordID]
  private let base: DayKey
  /// Numbers worth trying, in millionths.
  private let numbers: [Int64]

  init(library: Library, metric: MetricID) {
    self.library = library
    vocabulary = Vocabulary(library: library, metric: metric)
    let needs = DataNeeds(library: library, metrics: [metric])
    // Bundles only lead to what a link can name directly.
    records = needs.fields.keys.sorted().filter { library.records[$0].name != "BundleMember" }
    let kinds = records.filter { library.records[$0].kind == .fact }
    facts = kinds.filter { !library.records[$0].isSetting }
    settings = kinds.filter { library.records[$0].isSetting }
    base = vocabulary.days.min()?.advanced(by: -3) ?? DayKey(number: 20_454)  // 2026-01-01
    var numbers: Set<Int64> = [0, 1, 2, 5, 10, 30, 100].reduce(into: []) {
      $0.insert($1 * FixedDecimal.scale)
    }
    numbers.formUnion([-FixedDecimal.scale, -10 * FixedDecimal.scale, FixedDecimal.scale / 2])
    for number in vocabulary.numbers {
      numbers.formUnion([number, number + FixedDecimal.scale, number - FixedDecimal.scale])
    }
    self.numbers = numbers.filter { $0.magnitude <= UInt64(FixedDecimal.limit) }.sorted()
  }

  /// Numbers of facts at which something may turn.
  var counts: [Int] { (vocabulary.counts.union([1, 2, 20, 99])).sorted() }

  private func id(of entity: RecordID) -> String { library.records[entity].subjectName + "-1" }

  // MARK: Rows

  /// Entities and links.
  func frame(_ random: inout SplitMix) -> [TestRow] {
    records.filter { library.records[$0].kind != .fact }.map { row(of: $0, day: base, full: 70, &random) }
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

  /// - Parameter full: in how many of 100 cases an optional field has a value.
  private func row(of record: RecordID, day: DayKey, full: Int, _ random: inout SplitMix) -> TestRow {
    var values: [Int: Literal] = [:]
    let declared = library.records[record]
    for (index, field) in declared.fields.enumerated()
    where field.computed == nil && !field.isTombstone && !field.isStored {
      if field.isOptional, !isReference(field), !random.chance(full) { continue }
      if let value = value(of: field, record: record, day: day, &random) { values[index] = value }
    }
    if declared.kind == .fact, let identifier = declared.idField { values[identifier] = nil }
    return TestRow(record: record, values: values, span: declared.span)
  }

  private func isReference(_ field: Field) -> Bool {
    if case .reference = field.type { true } else { false }
  }

  private func value(
    of field: Field, record: RecordID, day: DayKey, _ random: inout SplitMix
  ) -> Literal? {
    switch field.type {
    case .id: return library.records[record].kind == .entity ? .text(id(of: record)) : nil
    // A link names its habit directly, and no bundle.
    case .reference(let target): return library.records[target].name == "Bundle" ? nil : .text(id(of: target))
    case .text: return .text(random.pick(vocabulary.texts.sorted() + ["x"]))
    case .choice(let texts): return texts.isEmpty ? nil : .text(random.pick(texts))
    case .bool: return .bool(random.chance(50))
    case .dayKey: return .day(library.records[record].kind == .fact ? day : anyDay(span: 10, &random))
    case .instant: return nil
    case .int:
      let whole = allowed(field).map { $0 / FixedDecimal.scale }.filter { $0 >= smallest(field) }
      return whole.isEmpty ? nil : .int(random.pick(whole))
    case .decimal:
      let numbers = allowed(field)
      return numbers.isEmpty ? nil : .decimal(FixedDecimal(millionths: random.pick(numbers)))
    }
  }

  private func allowed(_ field: Field) -> [Int64] {
    let low = field.minimum?.millionths ?? -FixedDecimal.limit
    let numbers = numbers.filter { $0 >= low }
    return numbers.isEmpty ? [low] : numbers
  }

  private func smallest(_ field: Field) -> Int64 {
    guard let minimum = field.minimum else { return -FixedDecimal.intLimit }
    return -Arithmetic.floor(-minimum.millionths)
  }
}
