import Dispatch

/// Runs jobs in pieces on several threads. Pieces are delivered in order as soon as all before them are done, so rows
/// and errors do not depend on the number of threads.
final class PieceQueue<Piece>: @unchecked Sendable {
  /// Guards all that is below it.
  private let lock = DispatchSemaphore(value: 1)
  private var next = 0
  private var given = 0
  private var pieces: [Int: Result<Piece, EvaluationError>] = [:]
  private var failure: EvaluationError?
  private var doneSubjects = 0

  private let work: [(job: RowJob, range: Range<Int>)]
  private let allSubjects: Int
  private let progress: (@Sendable (Int, Int) -> Void)?

  private static var pieceSize: Int { 512 }

  /// - Parameters:
  ///   - make: makes a piece of some of a job's subjects.
  ///   - take: takes the pieces in their order; on any thread, one at a time.
  static func run(
    _ jobs: [RowJob], threads: Int, progress: (@Sendable (Int, Int) -> Void)?,
    make: (RowJob, Range<Int>, Worker) throws(EvaluationError) -> Piece, take: (Piece) -> Void
  ) throws(EvaluationError) {
    let queue = PieceQueue(jobs, progress)
    // They are used during the call only.
    try withoutActuallyEscaping(make) { make throws(EvaluationError) in
      try withoutActuallyEscaping(take) { take throws(EvaluationError) in
        nonisolated(unsafe) let (make, take) = (make, take)
        DispatchQueue.concurrentPerform(iterations: min(threads, max(1, queue.work.count))) { _ in
          queue.work(make, take)
        }
        if let failure = queue.failure { throw failure }
      }
    }
  }

  private init(_ jobs: [RowJob], _ progress: (@Sendable (Int, Int) -> Void)?) {
    self.progress = progress
    allSubjects = jobs.reduce(0) { $0 + $1.subjects.count }
    work = jobs.flatMap { job in
      stride(from: 0, to: job.subjects.count, by: PieceQueue.pieceSize).map { start in
        (job, start..<min(start + PieceQueue.pieceSize, job.subjects.count))
      }
    }
  }

  /// What one thread does.
  private func work(
    _ make: (RowJob, Range<Int>, Worker) throws(EvaluationError) -> Piece, _ take: (Piece) -> Void
  ) {
    guard let first = work.first else { return }
    let worker = Worker(engine: first.job.engine)
    while let index = nextIndex() {
      let (job, range) = work[index]
      do throws(EvaluationError) {
        finish(index, .success(try make(job, range, worker)), subjects: range.count, take)
      } catch {
        finish(index, .failure(error), subjects: range.count, take)
      }
    }
  }

  /// The next piece to make; nil if none is left or an earlier one failed.
  private func nextIndex() -> Int? {
    lock.wait()
    defer { lock.signal() }
    guard next < work.count, failure == nil else { return nil }
    next += 1
    return next - 1
  }

  private func finish(
    _ index: Int, _ result: Result<Piece, EvaluationError>, subjects: Int, _ take: (Piece) -> Void
  ) {
    lock.wait()
    pieces[index] = result
    doneSubjects += subjects
    let done = doneSubjects
    while failure == nil, let piece = pieces.removeValue(forKey: given) {
      given += 1
      switch piece {
      case .success(let piece): take(piece)
      case .failure(let error): failure = error
      }
    }
    lock.signal()
    progress?(done, allSubjects)
  }
}
