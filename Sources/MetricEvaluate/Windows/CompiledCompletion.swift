import MetricPlan

/// A completion made ready for evaluation.
struct CompiledCompletion {
  var window: Window
  var when: Program
  var rest: Program?
  /// The facts of the record types that `when` names, by subject: without one, no window is complete.
  var presence: [PresenceDays]
  /// How far `when` looks back beside its window: the own periods of its aggregates, and all time
  /// where it reads metrics.
  var lookBack: [Period]
  /// The complete days, where they are simply those that have a fact.
  var wholeDays: WholeDays?
  /// When the conditions may change from one window to the next.
  var whenCourse: Course
  var restCourse: Course

  enum State {
    case complete, incomplete, rest
  }

  /// The first day of the window with its look-back.
  private func reachStart(endingAt end: Int32) -> Int32 {
    lookBack.reduce(window.start(endingAt: end)) { min($0, $1.start(endingAt: end)) }
  }

  /// How far a fact that `when` names reaches: over its window, and over the look-backs.
  var reaches: [Reach] { [.window(window)] + lookBack.map { .period($0) } }

  private func isPresent(_ subject: Int, endingAt end: Int32) -> Bool {
    let start = reachStart(endingAt: end)
    for days in presence where !days.isEmpty(subject, from: start, through: end) { return true }
    return false
  }

  private func place(_ subject: Int, endingAt end: Int32) -> Place {
    Place(
      subject: subject, row: -1, counted: 0, day: end, windowStart: window.start(endingAt: end),
      windowEnd: end)
  }

  func isComplete(_ subject: Int, endingAt end: Int32, _ worker: Worker) -> Bool {
    isPresent(subject, endingAt: end) && worker.at(place(subject, endingAt: end)) { when(worker) == 1 }
  }

  /// The days on which a subject has a fact that `when` names, rising, each once.
  func factDays(of subject: Int) -> [Int32] {
    var days: [Int32] = []
    for source in presence { source.forEach(of: subject) { if $0 != days.last { days.append($0) } } }
    guard presence.count > 1 else { return days }
    days.sort()
    return days.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// Whether a window that is not complete is a rest window.
  func isRest(_ subject: Int, endingAt end: Int32, _ worker: Worker) -> Bool {
    guard let rest else { return false }
    return worker.at(place(subject, endingAt: end)) { rest(worker) == 1 }
  }

  func state(_ subject: Int, endingAt end: Int32, _ worker: Worker) -> State {
    if isComplete(subject, endingAt: end, worker) { return .complete }
    return isRest(subject, endingAt: end, worker) ? .rest : .incomplete
  }

  /// The values of the DayKeys at which the conditions may change for a subject; none for those that are missing.
  func bounds(of subject: Int, _ course: Course, _ worker: Worker) -> [Int32] {
    worker.at(place(subject, endingAt: 0)) {
      course.bounds.compactMap { bound in
        let value = bound(worker)
        return value == noValue ? nil : Int32(exactly: value)
      }
    }
  }
}

/// How long a fact is seen.
enum Reach {
  case window(Window)
  case period(Period)

  /// The last end of a window, or of a period, that still holds `day`.
  func lastEnd(holding day: Int32) -> Int32 {
    switch self {
    case .window(.rolling(let days)): day + Int32(days) - 1
    case .window(let window): window.unitEnd(day)
    case .period(let period): period.lastEnd(holding: day)
    }
  }
}
