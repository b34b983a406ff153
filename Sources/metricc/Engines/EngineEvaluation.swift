import MetricData
import MetricEvaluate
import MetricLanguage
import MetricSQL

/// `eval --engine`: the statement of `metricc sql` where the data is, and its rows as those of `eval`.
struct EngineEvaluation {
  let library: MetricLibrary
  let metrics: [String]
  let subjects: [String]
  let dialect: SQLDialect
  let client: any EngineClient
  let data: EngineData
  let progress: ProgressLine

  /// The last DayKey of the facts; nil where there is none.
  func lastDay() throws(CommandFailure) -> DayKey? {
    progress.show("asking \(dialect.title) for the last DayKey")
    let rows = try answer(library.lastDayQuestion(metrics: metrics, data, dialect: dialect))
    return rows.first?.first.flatMap { $0 }.flatMap { DayKey($0) }
  }

  func rows(at days: [DayKey]) throws(CommandFailure) -> [ResultRow] {
    guard !days.isEmpty else { return [] }
    progress.show("evaluating on \(dialect.title)")
    let question: EngineQuestion
    do throws(SQLUnsupported) {
      question = try library.engineQuestion(
        metrics: metrics, subjects: subjects, days: days, data, dialect: dialect)
    } catch {
      throw CommandFailure(messages: ["nothing was evaluated: \(error)"], status: .rejected)
    }
    guard let rows = library.rows(of: try answer(question)) else {
      throw .unreadable("\(dialect.title) gave what are no rows of these metrics")
    }
    return rows
  }

  private func answer(_ question: EngineQuestion) throws(CommandFailure) -> [[String?]] {
    var all: [[String?]] = []
    for answer in try client.answers([question], progress: { _ in }).flatMap({ $0 }) {
      switch answer {
      case .rows(let rows): all += rows
      case .error(let text): throw .unreadable("\(dialect.title) says: \(Quoting.printable(text))")
      }
    }
    return all
  }
}
