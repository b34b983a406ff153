/// Two datasets in which the same things happened and which differ in one field, and in the metric.
extension CounterexampleSearch {
  private static let driftAttempts = 120

  /// - Parameter fields: those that may differ.
  package static func whenFieldsDiffer(
    _ fields: Set<FieldReference>, _ metric: MetricID, in library: Library
  ) -> Counterexample? {
    var search = CounterexampleSearch(library: library, metric: metric)
    guard let found = search.drift(fields) else { return nil }
    return Shrinker(library: library) { best, rows, _ in search.drift(in: rows, fields, [best.day]) }
      .shrunk(found)
  }

  /// Without facts, with one, two … and so again.
  private mutating func drift(_ fields: Set<FieldReference>) -> Counterexample? {
    for attempt in 0..<CounterexampleSearch.driftAttempts {
      var rows = frame()
      if !world.settings.isEmpty { rows.append(world.fact(random.pick(world.settings), span: 2, &random)) }
      for _ in 0..<(attempt % 9) where !world.facts.isEmpty {
        rows.append(world.fact(random.pick(world.facts), span: 3, &random))
      }
      if let found = drift(in: rows, fields, referenceDays(rows)) { return found }
    }
    return nil
  }

  private func drift(in rows: [TestRow], _ fields: Set<FieldReference>, _ days: [DayKey]) -> Counterexample? {
    for (index, row) in rows.enumerated() {
      for field in library.records[row.record].fields.indices
      where fields.contains(FieldReference(record: row.record, field: field)) {
        let declared = library.records[row.record].fields[field]
        var first = rows
        first[index].values[field] = row.values[field] ?? others(nil, declared).last
        guard let before = table(first, days) else { continue }
        for value in others(first[index].values[field], declared) {
          var changed = first
          changed[index].values[field] = value
          guard let after = table(changed, days), let (old, new) = difference(before, after) else { continue }
          var found = counterexample(first, nil, old, old.value, new, from: old.at)
          found.change = Counterexample.Change(
            field: FieldReference(record: row.record, field: field), before: first[index].values[field],
            after: value, rows: changed)
          return found
        }
      }
    }
    return nil
  }

  private func difference(_ before: [ResultRow], _ after: [ResultRow]) -> (ResultRow, Value)? {
    // A target may be declared, and the fraction with it.
    for old in before where old.part.isEmpty {
      let new = after.value(at: old)
      if new != old.value { return (old, new) }
    }
    return nil
  }

  /// What else the field might say: plain values, then those around what the metric compares with.
  private func others(_ value: Literal?, _ field: Field) -> [Literal] {
    let low = field.minimum?.millionths ?? -FixedDecimal.limit
    func numbers(of unit: Int64) -> [Int64] {
      let compared = world.vocabulary.numbers.sorted().flatMap { [$0 - unit, $0, $0 + unit] }
      return [5, 20, 1, 0].map { $0 * FixedDecimal.scale }
        + compared.filter { $0.magnitude <= FixedDecimal.limit }
    }
    let all: [Literal] =
      switch field.type {
      case .int:
        numbers(of: FixedDecimal.scale).filter { $0 >= low && $0.isMultiple(of: FixedDecimal.scale) }
          .map { .int($0 / FixedDecimal.scale) }
      case .decimal:
        numbers(of: FixedDecimal.scale).filter { $0 >= low }.map { .decimal(FixedDecimal(millionths: $0)) }
      case .bool: [.bool(true), .bool(false)]
      case .choice(let texts): texts.map { .text($0) }
      case .text: (world.vocabulary.texts.sorted() + ["x"]).map { .text($0) }
      case .dayKey:
        ([-1, 9].map(world.base.advanced(by:))
          + world.vocabulary.days.sorted().flatMap { [$0, $0.advanced(by: 1)] })
          .map { .day($0) }
      case .id, .instant, .reference: []
      }
    return all.filter { $0 != value }
  }
}
