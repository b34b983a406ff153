/// Makes a counterexample small and plain: without rows and fields that it does not need, and with short numbers.
struct Shrinker {
  private static let mostPasses = 3

  let library: Library
  /// Looks for the same harm with other rows and another fact.
  let again: (Counterexample, [TestRow], TestRow?) -> Counterexample?

  func shrunk(_ found: Counterexample) -> Counterexample {
    var best = found
    withoutRows(&best)
    // A plainer fact that is added lets the others be plainer, too.
    for _ in 0..<Shrinker.mostPasses {
      let before = (best.rows, best.added)
      for index in best.rows.indices {
        simplify(best.rows[index]) { row in
          var rows = best.rows
          rows[index] = row
          return attempt(rows, best.added, &best)
        }
      }
      if let added = best.added { simplify(added) { attempt(best.rows, $0, &best) } }
      if before == (best.rows, best.added) { break }
    }
    withoutRows(&best)
    // Ties of a day go by the place of a fact, so the order may matter.
    _ = attempt(best.rows.sorted { place($0) < place($1) }, best.added, &best)
    return best
  }

  private func attempt(_ rows: [TestRow], _ added: TestRow?, _ best: inout Counterexample) -> Bool {
    guard let still = again(best, rows, added) else { return false }
    best = still
    return true
  }

  private func withoutRows(_ best: inout Counterexample) {
    // Many copies go faster in big pieces.
    _ = best.rows.thinned(by: [32, 8, 1]) { attempt($0, best.added, &best) }
  }

  /// Offers plainer rows: without fields, then with a plainer value in one.
  private func simplify(_ row: TestRow, _ accept: (TestRow) -> Bool) {
    var row = row
    let fields = library.records[row.record].fields
    leaveOut(row.values.keys.filter { fields[$0].isOptional }.sorted()[...], &row, accept)
    for field in row.values.keys.sorted() {
      let least = fields[field].minimum?.millionths ?? .min
      for choice in row.values[field].map(plainer) ?? [] where choice.inMillionths ?? .max >= least {
        var other = row
        other.values[field] = choice
        if accept(other) {
          row = other
          break
        }
      }
    }
  }

  /// All at once if that works, else by halves: a record may have dozens of fields, and only one matters.
  private func leaveOut(_ fields: ArraySlice<Int>, _ row: inout TestRow, _ accept: (TestRow) -> Bool) {
    guard !fields.isEmpty else { return }
    var other = row
    for field in fields { other.values[field] = nil }
    if accept(other) {
      row = other
    } else if fields.count > 1 {
      let middle = fields.startIndex + fields.count / 2
      leaveOut(fields[..<middle], &row, accept)
      leaveOut(fields[middle...], &row, accept)
    }
  }

  private func plainer(_ value: Literal) -> [Literal] {
    // By length, and then in the order of the list.
    let numbers: [Int64] = [1, 0, 2, 3, 5, 10, -1, -2]
    func plainer(than own: String, _ ownPlace: Int?) -> [Int64] {
      numbers.enumerated().filter { place, number in
        String(number).utf8.count < own.utf8.count
          || String(number).utf8.count == own.utf8.count && place < ownPlace ?? numbers.count
      }.map(\.element)
    }
    switch value {
    // Below any Instant that a search makes, and above any number that is not written out in full.
    case .int(let own) where abs(own) < 1_000_000_000_000:
      return plainer(than: String(own), numbers.firstIndex(of: own)).map { .int($0) }
    case .decimal(let own):
      let place = numbers.firstIndex { $0 * FixedDecimal.scale == own.millionths }
      return plainer(than: own.description, place).map {
        .decimal(FixedDecimal(millionths: $0 * FixedDecimal.scale))
      }
    default: return []
    }
  }

  /// What is not a fact first, then by day and record.
  private func place(_ row: TestRow) -> (Int, DayKey, RecordID) {
    (library.records[row.record].kind == .fact ? 1 : 0, library.day(of: row) ?? .first, row.record)
  }
}

extension Array {
  /// Without all that may be left out: stretches of some lengths are tried one after the other.
  func thinned(by lengths: some Sequence<Int>, _ isEnough: ([Element]) -> Bool) -> [Element] {
    var kept = self
    for length in lengths {
      var index = 0
      while index < kept.count {
        var fewer = kept
        fewer.removeSubrange(index..<Swift.min(index + length, fewer.count))
        if isEnough(fewer) { kept = fewer } else { index += length }
      }
    }
    return kept
  }
}
