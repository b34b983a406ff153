/// The values of one field, a cell per record. A missing value is the smallest integer.
///
/// Texts are numbers of the `StringPool`, days day numbers, Bools 0 and 1 (all narrow); Ints are
/// themselves, Decimals millionths, Instants microseconds since 1970-01-01T00:00:00Z (all wide).
public enum Column: Sendable {
  case narrow([Int32])
  /// Texts of which a file has few: for each record the place of its narrow cell in `texts`, which has 256.
  case coded([UInt8], texts: [Int32])
  case wide([Int64])

  public static let missingNarrow = Int32.min
  public static let missingWide = Int64.min

  /// The cell of a row, or nil if the value is missing.
  @inlinable
  public subscript(row: Int) -> Int64? {
    switch self {
    case .narrow(let cells): cells[row] == Column.missingNarrow ? nil : Int64(cells[row])
    case .coded(let codes, let texts):
      texts[Int(codes[row])] == Column.missingNarrow ? nil : Int64(texts[Int(codes[row])])
    case .wide(let cells): cells[row] == Column.missingWide ? nil : cells[row]
    }
  }

  public init(type: ColumnType) {
    switch type {
    case .text, .bool, .dayKey: self = .narrow([])
    case .int, .decimal, .instant: self = .wide([])
    }
  }

  /// The cells of a narrow column, or of one with codes; nil of a wide one.
  package var narrowCells: [Int32]? {
    switch self {
    case .narrow(let cells): cells
    case .coded(let codes, let texts): codes.map { texts[Int($0)] }
    case .wide: nil
    }
  }

  /// Appends a cell; nil is missing.
  public mutating func append(_ cell: Int64?) {
    let cell = cell ?? Column.missingWide
    if case .wide(var cells) = self {
      self = .wide([])
      cells.append(cell)
      self = .wide(cells)
    } else if var cells = narrowCells {
      self = .narrow([])
      cells.append(Column.narrowed(cell))
      self = .narrow(cells)
    }
  }

  @inline(__always)
  static func narrowed(_ cell: Int64) -> Int32 {
    cell == missingWide ? missingNarrow : Int32(truncatingIfNeeded: cell)
  }
}

extension Value {
  /// The value of a cell that is not missing; an Instant is held in microseconds.
  package init(_ cell: Int64, _ type: ColumnType, _ pool: StringPool) {
    self =
      switch type {
      case .text: .text(pool.string(Int32(cell)))
      case .bool: .bool(cell != 0)
      case .int, .instant: .int(cell)
      case .decimal: .decimal(FixedDecimal(millionths: cell))
      case .dayKey: .day(DayKey(number: Int32(cell)))
      }
  }
}

extension Literal {
  /// The cell that a reader would produce; nil is missing.
  package func cell(_ pool: StringPool) -> Int64? {
    switch self {
    case .none: nil
    case .bool(let value): value ? 1 : 0
    case .int(let value): value
    case .decimal(let value): value.millionths
    case .text(let text): Int64(pool.intern(text))
    case .day(let day): Int64(day.number)
    }
  }
}

/// Decoded records of one type. The rows keep the order of the input.
public struct Table: Sendable {
  public let schema: TableSchema
  public private(set) var rowCount: Int
  /// One for each of the schema's columns, in its order.
  public private(set) var columns: [Column]
  /// What the records were folded into; there are no rows then.
  package let folded: FoldStore?
  /// What is known of all records, where only those that count are kept; columns that it drops are then empty.
  package let sieve: RecordSieve?

  public init(schema: TableSchema) {
    let columns = schema.columns.map { Column(type: $0.type) }
    self.init(schema: schema, rowCount: 0, columns: columns, folded: nil, sieve: nil)
  }

  /// A table of whole columns, as a reader makes it; each has `rowCount` cells.
  init(schema: TableSchema, rowCount: Int, columns: [Column], folded: FoldStore?, sieve: RecordSieve?) {
    (self.schema, self.rowCount, self.columns) = (schema, rowCount, columns)
    (self.folded, self.sieve) = (folded, sieve)
  }

  /// The last day of a DayKey column; nil if it has none.
  public func lastDay(in column: String) -> DayKey? {
    if let noted = folded?.noted ?? sieve?.noted, let day = noted.day, schema.columns[day].name == column {
      return noted.lastDay.map { DayKey(number: $0) }
    }
    guard case .narrow(let cells)? = self.column(named: column), let last = cells.max(),
      last != Column.missingNarrow
    else { return nil }
    return DayKey(number: last)
  }

  /// The column of a field; nil if it was not read.
  public func column(named name: String) -> Column? {
    schema.columns.firstIndex { $0.name == name }.map { columns[$0] }
  }

  /// Appends a record; `cells` has one value for each column, nil where it is missing.
  public mutating func append(_ cells: [Int64?]) {
    for index in cells.indices { columns[index].append(cells[index]) }
    rowCount += 1
  }
}
