/// `eval --engine`: the statement of `metricc sql` where the data is, and its rows as those of `eval`.
struct EngineEvaluation {
  let library: MetricLibrary
  let metrics: [String]
  let subjects: [String]
  let dialect: SQLDialect
  let client: any EngineClient
  let data: EngineData

  /// The last DayKey of the facts; nil if there is none.
  func lastDay() throws(CommandFailure) -> DayKey? {
    ProgressLine.show("asking \(dialect.title) for the last DayKey")
    return try lastDay(of: nil)
  }

  private func lastDay(of fact: String?) throws(CommandFailure) -> DayKey? {
    let rows = try answer(library.lastDayQuestion(of: fact, metrics: metrics, data, dialect: dialect))
    return rows.first?.first.flatMap { $0 }.flatMap { DayKey($0) }
  }

  /// Whether team metrics ask for consent, and nobody has given any.
  func lacksConsents() throws(CommandFailure) -> Bool {
    guard library.needsConsents(for: metrics) else { return false }
    let isThere = data.isDatabase || data.files.contains { $0.record == "Consent" }
    guard isThere else { return true }
    return try lastDay(of: "Consent") == nil
  }

  /// The rows, and whether they are those of all metrics: where the statement fails, each metric is asked alone, so that
  /// a number out of range costs the rows of its metric only. What fails is said on standard error.
  func availableRows(at days: [DayKey]) throws(CommandFailure) -> (rows: [ResultRow], isComplete: Bool) {
    do throws(CommandFailure) { return (try rows(of: metrics, at: days), true) } catch {
      let names = metrics.isEmpty ? library.metrics.map(\.name) : metrics
      guard error.status == .unreadable, names.count > 1 else { throw error }
      var found: [ResultRow] = []
      var failures: [CommandFailure] = []
      for name in names.sorted(by: Folder.bytesPrecede) {
        do throws(CommandFailure) { found += try rows(of: [name], at: days) } catch {
          failures.append(.unreadable("`\(name)`: \(error.messages.joined(separator: "; "))"))
        }
      }
      guard failures.count < names.count else { throw error }
      for failure in failures { failure.report() }
      return (found, failures.isEmpty)
    }
  }

  private func rows(of metrics: [String], at days: [DayKey]) throws(CommandFailure) -> [ResultRow] {
    guard !days.isEmpty else { return [] }
    ProgressLine.show("evaluating on \(dialect.title)")
    let question: EngineQuestion
    do throws(SQLUnsupported) {
      question = try library.engineQuestion(
        metrics: metrics, subjects: subjects, days: days, data, dialect: dialect)
    } catch {
      throw CommandFailure(messages: ["nothing was evaluated: \(error)"], status: .rejected)
    }
    guard let rows = library.rows(of: try answer(question)) else {
      throw .unreadable("\(dialect.title) returned rows that are not of these metrics")
    }
    return rows
  }

  private func answer(_ question: EngineQuestion) throws(CommandFailure) -> [[String?]] {
    var all: [[String?]] = []
    for answer in try client.answers([question], progress: { _ in }).flatMap({ $0 }) {
      switch answer {
      case .rows(let rows): all += rows
      case .error(let text): throw .unreadable("\(dialect.title) says: \(printable(text))")
      }
    }
    return all
  }
}
