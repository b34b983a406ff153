import MetricPlan

/// What is asked of the windows of one completion for one subject (LANGUAGE, section 3).
extension Timeline {
  // MARK: Streaks

  /// The streak at a day.
  func streak(at day: Int32, _ worker: Worker) -> Int32 {
    guard day >= firstFactDay else { return 0 }
    if isOpenQuestion(), let run = walkedRun(endingAt: day, worker) { return run }
    if case .rolling = completion.window { return run(endingAt: day, worker) }
    switch completion.state(subject, endingAt: day, worker) {
    case .complete: return 1 + run(endingAt: previousEnd(day), worker)
    case .rest: return run(endingAt: previousEnd(day), worker)
    case .incomplete: return 0
    }
  }

  /// The streak read from a window of a chain.
  private func run(endingAt end: Int32, _ worker: Worker) -> Int32 {
    guard end >= firstFactDay else { return 0 }
    let (chain, number) = chain(holding: end, worker)
    return Int32(chain.run(at: number))
  }

  /// The streak at a day without its chain: as many windows are looked at as it has, and one more. Nil where
  /// these are too many.
  private func walkedRun(endingAt day: Int32, _ worker: Worker) -> Int32? {
    var run: Int32 = 0
    var end = day
    for _ in 0..<Timeline.longestWalk {
      guard end >= firstFactDay else { return run }
      switch completion.state(subject, endingAt: end, worker) {
      case .complete: run += 1
      case .rest: break
      case .incomplete: return run
      }
      end = previousEnd(end)
    }
    return nil
  }

  /// The largest streak read from windows 0…N.
  func streak(at day: Int32, grace windows: Int, _ worker: Worker) -> Int32 {
    let now = streak(at: day, worker)
    let newest = previousEnd(day)
    guard newest >= firstFactDay, windows > 0 else { return now }
    let (chain, number) = chain(holding: newest, worker)
    return max(now, Int32(chain.peak(from: number - windows + 1, through: number)))
  }

  // MARK: Momentum

  /// How many of the last so many windows that exist are complete.
  func momentum(at day: Int32, last windows: Int, _ worker: Worker) -> Cell {
    guard day >= firstFactDay else { return 0 }
    if windows <= Timeline.longestWalk, isOpenQuestion() {
      var (seen, complete) = (0, 0)
      let isWhole = walk(at: day, worker) { isComplete in
        seen += 1
        if isComplete { complete += 1 }
        return seen < windows
      }
      if isWhole { return Cell(complete) }
    }
    let (end, open) = openWindow(at: day, worker)
    var complete = open == .complete ? 1 : 0
    let left = windows - (open == nil || open == .rest ? 0 : 1)
    if left > 0, end >= firstFactDay {
      let (chain, number) = chain(holding: end, worker)
      complete += chain.completes(amongLast: left, through: number)
    }
    return Cell(complete)
  }

  /// The sum of the weights of the windows that are complete, in billionths.
  func strength(at day: Int32, _ weights: Weights, _ worker: Worker) -> Int64 {
    guard day >= firstFactDay else { return 0 }
    if weights.count <= Timeline.longestWalk, isOpenQuestion() {
      var (age, sum) = (0, Int64(0))
      let isWhole = walk(at: day, worker) { isComplete in
        if isComplete { sum += weights.sum(age..<age + 1) }
        age += 1
        return age < weights.count
      }
      if isWhole { return sum }
    }
    let (end, open) = openWindow(at: day, worker)
    let sum = open == .complete ? weights.sum(0..<1) : 0
    guard end >= firstFactDay else { return sum }
    let (chain, number) = chain(holding: end, worker)
    return sum + chain.strength(through: number, weights, shift: open == nil || open == .rest ? 0 : 1)
  }

  /// The last window that belongs to a chain, and the state of the calendar unit that is not over yet.
  private func openWindow(
    at day: Int32, _ worker: Worker
  ) -> (end: Int32, open: CompiledCompletion.State?) {
    if case .rolling = completion.window { return (day, nil) }
    return (previousEnd(day), completion.state(subject, endingAt: day, worker))
  }

  /// Visits the windows that exist, one by one, from window 0 back to the first fact, until `body` says stop.
  ///
  /// - Returns: false where these are too many.
  private func walk(at day: Int32, _ worker: Worker, _ body: (_ isComplete: Bool) -> Bool) -> Bool {
    var end = day
    for _ in 0..<Timeline.longestWalk {
      guard end >= firstFactDay else { return true }
      let state = completion.state(subject, endingAt: end, worker)
      if state != .rest, !body(state == .complete) { return true }
      end = previousEnd(end)
    }
    return false
  }

  // MARK: The greatest of all chains

  /// What never falls from day to day, so that only the windows that end since the last question are looked at.
  enum Greatest: Hashable {
    case streak, count

    fileprivate func value(_ chain: Chain, through number: Int) -> Int {
      switch self {
      case .streak: chain.best(through: number)
      case .count: chain.completes(through: number)
      }
    }
  }

  private func greatest(_ question: Greatest, _ length: Int, through day: Int32, _ worker: Worker) -> Int {
    guard day >= firstFactDay else { return 0 }
    let phases = phases(length, worker)
    var known = greatest[question] ?? (day: .max, value: 0)
    if known.day <= day, Int(day) - Int(known.day) < phases.count {
      while known.day < day {
        known.day += 1
        let (chain, number) = chain(holding: known.day, worker)
        known.value = max(known.value, question.value(chain, through: number))
      }
    } else {
      known = (day, 0)
      for phase in phases {
        let number = Ruler.rolling(length: length, phase: phase).last(through: day)
        known.value = max(known.value, question.value(chain(phase, length, worker), through: number))
      }
    }
    greatest[question] = known
    return known.value
  }

  /// The greatest streak at any day up to `day`.
  func best(through day: Int32, _ worker: Worker) -> Int32 {
    if case .rolling(let length) = completion.window {
      return Int32(greatest(.streak, length, through: day, worker))
    }
    let days = days(worker)
    guard let (index, count) = days.place(of: days.ruler.last(through: day)) else { return 0 }
    let bests = openBests ?? openBests(of: days, worker)
    openBests = bests
    let before = index == 0 ? 0 : bests[index - 1]
    return max(before, openBest(days.segments[index], count, worker))
  }

  /// By segment of days, the greatest streak at any day up to its end.
  private func openBests(of days: Chain, _ worker: Worker) -> [Int32] {
    var best: Int32 = 0
    return days.segments.map { segment in
      best = max(best, openBest(segment, segment.count, worker))
      return best
    }
  }

  /// The greatest streak at any of the first days of a segment.
  private func openBest(_ segment: Segment, _ count: Int, _ worker: Worker) -> Int32 {
    guard segment.complete != 0 else { return 0 }
    let first = Int(segment.first)
    // Each unit that lies in days that are all complete is complete, so the last of them has the greatest streak.
    if segment.isUniform { return 1 + run(endingAt: previousEnd(Int32(first + count - 1)), worker) }
    var (best, unit) = (Int32(0), Int32.min)
    for index in 0..<count where segment.isComplete(index) {
      let before = previousEnd(Int32(first + index))
      if before != unit { best = max(best, 1 + run(endingAt: before, worker)) }
      unit = before
    }
    return best
  }

  // MARK: Completions as numbers

  /// The first end of a window that starts on `start` or later.
  private func firstEnd(startingFrom start: Int32) -> Int32 {
    guard start > .min else { return start }
    if case .rolling(let length) = completion.window { return start + Int32(length) - 1 }
    return completion.window.start(endingAt: start) == start ? start : completion.window.unitEnd(start) + 1
  }

  func firstDay(from start: Int32, through day: Int32, _ worker: Worker) -> Int32? {
    days(worker).firstComplete(from: firstEnd(startingFrom: start), through: day)
  }

  func lastDay(from start: Int32, through day: Int32, _ worker: Worker) -> Int32? {
    days(worker).lastComplete(from: firstEnd(startingFrom: start), through: day)
  }

  /// The number of complete windows that end by `day`; for rolling windows the greatest over the
  /// ways to tile them, for calendar windows the units that have ended.
  func completeCount(from start: Int32, through day: Int32, _ worker: Worker) -> Int {
    let first = firstEnd(startingFrom: start)
    guard first <= day else { return 0 }
    guard case .rolling(let length) = completion.window else {
      return count(wholeUnits(worker), from: first, through: day)
    }
    if first <= firstFactDay { return greatest(.count, length, through: day, worker) }
    if Int(day) - Int(first) < length { return firstDay(from: start, through: day, worker) == nil ? 0 : 1 }
    // Between these phases the windows that end in the period do not differ.
    var candidates = phases(length, worker)
    if candidates.count < length {
      for edge in [first, day + 1] {
        let phase = Ruler.phase(of: edge, length)
        candidates += phase..<min(length, phase + 7)
      }
    }
    return candidates.reduce(0) { most, phase in
      let ruler = Ruler.rolling(length: length, phase: phase)
      let chain = chain(phase, length, worker)
      let before = ruler.first(from: first) - 1
      return max(most, chain.completes(through: ruler.last(through: day)) - chain.completes(through: before))
    }
  }

  private func count(_ chain: Chain, from first: Int32, through day: Int32) -> Int {
    let before = first == .min ? 0 : chain.completes(through: chain.ruler.first(from: first) - 1)
    return chain.completes(through: chain.ruler.last(through: day)) - before
  }
}
