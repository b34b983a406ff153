import MetricData
import MetricPlan

/// A funnel: for each subject the best attempt, then how many subjects reached each step.
struct FunnelEvaluation {
  private let funnel: Funnel
  /// The same in one pass over the facts, where that can be; all below is then not made.
  private let scan: FunnelScan?
  private let streams: [EventStream]
  /// For `order strict`: all facts of each step's record type.
  private let wholeStreams: [EventStream]
  private let shared: WholeEvaluation?

  /// How far a subject came.
  private struct Attempt {
    var reached: Int
    /// What began the earliest of the best attempts.
    var start: Event
    /// All that could have begun one.
    var openings: [Event]
  }

  init(_ funnel: Funnel, _ compiler: Compiler) throws(EvaluationError) {
    self.funnel = funnel
    scan = try FunnelScan(funnel, compiler)
    guard scan == nil else {
      (streams, wholeStreams, shared) = ([], [], nil)
      return
    }
    var streams: [EventStream] = []
    var wholeStreams: [EventStream] = []
    for step in funnel.steps {
      streams.append(try EventStream(step.source, compiler))
      if funnel.order == .strict { wholeStreams.append(try EventStream(step.source.unfiltered, compiler)) }
    }
    self.streams = streams
    self.wholeStreams = wholeStreams
    // In any order each step can begin an attempt.
    let openings = funnel.order == .any ? funnel.steps : Array(funnel.steps.prefix(1))
    shared = try WholeEvaluation(
      grouping: funnel.grouping, atLeast: funnel.atLeast, sources: openings.map(\.source), compiler)
  }

  /// The groups at each of some rising days.
  func values(_ days: [Int32], _ worker: Worker) -> [[GroupValues]] {
    if let scan { return scan.values(days) }
    guard let shared, let last = days.last else { return [] }
    let count = funnel.steps.count
    var sweep = GroupSweep(ReferenceDays(days), parts: count, sets: funnel.atLeast == nil ? 0 : 1)
    let starts = days.map { funnel.over.start(endingAt: $0) }
    for subject in shared.subjects {
      let history = History(
        steps: streams.map { $0.events(of: subject, through: last, worker) },
        whole: wholeStreams.map { $0.events(of: subject, through: last, worker) },
        opensAnywhere: funnel.order == .any)
      for (range, attempt) in attempts(history, days, starts, shared) {
        let group = shared.group(of: attempt.start)
        sweep.add(group, parts: 0..<attempt.reached, on: range)
        if funnel.atLeast != nil {
          let users = shared.users(behind: attempt.openings, subject: subject)
          sweep.add(users: users, group, set: 0, on: range)
        }
      }
    }
    var result: [[GroupValues]] = []
    sweep.forEachDay(always: funnel.grouping == nil ? noValue : nil) { day in
      result.append(shared.hide(day.groups, users: day.users, partsPerSet: count))
    }
    return result
  }

  /// The events of a subject.
  private struct History {
    let steps: [[Event]]
    let whole: [[Event]]
    /// What can begin an attempt, step by step.
    let openings: [Event]
    /// The days of all events and of those that open, rising.
    let days: [Int32]
    let openingDays: [Int32]

    init(steps: [[Event]], whole: [[Event]], opensAnywhere: Bool) {
      self.steps = steps
      self.whole = whole
      openings = opensAnywhere ? Array(steps.joined()) : steps[0]
      days = (steps + whole).joined().map(\.day).sorted()
      openingDays = openings.map(\.day).sorted()
    }
  }

  /// The best attempt at each reference day at which there is one. It changes only where an event is
  /// added or an opening leaves the period.
  private func attempts(
    _ history: History, _ days: [Int32], _ starts: [Int32], _ shared: WholeEvaluation
  ) -> [(on: Range<Int>, attempt: Attempt)] {
    guard !history.openings.isEmpty else { return [] }
    var found: [(on: Range<Int>, attempt: Attempt)] = []
    var added = 0
    var left = 0
    for index in days.indices {
      let before = (added, left)
      while added < history.days.count, history.days[added] <= days[index] { added += 1 }
      while left < history.openingDays.count, history.openingDays[left] < starts[index] { left += 1 }
      if index > 0, (added, left) == before {
        if let last = found.indices.last, found[last].on.upperBound == index {
          found[last].on = found[last].on.lowerBound..<index + 1
        }
      } else if let attempt = best(history, from: starts[index], through: days[index], shared) {
        found.append((index..<index + 1, attempt))
      }
    }
    return found
  }

  /// The best attempt of a subject, the earliest of these; nil where no attempt began.
  private func best(
    _ history: History, from: Int32, through day: Int32, _ shared: WholeEvaluation
  ) -> Attempt? {
    func known(_ events: [Event]) -> [Event] { events.filter { $0.day <= day } }
    let steps = history.steps.map(known)
    let whole = history.whole.map(known)
    let openings = known(history.openings).filter { $0.day >= from }
    var most = 0
    var best: [Event] = []
    for start in openings {
      // What begins later cannot be the earliest of the attempts that reach all steps.
      if most == steps.count, best[0].isEarlier(than: start) { continue }
      let limit = funnel.within.map { Int(start.day) + $0 } ?? Int.max
      let reached =
        switch funnel.order {
        case .inOrder: inOrder(start, steps, limit)
        case .strict: strict(start, steps, whole, limit)
        case .any: steps.count { step in step.contains { $0.day >= start.day && Int($0.day) < limit } }
        }
      if reached > most { (most, best) = (reached, []) }
      if reached == most { best.append(start) }
    }
    return shared.earliest(best).map { Attempt(reached: most, start: $0, openings: openings) }
  }

  /// Taking each time the earliest admissible fact finds the best choice from a given start
  /// (LANGUAGE, section 5).
  private func inOrder(_ start: Event, _ steps: [[Event]], _ limit: Int) -> Int {
    var current = start
    for (index, events) in steps.enumerated().dropFirst() {
      guard let next = earliest(after: current, events), Int(next.day) < limit else { return index }
      current = next
    }
    return steps.count
  }

  /// The earliest event that may follow, by day, then those without an Instant, then by Instant.
  private func earliest(after event: Event, _ events: [Event]) -> Event? {
    var low = 0
    var high = events.count
    while low < high {
      let middle = (low + high) / 2
      if events[middle].day < event.day { low = middle + 1 } else { high = middle }
    }
    guard low < events.count else { return nil }
    // Of the same day those without an Instant come first and may follow anything.
    guard events[low].day == event.day, !event.mayPrecede(events[low]) else { return events[low] }
    var first = low
    high = events.count
    while first < high {
      let middle = (first + high) / 2
      if events[middle].day == event.day, events[middle].instant < event.instant {
        first = middle + 1
      } else {
        high = middle
      }
    }
    return first < events.count ? events[first] : nil
  }

  // MARK: Strict order

  /// All events that some clean choice reaches, step by step.
  private func strict(_ start: Event, _ steps: [[Event]], _ whole: [[Event]], _ limit: Int) -> Int {
    var reached = [start]
    for index in 1..<steps.count {
      let between =
        streams[index].sharesType(with: streams[index - 1])
        ? [whole[index]] : [whole[index - 1], whole[index]]
      let next = steps[index].filter { event in
        Int(event.day) < limit
          && reached.contains { $0.mayPrecede(event) && isClean($0, event, between, index) }
      }
      if next.isEmpty { return index }
      reached = next
    }
    return steps.count
  }

  /// Whether no other fact of either type surely lies between two.
  private func isClean(_ one: Event, _ other: Event, _ between: [[Event]], _ index: Int) -> Bool {
    between.allSatisfy { events in
      var low = 0
      var high = events.count
      while low < high {
        let middle = (low + high) / 2
        if events[middle].day < one.day { low = middle + 1 } else { high = middle }
      }
      while low < events.count, events[low].day <= other.day {
        if one.isSurelyBefore(events[low]), events[low].isSurelyBefore(other) { return false }
        low += 1
      }
      return true
    }
  }
}

extension EventSource {
  /// All facts of the record type, whatever the step's `where` says.
  fileprivate var unfiltered: EventSource {
    if case .fact(let record, let route, _) = self { .fact(record, route: route, filter: nil) } else { self }
  }
}
