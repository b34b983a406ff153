import MetricDiagnostics
import MetricValues

/// A library of definitions, resolved and typed: the language of everything behind the resolver.
package struct Library: Sendable {
  /// The built-in records first, then the declared ones.
  package var records: [Record]
  /// A metric comes after every metric that it reads; among equals by name, so that the order of
  /// the files means nothing.
  package var metrics: [Metric]
  package var tests: [TestCase]

  package init(records: [Record], metrics: [Metric], tests: [TestCase]) {
    self.records = records
    self.metrics = metrics
    self.tests = tests
  }

  package func record(named name: String) -> RecordID? {
    records.firstIndex { $0.name == name }
  }

  package func metric(named name: String) -> MetricID? {
    metrics.firstIndex { $0.name == name }
  }

  /// The groups of a metric: its own, or for a level those of the metric that it is of.
  package func grouping(of metric: Metric) -> Grouping? {
    if case .level(let level) = metric.body { return grouping(of: metrics[level.metric]) }
    return metric.grouping
  }

  package subscript(_ reference: FieldReference) -> Field {
    records[reference.record].fields[reference.field]
  }
}

/// A `test` block: records to fill a dataset with, and what is expected of it.
package struct TestCase: Hashable, Sendable {
  package var name: String
  package var rows: [TestRow]
  package var expectations: [Expectation]
  package var span: Span

  package init(name: String, rows: [TestRow], expectations: [Expectation], span: Span) {
    self.name = name
    self.rows = rows
    self.expectations = expectations
    self.span = span
  }
}

/// One record of a test; ids that were not given have been filled in.
package struct TestRow: Hashable, Sendable {
  package var record: RecordID
  /// By field index; a field without a value is missing.
  package var values: [Int: Literal]
  package var span: Span

  package init(record: RecordID, values: [Int: Literal], span: Span) {
    self.record = record
    self.values = values
    self.span = span
  }
}

extension Library {
  /// The DayKey of a fact; nil for any other record.
  package func day(of row: TestRow) -> DayKey? {
    guard records[row.record].kind == .fact, let field = records[row.record].dayKeyField,
      case .day(let day)? = row.values[field]
    else { return nil }
    return day
  }

  /// A fact on another day.
  package func moved(_ row: TestRow, to day: DayKey) -> TestRow {
    var row = row
    if let field = records[row.record].dayKeyField { row.values[field] = .day(day) }
    return row
  }
}

package struct Expectation: Hashable, Sendable {
  package var metric: MetricID
  /// Empty for `app` and where the test names none.
  package var subject: String
  package var group: String
  package var part: String
  package var day: DayKey
  /// `.none` expects that there is no value.
  package var value: Literal
  package var span: Span

  package init(
    metric: MetricID, subject: String, group: String, part: String, day: DayKey, value: Literal,
    span: Span
  ) {
    self.metric = metric
    self.subject = subject
    self.group = group
    self.part = part
    self.day = day
    self.value = value
    self.span = span
  }
}
