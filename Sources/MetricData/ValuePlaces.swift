import MetricDiagnostics

/// A value of a record: the number of the row in the table that was read, and the name of the field.
public struct ValueAddress: Hashable, Sendable {
  public var row: Int
  /// Nil is the record itself.
  public var field: String?

  public init(row: Int, field: String? = nil) {
    self.row = row
    self.field = field
  }
}

/// Where records, and values in them, stand in the file that a table was read from.
///
/// A table keeps no places, since nearly none is ever asked for; this reads the file once more, with the same schema
/// and pool, and keeps nothing but the places. A value that is missing stands where its record starts.
public func places(
  of addresses: some Sequence<ValueAddress>, in source: ByteSource, format: DataFormat, schema: TableSchema,
  pool: StringPool
) -> [ValueAddress: Position] {
  let search = PlaceSearch(addresses, schema)
  if search.isDone { return [:] }
  _ = FileReading(
    source: source, format: format, path: "", schema: schema, options: ReadOptions(), rejects: { _ in },
    search: search
  ).read(into: pool)
  return search.found
}

/// Looks on while a file is read, and notes the places of some rows and values.
final class PlaceSearch {
  private var wanted: [Int: Set<ValueAddress>] = [:]
  private let columns: [String: Int]
  /// For each column, where the text of the record that is being read starts; -1 where it has none.
  private var starts: [Int]
  private(set) var found: [ValueAddress: Position] = [:]

  init(_ addresses: some Sequence<ValueAddress>, _ schema: TableSchema) {
    for address in addresses {
      wanted[address.row, default: []].formUnion([address, ValueAddress(row: address.row)])
    }
    columns = Dictionary(
      schema.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    starts = Array(repeating: -1, count: schema.columns.count)
  }

  var isDone: Bool { wanted.isEmpty }

  func meetValue(_ column: Int, at offset: Int) { starts[column] = offset }

  /// Ends a record that starts at `offset`; `row` is nil where it is not in the table.
  func meetRecord(_ row: Int?, at offset: Int, _ positions: inout PositionCounter) {
    for address in row.flatMap({ wanted.removeValue(forKey: $0) }) ?? [] {
      positions.advance(to: offset)
      let start = address.field.flatMap { columns[$0] }.map { starts[$0] } ?? -1
      found[address] = positions.position(of: start < 0 ? offset : start)
    }
    for column in starts.indices { starts[column] = -1 }
  }
}
