/// The formats that a table can be read from.
public enum DataFormat: String, Sendable, CaseIterable {
  /// RFC 4180 with a header.
  case csv
  /// One JSON object a line.
  case ndjson
  /// One JSON array of objects.
  case json

  /// The format of a file name's extension, without its dot and whatever its case.
  public init?(fileExtension: String) {
    self.init(rawValue: fileExtension.lowercased())
  }
}

/// A record that was left out, with the reason.
public struct RejectedRecord: Hashable, Sendable {
  public var path: String
  /// The record type: `HabitEntry`.
  public var record: String
  /// Where the first mistake is.
  public var line: Int
  public var column: Int
  /// The code of the first mistake.
  public var code: DiagnosticCode
  /// The messages of all its mistakes, joined by `; `.
  public var message: String
  /// The record as it is in the file, without its line end.
  public var text: String
}

/// The result of reading a file.
public struct ReadResult: Sendable {
  /// The good records, in the order of the file.
  public var table: Table
  /// The first 20 findings, at `.data` locations.
  public var findings: [Diagnostic]
  /// How many findings there were in all.
  public var findingCount: Int
  /// How many bad records are not in the table.
  public var rejectedCount: Int
  /// Whether the file could not be read to its end: rejecting single records does not help.
  public var isFatal: Bool
}

/// How a file is to be read.
public struct ReadOptions: Sendable {
  /// How many threads may read it. What comes out does not depend on it.
  public var threads: Int
  /// What the records are folded into while they are read; nil keeps each of them.
  package var fold: FoldSpec?
  /// Which records are kept that are not folded; nil keeps all.
  package var counted: CountedRecords?
  /// How many bytes of a file are worth a thread of their own.
  package var bytesPerThread = 1 << 20
  /// How many bytes of it are in memory at a time, for each thread.
  package var blockSize = FileWindow.blockSize
  /// A record of more bytes is an error.
  package var longestRecord = FileWindow.longestRecord

  public init(threads: Int = 1) {
    self.threads = threads
  }
}

/// Reads the records of one file into a table. The bytes are used during the call only.
///
/// Without `rejects` each mistake of a bad record is a finding. With it a bad record is not a finding: it goes to the
/// closure. In either mode it is not in the table, reading continues after it, and a mistake in the structure of the
/// file is a finding that ends the reading (`isFatal`).
///
/// The bytes are the whole file, UTF-8, with or without a BOM; findings show its path. The pool takes in the texts; no
/// other thread uses it during the call.
public func readTable(
  _ bytes: UnsafeRawBufferPointer, format: DataFormat, schema: TableSchema, path: String,
  pool: StringPool, options: ReadOptions = ReadOptions(), rejects: ((RejectedRecord) -> Void)? = nil
) -> ReadResult {
  readTable(
    ByteSource(bytes), format: format, schema: schema, path: path, pool: pool, options: options,
    rejects: rejects)
}

/// The same from a source of bytes, of which only a small part is in memory at a time.
public func readTable(
  _ source: ByteSource, format: DataFormat, schema: TableSchema, path: String, pool: StringPool,
  options: ReadOptions = ReadOptions(), rejects: ((RejectedRecord) -> Void)? = nil
) -> ReadResult {
  FileReading(
    source: source, format: format, path: path, schema: schema, options: options, rejects: rejects
  ).read(into: pool)
}

/// Reads the records of stretches of a file.
protocol RecordReader: ~Copyable {
  /// Whether another thread may read from any line on.
  var mayBeCut: Bool { get }

  /// Reads the records that start in `start ..< limit` of the file, and gives where the next one starts.
  mutating func read(
    into builder: inout TableBuilder, _ window: inout FileWindow, from start: Int, to limit: Int
  ) -> Int
}

/// The bytes of a file, or of a stretch of it, and where its first character stands.
package struct Input {
  let base: UnsafePointer<UInt8>
  let end: Int
  /// 3 after a BOM, otherwise 0.
  let start: Int

  package init(_ base: UnsafePointer<UInt8>, end: Int, start: Int) {
    (self.base, self.end, self.start) = (base, end, start)
  }

  @inline(__always)
  func bytes(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + start, count: end &- start)
  }
}

/// Writes CSV (RFC 4180, with `\n`).
package enum CSVText {
  /// Cells as a line with its end; a cell has quotes where it needs them.
  package static func line(_ cells: [String]) -> String {
    // A line of one empty cell would be an empty line.
    cells == [""] ? "\"\"\n" : cells.map(\.asCell).joined(separator: ",") + "\n"
  }
}

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
