/// A number that is read from the windows of a completion: a streak or a momentum.
package struct WindowMetric: Hashable, Sendable {
  package var completion: MetricID
  package var reading: WindowReading

  package init(completion: MetricID, reading: WindowReading) {
    self.completion = completion
    self.reading = reading
  }
}

/// `forgive 2 in 30 days`: how many of a number of windows in a row may be incomplete (STR-06).
package struct Forgiveness: Hashable, Sendable {
  /// At least 1, and fewer than the windows.
  package var open: Int
  package var windows: Int

  package init(open: Int, in windows: Int) {
    self.open = open
    self.windows = windows
  }

  /// `2 of 30 windows`
  package var asWritten: String { "\(open) of \(Counting.written(windows, "window"))" }

  /// The momentum at which none is left; above it `left` is what is more.
  package var leastMomentum: Int { windows - open }
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
  /// The complete ones of the longest stretch up to window 0 that forgives what is incomplete (STR-06).
  case forgiving(Forgiveness)
  /// The greatest of these on any day so far.
  case bestForgiving(Forgiveness)
  /// How many of the last N are complete (MOM-01).
  case last(windows: Int)
  /// A strength that is halved after this number of windows (MOM-02).
  case halfLife(windows: Int)

  package var kind: MetricKind {
    switch self {
    case .current, .grace, .best, .previous, .forgiving, .bestForgiving: .streak
    case .last, .halfLife: .momentum
    }
  }

  package var type: ValueType { if case .halfLife = self { .decimal } else { .int } }

  /// The greatest value that it can have; nil if days alone bound it.
  package var greatest: Int? {
    switch self {
    case .current, .grace, .best, .previous, .forgiving, .bestForgiving: nil
    case .last(let windows): windows
    case .halfLife: 1
    }
  }

  /// Whether it is a current state, which falls while nothing is done.
  package var isRunning: Bool { !isBest && self != .previous }

  /// Whether it is the greatest value of all days, so that windows that end on any day matter.
  package var isBest: Bool {
    switch self {
    case .best, .bestForgiving: true
    case .current, .grace, .previous, .forgiving, .last, .halfLife: false
    }
  }

  package var forgiveness: Forgiveness? {
    switch self {
    case .forgiving(let forgiveness), .bestForgiving(let forgiveness): forgiveness
    case .current, .grace, .best, .previous, .last, .halfLife: nil
    }
  }

  /// The parts of its metric (STR-07).
  package var parts: [Part] {
    let own = [Part(.value, type: type)]
    if case .forgiving = self { return own + [Part(.left, type: .int)] }
    return own
  }

  /// Of a `half life` what the complete windows are worth, the newest first.
  package var weights: [Int64]? {
    if case .halfLife(let windows) = self { HalfLife.weights(windows: windows) } else { nil }
  }

  /// How many windows that exist it looks at; nil where it goes back to the first.
  package var windows: Int? { if case .last(let windows) = self { windows } else { weights?.count } }

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
    case .forgiving(let forgiveness), .bestForgiving(let forgiveness): return stretch(forgiveness, states)
    case .last, .halfLife: return first(windows ?? 0, states)
    }
  }

  /// Windows without an incomplete one.
  private func run(from start: Int, _ states: [WindowState]) -> Range<Int> {
    start..<(states[start...].firstIndex(of: .incomplete) ?? states.count)
  }

  /// Windows before the incomplete one that is too many: with it, more than are forgiven lie in as many in a row.
  private func stretch(_ forgiveness: Forgiveness, _ states: [WindowState]) -> Range<Int> {
    var (place, open): (Int, [Int]) = (0, [])
    for (index, state) in states.enumerated() where state != .rest {
      place += 1
      guard state == .incomplete else { continue }
      open.append(place)
      let isFull = open.count > forgiveness.open
      if isFull, place - open[open.count - 1 - forgiveness.open] < forgiveness.windows { return 0..<index }
    }
    return 0..<states.count
  }

  /// As many windows as contain a number of windows that do not rest.
  private func first(_ count: Int, _ states: [WindowState]) -> Range<Int> {
    var (length, left) = (0, count)
    while length < states.count, left > 0 {
      if states[length] != .rest { left -= 1 }
      length += 1
    }
    return 0..<length
  }
}
