/// Makes small datasets for a metric: one or two of each entity, one of each link, and facts that lead to
/// them. How they are changed is in `SmallWorld+Changes.swift`.
struct SmallWorld {
  let library: Library
  let metric: MetricID
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
    self.metric = metric
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
    let one = FixedDecimal.scale
    let known = [-10, -1, 0, 1, 2, 5, 10, 30, 100, 10_000, 1_000_000].map { $0 * one } + [one / 2]
    let compared = vocabulary.numbers.flatMap { [$0, $0 + one, $0 - one, $0 + 1] }
    numbers = Set(known + compared).filter { $0.magnitude <= FixedDecimal.limit }.sorted()
  }

  /// Numbers of facts at which something may turn.
  var counts: [Int] { (vocabulary.counts.union([1, 2, 20, 99])).sorted() }

  /// Of an entity that is not the metric's: more than two only matter where they are counted.
  private var mostSubjects: Int { vocabulary.countsSubjects ? 4 : 2 }

  func id(of entity: RecordID, _ number: Int = 1) -> String {
    "\(library.records[entity].subjectName)-\(number)"
  }

  /// Entities and links, and in most cases some settings where their number is given.
  func frame(settings count: ((inout SplitMix) -> Int)? = nil, _ random: inout SplitMix) -> [TestRow] {
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
    guard let count, !settings.isEmpty, random.chance(60) else { return rows }
    return rows + (0..<count(&random)).map { _ in fact(random.pick(settings), span: 5, &random) }
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

  /// An optional field has a value in `full` of 100 cases; hints are numbers that may fit better, in millionths.
  func row(
    of record: RecordID, day: DayKey, full: Int, hints: [Int64] = [], _ random: inout SplitMix
  ) -> TestRow {
    var values: [Int: Literal] = [:]
    let declared = library.records[record]
    for (index, field) in declared.fields.enumerated() where field.isFree {
      if field.isOptional, field.type.target == nil, !random.chance(full) { continue }
      values[index] = value(of: field, record: record, day: day, hints: hints, &random)
    }
    if declared.kind == .fact, let identifier = declared.idField { values[identifier] = nil }
    return TestRow(record: record, values: values, span: declared.span)
  }

  func value(
    of field: Field, record: RecordID, day: DayKey, hints: [Int64] = [], _ random: inout SplitMix
  ) -> Literal? {
    switch field.type {
    case .id:
      let declared = library.records[record]
      guard declared.idField.map({ declared.fields[$0].name }) == field.name else {
        return .text(random.pick(vocabulary.texts.sorted() + ["x", "y"]))
      }
      return declared.kind == .entity ? .text(id(of: record)) : nil
    // A link names its habit directly, and no bundle.
    case .reference(let target): return reference(to: target, from: record, &random)
    case .text: return .text(random.pick(vocabulary.texts.sorted() + ["x"]))
    case .choice(let texts): return texts.isEmpty ? nil : .text(random.pick(texts))
    case .bool: return .bool(random.chance(50))
    case .dayKey: return .day(library.records[record].kind == .fact ? day : anyDay(span: 10, &random))
    // In microseconds.
    case .instant: return .int((Int64(day.number) * 24 + Int64(random.int(6...18))) * 3_600_000_000)
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
