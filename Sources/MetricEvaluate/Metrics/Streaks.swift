import MetricPlan

/// Streaks as a recurrence over windows.
enum Streaks {
  static func program(_ reading: WindowReading, _ completion: CompiledCompletion) -> Program {
    let grace = if case .grace(let windows) = reading { windows } else { 0 }
    let (isBest, isPrevious) = (reading == .best, reading == .previous)
    return { place, out, worker in
      if grace == 0, let days = completion.wholeDays(of: place.subject) {
        for lane in 0..<place.count {
          let day = place.days[lane]
          var run = isBest ? days.longestRun(through: day) : days.run(endingAt: day)
          if isPrevious {
            run = days.lastDay(from: days.first, through: day - Int32(run)).map(days.run(endingAt:)) ?? 0
          }
          out[lane] = Cell(run)
        }
        return
      }
      out.update(repeating: 0, count: place.count)
      // On a single day most streaks end soon: a few windows are read first, then more.
      var most = place.count > 1 || isBest || isPrevious ? Int.max : 8 + grace
      var isDone = false
      while !isDone {
        isDone = true
        WindowHistory.with(
          completion, subject: place.subject, asked: place.days, eachDay: isBest, most: most, worker
        ) { windows in
          isDone = !windows.isCut || hasEnd(windows, back: grace)
          if isDone { fill(out, place, reading, windows, worker) }
        }
        most *= isDone ? 1 : 16
      }
    }
  }

  /// Whether all streaks that the last windows show end within them.
  private static func hasEnd(_ windows: WindowHistory, back grace: Int) -> Bool {
    windows.count > grace
      && (0..<windows.count - grace).contains { windows.states[$0] == WindowCell.incomplete }
  }

  private static func fill(
    _ out: UnsafeMutablePointer<Cell>, _ place: Place, _ reading: WindowReading, _ windows: WindowHistory,
    _ worker: Worker
  ) {
    worker.withCells(windows.lag + windows.count) { memory in
      // Before the first windows there is no streak.
      memory.update(repeating: 0, count: windows.lag)
      let streaks = memory + windows.lag
      let best = fill(streaks, windows)
      // On one day no second pass is needed.
      if reading == .best, place.count == 1 {
        out[0] = best
        return
      }
      if reading == .best { keepGreatest(streaks, windows.count) }
      if reading == .previous { keepEnded(streaks, windows) }
      for lane in 0..<place.count {
        let index = windows.index(of: place.days[lane])
        guard index >= 0 else { continue }
        if case .grace(let count) = reading {
          out[lane] = greatest(from: index, back: count, streaks, windows)
        } else {
          out[lane] = streaks[index]
        }
      }
    }
  }

  /// STR-01, STR-02: a complete window adds 1 to the streak before it, a rest window keeps it, any other ends it.
  ///
  /// Selections take less time than branches, which a processor cannot predict here.
  ///
  /// - Returns: the greatest streak.
  private static func fill(_ streaks: UnsafeMutablePointer<Cell>, _ windows: WindowHistory) -> Cell {
    var greatest: Cell = 0
    for index in 0..<windows.count {
      let (state, before) = (windows.states[index], streaks[windows.previous(index)])
      let longer = state == WindowCell.complete ? min(before, outOfRange - 1) &+ 1 : before
      let streak = state == WindowCell.incomplete ? 0 : longer
      let cell = state == outOfRange ? outOfRange : streak
      streaks[index] = cell
      greatest = max(greatest, cell)
    }
    return greatest
  }

  /// STR-04: `best` is the greatest streak of any day so far.
  private static func keepGreatest(_ streaks: UnsafeMutablePointer<Cell>, _ count: Int) {
    var greatest: Cell = 0
    for index in 0..<count {
      greatest = max(greatest, streaks[index])
      streaks[index] = greatest
    }
  }

  /// STR-05: `previous` is what the streak was before the window that ended it last.
  private static func keepEnded(_ streaks: UnsafeMutablePointer<Cell>, _ windows: WindowHistory) {
    // Each chain of windows keeps its own ended and running streak.
    var ended = [Cell](repeating: 0, count: windows.count)
    for index in 0..<windows.count {
      let previous = windows.previous(index)
      let running = previous >= 0 ? streaks[previous] : 0
      let isEnd = windows.states[index] == WindowCell.incomplete && running != 0
      ended[index] = isEnd ? running : previous >= 0 ? ended[previous] : 0
      if streaks[index] == outOfRange { ended[index] = outOfRange }
    }
    for index in 0..<windows.count { streaks[index] = ended[index] }
  }

  /// STR-03: `grace N` is the greatest streak read from windows 0…N.
  private static func greatest(
    from index: Int, back count: Int, _ streaks: UnsafePointer<Cell>, _ windows: WindowHistory
  ) -> Cell {
    var (index, greatest, left) = (index, streaks[index], count)
    while left > 0 {
      index = windows.previous(index)
      guard index >= 0 else { break }
      greatest = max(greatest, streaks[index])
      left -= 1
    }
    return greatest
  }
}
