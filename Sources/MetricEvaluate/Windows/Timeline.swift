import MetricPlan

/// The windows of one completion for one subject. A window is named by its last day.
///
/// Rolling windows of length L form L chains, one for each remainder of the last day; whole calendar units form
/// one. A chain is made of segments between the days on which something may change, so that two facts ten
/// thousand years apart cost a few windows; and of chains that have the same windows between the same such days
/// only one is made.
final class Timeline {
  let subject: Int
  let completion: CompiledCompletion
  let lastDay: Int32
  /// The days on which the subject has a fact that `when` names, rising, each once.
  private lazy var factDays = completion.factDays(of: subject)
  /// The search ends at the first fact that `when` names.
  let firstFactDay: Int32
  /// How many more questions are answered without chains. For a question or two they are not worth making,
  /// for a series of days they are.
  private var openQuestions: Int
  private var chains: [Int: Chain] = [:]
  private var everyDay: Chain?
  private var knownPhases: [Int]?
  private var knownChanges: (when: Changes, rest: Changes)?
  private var knownDays: [Int32]?
  var greatest: [Greatest: (day: Int32, value: Int)] = [:]
  /// For calendar windows: by segment of days, the greatest streak up to its end.
  var openBests: [Int32]?

  /// More windows than these are not walked through one by one.
  static let longestWalk = 4096

  init(_ completion: CompiledCompletion, subject: Int, lastDay: Int32, keepsChains: Bool) {
    self.completion = completion
    self.subject = subject
    self.lastDay = lastDay
    openQuestions = keepsChains ? 0 : 2
    firstFactDay = completion.presence.reduce(.max) { min($0, $1.first(of: subject) ?? .max) }
  }

  func previousEnd(_ end: Int32) -> Int32 {
    completion.window.start(endingAt: end) - 1
  }

  func isOpenQuestion() -> Bool {
    openQuestions -= 1
    return openQuestions >= 0
  }

  // MARK: Chains

  /// The chain that the window ending on `end` belongs to, and its number there.
  func chain(holding end: Int32, _ worker: Worker) -> (chain: Chain, number: Int) {
    guard case .rolling(let length) = completion.window else {
      let chain = wholeUnits(worker)
      return (chain, chain.ruler.last(through: end))
    }
    let phase = Ruler.phase(of: end, length)
    return (chain(phase, length, worker), (Int(end) - phase) / length)
  }

  /// Whole calendar units.
  func wholeUnits(_ worker: Worker) -> Chain {
    if let known = chains[0] { return known }
    let chain = make(Ruler(unitsOf: completion.window), worker)
    chains[0] = chain
    return chain
  }

  /// The chain of a phase, or one that has the same windows.
  func chain(_ phase: Int, _ length: Int, _ worker: Worker) -> Chain {
    let phase = representative(of: phase, length, worker)
    if let known = chains[phase] { return known }
    let chain = make(.rolling(length: length, phase: phase), worker)
    chains[phase] = chain
    return chain
  }

  /// Every day as the last day of a window; of calendar units as far as they have come. The streaks of this chain
  /// mean nothing but for windows of a day.
  func days(_ worker: Worker) -> Chain {
    if case .rolling(1) = completion.window { return chain(0, 1, worker) }
    if let everyDay { return everyDay }
    let chain = make(.rolling(length: 1, phase: 0), worker)
    everyDay = chain
    return chain
  }

  private func make(_ ruler: Ruler, _ worker: Worker) -> Chain {
    let chain = Chain(ruler)
    guard firstFactDay <= lastDay else { return chain }
    var changes = changes(worker)
    var number = ruler.first(from: firstFactDay)
    let lastNumber = ruler.last(through: lastDay)
    let asksWeekday = completion.whenCourse.asksWeekday || completion.restCourse.asksWeekday
    let cycle = asksWeekday ? ruler.week ?? .max : 1
    while number <= lastNumber {
      let end = ruler.end(number)
      let last = min(lastNumber, ruler.last(through: lastAlike(end, &changes)))
      let alike = last - number + 1
      if alike > cycle {
        let states = (number..<number + cycle).map { state(ruler.end($0), worker) }
        chain.append(states, first: number, last: last)
      } else {
        for number in number...max(number, last) {
          chain.append([state(ruler.end(number), worker)], first: number, last: number)
        }
      }
      number = max(number, last) + 1
    }
    return chain
  }

  private func state(_ end: Int32, _ worker: Worker) -> CompiledCompletion.State {
    completion.state(subject, endingAt: end, worker)
  }

  // MARK: Changes

  private func changes(_ worker: Worker) -> (when: Changes, rest: Changes) {
    if let knownChanges { return knownChanges }
    var (when, rest) = (Changes(), Changes())
    when.add(factDays, completion.reaches)
    when.add(bounds: completion.bounds(of: subject, completion.whenCourse, worker))
    for (days, period) in completion.restCourse.facts {
      var found: [Int32] = []
      days.forEach(of: subject) { if $0 != found.last { found.append($0) } }
      rest.add(found, [period.map { .period($0) } ?? .window(completion.window)])
    }
    rest.add(bounds: completion.bounds(of: subject, completion.restCourse, worker))
    knownChanges = (when, rest)
    return (when, rest)
  }

  /// The last day up to which windows are like the one that ends on `end`, the days of the week apart.
  private func lastAlike(_ end: Int32, _ changes: inout (when: Changes, rest: Changes)) -> Int32 {
    let isRestSteady = completion.rest == nil || completion.restCourse.isSteady
    guard isRestSteady, completion.whenCourse.isSteady || !isReached(end) else { return end }
    let next = changes.when.next(after: end)
    return completion.rest == nil ? next - 1 : min(next, changes.rest.next(after: end)) - 1
  }

  /// Whether a window sees a fact that `when` names.
  private func isReached(_ end: Int32) -> Bool {
    let index = factDays.edge(from: 0) { $0 > end }
    guard index > 0 else { return false }
    return completion.reaches.contains { $0.lastEnd(holding: factDays[index - 1]) >= end }
  }

  // MARK: Phases

  /// So many chains are simply made.
  private static let fewChains = 64

  /// The phases whose chains are made: between two of them no window meets another change.
  func phases(_ length: Int, _ worker: Worker) -> [Int] {
    if let knownPhases { return knownPhases }
    let phases = findPhases(length, worker)
    knownPhases = phases
    return phases
  }

  private func findPhases(_ length: Int, _ worker: Worker) -> [Int] {
    let all = Array(0..<length)
    let isSteady =
      completion.whenCourse.isSteady && (completion.rest == nil || completion.restCourse.isSteady)
    guard length > Timeline.fewChains, isSteady else { return all }
    let changes = changes(worker)
    let days = [0] + changes.when.all(through: lastDay) + changes.rest.all(through: lastDay)
    let asksWeekday = completion.whenCourse.asksWeekday || completion.restCourse.asksWeekday
    var phases: Set<Int> = []
    for day in days {
      let phase = Ruler.phase(of: day, length)
      for phase in phase..<min(length, phase + (asksWeekday ? 7 : 1)) { phases.insert(phase) }
      if phases.count == length { return all }
    }
    return phases.sorted()
  }

  private func representative(of phase: Int, _ length: Int, _ worker: Worker) -> Int {
    guard length > Timeline.fewChains else { return phase }
    let phases = phases(length, worker)
    guard phases.count < length else { return phase }
    var low = 0
    var high = phases.count
    while low < high {
      let middle = (low + high) / 2
      if phases[middle] <= phase { low = middle + 1 } else { high = middle }
    }
    let asksWeekday = completion.whenCourse.asksWeekday || completion.restCourse.asksWeekday
    guard asksWeekday else { return phases[max(0, low - 1)] }
    // Of the last seven that stand there, the one that falls on the same day of the week.
    return phases[..<low].suffix(7).last { (phase - $0) % 7 == 0 } ?? phase
  }

  // MARK: Completions as facts

  /// The days up to `day` on which a completion of day windows held.
  func completeDays(through day: Int32, _ worker: Worker) -> ArraySlice<Int32> {
    let ends = knownDays ?? days(worker).completeEnds
    knownDays = ends
    return ends[..<ends.edge(from: 0) { $0 > day }]
  }
}
