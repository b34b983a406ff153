struct Evaluation {
  var library: MetricLibrary
  let dataset: Dataset
  var pseudonyms: Pseudonyms?
  var threads = EvalCommand.processorCount

  /// The rows of some subjects, or of all. Metrics with a number out of range have none and go to
  /// `outOfRange`; without it they end the run.
  func rows(
    of metrics: [String], subjects: [String] = [], days: [DayKey],
    outOfRange: ((EvaluationError) -> Void)? = nil
  ) throws(CommandFailure) -> [ResultRow] {
    guard !days.isEmpty else { return [] }
    return try reporting { library, tables, pool throws(EvaluationError) in
      try library.evaluate(
        metrics: metrics, subjects: subjects, days: days, tables: tables, pool: pool, threads: threads,
        progress: showProgress, outOfRange: outOfRange)
    }
  }

  /// The rows, and whether they are those of all metrics: why some have none is said on standard error.
  func availableRows(
    of metrics: [String], subjects: [String], days: [DayKey]
  ) throws(CommandFailure) -> (rows: [ResultRow], isComplete: Bool) {
    var failed: [EvaluationError] = []
    let rows = try rows(of: metrics, subjects: subjects, days: days) { failed.append($0) }
    Remarks.report(failed.map { $0.diagnostic(in: dataset, of: library, pseudonyms: pseudonyms) })
    if !failed.isEmpty {
      Remarks.say(
        "\(Counting.of(failed.count, "metric")) out of range: no rows; those of the others are complete")
    }
    return (rows, failed.isEmpty)
  }

  /// The subject whose id was probably meant by one that no row has.
  func nearestSubject(to id: String, of metrics: [String], at day: DayKey?) -> String? {
    let names = metrics.isEmpty ? library.metrics.map(\.name) : metrics
    let ofEachKind = names.filter { library.subjectName(of: $0) != nil }.once { library.subjectName(of: $0) }
    let rows = try? library.evaluate(
      metrics: ofEachKind.sorted(), subjects: [], days: day.map { [$0] } ?? [], tables: dataset.tables,
      pool: dataset.pool, threads: threads, progress: showProgress)
    return nearestName(to: id, in: Set((rows ?? []).map(\.subject)))
  }

  /// The rows of all subjects as text in a format for programs, in stretches; false if a number is out of range, and
  /// what was written is worth nothing.
  func writeText(
    of metrics: [String], days: [DayKey], open: DayKey?, _ format: RowFormat,
    _ write: (ArraySlice<UInt8>) -> Void
  ) throws(CommandFailure) -> Bool {
    try reporting { library, tables, pool throws(EvaluationError) in
      do throws(EvaluationError) {
        try library.evaluateText(
          metrics: metrics, subjects: [], days: days, tables: tables, pool: pool, threads: threads,
          format: format, open: open, progress: showProgress, write: write)
        return true
      } catch {
        guard case .overflow = error else { throw error }
        return false
      }
    }
  }

  private let showProgress: @Sendable (Int, Int) -> Void = { done, all in
    ProgressLine.show("evaluating: \(Counting.grouped(done)) of \(Counting.grouped(all))")
  }

  /// Says on standard error why there are no rows.
  func reporting<Result>(
    _ body: (MetricLibrary, [String: Table], StringPool) throws(EvaluationError) -> Result
  ) throws(CommandFailure) -> Result {
    do throws(EvaluationError) {
      return try body(library, dataset.tables, dataset.pool)
    } catch {
      Remarks.report([error.diagnostic(in: dataset, of: library, pseudonyms: pseudonyms)])
      throw CommandFailure.silent(.unreadable)
    }
  }
}
