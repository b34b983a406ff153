/// What a reader turns a field into.
public enum ColumnType: Hashable, Sendable {
  /// ID, references, Text: interned.
  case text
  case int, decimal, bool, dayKey, instant
}

/// One field that a reader is to decode, and what it refuses.
public struct ColumnSchema: Hashable, Sendable {
  public var name: String
  public var type: ColumnType
  /// A missing value is malformed.
  public var isRequired: Bool
  /// A smaller number is malformed.
  public var minimum: FixedDecimal?
  /// Any other text is malformed.
  public var choices: [String]?
  /// Whether JSON may give a whole number for it (ids are numbers in many exports).
  public var isIdentifier: Bool

  public init(
    name: String, type: ColumnType, isRequired: Bool, minimum: FixedDecimal? = nil,
    choices: [String]? = nil, isIdentifier: Bool = false
  ) {
    self.name = name
    self.type = type
    self.isRequired = isRequired
    self.minimum = minimum
    self.choices = choices
    self.isIdentifier = isIdentifier
  }
}

/// The fields of one record type that are to be decoded; all others are passed over.
public struct TableSchema: Hashable, Sendable {
  public var record: String
  public var columns: [ColumnSchema]

  public init(record: String, columns: [ColumnSchema]) {
    self.record = record
    self.columns = columns
  }
}

/// The values of one field, a cell a record. A missing value is the smallest integer.
///
/// Texts are numbers of the `StringPool`, days day numbers, Bools 0 and 1 (all narrow); Ints are
/// themselves, Decimals millionths, Instants microseconds since 1970-01-01T00:00:00Z (all wide).
public enum Column: Sendable {
  case narrow([Int32])
  case wide([Int64])

  public static let missingNarrow = Int32.min
  public static let missingWide = Int64.min

  /// The cell of a row, or nil where the value is missing.
  @inlinable
  public subscript(row: Int) -> Int64? {
    switch self {
    case .narrow(let cells): cells[row] == Column.missingNarrow ? nil : Int64(cells[row])
    case .wide(let cells): cells[row] == Column.missingWide ? nil : cells[row]
    }
  }

  public init(type: ColumnType) {
    switch type {
    case .text, .bool, .dayKey: self = .narrow([])
    case .int, .decimal, .instant: self = .wide([])
    }
  }

  /// Appends a cell; nil is missing.
  @inlinable
  public mutating func append(_ cell: Int64?) {
    switch self {
    case .narrow(var cells):
      self = .narrow([])
      cells.append(cell.map { Int32(truncatingIfNeeded: $0) } ?? Column.missingNarrow)
      self = .narrow(cells)
    case .wide(var cells):
      self = .wide([])
      cells.append(cell ?? Column.missingWide)
      self = .wide(cells)
    }
  }
}

/// Decoded records of one type. The rows keep the order of the input.
public struct Table: Sendable {
  public let schema: TableSchema
  public private(set) var rowCount: Int
  /// One for each of the schema's columns, in its order.
  public private(set) var columns: [Column]

  public init(schema: TableSchema) {
    self.schema = schema
    rowCount = 0
    columns = schema.columns.map { Column(type: $0.type) }
  }

  /// A table of whole columns, as a reader makes it; each has `rowCount` cells.
  init(schema: TableSchema, rowCount: Int, columns: [Column]) {
    self.schema = schema
    self.rowCount = rowCount
    self.columns = columns
  }

  /// The column of a field; nil where it was not read.
  public func column(named name: String) -> Column? {
    schema.columns.firstIndex { $0.name == name }.map { columns[$0] }
  }

  /// Appends a record; `cells` has one value for each column, nil where it is missing.
  @inlinable
  public mutating func append(_ cells: some Collection<Int64?>) {
    appendRow(cells)
  }

  @usableFromInline
  mutating func appendRow(_ cells: some Collection<Int64?>) {
    for (index, cell) in cells.enumerated() { columns[index].append(cell) }
    rowCount += 1
  }
}
