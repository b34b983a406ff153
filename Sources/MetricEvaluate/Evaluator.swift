/// What to evaluate.
package struct EvaluationRequest: Sendable {
  package var metrics: [MetricID]
  /// Only these subjects, by any of their names (REC-14); empty for all.
  package var subjects: [String]
  /// Reference days, rising.
  package var days: [DayKey]
  package var threads: Int

  package init(metrics: [MetricID], subjects: [String] = [], days: [DayKey], threads: Int = 1) {
    self.metrics = metrics
    self.subjects = subjects
    self.days = days
    self.threads = max(1, threads)
  }
}

/// Computes the result table of some metrics over a dataset.
///
/// - Parameters:
///   - tables: by record name; a record without a table is empty.
///   - progress: receives how many subjects of how many are done, on any thread.
/// - Returns: rows sorted by metric name, subject, group, part (in its own order), day.
package func evaluate(
  _ request: EvaluationRequest, library: Library, tables: [String: Table], pool: StringPool,
  progress: (@Sendable (_ done: Int, _ of: Int) -> Void)? = nil
) throws(EvaluationError) -> [ResultRow] {
  let dataset = Dataset(library: library, tables: tables, pool: pool, threads: request.threads)
  return try evaluate(request, library: library, dataset, progress: progress)
}

/// The same over a dataset that answers several requests.
func evaluate(
  _ request: EvaluationRequest, library: Library, _ dataset: Dataset,
  progress: (@Sendable (_ done: Int, _ of: Int) -> Void)? = nil
) throws(EvaluationError) -> [ResultRow] {
  let jobs = try rowJobs(request, library, dataset)
  var rows: [ResultRow] = []
  try runInPieces(
    jobs, threads: request.threads, progress: progress,
    make: { job, range, worker throws(EvaluationError) in try job.rows(range, worker) },
    take: { rows += $0 })
  return rows
}

/// The same table as text, delivered in chunks in the order of the rows. After an error, the chunks delivered so far are
/// invalid.
///
/// - Parameters:
///   - open: the day whose week or month is not over; each row then says whether it is that day's.
///   - write: receives a non-empty chunk; on any thread, one at a time.
package func evaluateText(
  _ request: EvaluationRequest, library: Library, tables: [String: Table], pool: StringPool,
  format: RowFormat, open: DayKey? = nil, progress: (@Sendable (_ done: Int, _ of: Int) -> Void)? = nil,
  write: (ArraySlice<UInt8>) -> Void
) throws(EvaluationError) {
  let dataset = Dataset(library: library, tables: tables, pool: pool, threads: request.threads)
  let jobs = try rowJobs(request, library, dataset, isText: true)
  write(ArraySlice(format.head(hasOpen: open != nil).utf8))
  var isEmpty = true
  try runInPieces(
    jobs, threads: request.threads, progress: progress,
    make: { job, range, worker throws(EvaluationError) in try job.text(range, worker, format, open) },
    take: { text in
      guard !text.isEmpty else { return }
      write(format == .json && isEmpty ? text.dropFirst() : text[...])
      isEmpty = false
    })
  write(ArraySlice(format.tail(isEmpty: isEmpty).utf8))
}

/// The jobs of the metrics in the order of their names, ready to be run.
private func rowJobs(
  _ request: EvaluationRequest, _ library: Library, _ dataset: Dataset, isText: Bool = false
) throws(EvaluationError) -> [RowJob] {
  guard !request.days.isEmpty else { return [] }
  let library = library.withTeamReadings(of: request.metrics)
  try dataset.merge()
  let engine = Engine(
    library: library, dataset: dataset,
    needs: DataNeeds(library: library, metrics: request.metrics), days: request.days)
  let metrics = Set(request.metrics).sorted {
    Array(library.metrics[$0].name.utf8).lexicographicallyPrecedes(Array(library.metrics[$1].name.utf8))
  }
  for metric in metrics { try engine.compile(metric) }
  return metrics.map {
    RowJob($0, days: request.days, named: request.subjects, isText: isText, engine: engine)
  }
}
