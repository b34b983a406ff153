import MetricDiagnostics
import MetricValues

/// A row of a generic export.
protocol ExportRow {
  /// The text of a column; empty where it has none.
  func text(_ column: String) -> String
  func failure(_ message: String, _ column: String) -> ImportFailure
}

/// Turns rows into records as a mapping says.
struct MappedRows {
  private let mapping: Mapping
  private let zone: Zone?
  private let output: DatasetOutput
  private var zones = ZoneCache()
  private(set) var report = ImportReport()
  /// By record: what the first record with each value of its `once` field says.
  private var first: [String: [String: [String: String]]] = [:]

  init(_ mapping: Mapping, zone: Zone?, to output: DatasetOutput) {
    self.mapping = mapping
    self.zone = zone
    self.output = output
    for record in mapping.records { output.declare(record.record, record.fields.map(\.name)) }
  }

  mutating func add(_ row: some ExportRow) throws(ImportFailure) {
    for record in mapping.records {
      if let condition = record.condition, !condition.texts.contains(row.text(condition.column)) {
        report.leftOut(
          "row that makes no \(record.record)",
          "its \(condition.column) is another than the mapping's `where` takes")
        continue
      }
      var values: [String: String] = [:]
      for field in record.fields { values[field.name] = try value(field.source, row) }
      if isRepeated(record, values) { continue }
      output.add(record.record, values)
    }
  }

  /// Counts texts in columns that the mapping does not name.
  mutating func leftOutColumn(_ name: String) {
    report.leftOut("column \(name)", "the mapping does not name it")
  }

  /// Whether an earlier row became the same record.
  private mutating func isRepeated(_ record: Mapping.RecordMapping, _ values: [String: String]) -> Bool {
    guard let once = record.once, let key = values[once] else { return false }
    guard let earlier = first[record.record]?[key] else {
      first[record.record, default: [:]][key] = values
      return false
    }
    if earlier != values {
      report.leftOut(
        "later \(record.record) that differs from the first with its \(once)", "the first counts")
    }
    return true
  }

  private mutating func value(_ source: Mapping.Source, _ row: some ExportRow) throws(ImportFailure) -> String
  {
    switch source {
    case .constant(let text): return text
    case .column(let column, let values):
      let text = row.text(column)
      guard let values else { return text }
      if let translated = values[text] { return translated }
      guard text.isEmpty else { throw row.failure("which `values` of the mapping does not name", column) }
      return ""
    case .day(let time):
      guard let moment = try moment(time, row) else {
        throw row.failure("expected a time, as a day is made of it", time.column)
      }
      report.decided(moment.source)
      return moment.day.description
    case .instant(let time):
      guard let moment = try moment(time, row) else { return "" }
      guard let instant = moment.instant else {
        throw row.failure(
          "a clock's time without a zone, so its instant is not known; say `--zone Area/City`", time.column)
      }
      return instant.description
    }
  }

  /// Nil where the column is empty.
  private mutating func moment(_ time: Mapping.Time, _ row: some ExportRow) throws(ImportFailure) -> Moment? {
    let text = row.text(time.column)
    guard !text.isEmpty else { return nil }
    guard let local = LocalTime(text, unit: time.unit) else {
      let expected =
        time.unit == .text
        ? "a date and time such as `2026-01-31 08:15` or `2026-01-31T08:15:00Z`" : "a number"
      throw row.failure("expected \(expected)", time.column)
    }
    do throws(Moment.Fault) {
      return try Moment(
        local, ownZone: time.zoneColumn.map(row.text) ?? "", zone: time.zone ?? zone, &zones)
    } catch {
      throw row.failure(error.message, time.column)
    }
  }
}

extension LocalTime {
  /// A time in the unit that a mapping names; numbers count from 1970-01-01 in UTC.
  fileprivate init?(_ text: String, unit: Mapping.Time.Unit) {
    switch unit {
    case .text:
      if let day = DayKey(text) {
        // A date alone: its first moment, on a clock whose place is not known.
        self.init("\(day)T00:00")
      } else {
        self.init(text)
      }
    case .seconds, .milliseconds:
      guard let amount = Amount(text) else { return nil }
      let microseconds = unit == .seconds ? amount.millionths : amount.millionths / 1000
      self.init(utc: Instant(microseconds: microseconds))
    }
  }

  /// An instant of which nothing else is known; nil outside the years 0001–9999.
  init?(utc instant: Instant) {
    guard instant.isInCalendar else { return nil }
    microseconds = instant.microseconds
    offset = 0
    isUTC = true
  }
}

// MARK: - The formats

/// The generic kinds: any CSV file, and any file of one JSON object a line, with a mapping.
enum GenericExport {
  static func convertCSV(
    _ file: ExportFile, _ mapping: Mapping, zone: Zone?, to output: DatasetOutput
  ) throws(ImportFailure) -> ImportReport {
    let used = mapping.columns
    var rows = try CSVRows(
      file, required: used.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, readsOthers: false)
    let others = rows.header.filter { !used.contains($0) }
    var mapped = MappedRows(mapping, zone: zone, to: output)
    while let row = try rows.next() {
      try mapped.add(CSVExportRow(row: row))
      for column in others where !row[column].isEmpty { mapped.leftOutColumn(column) }
    }
    return mapped.report
  }

  static func convertNDJSON(
    _ file: ExportFile, _ mapping: Mapping, zone: Zone?, to output: DatasetOutput
  ) throws(ImportFailure) -> ImportReport {
    let used = mapping.columns
    let heads = Set(used.map { String($0.prefix { $0 != "." }) })
    var mapped = MappedRows(mapping, zone: zone, to: output)
    var start = file.start
    while start < file.bytes.count {
      let end = file.bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? file.bytes.count
      defer { start = end + 1 }
      var parser = JSONParser(file, from: start, to: end)
      guard !parser.isAtEnd() else { continue }
      let node = try parser.document()
      guard let members = node.members else {
        throw file.failure("found \(node.described), expected an object a line", at: node.offset)
      }
      try mapped.add(try JSONExportRow(file: file, node: node, columns: used))
      for (key, value) in members where !used.contains(key) && !heads.contains(key) && value.cell != "" {
        mapped.leftOutColumn(key)
      }
    }
    return mapped.report
  }
}

private struct CSVExportRow: ExportRow {
  let row: CSVRows.Row

  func text(_ column: String) -> String { row[column] }

  func failure(_ message: String, _ column: String) -> ImportFailure { row.failure(message, column) }
}

/// An object; a column is a key, or keys with dots between them that lead into objects.
private struct JSONExportRow: ExportRow {
  private let file: ExportFile
  private let node: JSONNode
  private var texts: [String: (text: String, offset: Int)] = [:]

  init(file: ExportFile, node: JSONNode, columns: Set<String>) throws(ImportFailure) {
    self.file = file
    self.node = node
    for column in columns {
      guard let value = JSONExportRow.value(column, in: node) else { continue }
      guard let cell = value.cell else {
        throw file.failure(
          "\(quoted(column)) is \(value.described), expected a text or a number", at: value.offset)
      }
      texts[column] = (cell, value.offset)
    }
  }

  private static func value(_ column: String, in node: JSONNode) -> JSONNode? {
    if let direct = node[column] { return direct }
    var value: JSONNode? = node
    for key in column.split(separator: ".") { value = value?[String(key)] }
    return value
  }

  func text(_ column: String) -> String { texts[column]?.text ?? "" }

  func failure(_ message: String, _ column: String) -> ImportFailure {
    file.failure(
      "\(quoted(column)) is \(quoted(text(column))), \(message)", at: texts[column]?.offset ?? node.offset)
  }
}
