import Dispatch
import Synchronization

/// Splits work among threads.
package enum Parallel {
  /// The fewest rows that are worth a thread.
  private static let rowsPerThread = 1 << 15

  /// The number of pieces for a number of rows.
  package static func pieces(rows: Int, threads: Int) -> Int { max(1, min(threads, rows / rowsPerThread)) }

  /// Calls `body` with each number below `pieces`, at the same time. What it writes has to be kept apart
  /// by that number.
  ///
  /// The caller takes pieces, too, so that it waits for no thread that is busy elsewhere, and threads that become free
  /// join in. (Inside another one, `concurrentPerform` gets no threads at all.)
  package static func perform(pieces: Int, _ body: (Int) -> Void) {
    guard pieces > 1 else { return (0..<pieces).forEach(body) }
    withoutActuallyEscaping(body) { body in
      withUnsafePointer(to: body) { body in
        let work = SharedWork(pieces: pieces, body)
        for _ in 1..<pieces { DispatchQueue.global(qos: .userInitiated).async { work.help() } }
        work.help()
        work.done.wait()
      }
    }
  }

  /// Calls `body` with stretches of rows, at the same time.
  package static func perform(rows: Int, threads: Int, _ body: (Range<Int>) -> Void) {
    let pieces = pieces(rows: rows, threads: threads)
    perform(pieces: pieces) { body(part($0, of: pieces, rows)) }
  }

  /// A cell for each of some rows, written in stretches at the same time.
  ///
  /// - Parameter write: puts the cells of some rows where the first of them belongs.
  package static func cells(
    rows: Int, threads: Int, _ write: (Range<Int>, UnsafeMutablePointer<Int32>) -> Void
  ) -> [Int32] {
    [Int32](unsafeUninitializedCapacity: rows) { cells, count in
      count = rows
      guard let base = cells.baseAddress else { return }
      perform(rows: rows, threads: threads) { write($0, base + $0.lowerBound) }
    }
  }

  /// What pieces make, in their order.
  package static func map<T>(pieces: Int, _ body: (Int) -> T) -> [T] {
    guard pieces > 1 else { return (0..<pieces).map(body) }
    let made = UnsafeMutablePointer<T>.allocate(capacity: pieces)
    defer { made.deallocate() }
    nonisolated(unsafe) let places = made
    perform(pieces: pieces) { (places + $0).initialize(to: body($0)) }
    defer { made.deinitialize(count: pieces) }
    return Array(UnsafeBufferPointer(start: made, count: pieces))
  }

  /// The part with a number of a range cut into as many.
  package static func part(_ number: Int, of pieces: Int, _ count: Int, from start: Int = 0) -> Range<Int> {
    start + count * number / pieces..<start + count * (number + 1) / pieces
  }
}

/// Pieces of work that several threads take, each the next one.
///
/// `@unchecked Sendable`: `body` is called for a piece that is not done, and until all are done it is there.
private final class SharedWork: @unchecked Sendable {
  let done = DispatchGroup()
  private let pieces: Int
  private let body: UnsafePointer<(Int) -> Void>
  private let next = Atomic(0)

  init(pieces: Int, _ body: UnsafePointer<(Int) -> Void>) {
    self.pieces = pieces
    self.body = body
    for _ in 0..<pieces { done.enter() }
  }

  /// Does pieces until all are taken.
  func help() {
    while true {
      let piece = next.add(1, ordering: .relaxed).oldValue
      guard piece < pieces else { return }
      call(piece)
      done.leave()
    }
  }

  /// Holds the closure no longer than the call.
  @inline(never)
  private func call(_ piece: Int) { body.pointee(piece) }
}
