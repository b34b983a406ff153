import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricValues

/// One evaluation of chosen metrics over a loaded dataset.
struct Evaluation {
  let library: MetricLibrary
  let metrics: [String]
  /// Ids; empty for all.
  let subjects: [String]
  let days: [DayKey]
  let dataset: Dataset
  let threads: Int
  let pseudonyms: Pseudonyms?
  let progress: ProgressLine

  /// The rows in their order, and whether they are those of all metrics: one with a number out of range has none, which
  /// is said on standard error.
  func rows() throws(CommandFailure) -> (rows: [ResultRow], isComplete: Bool) {
    guard !days.isEmpty else { return ([], true) }
    var failed: [EvaluationError] = []
    let rows = try reporting { () throws(EvaluationError) in
      try library.evaluate(
        metrics: metrics, subjects: subjects, days: days, tables: dataset.tables, pool: dataset.pool,
        threads: threads, progress: showProgress, outOfRange: { failed.append($0) })
    }
    progress.finish()
    Findings.report(failed.map { $0.diagnostic(in: dataset, of: library, pseudonyms: pseudonyms) })
    if !failed.isEmpty {
      Remarks.say(
        "\(Counting.of(failed.count, "metric")) out of range: no rows; those of the others are complete")
    }
    return (rows, failed.isEmpty)
  }

  /// The subject whose id was probably meant by one that no row has.
  func nearestSubject(to id: String) -> String? {
    let names = metrics.isEmpty ? library.metrics.map(\.name) : metrics
    let kinds = Dictionary(
      names.map { (library.subjectName(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    let rows = try? library.evaluate(
      metrics: kinds.filter { $0.key != nil }.values.sorted(), subjects: [], days: Array(days.suffix(1)),
      tables: dataset.tables, pool: dataset.pool, threads: threads, progress: showProgress)
    return nearestName(to: id, in: Set((rows ?? []).map(\.subject)))
  }

  /// The rows as text in a format for programs, in stretches; false where a number is out of range, and what was written
  /// is worth nothing.
  func writeText(
    _ format: RowFormat, _ write: (ArraySlice<UInt8>) -> Void
  ) throws(CommandFailure) -> Bool {
    let isDone = try reporting { () throws(EvaluationError) in
      do throws(EvaluationError) {
        try library.evaluateText(
          metrics: metrics, subjects: subjects, days: days, tables: dataset.tables, pool: dataset.pool,
          threads: threads, format: format, progress: showProgress, write: write)
        return true
      } catch {
        guard case .overflow = error else { throw error }
        return false
      }
    }
    progress.finish()
    return isDone
  }

  private var showProgress: @Sendable (Int, Int) -> Void {
    { [progress] done, all in
      progress.show("evaluating: \(Counting.grouped(done)) of \(Counting.grouped(all))")
    }
  }

  /// Says on standard error why there are no rows.
  private func reporting<Result>(
    _ body: () throws(EvaluationError) -> Result
  ) throws(CommandFailure) -> Result {
    do throws(EvaluationError) {
      return try body()
    } catch {
      progress.finish()
      Findings.report([error.diagnostic(in: dataset, of: library, pseudonyms: pseudonyms)])
      throw CommandFailure.silent(.unreadable)
    }
  }
}
