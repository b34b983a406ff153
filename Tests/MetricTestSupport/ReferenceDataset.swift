import MetricData
import MetricPlan

/// One record as it was given: values by field index (Instants as `.int` microseconds).
package struct ReferenceRow: Hashable, Sendable {
  package var values: [Int: Literal]
  /// Its place among the rows of its record type.
  package var order: Int

  package init(values: [Int: Literal], order: Int) {
    self.values = values
    self.order = order
  }
}

/// All records that an evaluation sees.
package struct ReferenceDataset: Hashable, Sendable {
  package var rows: [RecordID: [ReferenceRow]] = [:]

  package init(rows: [RecordID: [ReferenceRow]] = [:]) {
    self.rows = rows
  }

  /// Adds a record behind those that are there.
  package mutating func add(_ record: RecordID, _ values: [Int: Literal]) {
    rows[record, default: []].append(ReferenceRow(values: values, order: rows[record]?.count ?? 0))
  }

  /// Adds a record, its values by field name; `.none` and names that are left out are missing.
  package mutating func add(_ record: String, in library: Library, _ values: [String: Literal]) {
    guard let id = library.record(named: record) else { preconditionFailure("no record \(record)") }
    var cells: [Int: Literal] = [:]
    for (name, value) in values {
      guard let field = library.records[id].field(named: name) else {
        preconditionFailure("no field \(record).\(name)")
      }
      if case .none = value { continue }
      cells[field] = value
    }
    add(id, cells)
  }
}

extension ReferenceDataset {
  /// "The first id is another name of the second": each id by the one at the end of its links, and of the records of
  /// one subject "its own, or that of the lowest other name".
  func merged(_ library: Library) -> ReferenceDataset {
    guard let link = library.record(named: "Identity") else { return self }
    let ends = library.records[link].fields.indices.filter { library.records[link].fields[$0].isReference }
    guard case .reference(let entity) = library.records[link].fields[ends[0]].type else { return self }
    let tombstones = library.records[link].tombstones
    var targets: [ByteText: ByteText] = [:]
    for row in rows[link] ?? [] where tombstones.allSatisfy({ row.values[$0] == nil }) {
      if case .text(let alias)? = row.values[ends[0]], case .text(let target)? = row.values[ends[1]] {
        targets[ByteText(alias)] = ByteText(target)
      }
    }
    func person(_ id: ByteText) -> ByteText { targets[id].map(person) ?? id }
    var merged = self
    for (record, declaration) in library.records.enumerated() where record != link {
      var own = rows[record] ?? []
      if record == entity, let field = declaration.idField {
        func id(_ row: ReferenceRow) -> ByteText {
          if case .text(let id)? = row.values[field] { ByteText(id) } else { "" }
        }
        own = own.enumerated().sorted { left, right in
          let (one, other) = (id(left.element), id(right.element))
          if (targets[one] == nil) != (targets[other] == nil) { return targets[one] == nil }
          return one == other ? left.offset < right.offset : one < other
        }.map(\.element)
      }
      merged.rows[record] = own.map { row in
        var row = row
        for field in declaration.fields.indices
        where declaration.fields[field].type == .reference(entity)
          || (record == entity && field == declaration.idField)
        {
          if case .text(let id)? = row.values[field] {
            row.values[field] = .text(person(ByteText(id)).string)
          }
        }
        return row
      }
    }
    return merged
  }
}

extension Field {
  fileprivate var isReference: Bool { if case .reference = type { true } else { false } }
}

/// One row of the result table.
package struct ReferenceResult: Hashable, Sendable, CustomStringConvertible {
  package var metric: String
  /// Empty for `app` metrics, funnels and retentions.
  package var subject: String
  package var group: String
  package var part: String
  package var day: DayKey
  /// `.none` with the part's type where there is no value.
  package var value: Literal

  package init(
    metric: String, subject: String, group: String, part: String, day: DayKey, value: Literal
  ) {
    self.metric = metric
    self.subject = subject
    self.group = group
    self.part = part
    self.day = day
    self.value = value
  }

  package var description: String {
    "\(metric),\(subject),\(group),\(part),\(day),\(ReferenceValue(value).text)"
  }
}

/// Why there is no result table.
package enum ReferenceError: Error, Hashable, Sendable {
  /// A result of a metric for a subject is outside ±9·10¹².
  case overflow(metric: String, subject: String)
  case bundleCycle
  case bundleTooDeep
  case unitMismatch
}

extension Literal {
  /// The value as a result row has it; empty for no value.
  package var resultText: String { ReferenceValue(self).text }
}
