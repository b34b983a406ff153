/// A number that is read from the windows of a completion: a streak or a momentum.
package struct WindowMetric: Hashable, Sendable {
  package var completion: MetricID
  package var reading: WindowReading

  package init(completion: MetricID, reading: WindowReading) {
    self.completion = completion
    self.reading = reading
  }
}

/// What a window is (WIN-02 to WIN-06). A rest window does not exist for a number.
package enum WindowState: Int64, Sendable {
  case incomplete = 0
  case complete = 1
  case rest = 2
}

/// What is read from windows.
///
/// `range` is the definition, for one reference day. The evaluator computes the same for columns of days by recurrences,
/// and SQL by joins of runs. With incomplete < rest < complete no recurrence falls when a state rises, which is the
/// checker's argument for all readings but `previous`.
package enum WindowReading: Hashable, Sendable {
  /// How many in a row are complete, up to window 0 (STR-01, STR-02).
  case current
  /// The largest that was read from the windows 0 to N (STR-03).
  case grace(windows: Int)
  /// The greatest on any day so far (STR-04).
  case best
  /// The last run that ended (STR-05).
  case previous
  /// How many of the last N are complete (MOM-01).
  case last(windows: Int)
  /// A strength, of which half is left after this number of windows (MOM-02).
  case halfLife(windows: Int)

  package var kind: MetricKind {
    switch self {
    case .current, .grace, .best, .previous: .streak
    case .last, .halfLife: .momentum
    }
  }

  package var type: ValueType { if case .halfLife = self { .decimal } else { .int } }

  /// The greatest value that it can have; nil where days alone bound it.
  package var greatest: Int? {
    switch self {
    case .current, .grace, .best, .previous: nil
    case .last(let windows): windows
    case .halfLife: 1
    }
  }

  /// Whether it stands as it is on the day, and falls while nothing is done.
  package var isRunning: Bool {
    switch self {
    case .current, .grace, .last, .halfLife: true
    case .best, .previous: false
    }
  }

  /// Of a `half life` what the complete windows are worth, the newest first.
  package var weights: [Int64]? {
    if case .halfLife(let windows) = self { HalfLife.weights(windows: windows) } else { nil }
  }

  /// Which of some windows the value is read from, from window 0 back: its complete ones count. `best` is read on the day
  /// on which it was reached.
  package func range(in states: [WindowState]) -> Range<Int> {
    switch self {
    case .current, .best: return run(from: 0, states)
    case .grace(let windows):
      let runs = (0...min(windows, states.count)).map { run(from: $0, states) }
      func length(_ run: Range<Int>) -> Int { states[run].count { $0 == .complete } }
      return runs.reduce(runs[0]) { length($1) > length($0) ? $1 : $0 }
    case .previous:
      let earlier = states[run(from: 0, states).upperBound...]
      return run(from: earlier.firstIndex(of: .complete) ?? states.count, states)
    case .last(let windows): return first(windows, states)
    case .halfLife(let windows): return first(HalfLife.weights(windows: windows).count, states)
    }
  }

  /// Windows without an incomplete one.
  private func run(from start: Int, _ states: [WindowState]) -> Range<Int> {
    start..<(states[start...].firstIndex(of: .incomplete) ?? states.count)
  }

  /// As many as hold so many that do not rest.
  private func first(_ count: Int, _ states: [WindowState]) -> Range<Int> {
    var (length, left) = (0, count)
    while length < states.count, left > 0 {
      if states[length] != .rest { left -= 1 }
      length += 1
    }
    return 0..<length
  }
}
