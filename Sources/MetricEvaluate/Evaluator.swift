import Dispatch
import MetricData
import MetricPlan

/// What to evaluate.
package struct EvaluationRequest: Sendable {
  package var metrics: [MetricID]
  /// Only these subjects; empty for all.
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
///   - progress: told how many subjects of how many are done, from any thread.
/// - Returns: rows sorted by metric name, subject, group, part (in its own order), day.
package func evaluate(
  _ request: EvaluationRequest, library: Library, tables: [String: Table], pool: StringPool,
  progress: (@Sendable (_ done: Int, _ of: Int) -> Void)? = nil
) throws(EvaluationError) -> [ResultRow] {
  guard !request.days.isEmpty else { return [] }
  let engine = Engine(
    library: library, dataset: Dataset(library: library, tables: tables, pool: pool),
    needs: DataNeeds(library: library, metrics: request.metrics), days: request.days,
    threads: request.threads)
  let metrics = Set(request.metrics).sorted {
    Array(library.metrics[$0].name.utf8).lexicographicallyPrecedes(Array(library.metrics[$1].name.utf8))
  }
  for metric in metrics { try engine.compile(engine.variant(metric)) }
  let jobs = metrics.map { RowJob($0, request: request, engine: engine) }
  return try run(jobs, threads: request.threads, progress: progress)
}

/// Runs the jobs in pieces on some threads; the pieces come together in their order, so that rows
/// and errors do not depend on the number of threads.
private func run(
  _ jobs: [RowJob], threads: Int, progress: (@Sendable (Int, Int) -> Void)?
) throws(EvaluationError) -> [ResultRow] {
  let pieceSize = 512
  var pieces: [(job: RowJob, range: Range<Int>)] = []
  for job in jobs {
    for start in stride(from: 0, to: job.subjects.count, by: pieceSize) {
      pieces.append((job, start..<min(start + pieceSize, job.subjects.count)))
    }
  }
  let results = PieceResults(count: pieces.count, subjects: jobs.reduce(0) { $0 + $1.subjects.count })
  let work = pieces
  DispatchQueue.concurrentPerform(iterations: min(threads, max(1, work.count))) { _ in
    guard let first = work.first else { return }
    let worker = Worker(engine: first.job.engine)
    while let index = results.next() {
      let (job, range) = work[index]
      do throws(EvaluationError) {
        results.finish(index, .success(try job.rows(range, worker)), subjects: range.count, progress)
      } catch {
        worker.overflow = false
        results.finish(index, .failure(error), subjects: range.count, progress)
      }
    }
  }
  var rows: [ResultRow] = []
  for piece in results.pieces {
    guard let piece else { continue }
    rows += try piece.get()
  }
  return rows
}

/// What the threads have done so far; all access is behind the lock.
private final class PieceResults: @unchecked Sendable {
  private let lock = DispatchSemaphore(value: 1)
  private var nextIndex = 0
  private var doneSubjects = 0
  private let allSubjects: Int
  private(set) var pieces: [Result<[ResultRow], EvaluationError>?]

  init(count: Int, subjects: Int) {
    pieces = Array(repeating: nil, count: count)
    allSubjects = subjects
  }

  /// The next piece that nobody has taken.
  func next() -> Int? {
    lock.wait()
    defer { lock.signal() }
    guard nextIndex < pieces.count else { return nil }
    nextIndex += 1
    return nextIndex - 1
  }

  func finish(
    _ index: Int, _ result: Result<[ResultRow], EvaluationError>, subjects: Int,
    _ progress: (@Sendable (Int, Int) -> Void)?
  ) {
    lock.wait()
    pieces[index] = result
    doneSubjects += subjects
    let done = doneSubjects
    lock.signal()
    progress?(done, allSubjects)
  }
}
