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

    var columns: Set<String> { Set(conditions.map(\.column) + fields.flatMap(\.source.columns)) }

    init(_ node: JSONNode) throws(ImportFailure) {
      try node.allow(["record", "fields", "where", "once"])
      offset = node.offset
      record = try node.requiredText("record")
      guard record.first?.isUppercase == true, record.isName else {
        throw node.failure("found \(quoted(record)), expected the name of a record such as `HabitEntry`")
      }
      guard let members = node["fields"]?.members, !members.isEmpty else {
        throw node.failure("found no `fields` of \(record), expected an object")
      }
      fields = []
      for (field, source) in members {
        guard field.isName else {
          throw source.failure("found \(quoted(field)), expected the name of a field")
        }
        fields.append((field, try Source(source)))
      }
      if let condition = node["where"] {
        for item in condition.items.map(Array.init) ?? [condition] {
          conditions.append(try Condition(item))
        }
      }
      once = try node.text("once")
      if let once, !fields.contains(where: { $0.name == once }) {
        throw node.failure("`once` names \(quoted(once)), which is not a field of \(record)")
      }
    }
  }

  /// Whether a column has one of some texts, or none of them.
  struct Condition {
    var column: String
    var texts: [String]
    var isExclusion: Bool

    func holds(_ row: some ExportRow) -> Bool { texts.contains(row[column]) != isExclusion }

    init(_ node: JSONNode) throws(ImportFailure) {
      isExclusion = node["notIn"] != nil
      let key = isExclusion ? "notIn" : "in"
      try node.allow(["column", key])
      column = try node.requiredText("column")
      texts = try node.texts(key)
    }
  }

  enum Source {
    case constant(String)
    /// A column; where `values` is given, its texts are translated, and with a `scale` its numbers are multiplied.
    case column(String, values: [String: String]?, scale: Amount?)
    /// Several columns with a text between them. A row that makes a text that was made before gets a number after it
    /// where `isNumbered`.
    case joined([String], with: String, isNumbered: Bool)
    case day(Time)
    case instant(Time)

    var columns: [String] {
      switch self {
      case .constant: []
      case .column(let name, _, _): [name]
      case .joined(let names, _, _): names
      case .day(let time), .instant(let time):
        [time.column] + [time.zoneColumn, time.offsetColumn, time.dateColumn].compactMap { $0 }
      }
    }

    init(_ node: JSONNode) throws(ImportFailure) {
      if let constant = node["constant"] {
        try node.allow(["constant"])
        guard let cell = constant.cell else { throw constant.fault(expected: "a text or a number") }
        self = .constant(cell)
      } else if node["column"] != nil {
        try node.allow(["column", "values", "scale"])
        self = .column(try node.requiredText("column"), values: try node.values(), scale: try node.scale())
      } else if node["join"] != nil {
        try node.allow(["join", "with", "numbered"])
        self = .joined(
          try node.texts("join"), with: try node.text("with") ?? "/",
          isNumbered: node["numbered"]?.bool ?? false)
      } else if node["dayOf"] != nil {
        self = .day(try Time(node, "dayOf"))
      } else if node["instantOf"] != nil {
        self = .instant(try Time(node, "instantOf"))
      } else {
        throw node.fault(expected: "an object with `column`, `join`, `constant`, `dayOf` or `instantOf`")
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

    init(_ node: JSONNode, _ key: String) throws(ImportFailure) {
      try node.allow([key, "unit", "zone", "zoneColumn", "offsetColumn", "dateColumn"])
      column = try node.requiredText(key)
      let name = try node.text("unit") ?? Unit.text.rawValue
      guard let unit = Unit(rawValue: name) else {
        let units = Unit.allCases.map { quoted($0.rawValue) }.joined(separator: ", ")
        throw node.failure("`unit` is \(quoted(name)), expected one of \(units)")
      }
      self.unit = unit
      zoneColumn = try node.text("zoneColumn")
      offsetColumn = try node.text("offsetColumn")
      dateColumn = try node.text("dateColumn")
      if let name = try node.text("zone") {
        zone = Zone(name)
        if zone == nil { throw node.failure("`zone` is \(quoted(name)), which \(Moment.Fault.noZone)") }
      }
    }
  }

  var columns: Set<String> { records.reduce(into: []) { $0.formUnion($1.columns) } }

  init(_ file: ExportFile) throws(ImportFailure) {
    var parser = JSONParser(file)
    let document = try parser.document()
    try document.allow(["records"])
    guard let items = document["records"]?.items, !items.isEmpty else {
      throw document.failure("found no `records`, expected an array of what a row becomes")
    }
    records = []
    for item in items { records.append(try RecordMapping(item)) }
  }

  /// Looks for fields that a record does not have, and for those that are missing.
  func check(_ schemas: [String: TableSchema], _ file: ExportFile) throws(ImportFailure) {
    for record in records {
      guard let columns = schemas[record.record]?.columns else { continue }
      let names = record.fields.map(\.name)
      if let unknown = names.first(where: { name in !columns.contains { $0.name == name } }) {
        let near = nearestName(to: unknown, in: columns.map(\.name))
        let suggestion = near.map { "; did you mean \(quoted($0))?" } ?? ""
        throw file.failure(
          "\(record.record) has no stored field \(quoted(unknown))\(suggestion)", at: record.offset)
      }
      if let missing = columns.first(where: { $0.isRequired && !names.contains($0.name) }) {
        throw file.failure(
          "found no field \(quoted(missing.name)), which every \(record.record) must have", at: record.offset)
      }
    }
  }
}

extension String {
  fileprivate var isName: Bool {
    !isEmpty
      && unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_")
      }
  }
}

extension JSONNode {
  /// An unknown key is an error, since it would be ignored otherwise.
  fileprivate func allow(_ keys: [String]) throws(ImportFailure) {
    guard let members else { throw fault(expected: "an object") }
    for (key, value) in members where !keys.contains(key) {
      let list = keys.map(quoted).joined(separator: ", ")
      throw value.failure("found the key \(quoted(key)), expected one of \(list)")
    }
  }

  fileprivate func requiredText(_ key: String) throws(ImportFailure) -> String {
    guard let text = try text(key) else { throw failure("found no `\(key)`, expected a text") }
    return text
  }

  fileprivate func texts(_ key: String) throws(ImportFailure) -> [String] {
    let texts = self[key]?.items.map { $0.map(\.cell) } ?? []
    guard !texts.isEmpty, !texts.contains(nil) else {
      throw failure("found no `\(key)`, expected an array of texts")
    }
    return texts.compactMap { $0 }
  }

  fileprivate func scale() throws(ImportFailure) -> Amount? {
    guard let node = self["scale"] else { return nil }
    guard let scale = node.number.flatMap({ Amount($0) }), !scale.isRounded else {
      throw node.fault("`scale`", expected: "a number with at most 6 digits after the point")
    }
    return scale
  }

  fileprivate func values() throws(ImportFailure) -> [String: String]? {
    guard let node = self["values"] else { return nil }
    guard let members = node.members else { throw node.fault("`values`", expected: "an object") }
    var values: [String: String] = [:]
    for (key, value) in members {
      guard let cell = value.cell else { throw value.fault(expected: "a text") }
      values[key] = cell
    }
    return values
  }
}
