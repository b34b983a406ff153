/// A compiled completion.
final class CompiledCompletion {
  let window: Window
  private let when: Program
  let rest: Program?
  /// The facts of the record types that `when` names: without one, no window is complete (WIN-06).
  private let presence: [FactSource]
  /// The periods in which a fact makes a window present: the window itself, and the look-backs of `when`.
  private let reach: [Period]
  /// Whether `when` holds only where a fact is.
  private let needsFact: Bool
  /// The stretches of days whose window is complete, where it only has to hold a fact.
  let stretches: Stretches?
  /// What the facts of a window have to add up to, where that alone makes it complete.
  private let total: (source: FactSource, least: Cell, isDecimal: Bool)?
  /// What answers whether a day is complete, where a fold does.
  private let wholeDays: (facts: FoldedFacts, bundle: Int)?

  init(_ completion: Completion, _ compiler: Compiler) throws(EvaluationError) {
    window = completion.window
    when = try compiler.compile(completion.holds)
    rest = try compiler.compile(completion.rest)
    let sources = compiler.engine.library.presence(of: completion.when, subject: compiler.subject)
    presence = try compiler.sources(sources.facts)
    reach = sources.lookBack.contains(.allTime) ? [.allTime] : [completion.window.period] + sources.lookBack
    // A limit may be none, and needs no fact.
    needsFact = completion.limit == nil && completion.when.needsFact
    guard needsFact, rest == nil else {
      (stretches, total, wholeDays) = (nil, nil, nil)
      return
    }
    stretches = try compiler.stretches(of: completion.when)
    let existence = window == .rolling(days: 1) ? completion.when.existence : nil
    wholeDays = existence.flatMap { compiler.folded($0.aggregate) }
    if let (aggregate, least) = completion.when.leastTotal, aggregate.function != .days {
      let source = try compiler.facts(aggregate, isWhole: true)
      total = source.hasBeyond ? nil : (source, least, aggregate.type == .decimal)
    } else {
      total = nil
    }
  }

  /// The days with a complete window, if these are the days with a fact and are kept as bits. A streak of days is then a
  /// scan over words: with a column of windows, the habit metrics of the benchmark took half as long again.
  func wholeDays(of subject: Int) -> DayBits? {
    wholeDays.map { $0.facts.days($0.bundle, of: subject) }
  }

  /// The longest streak up to a day; nil where only the windows themselves tell.
  func longestStreak(of subject: Int, through last: Int32, _ worker: Worker) -> Int? {
    guard let total, case .rolling(let length) = window else { return nil }
    var longest: Int?
    total.source.withTotals(of: subject, worker) { facts in
      guard let first = facts.first, first <= last else {
        longest = 0
        return
      }
      let count = Int(last - first) / 64 + 1
      guard max(count, length / 64) <= CompleteDays.mostWords,
        facts.sumsStayInRange(isDecimal: total.isDecimal)
      else { return }
      worker.with(UInt64.self, 2 * count) { memory in
        let days = CompleteDays(words: memory, count: count)
        days.fill(facts, atLeast: total.least, inDays: length, from: first, through: last, worker)
        longest = days.longestChain(every: length, memory + count)
      }
    }
    return longest
  }

  /// The first day with a fact that `when` names: windows that end before it are never read.
  func firstDay(of subject: Int, _ worker: Worker) -> Int32? {
    presence.firstDay(of: subject, worker)
  }

  /// The states of the windows that end on some days.
  func fill(_ states: UnsafeMutablePointer<Cell>, subject: Int, endingOn days: DayRange, _ worker: Worker) {
    let place = Place(subject: subject, days: days, period: window.period)
    when(place, states, worker)
    if !needsFact { removeAbsent(states, place, worker) }
    guard let rest else { return }
    worker.withCells(days.count) { cells in
      rest(place, cells, worker)
      // WIN-07
      for index in 0..<days.count where states[index] == WindowCell.incomplete {
        if cells[index] == 1 { states[index] = WindowCell.rest }
        if cells[index] == outOfRange { states[index] = outOfRange }
      }
    }
  }

  /// WIN-06
  private func removeAbsent(_ states: UnsafeMutablePointer<Cell>, _ place: Place, _ worker: Worker) {
    worker.with(Bool.self, place.count) { isPresent in
      isPresent.update(repeating: false, count: place.count)
      for source in presence {
        for period in reach { source.mark(true, period, place, isPresent, worker) }
      }
      for index in 0..<place.count where !isPresent[index] || states[index] == noValue {
        states[index] = WindowCell.incomplete
      }
    }
  }
}

/// The days of a subject with a complete window, a bit each.
private struct CompleteDays {
  let words: UnsafeMutablePointer<UInt64>
  let count: Int

  /// Over more than ten years a column of windows takes less time.
  static let mostWords = 64

  /// Fills in on which days from `first` to `last` the facts of so many days add up to at least a number above 0. The
  /// running sum goes over all days: from fact to fact it has as many instructions, and branches that nothing predicts.
  func fill(
    _ facts: FactSlice, atLeast least: Cell, inDays length: Int, from first: Int32, through last: Int32,
    _ worker: Worker
  ) {
    guard let days = facts.days else { return words.update(repeating: 0, count: count) }
    worker.withCells(length + count * 64) { memory in
      memory.update(repeating: 0, count: length + count * 64)
      let sums = memory + length
      for fact in 0..<facts.count where days[fact] <= last {
        sums[Int(days[fact] &- first)] &+= facts.numbers?[fact] ?? 1
      }
      var total: Cell = 0
      for word in 0..<count {
        let coming = sums + word &<< 6
        let going = coming - length
        var bits: UInt64 = 0
        for bit in 0..<64 {
          total &+= coming[bit] &- going[bit]
          bits |= (total >= least ? 1 : 0) &<< UInt64(bit)
        }
        words[word] = bits
      }
      let left = UInt64(count * 64 - 1 - Int(last - first))
      words[count - 1] &= UInt64.max &>> left
    }
  }

  /// The longest chain of days, each so many after the one before it: of all days those stay on which a chain of one more
  /// ends, until there are none.
  func longestChain(every step: Int, _ ends: UnsafeMutablePointer<UInt64>) -> Int {
    ends.update(from: words, count: count)
    let (skipped, shift) = (step >> 6, UInt64(step & 63))
    var length = 0
    while (0..<count).contains(where: { ends[$0] != 0 }) {
      length += 1
      for word in (0..<count).reversed() {
        let (upper, lower) = (word - skipped, word - skipped - 1)
        let high = upper >= 0 ? ends[upper] &<< shift : 0
        let low = lower >= 0 && shift > 0 ? ends[lower] &>> (64 &- shift) : 0
        ends[word] = (high | low) & words[word]
      }
    }
    return length
  }
}

extension Compiler {
  /// Where facts are, for the days on which there are some.
  func sources(_ facts: [PresenceSources.Fact]) throws(EvaluationError) -> [FactSource] {
    try facts.map { fact throws(EvaluationError) in
      try self.facts(Aggregate(.days, of: fact.record, fact.route))
    }
  }
}

extension [FactSource] {
  /// The first day when a subject has one of the facts.
  func firstDay(of subject: Int, _ worker: Worker) -> Int32? {
    compactMap { $0.firstDay(of: subject, worker) }.min()
  }
}

extension FactSource {
  /// Whether the condition or the value of some fact is out of range.
  var hasBeyond: Bool { if case .list(let list) = self { list.beyond != nil } else { false } }
}

/// The state of a window as a cell, so that a condition's column is also that of its windows. A window whose condition
/// is `outOfRange` is an error for its readers; a rest window does not exist for readers that count windows.
enum WindowCell {
  static let incomplete = WindowState.incomplete.rawValue
  static let complete = WindowState.complete.rawValue
  static let rest = WindowState.rest.rawValue
}

/// The windows of a completion for one subject, by their last day: a column over the days from the first fact up to the
/// last asked day, on which the recurrences of streaks and momentum run.
struct WindowHistory {
  /// The last days of the windows, rising.
  let days: DayRange
  let states: UnsafePointer<Cell>
  /// For rolling windows, the distance in places from a window to the one before it; for others 1.
  let lag: Int
  /// For calendar windows, the place of the window before.
  private let calendar: UnsafePointer<Int32>?
  /// Whether older windows were left out.
  let isCut: Bool

  var count: Int { days.count }

  /// The place of the window before the one at `index`; negative where it would end before the first fact.
  @inline(__always)
  func previous(_ index: Int) -> Int { calendar.map { Int($0[index]) } ?? index &- lag }

  /// The chain of windows, each before the next, that the window at `index` belongs to: rolling windows have as many
  /// as a window has days.
  @inline(__always)
  func chain(_ index: Int) -> Int { calendar == nil ? index % lag : 0 }
  var chainCount: Int { calendar == nil ? lag : 1 }

  /// Whether the window at `index` is the one before another: of calendar windows only whole units are.
  @inline(__always)
  func isInChain(_ index: Int) -> Bool {
    guard calendar != nil else { return true }
    return index + 1 < count && previous(index + 1) == index
  }

  /// The place of the window that ends on a day; negative where there is none.
  @inline(__always)
  func index(of day: Int32) -> Int {
    let distance = Int(day) &- Int(days.first)
    return distance < 0 ? -1 : distance / Int(days.step)
  }

  /// Calls `body` with the windows of a subject up to the last asked day; not where there are none.
  ///
  /// - Parameters:
  ///   - eachDay: whether the windows of all days are wanted; otherwise only those that lie whole windows before
  ///     the asked days.
  ///   - most: how many windows before each asked day are enough; older ones are left out where that is simple.
  static func with(
    _ completion: CompiledCompletion, subject: Int, asked: DayRange, eachDay: Bool = false, most: Int = .max,
    _ worker: Worker, _ body: (WindowHistory) -> Void
  ) {
    guard let first = completion.firstDay(of: subject, worker), asked.count > 0, first <= asked.last else {
      return
    }
    var (days, lag, isCut) = (DayRange(from: first, through: asked.last), 1, false)
    if case .rolling(let length) = completion.window {
      let enough = Int(asked.first) - (min(most, 1 << 20) - 1) * length
      if enough > Int(first) {
        isCut = true
        days = DayRange(from: Int32(enough), through: asked.last)
      }
      lag = length
      if !eachDay, asked.count == 1 || Int(asked.step) % length == 0 {
        days.count = (Int(asked.last) - Int(days.first)) / length + 1
        days.first = asked.last - Int32((days.count - 1) * length)
        days.step = Int32(length)
        lag = 1
      }
    }
    worker.withCells(days.count) { states in
      completion.fill(states, subject: subject, endingOn: days, worker)
      if case .rolling = completion.window {
        return body(WindowHistory(days: days, states: states, lag: lag, calendar: nil, isCut: isCut))
      }
      worker.with(Int32.self, days.count) { previous in
        // WIN-02: the window before the one that a day ends is the unit before that day's.
        var units = PeriodUnits(completion.window.period)
        for index in 0..<days.count {
          previous[index] = max(-1, units.start(at: days[index]) - 1 - days.first)
        }
        body(WindowHistory(days: days, states: states, lag: lag, calendar: previous, isCut: isCut))
      }
    }
  }
}

/// `first(c)`, `last(c)` and `count(c)` of a completion (OPD-04 to OPD-06).
extension Compiler {
  func compile(_ aggregate: CompletionAggregate) throws(EvaluationError) -> Program {
    let metric = try engine.compile(aggregate.completion)
    let completion = try engine.completion(aggregate.completion)
    let isCounted = aggregate.root == .row
    let function = aggregate.function
    return { place, out, worker in
      out.update(repeating: function == .count ? 0 : noValue, count: place.count)
      let subject = isCounted ? place.counted : place.subject
      // No window is complete for a subject that the completion excludes.
      guard metric.includes(subject) else { return }
      if function == .count, let days = completion.wholeDays(of: subject) {
        return days.counts(aggregate.period ?? .allTime, place.days, out)
      }
      WindowHistory.with(completion, subject: subject, asked: place.days, eachDay: true, worker) { windows in
        let units = aggregate.period.map { PeriodUnits($0) }
        var held = HeldDays(windows: windows, window: completion.window, units: units)
        switch function {
        case .first, .last: held.fillEnds(out, place.days, isFirst: function == .first)
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
  var units: PeriodUnits?

  /// The places of the windows that end up to a day and lie wholly inside the period (OPD-06).
  private mutating func range(_ day: Int32) -> Range<Int> {
    guard let held = units?.days(at: day), held.lowerBound != .min else {
      return 0..<max(0, windows.index(of: day) + 1)
    }
    let start = held.lowerBound
    let end = max(0, windows.index(of: min(day, held.upperBound)) + 1)
    let first: Int32 =
      switch window {
      case .rolling(let length): start + Int32(length) - 1
      case .calendar:
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
        if states[next] == WindowCell.complete || states[next] == outOfRange { last = next }
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
      let (state, day) = (windows.states[index], windows.days[index])
      if state == WindowCell.complete, window.unitEnd(day) == day { complete[windows.chain(index)] += change }
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
}
