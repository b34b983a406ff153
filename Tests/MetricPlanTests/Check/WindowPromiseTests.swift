import MetricData
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricTestSupport
import Testing

/// Every string of incomplete, complete and rest windows up to a length, through the evaluator: the values that the
/// language page gives, and none of them falls when a window becomes complete.
///
/// `METRICC_WINDOWS=7 swift test --filter WindowPromiseTests` takes three times as long.
@Suite struct WindowPromiseTests {
  private static let strings = WindowString.all(upTo: Int(environment("METRICC_WINDOWS") ?? "") ?? 5)
  /// By string, what the language page gives for each metric.
  private static let expected = strings.map { string in
    WindowStrings.expectations.map { $0.value(string).resultText }
  }
  /// By string, its place, and those of the strings in which one incomplete window is complete.
  private static let completed: [(place: Int, completed: [Int])] = {
    let places = Dictionary(uniqueKeysWithValues: strings.enumerated().map { ($1, $0) })
    return strings.enumerated().map { place, string in
      let marks = string.marks.indices.filter { string.marks[$0] == .incomplete }
      return (
        place,
        marks.compactMap { mark in
          var completed = string
          completed.marks[mark] = .complete
          return places[completed]
        }
      )
    }
  }()
  /// All numbers over a completion that promise something: `previous` is a reading (RDG-02).
  private static let promising = WindowStrings.expectations.indices.filter {
    !["complete", "previous"].contains(WindowStrings.expectations[$0].metric)
  }

  @Test(arguments: WindowStrings.all.indices)
  func completingAWindowNeverLowers(index: Int) throws {
    let windows = WindowStrings.all[index]
    let values = try values(windows)
    for (string, expected) in zip(Self.strings.indices, Self.expected) {
      for (metric, text) in expected.enumerated() where values[metric][string]?.text != text {
        let found = values[metric][string]?.text ?? "no row"
        let name = WindowStrings.expectations[metric].metric
        Issue.record("\(name) of \(Self.strings[string]) over \(windows): \(found)")
        return
      }
    }
    for metric in Self.promising {
      let numbers = values[metric].map(number)
      for (string, completed) in Self.completed {
        guard let lower = completed.first(where: { numbers[string] > numbers[$0] }) else { continue }
        let (before, after) = (Self.strings[string], Self.strings[lower])
        Issue.record(
          "\(WindowStrings.expectations[metric].metric): \(numbers[string]) of \(before), but \(numbers[lower]) of \(after) over \(windows)"
        )
        return
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

  /// By metric and string.
  private func values(_ windows: WindowStrings) throws -> [[Value?]] {
    let library = windows.library
    let dataset = windows.dataset(Self.strings)
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
    let names = Dictionary(
      uniqueKeysWithValues: WindowStrings.expectations.enumerated().map { ($1.metric, $0) })
    let subjects = Dictionary(
      uniqueKeysWithValues: Self.strings.enumerated().map { (windows.subject($1), $0) })
    var values = [[Value?]](
      repeating: Array(repeating: nil, count: Self.strings.count), count: names.count)
    for row in try evaluate(request, library: library, tables: tables, pool: pool) where row.part.isEmpty {
      if let metric = names[row.metric], let string = subjects[row.subject] {
        values[metric][string] = row.value
      }
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
