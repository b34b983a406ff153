/// Momentum over windows that exist: rest windows are skipped (MOM-01).
enum Momentums {
  /// MOM-01; of days with a fact that a fold keeps as bits, a count of these.
  static func counts(last count: Int, _ completion: CompiledCompletion) -> Program {
    let ofWindows = program(count, completion) { fillCounts($0, last: count, $1, $2, $3) }
    return { place, out, worker in
      guard let days = completion.wholeDays(of: place.subject) else { return ofWindows(place, out, worker) }
      days.counts(.lastDays(count), place.days, out)
    }
  }

  /// MOM-02
  static func strength(halfLife windows: Int, _ completion: CompiledCompletion) -> Program {
    let weights = HalfLife.weights(windows: windows)
    return program(weights.count, completion) { fillStrengths($0, weights, $1, $2, $3) }
  }

  private static func program(
    _ counted: Int, _ completion: CompiledCompletion,
    _ fill: @escaping (UnsafeMutablePointer<Cell>, WindowHistory, Place, Worker) -> Void
  ) -> Program {
    // Rest windows are replaced by older ones.
    let most = completion.rest == nil ? counted : .max
    return { place, out, worker in
      out.update(repeating: 0, count: place.count)
      WindowHistory.with(completion, subject: place.subject, asked: place.days, most: most, worker) {
        windows in
        fill(out, windows, place, worker)
      }
    }
  }

  /// MOM-01: how many of the last N windows that exist are complete, as a difference of running counts.
  private static func fillCounts(
    _ out: UnsafeMutablePointer<Cell>, last count: Int, _ windows: WindowHistory, _ place: Place,
    _ worker: Worker
  ) {
    let chains = windows.chainCount
    worker.with(Running.self, windows.count) { running in
      // By chain, the counts up to its n-th window that exists.
      worker.with(Running.self, windows.count + 2 * chains) { byNumber in
        byNumber.update(repeating: Running(), count: chains)
        for index in 0..<windows.count {
          let previous = windows.previous(index)
          running[index] = previous >= 0 ? running[previous] : Running()
          running[index].add(windows.states[index])
          guard windows.isInChain(index) else { continue }
          byNumber[Int(running[index].existing) * chains + windows.chain(index)] = running[index]
        }
        for lane in 0..<place.count {
          let index = windows.index(of: place.days[lane])
          guard index >= 0 else { continue }
          let number = max(0, Int(running[index].existing) - count)
          out[lane] = running[index].complete(since: byNumber[number * chains + windows.chain(index)])
        }
      }
    }
  }

  /// A window of a chain: how many exist up to it, and the nearest complete one that is not newer, or -1. One whose
  /// state is out of range counts as complete.
  private struct Mark {
    var existing: Int32 = 0
    var complete: Int32 = -1
  }

  /// MOM-02: the sum of the weights of the complete windows, the newest first. Rounded weights have no recurrence, so
  /// that each asked day looks back as far as weights go; it visits the complete windows alone, however many years of
  /// rest or of nothing are between them.
  private static func fillStrengths(
    _ out: UnsafeMutablePointer<Cell>, _ weights: [Cell], _ windows: WindowHistory, _ place: Place,
    _ worker: Worker
  ) {
    worker.with(Mark.self, windows.count) { marks in
      for index in 0..<windows.count {
        let (state, previous) = (windows.states[index], windows.previous(index))
        marks[index] = previous >= 0 ? marks[previous] : Mark()
        if state != WindowCell.rest { marks[index].existing += 1 }
        if state == WindowCell.complete || state == outOfRange { marks[index].complete = Int32(index) }
      }
      for lane in 0..<place.count {
        let index = windows.index(of: place.days[lane])
        guard index >= 0 else { continue }
        let newest = marks[index].existing
        var (sum, next) = (Cell(0), Int(marks[index].complete))
        while next >= 0, sum != outOfRange {
          let age = Int(newest - marks[next].existing)
          guard age < weights.count else { break }
          sum = windows.states[next] == outOfRange ? outOfRange : sum + weights[age]
          let previous = windows.previous(next)
          next = previous >= 0 ? Int(marks[previous].complete) : -1
        }
        out[lane] = sum == outOfRange ? outOfRange : HalfLife.millionths(sum)
      }
    }
  }
}
