import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricPlan
import Testing

/// Reads CSV texts as the tables of a library; fails the test where a text is malformed.
package func tables(_ texts: [String: String], for library: MetricLibrary, pool: StringPool) -> [String:
  Table]
{
  var tables: [String: Table] = [:]
  for (record, text) in texts {
    guard let schema = library.fullSchema(of: record) else {
      Issue.record("no record is called \(record)")
      continue
    }
    let result = Array(text.utf8).withUnsafeBytes {
      readTable($0, format: .csv, schema: schema, path: "\(record).csv", pool: pool, rejects: nil)
    }
    #expect(result.findings.isEmpty, "\(result.findings)")
    tables[record] = result.table
  }
  return tables
}

/// `metric,subject,group,part,at,value` lines of some metrics over CSV texts.
package func rows(
  _ definitions: String, _ texts: [String: String], metrics: [String] = [], subjects: [String] = [],
  at days: [String], threads: Int = 1
) throws -> [String] {
  let library = MetricLibrary(unsearched: definitions)
  let errors = library.findings.filter { $0.severity == .error }
  #expect(errors.isEmpty, "\(errors.map { $0.rendered(in: library.sources) }.joined())")
  let pool = StringPool()
  let tables = tables(texts, for: library, pool: pool)
  let days = try days.map { try #require(DayKey($0)) }
  let rows = try library.evaluate(
    metrics: metrics, subjects: subjects, days: days, tables: tables, pool: pool, threads: threads,
    progress: nil)
  return rows.map { row in
    let value =
      switch row.value {
      case .none: ""
      case .bool(let value): "\(value)"
      case .int(let value): "\(value)"
      case .decimal(let value): value.description
      case .day(let day): day.description
      case .text(let text): text
      }
    return [row.metric, row.subject, row.group.text, row.part, row.at.description, value].joined(
      separator: ",")
  }
}

package let habitDefinitions = """
  completion done { for habit every day when count(HabitEntry) >= 1 }
  completion week { for habit every week when count(HabitEntry) >= 2 }
  streak current { of done }
  streak best { of done best }
  momentum seven { of done over last 7 days }
  streak weeks { of week best }
  progress amount { for habit value sum(HabitEntry.value) target habit.weeklyTarget }
  progress reached { for goal value contribution(HabitEntry through GoalLink) target goal.target }
  """
