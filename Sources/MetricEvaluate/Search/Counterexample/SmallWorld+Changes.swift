/// Facts that reach an aggregate, and small changes of a dataset.
extension SmallWorld {
  /// The `attempt`-th day to look at: near the days that are written out, else in the middle of a month
  /// or at the start of a month or week.
  func referenceDay(_ attempt: Int, _ random: inout SplitMix) -> DayKey {
    let written = vocabulary.days.sorted()
    if !written.isEmpty, attempt == 0 || attempt == 3 {
      return random.pick(written).advanced(by: random.pick([-1, 0, 1, 2, 4]))
    }
    let middle = base.advanced(by: 45 + random.int(0...6))
    let weekdays = Weekday.allCases.filter { vocabulary.texts.contains($0.name) }
    if !weekdays.isEmpty, attempt % 2 == 0 { return middle.startOfWeek(from: random.pick(weekdays)) }
    switch attempt % 5 {
    // What counts from its start is lost there.
    case 1: return middle.startOfMonth.advanced(by: random.pick([0, 0, 0, 1]))
    case 2: return middle.startOfWeek(from: .monday).advanced(by: random.pick([0, 0, 1]))
    case 3 where vocabulary.countsMonths: return middle.startOfMonth
    case 4: return written.isEmpty ? middle.endOfMonth : random.pick(written).advanced(by: 7)
    default: return middle
    }
  }

  /// A fact that one of the metric's aggregates looks at, not after `last`.
  func fact(before last: DayKey, hints: [Int64], _ random: inout SplitMix) -> TestRow {
    let aggregates = vocabulary.aggregates.filter { facts.contains($0.record) }
    guard !aggregates.isEmpty else { return row(of: random.pick(facts), day: last, full: 80, &random) }
    let aggregate = random.pick(aggregates)
    var row = row(of: aggregate.record, day: day(before: last, &random), full: 80, hints: hints, &random)
    if let filter = aggregate.filter, random.chance(80) {
      Wish(library: library, record: aggregate.record).grant(filter, true, to: &row.values, &random)
    }
    return row
  }

  /// A day at or before another: mostly the same or a near one, else within or at the edge of a window or period.
  private func day(before last: DayKey, _ random: inout SplitMix) -> DayKey {
    switch random.int(1...11) {
    case 1...4: return last
    case 5, 6: return last.advanced(by: -random.int(1...3))
    case 11: return last.advanced(by: -random.int(0...(vocabulary.spans.max() ?? 9)))
    case 7:
      let starts = [last.startOfWeek(from: .monday), last.startOfMonth]
      return random.pick(starts).advanced(by: -random.int(0...2))
    case 8:
      let written = vocabulary.days.filter { $0 <= last }.sorted()
      return written.isEmpty ? last : random.pick(written)
    default:
      guard !vocabulary.spans.isEmpty else { return last.advanced(by: -random.int(0...9)) }
      let span = random.pick(vocabulary.spans.sorted())
      return last.advanced(by: -span * random.int(1...2) + random.int(-1...1) * random.int(0...1))
    }
  }

  func change(_ rows: inout [TestRow], day: DayKey, hints: [Int64], _ random: inout SplitMix) {
    let places = rows.indices.filter { library.records[rows[$0].record].kind == .fact }
    switch random.int(1...16) {
    case 1...3 where !facts.isEmpty: rows.append(fact(before: day, hints: hints, &random))
    case 4 where !places.isEmpty: rows.remove(at: random.pick(places))
    case 5 where !places.isEmpty:
      let copy = rows[random.pick(places)]
      // Hints may be a number of facts.
      let hinted = hints.filter { $0 > 0 && $0 <= 40 * FixedDecimal.scale && $0 % FixedDecimal.scale == 0 }
        .map { Int($0 / FixedDecimal.scale) }
      let count = random.chance(70) ? 1 : min(40, random.pick(counts + hinted))
      let fields = library.records[copy.record].fields.indices.filter {
        copy.values[$0]?.type.isNumber == true
      }
      // One number or all of them, or none.
      let isVaried = random.chance(40)
      let field = fields.isEmpty || random.chance(30) ? nil : random.pick(fields)
      for number in 0..<(rows.count + count > 100 ? 1 : count) {
        rows.append(isVaried ? varied(copy, field, by: Int64(number + 1)) : copy)
      }
    case 6 where !places.isEmpty:
      let place = random.pick(places)
      rows[place] = library.moved(rows[place], to: self.day(before: day, &random))
    case 7 where !settings.isEmpty:
      rows.append(
        row(of: random.pick(settings), day: self.day(before: day, &random), full: 80, hints: hints, &random))
    case 8 where !places.isEmpty:
      let place = random.pick(places)
      let filters = vocabulary.aggregates.filter { $0.record == rows[place].record }.compactMap(\.filter)
      guard !filters.isEmpty else { return }
      Wish(library: library, record: rows[place].record)
        .grant(random.pick(filters), random.chance(50), to: &rows[place].values, &random)
    case 9 where !places.isEmpty: repeatDaily(random.pick(places), in: &rows, &random)
    case 10 where vocabulary.countsSubjects: addSubject(to: &rows, &random)
    case 11, 12: nudge(&rows, hints, &random)
    default:
      guard !rows.isEmpty else { return }
      let place = random.chance(60) && !places.isEmpty ? random.pick(places) : random.int(0...rows.count - 1)
      refill(&rows[place], hints: hints, &random)
    }
  }

  private func nudge(_ rows: inout [TestRow], _ hints: [Int64], _ random: inout SplitMix) {
    let places = rows.indices.flatMap { row in
      rows[row].values.keys.sorted().filter { rows[row].values[$0]?.type.isNumber == true }
        .map { (row: row, field: $0) }
    }
    guard !places.isEmpty, !hints.isEmpty else { return }
    let (row, index) = random.pick(places)
    let field = library.records[rows[row].record].fields[index]
    guard field.type.valueType.isNumber else { return }
    let old = rows[row].values[index]
    rows[row].values[index] = field.moved(old, by: random.pick(hints)) ?? old
  }

  /// The same fact on each of some days before it.
  private func repeatDaily(_ place: Int, in rows: inout [TestRow], _ random: inout SplitMix) {
    guard let last = library.day(of: rows[place]) else { return }
    let lengths = counts.filter { $0 <= 40 } + vocabulary.spans.filter { $0 <= 40 }.sorted()
    let length = random.pick(lengths)
    guard rows.count + length <= 100 else { return }
    for number in 1...max(1, length) {
      rows.append(library.moved(rows[place], to: last.advanced(by: -number)))
    }
  }

  /// Another subject like the first one, with all that leads to that one.
  private func addSubject(to rows: inout [TestRow], _ random: inout SplitMix) {
    let entities = rows.map(\.record).filter { library.records[$0].kind == .entity && $0 != subjectEntity }
    guard !entities.isEmpty, rows.count <= 40 else { return }
    let entity = random.pick(entities)
    let (old, new) = (Literal.text(id(of: entity, 1)), Literal.text(id(of: entity, random.int(3...5))))
    for row in rows {
      let fields = library.records[row.record].fields
      let named = fields.indices.filter { index in
        guard row.values[index] == old else { return false }
        let isOwn = row.record == entity && index == library.records[entity].idField
        return isOwn || fields[index].type == .reference(entity)
      }
      guard !named.isEmpty else { continue }
      var other = row
      for index in named { other.values[index] = new }
      if !rows.contains(other) { rows.append(other) }
    }
  }

  /// The same fact with another number in one field, or in all.
  private func varied(_ row: TestRow, _ only: Int?, by number: Int64) -> TestRow {
    var row = row
    for (index, field) in library.records[row.record].fields.enumerated() where only ?? index == index {
      let own = row.values[index]
      row.values[index] = field.moved(own, by: number * FixedDecimal.scale) ?? own
    }
    return row
  }

  /// Another value for one field, or none.
  private func refill(_ row: inout TestRow, hints: [Int64], _ random: inout SplitMix) {
    let record = library.records[row.record]
    let fields = record.fields.indices.filter { index in
      record.fields[index].isFree && record.fields[index].type != .id && index != record.dayKeyField
    }
    guard !fields.isEmpty else { return }
    let index = random.pick(fields)
    if record.fields[index].type.valueType.isNumber, !hints.isEmpty, random.chance(30),
      let old = row.values[index], let moved = record.fields[index].moved(old, by: random.pick(hints))
    {
      row.values[index] = moved
      return
    }
    if record.fields[index].isOptional, random.chance(20) {
      row.values[index] = nil
    } else if let value = value(
      of: record.fields[index], record: row.record, day: library.day(of: row) ?? base, hints: hints, &random)
    {
      row.values[index] = value
    }
  }
}

extension Field {
  /// Whether a record says what is in it, and may say anything.
  var isFree: Bool { computed == nil && !isTombstone && !isStored }

  /// A number in millionths as a value of the field, an Int not below it; nil if the field does not take it.
  func holding(_ millionths: Int64) -> Literal? {
    let whole = -FixedDecimal.floor(-millionths)
    let number = type == .int ? whole * FixedDecimal.scale : millionths
    guard type == .int || type == .decimal, number >= minimum?.millionths ?? -FixedDecimal.limit,
      number <= FixedDecimal.limit
    else { return nil }
    return type == .int ? .int(whole) : .decimal(FixedDecimal(millionths: number))
  }

  /// The number itself as a value of the field.
  func number(_ millionths: Int64) -> Literal? {
    holding(millionths).flatMap { $0.inMillionths == millionths ? $0 : nil }
  }

  /// A value of the field that is greater by a number of millionths; nil if there is none.
  fileprivate func moved(_ value: Literal?, by millionths: Int64) -> Literal? {
    guard type.valueType.isNumber,
      let (sum, overflows) = value?.inMillionths?.addingReportingOverflow(millionths)
    else { return nil }
    return overflows ? nil : number(sum)
  }
}
