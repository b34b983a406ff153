/// A record by names, so that two libraries can both take it in.
package struct NamedRow: Hashable, Sendable {
  package var record: String
  /// By name of the field.
  package var values: [String: Literal]

  init(_ row: TestRow, in library: Library) {
    let record = library.records[row.record]
    self.record = record.name
    values = Dictionary(
      row.values.map { (record.fields[$0].name, record.fields[$0].written($1)) },
      uniquingKeysWith: { one, _ in one })
  }

  /// The record as a library knows it, without the fields that it does not know.
  package enum Reading {
    case row(TestRow)
    case unknown
    /// Its loader would refuse it.
    case refused
  }

  package func reading(in library: Library) -> Reading {
    guard let id = library.record(named: record) else { return .unknown }
    let declared = library.records[id]
    var found: [Int: Literal] = [:]
    for (index, field) in declared.fields.enumerated() where field.computed == nil {
      guard let value = values[field.name] else {
        // A test fills in the ids of facts and links by itself.
        if !field.isOptional, !(index == declared.idField && declared.kind != .entity) { return .refused }
        continue
      }
      guard let value = field.accepted(value) else { return .refused }
      found[index] = value
    }
    return .row(TestRow(record: id, values: found, span: declared.span))
  }

  /// The values in the order of a library's fields, those of fields that it does not know last.
  package func ordered(in library: Library) -> [(name: String, value: Literal, isKnown: Bool)] {
    let fields = library.record(named: record).map { library.records[$0].fields.map(\.name) } ?? []
    let known = fields.compactMap { name in values[name].map { (name, $0, true) } }
    let others = values.keys.filter { !fields.contains($0) }.sorted()
    return known + others.compactMap { name in values[name].map { (name, $0, false) } }
  }
}

extension Field {
  /// The value as a `test` writes it: an Instant is a text there, and microseconds in a row.
  fileprivate func written(_ value: Literal) -> Literal {
    guard type == .instant, case .int(let microseconds) = value else { return value }
    return .text(Instant(microseconds: microseconds).description)
  }

  /// The value as the field takes it; nil if its loader would refuse it.
  fileprivate func accepted(_ value: Literal) -> Literal? {
    switch (type, value) {
    case (.choice(let texts), .text(let text)): return texts.contains(text) ? value : nil
    case (.id, .text), (.text, .text), (.reference, .text), (.bool, .bool), (.dayKey, .day): return value
    case (.instant, .text(let text)):
      return Instant(text).map { .int($0.microseconds) }
    default: return value.inMillionths.flatMap(number)
    }
  }
}
