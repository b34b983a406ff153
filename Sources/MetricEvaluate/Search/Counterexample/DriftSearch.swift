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
          // A target may be declared, and the fraction with it.
          guard let after = table(changed, days),
            let old = before.first(where: { $0.part.isEmpty && after.value(at: $0) != $0.value })
          else { continue }
          var found = counterexample(first, nil, old, old.value, after.value(at: old), from: old.at)
          found.change = Counterexample.Change(
            field: FieldReference(record: row.record, field: field), before: first[index].values[field],
            after: value, rows: changed)
          return found
        }
      }
    }
    return nil
  }

  /// What else the field might say: plain values, then those around what the metric compares with.
  private func others(_ value: Literal?, _ field: Field) -> [Literal] {
    let one = FixedDecimal.scale
    let all: [Literal] =
      switch field.type {
      case .int, .decimal:
        ([5, 20, 1, 0].map { $0 * one }
          + world.vocabulary.numbers.sorted().flatMap { [$0 - one, $0, $0 + one] })
          .compactMap(field.number)
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
