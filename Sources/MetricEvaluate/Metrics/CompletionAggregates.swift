import MetricData
import MetricPlan

/// `first(c)`, `last(c)` and `count(c)` of a completion (OPD-04 to OPD-06).
extension Compiler {
  func compile(_ aggregate: CompletionAggregate) throws(EvaluationError) -> Program {
    let variant = engine.variant(aggregate.completion, isTeam: isTeam)
    let metric = try engine.compile(variant)
    let completion = engine.completion(variant)
    let isCounted = aggregate.root == .row
    let function = aggregate.function
    let nothing: Cell = function == .count ? 0 : noValue
    return { place, out, worker in
      out.update(repeating: nothing, count: place.count)
      let subject = isCounted ? place.counted : place.subject
      // No window is complete for a subject that the completion excludes.
      guard metric.includes(subject) else { return }
      if function == .count, let days = completion.wholeDays(of: subject) {
        var units = PeriodUnits(aggregate.period ?? .allTime)
        for lane in 0..<place.count {
          let day = place.days[lane]
          out[lane] = Cell(days.count(from: units.start(endingAt: day), through: day))
        }
        return
      }
      WindowHistory.with(completion, subject: subject, asked: place.days, eachDay: true, worker) { windows in
        var held = HeldDays(windows, completion.window, aggregate.period)
        switch aggregate.function {
        case .first, .last: held.fillEnds(out, place.days, isFirst: aggregate.function == .first)
        case .count: held.fillCounts(out, place.days)
        }
      }
    }
  }
}

/// The days with a complete window, up to the asked days and inside a period.
private struct HeldDays {
  let windows: WindowHistory
  let window: Window
  private var units: PeriodUnits?

  init(_ windows: WindowHistory, _ window: Window, _ period: Period?) {
    self.windows = windows
    self.window = window
    units = period.map(PeriodUnits.init)
  }

  /// The places of the windows that end up to a day and lie wholly inside the period (OPD-06).
  private mutating func range(_ day: Int32) -> Range<Int> {
    let end = max(0, windows.index(of: day) + 1)
    guard let start = units?.start(endingAt: day), start != .min else { return 0..<end }
    let first: Int32 =
      switch window {
      case .rolling(let length): start + Int32(length) - 1
      case .calendarWeek, .calendarMonth:
        // A unit that began before the period does not count.
        window.start(endingAt: start) == start ? start : window.unitEnd(start) + 1
      }
    return min(end, max(0, Int(first) - Int(windows.days.first)))..<end
  }

  /// OPD-04: both ends of the range rise with the asked days, so each window is visited once.
  mutating func fillEnds(_ out: UnsafeMutablePointer<Cell>, _ asked: DayRange, isFirst: Bool) {
    let states = windows.states
    var (next, last) = (0, -1)
    for lane in 0..<asked.count {
      let range = range(asked[lane])
      if isFirst, last < range.lowerBound {
        next = max(next, range.lowerBound)
        last = -1
      }
      while next < range.upperBound, !isFirst || last < 0 {
        if states[next] == WindowState.complete || states[next] == outOfRange { last = next }
        next += 1
      }
      guard last >= range.lowerBound else { continue }
      out[lane] = states[last] == outOfRange ? outOfRange : Cell(windows.days[last])
    }
  }

  /// OPD-05: rolling windows are tiled in as many ways as they have days, and the best counts; of calendar windows
  /// only whole units count.
  mutating func fillCounts(_ out: UnsafeMutablePointer<Cell>, _ asked: DayRange) {
    let chains = windows.chainCount
    var complete = [Int32](repeating: 0, count: chains)
    var beyond = 0
    var (low, high) = (0, 0)
    func count(_ index: Int, _ change: Int32) {
      let state = windows.states[index]
      if state == WindowState.complete, isWhole(index) { complete[windows.chain(index)] += change }
      if state == outOfRange { beyond += Int(change) }
    }
    for lane in 0..<asked.count {
      let range = range(asked[lane])
      while high < range.upperBound {
        count(high, 1)
        high += 1
      }
      while low < min(range.lowerBound, high) {
        count(low, -1)
        low += 1
      }
      out[lane] = beyond > 0 ? outOfRange : Cell(complete.max() ?? 0)
    }
  }

  private func isWhole(_ index: Int) -> Bool {
    if case .rolling = window { return true }
    return window.unitEnd(windows.days[index]) == windows.days[index]
  }
}
