import MetricData
import MetricPlan

extension ReferenceDataset {
  /// The file of one record type, with all its stored fields.
  package func text(of record: RecordID, in library: Library, as format: DataFormat) -> String {
    let fields = library.records[record].fields
    let stored = fields.indices.filter { fields[$0].computed == nil }
    let rows = rows[record] ?? []
    switch format {
    case .csv:
      let header = stored.map { fields[$0].name }.joined(separator: ",")
      let lines = rows.map { row in
        stored.map { csvCell(plainText(row.values[$0], fields[$0])) }.joined(separator: ",")
      }
      return ([header] + lines).map { $0 + "\n" }.joined()
    case .ndjson:
      return rows.map { jsonObject($0, stored, fields) + "\n" }.joined()
    case .json:
      return "[" + rows.map { jsonObject($0, stored, fields) }.joined(separator: ",\n ") + "]\n"
    }
  }

  /// The value as a file has it; nil where it is missing.
  private func plainText(_ value: Literal?, _ field: Field) -> String? {
    switch value {
    case nil, .some(.none): nil
    case .bool(let value): value ? "true" : "false"
    case .int(let value): field.type == .instant ? instantText(value) : String(value)
    case .decimal(let value): value.description
    case .text(let text): text
    case .day(let day): day.description
    }
  }

  /// RFC 3339 in UTC.
  private func instantText(_ microseconds: Int64) -> String {
    func padded(_ value: Int64, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
    }
    let perDay: Int64 = 86_400_000_000
    let day = microseconds >= 0 ? microseconds / perDay : (microseconds - perDay + 1) / perDay
    let rest = microseconds - day * perDay
    let seconds = rest / 1_000_000
    let fraction = rest % 1_000_000
    let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
    return "\(DayKey(number: Int32(day)))T\(time)\(fraction == 0 ? "" : "." + padded(fraction, 6))Z"
  }

  /// RFC 4180.
  private func csvCell(_ text: String?) -> String {
    guard let text else { return "" }
    guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  private func jsonObject(_ row: ReferenceRow, _ stored: [Int], _ fields: [Field]) -> String {
    let members = stored.compactMap { index -> String? in
      let value = row.values[index]
      guard let text = plainText(value, fields[index]) else {
        // A missing value is left out, or null: both are read.
        return (row.order + index) % 2 == 0 ? nil : "\"\(fields[index].name)\": null"
      }
      switch fields[index].type {
      case .int, .decimal, .bool: return "\"\(fields[index].name)\": \(text)"
      case .id, .text, .dayKey, .instant, .choice, .reference:
        return "\"\(fields[index].name)\": \"\(escaped(text))\""
      }
    }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default: String(scalar)
      }
    }.joined()
  }
}
