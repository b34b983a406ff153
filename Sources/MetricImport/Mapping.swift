import MetricDiagnostics

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
    /// Only rows in which a column has one of these texts.
    var condition: (column: String, texts: [String])?
    /// Only the first record with each value of this field.
    var once: String?
  }

  /// Where the value of a field comes from.
  enum Source {
    case constant(String)
    /// A column; where `values` is given, its texts are translated.
    case column(String, values: [String: String]?)
    case day(Time)
    case instant(Time)
  }

  /// A column that says when something happened.
  struct Time {
    enum Unit: String { case text, seconds, milliseconds }

    var column: String
    var unit: Unit
    /// The column that names the zone of each row.
    var zoneColumn: String?
    /// The zone of all rows that name none.
    var zone: Zone?
  }

  /// The columns that are read.
  var columns: Set<String> {
    var columns: Set<String> = []
    for record in records {
      if let condition = record.condition { columns.insert(condition.column) }
      for field in record.fields {
        switch field.source {
        case .constant: break
        case .column(let name, _): columns.insert(name)
        case .day(let time), .instant(let time):
          columns.insert(time.column)
          if let zone = time.zoneColumn { columns.insert(zone) }
        }
      }
    }
    return columns
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
    var mapping = Mapping.RecordMapping(record: name, fields: fields)
    if let condition = node["where"] { mapping.condition = try self.condition(condition) }
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

  private func condition(_ node: JSONNode) throws(ImportFailure) -> (column: String, texts: [String]) {
    try allow(["column", "in"], in: node)
    let texts = node["in"]?.items.map { $0.map(\.cell) } ?? []
    guard !texts.isEmpty, !texts.contains(nil) else {
      throw file.failure("found no `in`, expected an array of texts", at: node.offset)
    }
    return (try text(node, "column"), texts.compactMap { $0 })
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
      try allow(["column", "values"], in: node)
      return .column(try text(node, "column"), values: try values(node["values"]))
    }
    for (key, isDay) in [("dayOf", true), ("instantOf", false)] where node[key] != nil {
      try allow([key, "unit", "zone", "zoneColumn"], in: node)
      let time = try time(node, key)
      return isDay ? .day(time) : .instant(time)
    }
    throw file.failure(
      "found \(node.described), expected an object with `column`, `constant`, `dayOf` or `instantOf`",
      at: node.offset)
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
        throw file.failure(
          "`unit` is \(quoted(name)), expected `text`, `seconds` or `milliseconds`", at: node.offset)
      }
      time.unit = unit
    }
    if node["zoneColumn"] != nil { time.zoneColumn = try text(node, "zoneColumn") }
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
