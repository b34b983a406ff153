/// Streaks as a recurrence over windows.
enum Streaks {
  static func program(_ reading: WindowReading, _ completion: CompiledCompletion) -> Program {
    let grace = if case .grace(let windows) = reading { windows } else { 0 }
    let (forgiveness, isBest, isPrevious) = (reading.forgiveness, reading.isBest, reading == .previous)
    return { place, out, worker in
      if grace == 0, forgiveness == nil || !isBest && place.count == 1,
        let days = completion.wholeDays(of: place.subject)
      {
        for lane in 0..<place.count {
          let day = place.days[lane]
          var run = isBest ? days.longestRun(through: day) : days.run(endingAt: day)
          if isPrevious {
            run = days.lastDay(from: days.first, through: day - Int32(run)).map(days.run(endingAt:)) ?? 0
          }
          if let forgiveness { run = days.stretch(forgiveness, endingAt: day) }
          out[lane] = Cell(run)
        }
        return
      }
      if isBest, forgiveness == nil, place.count == 1,
        let longest = completion.longestStreak(of: place.subject, through: place.days.first, worker)
      {
        out[0] = Cell(longest)
        return
      }
      out.update(repeating: 0, count: place.count)
      // On a single day most streaks end soon: a few windows are read first, then more.
      let first = 8 + grace + 2 * (forgiveness?.windows ?? 0)
      var most = place.count > 1 || isBest || isPrevious ? Int.max : first
      while true {
        var isEnough = true
        WindowHistory.with(
          completion, subject: place.subject, asked: place.days, eachDay: isBest, most: most, worker
        ) { windows in
          isEnough =
            (!windows.isCut || forgiveness != nil || hasEnd(windows, back: grace))
            && fill(out, place, reading, windows, worker)
        }
        if isEnough { return }
        most *= 16
      }
    }
  }

  /// Whether all streaks that the last windows show end within them.
  private static func hasEnd(_ windows: WindowHistory, back grace: Int) -> Bool {
    windows.count > grace
      && (0..<windows.count - grace).contains { windows.states[$0] == WindowCell.incomplete }
  }

  /// - Returns: whether the windows were enough.
  private static func fill(
    _ out: UnsafeMutablePointer<Cell>, _ place: Place, _ reading: WindowReading, _ windows: WindowHistory,
    _ worker: Worker
  ) -> Bool {
    var isEnough = true
    worker.withCells(windows.lag + windows.count) { memory in
      // Before the first windows there is no streak.
      memory.update(repeating: 0, count: windows.lag)
      let streaks = memory + windows.lag
      let best: Cell
      if let forgiveness = reading.forgiveness {
        let filled = fill(streaks, forgiving: forgiveness, windows, worker)
        (best, isEnough) = (filled.greatest, !windows.isCut || filled.hasStart)
      } else {
        best = fill(streaks, windows)
      }
      // On one day no second pass is needed.
      if reading.isBest, place.count == 1 {
        out[0] = best
        return
      }
      // STR-04: `best` is the greatest streak of any day so far.
      for index in 0..<(reading.isBest ? windows.count : 0) {
        streaks[index] = max(streaks[index], streaks[index - 1])
      }
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
    return isEnough
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

  /// STR-06: a stretch starts after the last incomplete window that, with more after it than are forgiven, lies in too
  /// short a row. That window never moves back, so one pass is enough.
  ///
  /// - Returns: the greatest streak, and whether the stretch of the last window has a start.
  private static func fill(
    _ streaks: UnsafeMutablePointer<Cell>, forgiving forgiveness: Forgiveness, _ windows: WindowHistory,
    _ worker: Worker
  ) -> (greatest: Cell, hasStart: Bool) {
    let chains = windows.chainCount
    var (greatest, hasStart): (Cell, Bool) = (0, false)
    worker.with(Running.self, windows.count) { running in
      worker.with(Running.self, windows.count + 2 * chains) { byNumber in
        byNumber.update(repeating: Running(), count: chains)
        for index in 0..<windows.count {
          let (chain, previous) = (windows.chain(index), windows.previous(index))
          var now = previous >= 0 ? running[previous] : Running()
          now.add(windows.states[index])
          if windows.states[index] == WindowCell.incomplete {
            let number = Int(now.open) - forgiveness.open
            let isTooMany =
              number > 0
              && Int(now.existing - byNumber[number * chains + chain].existing) < forgiveness.windows
            if isTooMany { now.start = Int32(number) }
            if windows.isInChain(index) { byNumber[Int(now.open) * chains + chain] = now }
          }
          running[index] = now
          streaks[index] = now.complete(since: byNumber[Int(now.start) * chains + chain])
          greatest = max(greatest, streaks[index])
          hasStart = now.start > 0
        }
      }
    }
    return (greatest, hasStart)
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
    var (index, greatest) = (index, streaks[index])
    for _ in 0..<count {
      index = windows.previous(index)
      guard index >= 0 else { break }
      greatest = max(greatest, streaks[index])
    }
    return greatest
  }
}

/// What a chain of windows holds up to one of them.
struct Running {
  var existing: Int32 = 0
  /// How many of these are incomplete, and out of range.
  var open: Int32 = 0
  private var beyond: Int32 = 0
  /// Of a streak that forgives, the number among the incomplete windows of the one before the stretch, or 0.
  var start: Int32 = 0

  mutating func add(_ state: Cell) {
    if state != WindowCell.rest { existing += 1 }
    if state == WindowCell.incomplete { open += 1 }
    if state == outOfRange { beyond += 1 }
  }

  /// How many windows after another one are complete.
  func complete(since other: Running) -> Cell {
    beyond > other.beyond ? outOfRange : Cell(existing - open - (other.existing - other.open))
  }
}

extension DayBits {
  /// How many days there are in the longest stretch that ends with `last` and forgives days that are not (STR-06).
  fileprivate func stretch(_ forgiveness: Forgiveness, endingAt last: Int32) -> Int {
    var open: [Int32] = []
    var day = last
    while day >= first {
      day -= Int32(run(endingAt: day))
      open.append(day)
      let isFull = open.count > forgiveness.open
      if isFull, Int(open[open.count - 1 - forgiveness.open] - day) < forgiveness.windows { break }
      day -= 1
    }
    return count(from: day + 1, through: last)
  }
}
