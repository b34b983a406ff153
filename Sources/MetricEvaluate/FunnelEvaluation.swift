import MetricData
import MetricPlan

/// A funnel: for each subject the best attempt, then how many subjects reached each step.
struct FunnelEvaluation {
  private let funnel: Funnel
  private let streams: [EventStream]
  /// For `order strict`: all facts of each step's record type.
  private let wholeStreams: [EventStream]
  private let shared: WholeEvaluation

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

  func values(_ day: Int32, _ worker: Worker) -> [GroupValues] {
    let zeros = [Cell](repeating: 0, count: funnel.steps.count)
    var counts: [Cell: [Cell]] = funnel.grouping == nil ? [noValue: zeros] : [:]
    var users: [Cell: Set<Int32>] = [:]
    for subject in shared.subjects {
      guard let attempt = best(subject, day, worker) else { continue }
      let group = shared.group(of: attempt.start)
      var reached = counts[group] ?? zeros
      for step in 0..<attempt.reached { reached[step] += 1 }
      counts[group] = reached
      if funnel.atLeast != nil {
        users[group, default: []].formUnion(shared.users(behind: attempt.openings, subject: subject))
      }
    }
    let rows = counts.map { GroupValues(group: $0.key, values: $0.value) }
    return shared.hide(rows, users: [users], partsPerSet: zeros.count)
  }

  /// The best attempt of a subject, the earliest of these; nil where no attempt began.
  private func best(_ subject: Int, _ day: Int32, _ worker: Worker) -> Attempt? {
    let from = funnel.over.start(endingAt: day)
    let steps = streams.map { $0.events(of: subject, through: day, worker) }
    let whole = wholeStreams.map { $0.events(of: subject, through: day, worker) }
    let openings = (funnel.order == .any ? Array(steps.joined()) : steps[0]).filter { $0.day >= from }
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
