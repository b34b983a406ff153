import Dispatch

/// Splits work among threads.
package enum Parallel {
  /// The fewest rows that are worth a thread.
  private static let rowsPerThread = 1 << 15

  /// The number of pieces for a number of rows.
  static func pieces(rows: Int, threads: Int) -> Int { max(1, min(threads, rows / rowsPerThread)) }

  /// Calls `body` with each number below `pieces`, at the same time. What it writes has to be kept apart
  /// by that number.
  static func perform(pieces: Int, _ body: (Int) -> Void) {
    guard pieces > 1 else { return body(0) }
    withoutActuallyEscaping(body) { body in
      nonisolated(unsafe) let body = body
      DispatchQueue.concurrentPerform(iterations: pieces) { body($0) }
    }
  }

  /// Calls `body` with stretches of rows, at the same time.
  static func perform(rows: Int, threads: Int, _ body: (Range<Int>) -> Void) {
    let pieces = pieces(rows: rows, threads: threads)
    perform(pieces: pieces) { body(part($0, of: pieces, rows)) }
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
  static func part(_ number: Int, of pieces: Int, _ count: Int, from start: Int = 0) -> Range<Int> {
    start + count * number / pieces..<start + count * (number + 1) / pieces
  }
}
