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
