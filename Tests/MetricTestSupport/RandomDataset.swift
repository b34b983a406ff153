import MetricData
import MetricPlan

/// What a random dataset is made of.
package struct DatasetOptions: Sendable {
  /// The most facts of one record type.
  package var facts = 40
  /// How many ids each entity has, at least 2.
  package var entities = 2...6
  /// How many days there are, from 2026-01-01 on.
  package var days = 28
  /// Percentages: missing optional fields, records with a tombstone.
  package var missing = 25
  package var dead = 8
  /// Bundles may contain each other in a circle or nest too deep.
  package var allowsBadBundles = false
  /// `unit` fields differ.
  package var allowsBadUnits = false
  /// Numbers at and near both limits of the range.
  package var allowsHugeNumbers = false
  /// Now and then the first or the last DayKey, with an Instant of that day.
  package var reachesLastDays = false
  /// Facts come by day, and on a day by the Instant that orders them, as logs are written.
  package var isInOrder = false

  package init() {}
}

/// Random small datasets for the records of a library.
///
///     var random = SeededGenerator(seed: 7)
///     let dataset = RandomDataset.make(for: library, using: &random)
package struct RandomDataset {
  /// Texts that `Text` fields have; random libraries compare with the same. Two of them are equal only
  /// after normalisation, which the language does not do.
  package static let texts = ["a", "b", "C", "caf\u{E9}", "cafe\u{301}", "x,\"y\""]
  package static let firstDay = DayKey("2026-01-01")!
  /// The first and the last DayKey that a dataset may hold.
  package static let endsOfDays = [DayKey("1900-01-01")!, DayKey("2199-12-31")!]

  private let library: Library
  private let options: DatasetOptions
  private var random: SeededGenerator
  private var dataset = ReferenceDataset()
  /// How many ids each entity has; some of them may not be in its table.
  private var idCounts: [RecordID: Int] = [:]
  private var busyDays: [DayKey] = []

  package static func make(
    for library: Library, _ options: DatasetOptions = DatasetOptions(), using random: inout SeededGenerator
  ) -> ReferenceDataset {
    var maker = RandomDataset(library: library, options: options, random: random)
    maker.fill()
    random = maker.random
    return maker.dataset
  }

  private init(library: Library, options: DatasetOptions, random: SeededGenerator) {
    self.library = library
    self.options = options
    self.random = random
  }

  private mutating func fill() {
    for _ in 0..<random.int(3...8) {
      busyDays.append(RandomDataset.firstDay.advanced(by: random.int(0...options.days - 1)))
    }
    for (id, record) in library.records.enumerated() where record.kind == .entity {
      idCounts[id] = random.int(options.entities)
    }
    for (id, record) in library.records.enumerated() {
      switch record.kind {
      case .entity:
        // Some ids stay unknown to the table: only facts refer to them.
        for index in 0..<(idCounts[id] ?? 0) where random.chance(80) { addEntity(id, index) }
      case .link:
        for _ in 0..<random.int(0...7) { addRecord(id) }
      case .fact:
        for _ in 0..<random.int(0...(random.chance(20) ? 2 : options.facts)) { addRecord(id) }
      }
      if random.chance(30) { dataset.rows[id]?.shuffle(using: &random) }
      if options.isInOrder, let rows = dataset.rows[id] {
        dataset.rows[id] = rows.sorted { moment(of: $0, record) < moment(of: $1, record) }
      }
      renumber(id)
    }
  }

  private func moment(of row: ReferenceRow, _ record: Record) -> (Int32, Int64) {
    var moment: (Int32, Int64) = (0, .min)
    if case .day(let day)? = record.dayKeyField.flatMap({ row.values[$0] }) { moment.0 = day.number }
    if case .int(let instant)? = record.orderField.flatMap({ row.values[$0] }) {
      moment.1 = instant
    }
    return moment
  }

  private mutating func renumber(_ record: RecordID) {
    guard let rows = dataset.rows[record] else { return }
    dataset.rows[record] = rows.enumerated().map { ReferenceRow(values: $0.element.values, order: $0.offset) }
  }

  // MARK: Records

  /// The id of an entity: not in the order of its number when sorted by bytes, and with a letter that
  /// sorts differently where bytes do not count.
  private func entityID(_ record: RecordID, _ index: Int) -> String {
    let tails = ["2", "10", "\u{E9}", "B", "_", "1"]
    return library.records[record].name.prefix(1).lowercased() + tails[index % tails.count]
  }

  private mutating func addEntity(_ record: RecordID, _ index: Int) {
    var values = fields(of: record)
    if let id = library.records[record].idField { values[id] = .text(entityID(record, index)) }
    dataset.add(record, values)
  }

  /// A fact or a link; now and then the same again under another id.
  private mutating func addRecord(_ record: RecordID) {
    var values = fields(of: record)
    if library.records[record].name == "BundleMember", !options.allowsBadBundles {
      orderBundles(record, &values)
    }
    if library.records[record].name == "Identity", !orderIdentities(record, &values) { return }
    let copies = random.chance(12) ? 2 : 1
    for _ in 0..<copies {
      if let id = library.records[record].idField {
        let number = dataset.rows[record]?.count ?? 0
        let isMissing = library.records[record].fields[id].isOptional && random.chance(options.missing)
        // Not rising with the input's order.
        values[id] = isMissing ? nil : .text("f\((number * 37 + 11) % 1009)")
      }
      dataset.add(record, values)
    }
  }

  /// An id stands for one of a greater number, and for no other; false where it has one already.
  private mutating func orderIdentities(_ record: RecordID, _ values: inout [Int: Literal]) -> Bool {
    guard let entity = library.identity?.entity, let count = idCounts[entity],
      let ends = library.identity.map({ [$0.alias.field, $0.target.field] })
    else { return true }
    let alias = random.int(0...count - 2)
    let name = Literal.text(entityID(entity, alias))
    values[ends[0]] = name
    values[ends[1]] = .text(entityID(entity, random.int(alias + 1...count - 1)))
    return dataset.rows[record]?.contains { $0.values[ends[0]] == name } != true
  }

  /// A bundle holds only bundles of a greater number, so that there is no circle.
  private mutating func orderBundles(_ record: RecordID, _ values: inout [Int: Literal]) {
    guard let parent = library.records[record].field(named: "bundleId"),
      let child = library.records[record].field(named: "childBundleId"),
      let entity = library.record(named: "Bundle"), values[child] != nil
    else { return }
    let count = idCounts[entity] ?? 2
    let outer = random.int(0...count - 2)
    values[parent] = .text(entityID(entity, outer))
    values[child] = .text(entityID(entity, random.int(outer + 1...count - 1)))
  }

  private mutating func fields(of record: RecordID) -> [Int: Literal] {
    var values: [Int: Literal] = [:]
    let dayField = library.records[record].dayKeyField
    let day = random.chance(70) ? random.pick(busyDays) : anyDay()
    for (index, field) in library.records[record].fields.enumerated() where field.computed == nil {
      if field.isTombstone {
        if random.chance(options.dead) { values[index] = value(of: field, day) }
      } else if index == dayField {
        values[index] = .day(day)
      } else if !field.isOptional || !random.chance(field.name == "purpose" ? 60 : options.missing)
        || field.name == "unit" && !options.allowsBadUnits
      {
        values[index] = value(of: field, day)
      }
    }
    return values
  }

  private mutating func anyDay() -> DayKey {
    if options.reachesLastDays, random.chance(10) { return random.pick(RandomDataset.endsOfDays) }
    return RandomDataset.firstDay.advanced(by: random.int(0...options.days - 1))
  }

  // MARK: Values

  private mutating func value(of field: Field, _ day: DayKey) -> Literal {
    switch field.type {
    case .id: return .text("f\(random.int(0...9))")
    case .text:
      if field.name == "unit" { return .text(options.allowsBadUnits ? random.pick(["min", "km"]) : "min") }
      return .text(random.pick(RandomDataset.texts))
    case .int: return .int(wholeNumber(field.minimum))
    case .decimal: return .decimal(decimal(field.minimum))
    case .bool: return .bool(random.chance(50))
    case .dayKey: return .day(anyDay())
    // A few instants of the day, so that there are ties.
    case .instant: return .int((Int64(day.number) * 24 + Int64(random.int(6...9))) * 3_600_000_000)
    case .choice(let texts): return .text(random.pick(texts))
    case .reference(let entity): return .text(entityID(entity, random.int(0...(idCounts[entity] ?? 1) - 1)))
    }
  }

  private mutating func wholeNumber(_ minimum: FixedDecimal?) -> Int64 {
    if options.allowsHugeNumbers, random.chance(10) {
      let number = FixedDecimal.intLimit - Int64(random.int(0...3))
      return minimum == nil && random.chance(30) ? -number : number
    }
    let low = minimum.map { Int(($0.millionths + FixedDecimal.scale - 1) / FixedDecimal.scale) } ?? -5
    return Int64(random.int(low...max(low, 12)))
  }

  private mutating func decimal(_ minimum: FixedDecimal?) -> FixedDecimal {
    if options.allowsHugeNumbers, random.chance(10) {
      let size = FixedDecimal.limit - Int64(random.int(0...1))
      return FixedDecimal(millionths: minimum == nil && random.chance(30) ? -size : size)
    }
    let some: [Int64] = [
      0, 1, 500_000, 1_000_000, 2_500_000, 3_000_000, 10_000_000, 33_333_333, 20_000_000, 1_000_000_000_000,
    ]
    let size = random.pick(some) * (random.chance(15) ? -1 : 1)
    return FixedDecimal(millionths: max(size, minimum?.millionths ?? size))
  }
}
