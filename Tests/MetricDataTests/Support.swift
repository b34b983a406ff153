import MetricDiagnostics

@testable import MetricData

/// A file that was read, with its pool.
struct ReadFile {
  var result: ReadResult
  var pool: StringPool
  var rejected: [RejectedRecord] = []

  /// The rows as text, missing values empty.
  var rows: [[String]] {
    (0..<result.table.rowCount).map { row in
      zip(result.table.schema.columns, result.table.columns).map { schema, column in
        column[row].map { text(of: $0, schema.type) } ?? ""
      }
    }
  }

  private func text(of cell: Int64, _ type: ColumnType) -> String {
    switch type {
    case .text: pool.string(Int32(cell))
    case .int: String(cell)
    case .decimal: FixedDecimal(millionths: cell).description
    case .bool: cell == 1 ? "true" : "false"
    case .dayKey: DayKey(number: Int32(cell)).description
    case .instant: Instant(microseconds: cell).description
    }
  }

  /// `line:column code: message` of each finding that is shown.
  var findings: [String] {
    result.findings.map { finding in
      guard case .data(_, let line, let column) = finding.location else { return "no place" }
      return "\(line):\(column) \(finding.code.id): \(finding.message)"
    }
  }
}

func read(
  _ bytes: [UInt8], _ format: DataFormat = .csv, _ schema: TableSchema = .sample, rejecting: Bool = false
) -> ReadFile {
  let pool = StringPool()
  var rejected: [RejectedRecord] = []
  let result = bytes.withUnsafeBytes { raw in
    readTable(
      raw, format: format, schema: schema, path: "data", pool: pool,
      rejects: rejecting ? { rejected.append($0) } : nil)
  }
  return ReadFile(result: result, pool: pool, rejected: rejected)
}

func read(
  _ text: String, _ format: DataFormat = .csv, _ schema: TableSchema = .sample, rejecting: Bool = false
) -> ReadFile {
  read(Array(text.utf8), format, schema, rejecting: rejecting)
}

extension TableSchema {
  /// A field of each type.
  static let sample = TableSchema(
    record: "Sample",
    columns: [
      ColumnSchema(name: "id", type: .text, isRequired: true, isIdentifier: true),
      ColumnSchema(name: "day", type: .dayKey, isRequired: true),
      ColumnSchema(name: "value", type: .decimal, isRequired: false, minimum: FixedDecimal(0)),
      ColumnSchema(name: "page", type: .int, isRequired: false),
      ColumnSchema(name: "mood", type: .text, isRequired: false, choices: ["calm", "tired", "odd, \"q\""]),
      ColumnSchema(name: "done", type: .bool, isRequired: false),
      ColumnSchema(name: "at", type: .instant, isRequired: false),
    ])

  /// An id and a text without limits.
  static let texts = TableSchema(
    record: "Texts",
    columns: [
      ColumnSchema(name: "a", type: .text, isRequired: false),
      ColumnSchema(name: "b", type: .text, isRequired: false),
    ])
}
