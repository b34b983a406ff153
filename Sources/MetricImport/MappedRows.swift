struct MappedRows {
  private let mapping: Mapping
  private let options: ImportOptions
  private let output: DatasetOutput
  /// By record: what its fields hold, where that is known.
  private let checks: [String: FieldCheck]
  private var report: ImportReport { output.report }
  /// By record: what the first record with each value of its `once` field says.
  private var first: [String: [String: [String: String]]] = [:]
  /// By record: the ids so far, of a record whose fields are known.
  private var ids: [String: Set<String>] = [:]
  /// How often a numbered text was made, by the record and it.
  private var counts: [String: Int] = [:]

  init(_ mapping: Mapping, _ options: ImportOptions, to output: DatasetOutput) {
    (self.mapping, self.options, self.output) = (mapping, options, output)
    checks = options.schemas.mapValues { FieldCheck($0) }
    for record in mapping.records { output.declare(record.record, record.fields.map(\.name)) }
  }

  /// Makes the records of a row, and gives the columns that they were made of; nil if it made none.
  mutating func add(_ row: some ExportRow) throws(ImportFailure) -> Set<String>? {
    var used: Set<String>?
    var made: Set<String> = []
    var missed: [(record: String, column: String)] = []
    for record in mapping.records {
      if let failed = record.conditions.first(where: { !$0.holds(row) }) {
        missed.append((record.record, failed.column))
        continue
      }
      made.insert(record.record)
      used = (used ?? []).union(record.columns)
      var values: [String: String] = [:]
      for field in record.fields { values[field.name] = try value(field.source, row, record.record) }
      if isRepeated(record, values) { continue }
      try check(values, of: record, row)
      output.add(record.record, values)
    }
    for (record, column) in missed where made.insert(record).inserted {
      report.leftOut(
        "row that makes no \(record)", "its \(column) is excluded by the mapping's `where`")
    }
    return used
  }

  /// Looks for what the reader of the dataset would refuse.
  private mutating func check(
    _ values: [String: String], of record: Mapping.RecordMapping, _ row: some ExportRow
  ) throws(ImportFailure) {
    guard let check = checks[record.record] else { return }
    for field in record.fields {
      let place = field.source.columns.first ?? ""
      if let fault = check.fault(of: values[field.name] ?? "", in: field.name) {
        throw row.fault("\(record.record): \(fault)", at: place)
      }
      if field.name == "id", let id = values["id"], !id.isEmpty,
        !ids[record.record, default: []].insert(id).inserted
      {
        throw row.fault(
          "\(record.record): the id \(quoted(id)) came before, expected each id once; `join` makes an id of several "
            + "columns", at: place)
      }
    }
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

  private mutating func value(
    _ source: Mapping.Source, _ row: some ExportRow, _ record: String
  ) throws(ImportFailure) -> String {
    switch source {
    case .constant(let text): return text
    case .column(let column, let values, let scale):
      let text = row[column]
      guard let found = values?[text] ?? (values == nil || text.isEmpty ? text : nil) else {
        throw row.failure("which `values` of the mapping does not name", column)
      }
      return try scale.map { scale throws(ImportFailure) in try scaled(found, scale, row, column) } ?? found
    case .joined(let columns, let separator, let isNumbered):
      let texts = columns.map { row[$0] }
      if let empty = texts.firstIndex(of: "") { throw row.failure("expected a text to join", columns[empty]) }
      let text = texts.joined(separator: separator)
      guard isNumbered else { return text }
      let count = counts["\(record) \(text)", default: 0] + 1
      counts["\(record) \(text)"] = count
      return count == 1 ? text : "\(text)\(separator)\(count)"
    case .day(let time):
      guard let moment = try moment(time, row) else {
        throw row.failure("expected a time to derive the day from", time.column)
      }
      report.decided(moment.source)
      return moment.day.description
    case .instant(let time):
      guard let local = try localTime(time, row) else { return "" }
      guard let instant = local.isUTC ? local.instant : try moment(time, row)?.instant else {
        throw row.failure(
          "a clock's time without a zone, so its instant is not known; pass `--zone Area/City`", time.column)
      }
      return instant.description
    }
  }

  private func scaled(
    _ text: String, _ scale: Amount, _ row: some ExportRow, _ column: String
  ) throws(ImportFailure) -> String {
    guard !text.isEmpty else { return "" }
    guard let amount = Amount(text)?.scaled(scale.millionths, by: FixedDecimal.scale) else {
      throw row.failure("expected a number that can be multiplied by \(scale.text)", column)
    }
    report.rounded(amount)
    return amount.text
  }

  /// Nil if the column is empty.
  private func localTime(_ time: Mapping.Time, _ row: some ExportRow) throws(ImportFailure) -> LocalTime? {
    let text = row[time.column]
    guard !text.isEmpty else { return nil }
    guard var local = LocalTime(text, time.unit, options.dateOrder) else {
      let expected =
        time.unit == .text
        ? "a date and time such as `2026-01-31 08:15` or `2026-01-31T08:15:00Z`" : "a number"
      throw row.failure("expected \(expected)", time.column)
    }
    let offset = time.offsetColumn.map { row[$0] } ?? ""
    if local.isUTC, !offset.isEmpty, let column = time.offsetColumn {
      guard let seconds = Int64(offset), abs(seconds) < 86_400 else {
        throw row.failure("expected the offset from UTC in seconds", column)
      }
      local.microseconds += seconds * 1_000_000
      (local.offset, local.isUTC) = (seconds, false)
    }
    return local
  }

  /// Nil if the column is empty.
  private func moment(_ time: Mapping.Time, _ row: some ExportRow) throws(ImportFailure) -> Moment? {
    guard let local = try localTime(time, row) else { return nil }
    do throws(Moment.Fault) {
      return try Moment(
        local, ownZone: time.zoneColumn.map { row[$0] } ?? "", zone: time.zone ?? options.zone)
    } catch {
      let date = time.dateColumn.map { row[$0] } ?? ""
      guard case .needsZone = error, let column = time.dateColumn, !date.isEmpty else {
        throw row.failure(error.message, time.column)
      }
      guard let day = LocalTime(date, .text, options.dateOrder)?.day else {
        throw row.failure("expected a date", column)
      }
      return Moment(instant: local.instant, day: day, source: "day taken from \(column)")
    }
  }
}

extension LocalTime {
  /// A time in the unit that a mapping names; numbers count from 1970-01-01 in UTC.
  fileprivate init?(_ text: String, _ unit: Mapping.Time.Unit, _ order: DateOrder?) {
    switch unit {
    case .text:
      // A date alone is its first moment, on a clock whose place is not known.
      let day = DayKey(text, order: order) ?? DayKey(digits: text)
      self.init(day.map { "\($0)T00:00" } ?? text)
    case .seconds, .milliseconds:
      guard let amount = Amount(text) else { return nil }
      let microseconds = unit == .seconds ? amount.millionths : amount.millionths / 1000
      self.init(utc: Instant(microseconds: microseconds))
    case .microseconds:
      guard let microseconds = Int64(text) else { return nil }
      self.init(utc: Instant(microseconds: microseconds))
    }
  }
}

extension MappedRows {
  mutating func addRows(ofCSV file: ExportFile) throws(ImportFailure) {
    let columns = mapping.columns.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var rows = try CSVRows(file, required: columns, readsOthers: false)
    while let row = try rows.next() {
      guard let read = try add(row) else { continue }
      for column in rows.header where !read.contains(column) && !row[column].isEmpty { leftOut(column) }
    }
  }

  /// Of objects that follow one another, or that are the values of one array.
  mutating func addRows(ofJSON file: ExportFile) throws(ImportFailure) {
    let columns = mapping.columns
    var parser = JSONParser(file)
    while !parser.isAtEnd() {
      let node = try parser.next()
      if let items = node.items {
        for item in items { try add(item, columns) }
      } else {
        try add(node, columns)
      }
    }
  }

  private mutating func add(_ node: JSONNode, _ columns: Set<String>) throws(ImportFailure) {
    guard node.members != nil else { throw node.fault(expected: "an object a line") }
    guard let read = try add(JSONExportRow(node, columns: columns)) else { return }
    for column in JSONExportRow.others(in: node, read) { leftOut(column) }
  }

  /// Counts a text in a column that the mapping does not name.
  private func leftOut(_ column: String) {
    report.leftOut("column \(column)", "no record that the row becomes has it")
  }
}

/// An object; a column is a key, or keys with dots between them that lead into objects.
private struct JSONExportRow: ExportRow {
  private let node: JSONNode
  private var texts: [String: (text: String, offset: Int)] = [:]

  init(_ node: JSONNode, columns: Set<String>) throws(ImportFailure) {
    self.node = node
    for column in columns {
      guard let value = JSONExportRow.value(column, in: node) else { continue }
      guard let cell = value.cell else { throw value.fault(quoted(column), expected: "a text or a number") }
      texts[column] = (cell, value.offset)
    }
  }

  private static func value(_ column: String, in node: JSONNode) -> JSONNode? {
    node[column]
      ?? column.split(separator: ".").reduce(Optional(node)) { node, key in
        node.flatMap { member(String(key), of: $0) }
      }
  }

  /// The value of a key; in an array of keys and values, as BigQuery has them, that of the item with this key.
  private static func member(_ key: String, of node: JSONNode) -> JSONNode? {
    guard let items = node.items else { return node[key] }
    return items.first { $0["key"]?.string == key }?["value"].flatMap(typed)
  }

  /// `5` of `{"int_value": 5}`: one of the members that name a type has the value.
  private static func typed(_ value: JSONNode) -> JSONNode? {
    guard value.members != nil else { return value }
    return ["string_value", "int_value", "float_value", "double_value"].lazy.compactMap { value[$0] }.first
  }

  /// The columns with a value that are none of `used`, those within objects too.
  static func others(in node: JSONNode, _ used: Set<String>, within path: String = "") -> [String] {
    var members = node.members ?? []
    for item in node.items.map(Array.init) ?? [] {
      if let key = item["key"]?.string, let value = item["value"].flatMap(typed) {
        members.append((key, value))
      }
    }
    return members.flatMap { key, value -> [String] in
      let column = path + key
      if used.contains(column) || value.cell == "" || value.items?.isEmpty == true { return [] }
      let isRead = used.contains { $0.hasPrefix(column + ".") }
      return isRead ? others(in: value, used, within: column + ".") : [column]
    }
  }

  subscript(_ column: String) -> String { texts[column]?.text ?? "" }

  func fault(_ message: String, at column: String) -> ImportFailure {
    node.file.failure(message, at: texts[column]?.offset ?? node.offset)
  }
}
