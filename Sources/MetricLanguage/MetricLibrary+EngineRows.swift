import MetricEvaluate
import MetricSQL

/// What an engine reads in place of loaded tables: files, or tables of a database.
package struct EngineData: Hashable, Sendable {
  package var files: [SQLFile]
  package var names: DatabaseNames
  /// Whether a record without a file is a table of the database; else it is empty.
  package var isDatabase: Bool

  package init(files: [SQLFile], names: DatabaseNames, isDatabase: Bool) {
    (self.files, self.names, self.isDatabase) = (files, names, isDatabase)
  }
}

extension MetricLibrary {
  /// The question whose answer has the rows of an evaluation.
  ///
  ///     let question = try library.engineQuestion(metrics: [], subjects: [], days: [day], data, dialect: .duckdb)
  ///     let rows = library.rows(of: ask(question))
  ///
  /// - Throws: if the dialect cannot express a construct exactly.
  package func engineQuestion(
    metrics names: [String], subjects: [String], days: [DayKey], _ data: EngineData, dialect: SQLDialect
  ) throws(SQLUnsupported) -> EngineQuestion {
    let request = request(names, subjects: subjects, .list(days), data.names)
    let steps = try MetricSQL.sqlSteps(request, of: plan, in: dialect)
    return question(steps, records: schemas(for: names).map(\.record), request, data, dialect)
  }

  /// The question for the last DayKey: of one fact, or of all that have files, or else of those that metrics read.
  package func lastDayQuestion(
    of fact: String? = nil, metrics names: [String], _ data: EngineData, dialect: SQLDialect
  ) -> EngineQuestion {
    let request = request(names, .list([]), data.names)
    let read = data.isDatabase ? schemas(for: names).map(\.record) : []
    let records = fact.map { [$0] } ?? Set(read + data.files.map(\.record)).sorted()
    let facts = records.compactMap(plan.record(named:)).filter { plan.records[$0].kind == .fact }
    let query = MetricSQL.sqlLastDay(of: facts, request, of: plan, in: dialect)
    return question([query], records: facts.map { plan.records[$0].name }, request, data, dialect)
  }

  private func question(
    _ queries: [SQLStep], records: [String], _ request: SQLRequest, _ data: EngineData, _ dialect: SQLDialect
  ) -> EngineQuestion {
    let fileRecords = Set(data.files.map(\.record))
    let records = records.filter { !data.isDatabase || fileRecords.contains($0) }
    let sources = MetricSQL.sqlSources(
      data.files, records: records.compactMap(plan.record(named:)), request, of: plan, in: dialect)
    return EngineQuestion(files: sources.opened, isLarge: true, setup: sources.statements, queries: queries)
  }

  /// The rows that an engine gave as texts; nil if a cell is not a value of its part.
  package func rows(of answer: [[String?]]) -> [ResultRow]? {
    let metrics = Dictionary(
      uniqueKeysWithValues: plan.metrics.map { metric in
        let types = Dictionary(uniqueKeysWithValues: metric.parts.map { ($0.name, $0.type) })
        return (metric.name, (types: types, fieldCount: plan.grouping(of: metric).count))
      })
    var rows: [ResultRow] = []
    rows.reserveCapacity(answer.count)
    for cells in answer {
      let texts = cells.map { $0 ?? "" }
      guard texts.count == 6, let metric = metrics[texts[0]], let type = metric.types[texts[3]],
        let group = GroupKey(texts[2], fieldCount: metric.fieldCount), let day = DayKey(texts[4]),
        let value = Value.cell(texts[5], type)
      else { return nil }
      rows.append(
        ResultRow(
          metric: texts[0], subject: texts[1], group: group, part: texts[3], at: day, value: value))
    }
    return rows
  }
}

extension Value {
  /// The value that a cell of a result holds; nil where it is none of its type.
  fileprivate static func cell(_ text: String, _ type: ValueType) -> Value? {
    if text.isEmpty { return Value.none }
    return switch type {
    case .bool: Bool(text).map { .bool($0) }
    case .int, .instant: Int64(text).map { .int($0) }
    case .decimal: (try? FixedDecimal.parse(text)).map { .decimal($0) }
    case .dayKey: DayKey(text).map { .day($0) }
    case .text: .text(text)
    }
  }
}
