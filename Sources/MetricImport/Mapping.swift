import MetricDiagnostics
import MetricValues

/// What each row of a generic export becomes: the mapping file of the kinds `csv` and `ndjson`.
///
///     {"records": [{"record": "HabitEntry", "fields": {
///       "id": {"column": "nr"}, "habitId": {"column": "habit"}, "dayKey": {"dayOf": "done_at"}}}]}
struct Mapping {
  var records: [RecordMapping]

  /// One record that a row may become.
  struct RecordMapping {
    var record: String
    /// In the order of the file, which is that of the columns written.
    var fields: [(name: String, source: Source)]
    /// Only rows in which all of these hold.
    var conditions: [Condition] = []
    /// Only the first record with each value of this field.
    var once: String?
    /// Where the mapping names the record.
    var offset: Int
  }

  /// Whether a column has one of some texts, or none of them.
  struct Condition {
    var column: String
    var texts: [String]
    var isExclusion: Bool

    func holds(_ row: some ExportRow) -> Bool { texts.contains(row.text(column)) != isExclusion }
  }

  /// Where the value of a field comes from.
  enum Source {
    case constant(String)
    /// A column; where `values` is given, its texts are translated, and with a `scale` its numbers are multiplied.
    case column(String, values: [String: String]?, scale: Amount?)
    /// Several columns with a text between them. A row that makes a text that was made before gets a number behind it
    /// where `isNumbered`.
    case joined([String], with: String, isNumbered: Bool)
    case day(Time)
    case instant(Time)

    /// The columns that are read.
    var columns: [String] {
      switch self {
      case .constant: []
      case .column(let name, _, _): [name]
      case .joined(let names, _, _): names
      case .day(let time), .instant(let time):
        [time.column] + [time.zoneColumn, time.offsetColumn, time.dateColumn].compactMap { $0 }
      }
    }
  }

  /// A column that says when something happened.
  struct Time {
    enum Unit: String, CaseIterable { case text, seconds, milliseconds, microseconds }

    var column: String
    var unit: Unit
    /// The column that names the zone of each row.
    var zoneColumn: String?
    /// The column that says how many seconds clocks were ahead of UTC.
    var offsetColumn: String?
    /// The column with the date that counts where neither a zone nor an offset is known.
    var dateColumn: String?
    /// The zone of all rows that name none.
    var zone: Zone?
  }

  /// The columns that are read.
  var columns: Set<String> {
    Set(records.flatMap { $0.conditions.map(\.column) + $0.fields.flatMap(\.source.columns) })
  }
}

extension Mapping {
  init(_ file: ExportFile) throws(ImportFailure) {
    var parser = JSONParser(file)
    let document = try parser.document()
    let reader = MappingReader(file: file)
    try reader.allow(["records"], in: document)
    guard let items = document["records"]?.items, !items.isEmpty else {
      throw file.failure("found no `records`, expected an array of what a row becomes", at: document.offset)
    }
    records = []
    for item in items { records.append(try reader.record(item)) }
  }
}

extension Mapping {
  /// Looks for fields that a record does not have, and for those that are missing.
  func check(_ schemas: [String: TableSchema], _ file: ExportFile) throws(ImportFailure) {
    for record in records {
      guard let columns = schemas[record.record]?.columns else { continue }
      let names = record.fields.map(\.name)
      if let unknown = names.first(where: { name in !columns.contains { $0.name == name } }) {
        let near = nearestName(to: unknown, in: columns.map(\.name))
        throw file.failure(
          "\(record.record) has no stored field \(quoted(unknown))"
            + (near.map { "; did you mean \(quoted($0))?" } ?? ""),
          at: record.offset)
      }
      if let missing = columns.first(where: { $0.isRequired && !names.contains($0.name) }) {
        throw file.failure(
          "found no field \(quoted(missing.name)), which every \(record.record) must have", at: record.offset)
      }
    }
  }
}

/// Reads the parts of a mapping file; an unknown key is an error, since it would be ignored otherwise.
private struct MappingReader {
  let file: ExportFile

  func allow(_ keys: [String], in node: JSONNode) throws(ImportFailure) {
    guard let members = node.members else {
      throw file.failure("found \(node.described), expected an object", at: node.offset)
    }
    var seen: Set<String> = []
    for (key, value) in members {
      guard keys.contains(key) else {
        let list = keys.map(quoted).joined(separator: ", ")
        throw file.failure("found the key \(quoted(key)), expected one of \(list)", at: value.offset)
      }
      guard seen.insert(key).inserted else {
        throw file.failure("found the key \(quoted(key)) twice", at: value.offset)
      }
    }
  }

  func record(_ node: JSONNode) throws(ImportFailure) -> Mapping.RecordMapping {
    try allow(["record", "fields", "where", "once"], in: node)
    let name = try text(node, "record")
    guard name.first?.isUppercase == true, name.utf8.allSatisfy({ isNameByte($0) }) else {
      throw file.failure(
        "found \(quoted(name)), expected the name of a record such as `HabitEntry`", at: node.offset)
    }
    guard let members = node["fields"]?.members, !members.isEmpty else {
      throw file.failure("found no `fields` of \(name), expected an object", at: node.offset)
    }
    var fields: [(name: String, source: Mapping.Source)] = []
    for (field, source) in members {
      guard !fields.contains(where: { $0.name == field }) else {
        throw file.failure("found the field \(quoted(field)) twice", at: source.offset)
      }
      guard !field.isEmpty, field.utf8.allSatisfy({ isNameByte($0) }) else {
        throw file.failure("found \(quoted(field)), expected the name of a field", at: source.offset)
      }
      fields.append((field, try self.source(source)))
    }
    var mapping = Mapping.RecordMapping(record: name, fields: fields, offset: node.offset)
    if let condition = node["where"] {
      for item in condition.items.map(Array.init) ?? [condition] {
        mapping.conditions.append(try self.condition(item))
      }
    }
    if node["once"] != nil {
      let once = try text(node, "once")
      guard fields.contains(where: { $0.name == once }) else {
        throw file.failure("`once` names \(quoted(once)), which is not a field of \(name)", at: node.offset)
      }
      mapping.once = once
    }
    return mapping
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    let scalar = Unicode.Scalar(byte)
    return scalar.isASCII && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte) || scalar == "_")
  }

  private func condition(_ node: JSONNode) throws(ImportFailure) -> Mapping.Condition {
    let isExclusion = node["notIn"] != nil
    let key = isExclusion ? "notIn" : "in"
    try allow(["column", key], in: node)
    return Mapping.Condition(
      column: try text(node, "column"), texts: try texts(node, key), isExclusion: isExclusion)
  }

  private func texts(_ node: JSONNode, _ key: String) throws(ImportFailure) -> [String] {
    let texts = node[key]?.items.map { $0.map(\.cell) } ?? []
    guard !texts.isEmpty, !texts.contains(nil) else {
      throw file.failure("found no `\(key)`, expected an array of texts", at: node.offset)
    }
    return texts.compactMap { $0 }
  }

  private func source(_ node: JSONNode) throws(ImportFailure) -> Mapping.Source {
    if let constant = node["constant"] {
      try allow(["constant"], in: node)
      guard let cell = constant.cell else {
        throw file.failure("found \(constant.described), expected a text or a number", at: constant.offset)
      }
      return .constant(cell)
    }
    if node["column"] != nil {
      try allow(["column", "values", "scale"], in: node)
      return .column(
        try text(node, "column"), values: try values(node["values"]), scale: try scale(node["scale"]))
    }
    if node["join"] != nil {
      try allow(["join", "with", "numbered"], in: node)
      return .joined(
        try texts(node, "join"), with: node["with"] == nil ? "/" : try text(node, "with"),
        isNumbered: node["numbered"]?.bool ?? false)
    }
    for (key, isDay) in [("dayOf", true), ("instantOf", false)] where node[key] != nil {
      try allow([key, "unit", "zone"] + MappingReader.columnKeys, in: node)
      let time = try time(node, key)
      return isDay ? .day(time) : .instant(time)
    }
    throw file.failure(
      "found \(node.described), expected an object with `column`, `join`, `constant`, `dayOf` or `instantOf`",
      at: node.offset)
  }

  private static let columnKeys = ["zoneColumn", "offsetColumn", "dateColumn"]

  private func scale(_ node: JSONNode?) throws(ImportFailure) -> Amount? {
    guard let node else { return nil }
    guard let scale = node.number.flatMap({ Amount($0) }), !scale.isRounded else {
      throw file.failure(
        "`scale` is \(node.described), expected a number with at most 6 digits after the point",
        at: node.offset)
    }
    return scale
  }

  private func values(_ node: JSONNode?) throws(ImportFailure) -> [String: String]? {
    guard let node else { return nil }
    guard let members = node.members else {
      throw file.failure("`values` is \(node.described), expected an object", at: node.offset)
    }
    var values: [String: String] = [:]
    for (key, value) in members {
      guard let cell = value.cell else {
        throw file.failure("found \(value.described), expected a text", at: value.offset)
      }
      values[key] = cell
    }
    return values
  }

  private func time(_ node: JSONNode, _ key: String) throws(ImportFailure) -> Mapping.Time {
    var time = Mapping.Time(column: try text(node, key), unit: .text)
    if node["unit"] != nil {
      let name = try text(node, "unit")
      guard let unit = Mapping.Time.Unit(rawValue: name) else {
        let units = Mapping.Time.Unit.allCases.map { quoted($0.rawValue) }.joined(separator: ", ")
        throw file.failure("`unit` is \(quoted(name)), expected one of \(units)", at: node.offset)
      }
      time.unit = unit
    }
    let columns = try MappingReader.columnKeys.map { key throws(ImportFailure) in
      node[key] == nil ? nil : try text(node, key)
    }
    (time.zoneColumn, time.offsetColumn, time.dateColumn) = (columns[0], columns[1], columns[2])
    if node["zone"] != nil {
      let name = try text(node, "zone")
      guard let zone = Zone(name) else {
        throw file.failure("`zone` is \(quoted(name)), which \(Moment.Fault.noZone)", at: node.offset)
      }
      time.zone = zone
    }
    return time
  }

  private func text(_ node: JSONNode, _ key: String) throws(ImportFailure) -> String {
    guard let value = node[key] else {
      throw file.failure("found no `\(key)`, expected a text", at: node.offset)
    }
    guard let text = value.string else {
      throw file.failure("`\(key)` is \(value.described), expected a text", at: value.offset)
    }
    return text
  }
}
