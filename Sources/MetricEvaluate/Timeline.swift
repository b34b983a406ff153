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

  enum State {
    case complete, incomplete, rest
  }

  /// The first day of the window with its look-back.
  private func reachStart(endingAt end: Int32) -> Int32 {
    lookBack.reduce(window.start(endingAt: end)) { min($0, $1.start(endingAt: end)) }
  }

  /// The last end of a window that, with its look-back, holds `day`.
  func lastEnd(reaching day: Int32) -> Int32 {
    var last = window.unitEnd(day)
    if case .rolling(let days) = window { last = day + Int32(days) - 1 }
    return lookBack.reduce(last) { max($0, $1.lastEnd(holding: day)) }
  }

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
}

/// The windows of one completion for one subject. A window is named by its last day.
///
/// Rolling windows of length L form L chains, one for each remainder of the last day; whole calendar
/// units form one. Only windows that can hold a fact are looked at, so that two facts ten thousand
/// years apart cost two windows.
final class Timeline {
  let subject: Int
  private let completion: CompiledCompletion
  private let lastDay: Int32
  /// The days on which the subject has a fact that `when` names, rising, each once.
  private lazy var factDays = completion.factDays(of: subject)
  /// The search ends at the first fact that `when` names.
  private let firstFactDay: Int32
  /// How many more questions are answered without chains. For a question or two they are not worth making,
  /// for a series of days they are.
  private var openQuestions: Int
  private var chains: [Int: Chain] = [:]
  private var openUnits: Chain?

  /// The complete windows of a chain.
  struct Chain {
    /// Last days of complete windows, rising.
    var ends: [Int32] = []
    /// The streak at each of them.
    var runs: [Int32] = []
    /// The greatest streak up to each of them.
    var bests: [Int32] = []

    mutating func append(end: Int32, run: Int32) {
      ends.append(end)
      runs.append(run)
      bests.append(max(run, bests.last ?? 0))
    }

    /// How many complete windows end before `day`.
    func count(before day: Int32) -> Int {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if ends[middle] < day { low = middle + 1 } else { high = middle }
      }
      return low
    }

    func count(through day: Int32) -> Int {
      day == .max ? ends.count : count(before: day + 1)
    }

    func run(endingAt end: Int32) -> Int32? {
      let index = count(before: end)
      return index < ends.count && ends[index] == end ? runs[index] : nil
    }
  }

  init(_ completion: CompiledCompletion, subject: Int, lastDay: Int32, keepsChains: Bool) {
    self.completion = completion
    self.subject = subject
    self.lastDay = lastDay
    openQuestions = keepsChains ? 0 : 2
    firstFactDay = completion.presence.reduce(.max) { min($0, $1.first(of: subject) ?? .max) }
  }

  // MARK: Chains

  private func previousEnd(_ end: Int32) -> Int32 {
    completion.window.start(endingAt: end) - 1
  }

  /// The chain that the window ending on `end` belongs to.
  private func chain(holding end: Int32, _ worker: Worker) -> Chain {
    guard case .rolling(let length) = completion.window else { return wholeUnits(worker) }
    let phase = Int(end) % length
    return rollingChain(phase < 0 ? phase + length : phase, length, worker)
  }

  private func rollingChain(_ phase: Int, _ length: Int, _ worker: Worker) -> Chain {
    if let known = chains[phase] { return known }
    var chain = Chain()
    func first(_ day: Int32) -> Int32 {
      day + Int32((phase - Int(day) % length + 2 * length) % length)
    }
    visitEnds(
      from: first, next: { $0 + Int32(length) },
      visit: { end in
        guard completion.isComplete(subject, endingAt: end, worker) else { return }
        chain.append(end: end, run: 1 + run(endingAt: end - Int32(length), in: chain, worker))
      })
    chains[phase] = chain
    return chain
  }

  /// Whole calendar units.
  private func wholeUnits(_ worker: Worker) -> Chain {
    if let known = chains[0] { return known }
    let window = completion.window
    var chain = Chain()
    visitEnds(
      from: window.unitEnd, next: { window.unitEnd($0 + 1) },
      visit: { end in
        guard completion.isComplete(subject, endingAt: end, worker) else { return }
        chain.append(end: end, run: 1 + run(endingAt: previousEnd(end), in: chain, worker))
      })
    chains[0] = chain
    return chain
  }

  /// Every day of calendar units, each as the last day of the unit as far as it has come.
  private func units(_ worker: Worker) -> Chain {
    if let known = openUnits { return known }
    let whole = wholeUnits(worker)
    var chain = Chain()
    visitEnds(
      from: { $0 }, next: { $0 + 1 },
      visit: { end in
        guard completion.isComplete(subject, endingAt: end, worker) else { return }
        chain.append(end: end, run: 1 + run(endingAt: previousEnd(end), in: whole, worker))
      })
    openUnits = chain
    return chain
  }

  /// Visits the ends of all windows that reach a fact, rising, each once.
  private func visitEnds(
    from first: (Int32) -> Int32, next: (Int32) -> Int32, visit body: (Int32) -> Void
  ) {
    var lowest = Int32.min
    for day in factDays {
      let last = min(completion.lastEnd(reaching: day), lastDay)
      var end = max(first(day), lowest)
      while end <= last {
        body(end)
        end = next(end)
        lowest = end
      }
    }
  }

  /// The streak read from the window that ends on `end`: rest windows are passed over.
  private func run(endingAt end: Int32, in chain: Chain, _ worker: Worker) -> Int32 {
    var end = end
    while end >= firstFactDay {
      if let run = chain.run(endingAt: end) { return run }
      guard completion.isRest(subject, endingAt: end, worker) else { return 0 }
      end = previousEnd(end)
    }
    return 0
  }

  // MARK: Questions

  /// The streak at a day (LANGUAGE, section 3).
  func streak(at day: Int32, _ worker: Worker) -> Int32 {
    guard day >= firstFactDay else { return 0 }
    if case .rolling = completion.window {
      if isOpenQuestion() { return openRun(endingAt: day, worker) }
      return run(endingAt: day, in: chain(holding: day, worker), worker)
    }
    switch completion.state(subject, endingAt: day, worker) {
    case .complete: return 1 + run(endingAt: previousEnd(day), in: wholeUnits(worker), worker)
    case .rest: return run(endingAt: previousEnd(day), in: wholeUnits(worker), worker)
    case .incomplete: return 0
    }
  }

  private func isOpenQuestion() -> Bool {
    openQuestions -= 1
    return openQuestions >= 0
  }

  /// The streak at a day without its chain: as many windows are looked at as it has, and one more.
  private func openRun(endingAt day: Int32, _ worker: Worker) -> Int32 {
    var run: Int32 = 0
    var end = day
    while end >= firstFactDay {
      switch completion.state(subject, endingAt: end, worker) {
      case .complete: run += 1
      case .rest: break
      case .incomplete: return run
      }
      end = previousEnd(end)
    }
    return run
  }

  /// The greatest streak at any day up to `day`.
  func best(through day: Int32, _ worker: Worker) -> Int32 {
    allChains(worker).reduce(0) { best, chain in
      let count = chain.count(through: day)
      return count == 0 ? best : max(best, chain.bests[count - 1])
    }
  }

  /// The largest streak read from windows 0…N.
  ///
  /// A rest window reads the streak of the complete window before it, so that of windows 1…N only
  /// the complete ones and the last one have to be asked.
  func streak(at day: Int32, grace windows: Int, _ worker: Worker) -> Int32 {
    let now = streak(at: day, worker)
    let newest = previousEnd(day)
    guard newest >= firstFactDay else { return now }
    var oldest = newest
    if case .rolling(let length) = completion.window {
      oldest = Int32(max(Int(day) - windows * length, Int(Int32.min) / 2))
    } else {
      for _ in 1..<max(1, windows) where oldest >= firstFactDay { oldest = previousEnd(oldest) }
    }
    let chain = chain(holding: newest, worker)
    var best = max(now, run(endingAt: oldest, in: chain, worker))
    for index in chain.count(before: oldest)..<chain.count(through: newest) {
      best = max(best, chain.runs[index])
    }
    return best
  }

  /// Visits the windows that exist, from window 0 back to the first fact, until `body` says stop.
  func forEachWindow(at day: Int32, _ worker: Worker, _ body: (_ isComplete: Bool) -> Bool) {
    guard day >= firstFactDay else { return }
    let chain = isOpenQuestion() ? nil : chain(holding: day, worker)
    var end = day
    var isOpen = if case .rolling = completion.window { false } else { true }
    while end >= firstFactDay {
      var isComplete = false
      if let chain, !isOpen {
        isComplete = chain.run(endingAt: end) != nil
      } else {
        isComplete = completion.isComplete(subject, endingAt: end, worker)
      }
      isOpen = false
      if isComplete || !completion.isRest(subject, endingAt: end, worker) {
        guard body(isComplete) else { return }
      }
      end = previousEnd(end)
    }
  }

  // MARK: Completions as facts and numbers

  /// The days up to `day` on which a completion of day windows held.
  func completeDays(through day: Int32, _ worker: Worker) -> ArraySlice<Int32> {
    let chain = chain(holding: day, worker)
    return chain.ends[..<chain.count(through: day)]
  }

  /// All chains of windows that may end on any day.
  private func allChains(_ worker: Worker) -> [Chain] {
    guard case .rolling(let length) = completion.window else { return [units(worker)] }
    return (0..<length).map { rollingChain($0, length, worker) }
  }

  /// The first end of a window that starts on `start` or later.
  private func firstEnd(startingFrom start: Int32) -> Int32 {
    guard start > .min, case .rolling(let length) = completion.window else { return start }
    return start + Int32(length) - 1
  }

  /// The complete ends up to `day` whose windows start on `start` or later.
  private func ends(_ chain: Chain, from start: Int32, through day: Int32) -> ArraySlice<Int32> {
    let high = chain.count(through: day)
    var low = min(high, chain.count(before: firstEnd(startingFrom: start)))
    while low < high, completion.window.start(endingAt: chain.ends[low]) < start { low += 1 }
    return chain.ends[low..<high]
  }

  func firstDay(from start: Int32, through day: Int32, _ worker: Worker) -> Int32? {
    allChains(worker).compactMap { ends($0, from: start, through: day).first }.min()
  }

  func lastDay(from start: Int32, through day: Int32, _ worker: Worker) -> Int32? {
    allChains(worker).compactMap { ends($0, from: start, through: day).last }.max()
  }

  /// The number of complete windows that end by `day`; for rolling windows the greatest over the
  /// ways to tile them, for calendar windows the units that have ended.
  func completeCount(from start: Int32, through day: Int32, _ worker: Worker) -> Int {
    guard case .rolling = completion.window else {
      return ends(wholeUnits(worker), from: start, through: day).count
    }
    return allChains(worker).map { ends($0, from: start, through: day).count }.max() ?? 0
  }
}
