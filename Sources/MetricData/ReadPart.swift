/// What came out of reading a stretch of a file.
final class ReadPart {
  /// Where in the file the first record was looked for, and where the next one starts.
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
    // The first part's texts are numbers of `pool` already.
    let columns = schema.columns.indices.map { index in
      let isText = schema.columns[index].type == .text
      return joinedColumn(parts, index, rowCount, numbers: isText ? numbers : parts.map { _ in nil })
    }
    return Table(schema: schema, rowCount: rowCount, columns: columns)
  }

  private static func joinedColumn(
    _ parts: [ReadPart], _ index: Int, _ rowCount: Int, numbers: [[Int32]?]
  ) -> Column {
    guard let first = parts.first?.columns[index] else { return .narrow([]) }
    // What was read first is not copied: it has room for the others.
    parts[0].columns[index] = .narrow([])
    switch first {
    case .narrow(var cells):
      cells.reserveCapacity(rowCount)
      for (part, numbers) in zip(parts, numbers).dropFirst() {
        guard case .narrow(let own) = part.columns[index] else { continue }
        part.columns[index] = .narrow([])
        if let numbers {
          for cell in own { cells.append(cell == Column.missingNarrow ? cell : numbers[Int(cell)]) }
        } else {
          cells += own
        }
      }
      return .narrow(cells)
    case .wide(var cells):
      cells.reserveCapacity(rowCount)
      for part in parts.dropFirst() {
        guard case .wide(let own) = part.columns[index] else { continue }
        part.columns[index] = .wide([])
        cells += own
      }
      return .wide(cells)
    }
  }
}
