import MetricDiagnostics

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
  /// Where the first mistake stands.
  public var line: Int
  public var column: Int
  /// The code of the first mistake.
  public var code: DiagnosticCode
  /// The messages of all its mistakes, joined by `; `.
  public var message: String
  /// The record as it stands in the file, without its line end.
  public var text: String
}

/// What came out of reading a file.
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

/// Reads the records of one file into a table. The bytes are used during the call only.
///
/// Without `rejects` each mistake of a bad record is a finding. With it a bad record is no finding:
/// it goes to the closure. In either mode it is not in the table, reading goes on behind it, and a
/// mistake in the structure of the file is a finding that ends the reading (`isFatal`).
///
/// - Parameters:
///   - bytes: The whole file, UTF-8, with or without a BOM.
///   - path: The path as findings show it.
///   - pool: Takes in the texts; no other thread uses it during the call.
public func readTable(
  _ bytes: UnsafeRawBufferPointer, format: DataFormat, schema: TableSchema, path: String,
  pool: StringPool, rejects: ((RejectedRecord) -> Void)? = nil
) -> ReadResult {
  func read(_ input: Input) -> ReadResult {
    var builder = TableBuilder(input, schema: schema, path: path, pool: pool, rejects: rejects)
    switch format {
    case .csv:
      var reader = CSVReader(input)
      reader.read(into: &builder)
    case .ndjson:
      NDJSONReader(input).read(into: &builder)
    case .json:
      JSONArrayReader(input).read(into: &builder)
    }
    return builder.finish()
  }
  let typed = bytes.bindMemory(to: UInt8.self)
  guard let base = typed.baseAddress else {
    // An empty file may have no address; the readers always have one.
    return withUnsafePointer(to: 0) { read(Input($0, count: 0)) }
  }
  return read(Input(base, count: typed.count))
}

/// The bytes of a file and where its first character stands.
struct Input {
  let base: UnsafePointer<UInt8>
  let end: Int
  /// 3 behind a BOM, otherwise 0.
  let start: Int

  init(_ base: UnsafePointer<UInt8>, count: Int) {
    self.base = base
    end = count
    start = UnsafeBufferPointer(start: base, count: count).starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  @inline(__always)
  func bytes(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + start, count: end &- start)
  }
}
