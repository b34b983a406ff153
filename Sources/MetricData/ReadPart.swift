import Dispatch

/// What came out of reading a stretch of a file.
final class ReadPart {
  /// Where in the file the search for the first record began, and where the next one starts.
  let start: Int
  let end: Int
  fileprivate var columns: [Column]
  fileprivate let rowCount: Int
  fileprivate var fold: FoldStore?
  /// What the texts are numbers of.
  fileprivate let pool: StringPool
  let findings: [PlacedFinding]
  let findingCount: Int
  let rejectedCount: Int
  let isFatal: Bool

  init(
    start: Int, end: Int, columns: [Column], rowCount: Int, fold: FoldStore?, pool: StringPool,
    findings: [PlacedFinding], findingCount: Int, rejectedCount: Int, isFatal: Bool
  ) {
    self.start = start
    self.end = end
    self.columns = columns
    self.rowCount = rowCount
    self.fold = fold
    self.pool = pool
    self.findings = findings
    self.findingCount = findingCount
    self.rejectedCount = rejectedCount
    self.isFatal = isFatal
  }

  /// One table of all parts, whose texts are numbers of `pool`. The parts give away what they have.
  static func joined(_ parts: [ReadPart], schema: TableSchema, pool: StringPool) -> Table {
    let numbers = parts.map { part in part.pool === pool ? nil : pool.take(part.pool) }
    if let fold = parts.first?.fold {
      for (part, numbers) in zip(parts, numbers).dropFirst() {
        if let other = part.fold { fold.merge(other, numbers: numbers) }
        part.fold = nil
      }
      fold.keys = fold.numbers(in: pool)
      return Table(schema: schema, folded: fold)
    }
    let rowCount = parts.reduce(0) { $0 + $1.rowCount }
    let columns = joinedColumns(parts, schema, rowCount, numbers)
    return Table(schema: schema, rowCount: rowCount, columns: columns)
  }

  /// Column by column on all threads: one thread alone took a tenth of the time of a query of ten million events.
  private static func joinedColumns(
    _ parts: [ReadPart], _ schema: TableSchema, _ rowCount: Int, _ numbers: [[Int32]?]
  ) -> [Column] {
    // Each is held by its task alone, so that what was read first is not copied: it has room for the others.
    let count = schema.columns.count
    let tasks = UnsafeMutablePointer<[Column]>.allocate(capacity: max(1, count))
    for index in 0..<count { (tasks + index).initialize(to: parts.map { $0.columns[index] }) }
    for part in parts { part.columns = [] }
    defer {
      tasks.deinitialize(count: count)
      tasks.deallocate()
    }
    nonisolated(unsafe) let columns = tasks
    DispatchQueue.concurrentPerform(iterations: parts.count > 1 ? count : 0) { index in
      let isText = schema.columns[index].type == .text
      join(&columns[index], rowCount, numbers: isText ? numbers : [])
    }
    return (0..<count).map { tasks[$0].first ?? Column(type: schema.columns[$0].type) }
  }

  /// Appends all others to the first, which is then the only one.
  ///
  /// - Parameter numbers: for each piece, for the numbers of its pool those of the table's; nil or none where they
  ///   are the same.
  private static func join(_ pieces: inout [Column], _ rowCount: Int, numbers: [[Int32]?]) {
    guard pieces.count > 1 else { return }
    let first = pieces.removeFirst()
    switch consume first {
    case .narrow(var cells):
      cells.reserveCapacity(rowCount)
      for (index, piece) in pieces.enumerated() {
        guard case .narrow(let own) = piece else { continue }
        if index + 1 < numbers.count, let numbers = numbers[index + 1] {
          for cell in own { cells.append(cell == Column.missingNarrow ? cell : numbers[Int(cell)]) }
        } else {
          cells += own
        }
      }
      pieces = [.narrow(cells)]
    case .wide(var cells):
      cells.reserveCapacity(rowCount)
      for case .wide(let own) in pieces { cells += own }
      pieces = [.wide(cells)]
    }
  }
}
