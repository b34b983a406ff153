import Synchronization

/// Who reads what of a file: each thread takes its part in bites, and one that has nothing left takes over the second half
/// of the part of which most is left.
///
/// Two halves of a file that were not shared kept one thread waiting for 4 to 12 hundredths of a query over ten million rows:
/// cores are not equally fast.
final class ReadingShare: Sendable {
  /// Where the parts start.
  let starts: [Int]
  private let bite: Int
  private let state: Mutex<State>

  private struct State {
    /// By thread.
    var left: [Range<Int>]
    var mayBeCut: [Bool]
    var hasGiven = false
  }

  /// The records that start in a range of the file.
  struct Bite {
    var start: Int
    var end: Int
    /// Where the next stretch of another thread may start.
    var free: Int
    /// Whether it does not follow the bite before it, and so starts somewhere in a record.
    var isElsewhere: Bool
  }

  /// - Parameter bite: how many bytes are taken at a time.
  init(_ starts: [Int], end: Int, bite: Int) {
    self.starts = starts
    self.bite = bite
    let left = zip(starts, starts.dropFirst() + [end]).map { $0..<$1 }
    state = Mutex(State(left: left, mayBeCut: starts.map { _ in true }))
  }

  /// Whether a thread took over something.
  var hasGiven: Bool { state.withLock(\.hasGiven) }

  /// Changes what is left of a thread's part.
  func leave(_ thread: Int, _ bytes: Range<Int>) { state.withLock { $0.left[thread] = bytes } }

  /// The next bite of a thread; nil if nothing is left.
  ///
  /// - Parameter mayBeCut: whether others may take over some of its part.
  func take(_ thread: Int, mayBeCut: Bool) -> Bite? {
    state.withLock { state in
      state.mayBeCut[thread] = mayBeCut
      let isElsewhere = state.left[thread].isEmpty
      if isElsewhere {
        guard let other = longest(in: state) else { return nil }
        let bytes = state.left[other]
        let middle = nextBite(after: bytes.lowerBound + bytes.count / 2)
        state.left[other] = bytes.lowerBound..<middle
        state.left[thread] = middle..<bytes.upperBound
        state.hasGiven = true
      }
      let bytes = state.left[thread]
      let end = min(nextBite(after: bytes.lowerBound), bytes.upperBound)
      state.left[thread] = end..<bytes.upperBound
      // A third of what is left is a bite or more, where another thread takes over the half.
      let free = min(end + bite, bytes.upperBound)
      return Bite(start: bytes.lowerBound, end: end, free: free, isElsewhere: isElsewhere)
    }
  }

  /// The thread of whose part most is left, and enough to be cut.
  private func longest(in state: borrowing State) -> Int? {
    let threads = state.left.indices.filter { state.mayBeCut[$0] && state.left[$0].count / 3 >= bite }
    return threads.max { state.left[$0].count < state.left[$1].count }
  }

  /// The first multiple of a bite after a place; rooms for rows are counted in them.
  private func nextBite(after place: Int) -> Int { starts[0] + ((place - starts[0]) / bite + 1) * bite }
}
