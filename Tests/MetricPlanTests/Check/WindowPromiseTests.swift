import MetricData
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricTestSupport
import Testing

/// Every string of incomplete, complete and rest windows up to length 7, through the evaluator: the
/// values that the language page gives, and none of them falls when a window becomes complete.
@Suite struct WindowPromiseTests {
  static let length = 7
  /// All numbers over a completion that promise something: `previous` is a reading (RDG-02).
  static let metrics = WindowStrings.expectations.map(\.metric).filter {
    $0 != "complete" && $0 != "previous"
  }

  @Test(arguments: WindowStrings.all.indices)
  func completingAWindowNeverLowers(index: Int) throws {
    let windows = WindowStrings.all[index]
    let strings = WindowString.all(upTo: Self.length)
    let values = try values(windows, strings)
    for string in strings {
      for (metric, expected) in WindowStrings.expectations {
        let value = values[metric]?[windows.subject(string)]
        guard value?.text != expected(string).resultText else { continue }
        Issue.record("\(metric) of \(string) over \(windows): \(value?.text ?? "no row")")
        return
      }
      for (place, mark) in string.marks.enumerated() where mark == .incomplete {
        var completed = string
        completed.marks[place] = .complete
        for metric in Self.metrics {
          let before = number(values[metric]?[windows.subject(string)])
          let after = number(values[metric]?[windows.subject(completed)])
          guard before > after else { continue }
          Issue.record("\(metric): \(before) of \(string), but \(after) of \(completed) over \(windows)")
          return
        }
      }
    }
  }

  private func number(_ value: Value?) -> Int64 {
    switch value {
    case .int(let value): value * FixedDecimal.scale
    case .decimal(let value): value.millionths
    default: .min
    }
  }

  /// By metric and subject.
  private func values(_ windows: WindowStrings, _ strings: [WindowString]) throws -> [String: [String: Value]]
  {
    let library = windows.library
    let dataset = windows.dataset(strings)
    let pool = StringPool()
    var tables: [String: Table] = [:]
    for (record, rows) in dataset.rows {
      var table = Table(
        schema: library.schema(of: record, fields: Array(library.records[record].fields.indices)))
      for row in rows {
        let columns = table.schema.columns
        table.append(
          columns.map { column in
            library.records[record].field(named: column.name).flatMap { row.values[$0]?.cell(pool) }
          })
      }
      tables[library.records[record].name] = table
    }
    let request = EvaluationRequest(metrics: Array(library.metrics.indices), days: [WindowStrings.day])
    var values: [String: [String: Value]] = [:]
    for row in try evaluate(request, library: library, tables: tables, pool: pool) {
      if row.part.isEmpty { values[row.metric, default: [:]][row.subject] = row.value }
    }
    return values
  }
}

extension Value {
  fileprivate var text: String {
    switch self {
    case .none: ""
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .decimal(let value): value.description
    case .day(let day): day.description
    case .text(let text): text
    }
  }
}
