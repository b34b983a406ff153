/// Which records of a type count, so that no others are kept, where the metrics ask for nothing else of them.
///
/// What nobody keeps costs no memory, which is as dear as the reading: of eight sums over windows of up to 56 days of a year
/// six rows of seven, of a count with a `where` all other rows.
package struct CountedRecords: Hashable, Sendable {
  /// The column of the DayKey; nil where days do not matter.
  package var day: Int?
  package var days: ClosedRange<Int32>
  /// Nil holds for each record.
  package var condition: RowExpression?
  /// Columns that make a record not live where they have a value.
  package var tombstones: [Int]
  /// Columns of which nothing more is asked.
  package var dropped: [Int]
  /// Text columns of which the different texts of all live records are noted, as whom they name exists.
  package var noted: [Int]

  package init(
    day: Int?, days: ClosedRange<Int32>, condition: RowExpression?, tombstones: [Int], dropped: [Int],
    noted: [Int]
  ) {
    (self.day, self.days, self.condition) = (day, days, condition)
    (self.tombstones, self.dropped, self.noted) = (tombstones, dropped, noted)
  }
}

/// Picks the records that count from batches, and notes what is kept of all others.
///
/// `@unchecked Sendable`: one thread fills it; afterwards it is only read.
package final class RecordSieve: @unchecked Sendable {
  let spec: CountedRecords
  private let condition: RowProgram?
  package private(set) var noted: NotedRecords
  private let rows = UnsafeMutablePointer<Int>.allocate(capacity: TableBuilder.batchSize)

  init(_ spec: CountedRecords, pool: StringPool) {
    self.spec = spec
    condition = spec.condition.map { RowProgram($0, pool: pool) }
    noted = NotedRecords(spec.noted, day: spec.day, pool)
  }

  deinit { rows.deallocate() }

  /// Whether a column is not kept.
  package func drops(_ column: Int) -> Bool { spec.dropped.contains(column) }

  /// Moves the rows that count to the front of a batch.
  ///
  /// - Returns: how many they are.
  func pick(_ batch: RowBatch, columns: Int) -> Int {
    let count = batch.count
    guard count > 0 else { return 0 }
    var kept = count
    for row in 0..<count { rows[row] = row }
    func keep(_ holds: (_ row: Int) -> Bool) {
      var next = 0
      for place in 0..<kept {
        let row = rows[place]
        rows[next] = row
        next &+= holds(row) ? 1 : 0
      }
      kept = next
    }
    for column in spec.tombstones {
      let tombstones = batch[column]
      keep { tombstones[$0] == Column.missingWide }
    }
    noted.add(batch, UnsafeBufferPointer(start: rows, count: kept))
    if let day = spec.day {
      let days = batch[day]
      let counted = Int64(spec.days.lowerBound)...Int64(spec.days.upperBound)
      let met = noted.add(days: days, count)
      if met.lowerBound < counted.lowerBound || met.upperBound > counted.upperBound {
        keep { counted.contains(days[$0]) }
      }
    }
    if kept > 0, let holds = condition?.run(batch) { keep { holds[$0] == 1 } }
    guard kept < count else { return count }
    for column in 0..<columns where !drops(column) {
      let cells = batch[column]
      for place in 0..<kept { cells[place] = cells[rows[place]] }
    }
    return kept
  }

  /// Takes in what another sieve of the same spec has noted.
  func merge(_ other: RecordSieve, numbers: [Int32]?) { noted.merge(other.noted, numbers: numbers) }
}

/// What is known of records that are not kept: the different texts of some columns, and the last day.
package struct NotedRecords {
  private let columns: [Int]
  let day: Int?
  private let pool: StringPool
  /// For each of the columns, by number of the pool whether a record has it.
  private var seen: [[Bool]]
  /// The last day of all records, live or not; nil where there are none.
  private(set) var lastDay: Int32?

  /// - Parameter day: the column of the DayKey; nil where days do not matter.
  init(_ columns: [Int], day: Int?, _ pool: StringPool) {
    (self.columns, self.day, self.pool) = (columns, day, pool)
    seen = columns.map { _ in [] }
  }

  /// Notes the days of a batch, and gives the first and the last of them.
  @discardableResult @inline(__always)
  mutating func add(days: UnsafePointer<Int64>, _ count: Int) -> ClosedRange<Int64> {
    var (first, last) = (days[0], days[0])
    for row in 1..<count { (first, last) = (min(first, days[row]), max(last, days[row])) }
    lastDay = max(lastDay ?? .min, Int32(truncatingIfNeeded: last))
    return first...last
  }

  /// Notes the texts of some rows of a batch.
  mutating func add(_ batch: RowBatch, _ rows: some Sequence<Int>) {
    for (index, column) in columns.enumerated() {
      let texts = batch[column]
      makeRoom(index, pool.count - 1)
      seen[index].withUnsafeMutableBufferPointer { seen in
        for row in rows where texts[row] >= 0 { seen[Int(texts[row])] = true }
      }
    }
  }

  private mutating func makeRoom(_ index: Int, _ id: Int) {
    if id >= seen[index].count { seen[index] += Array(repeating: false, count: id + 1) }
  }

  /// - Parameter numbers: for the numbers of the other one's pool those of this one's.
  mutating func merge(_ other: NotedRecords, numbers: [Int32]?) {
    if let day = other.lastDay { lastDay = max(day, lastDay ?? day) }
    for index in seen.indices {
      for id in other.seen[index].indices where other.seen[index][id] {
        let own = numbers.map { Int($0[id]) } ?? id
        makeRoom(index, own)
        seen[index][own] = true
      }
    }
  }

  /// The numbers of a column's texts, rising; nil of a column that is not noted.
  package subscript(column: Int) -> [Int32]? {
    columns.firstIndex(of: column).map { index in
      seen[index].indices.filter { seen[index][$0] }.map(Int32.init)
    }
  }
}
