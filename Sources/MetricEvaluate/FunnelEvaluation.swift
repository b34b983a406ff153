import MetricData
import MetricPlan

/// A funnel: for each subject the best attempt, then how many subjects reached each step.
struct FunnelEvaluation {
  private let funnel: Funnel
  private let streams: [EventStream]
  /// For `order strict`: all facts of each step's record type.
  private let wholeStreams: [EventStream]
  private let shared: WholeEvaluation

  /// How far a subject came, and how that attempt began.
  private struct Attempt {
    var reached: Int
    /// What took step 1; nil where `order any` did not need it.
    var start: Event?
    var startDay: Int32
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
    shared = try WholeEvaluation(
      grouping: funnel.grouping, atLeast: funnel.atLeast, first: funnel.steps[0].source, compiler)
  }

  func values(_ day: Int32, _ worker: Worker) -> [GroupValues] {
    var counts: [Cell: [Cell]] = funnel.grouping == nil ? [noValue: zeros] : [:]
    var users: [Cell: Set<Int32>] = [:]
    for subject in shared.subjects {
      guard let attempt = best(subject, day, worker) else { continue }
      let group = shared.group(of: attempt.start, day: attempt.startDay)
      var reached = counts[group] ?? zeros
      for step in 0..<attempt.reached { reached[step] += 1 }
      counts[group] = reached
      if funnel.atLeast != nil, let user = shared.user(of: attempt.start, subject: subject) {
        users[group, default: []].insert(user)
      }
    }
    let rows = counts.map { GroupValues(group: $0.key, values: $0.value) }
    return shared.hide(rows, users: [users], partsPerSet: zeros.count)
  }

  private var zeros: [Cell] { Array(repeating: 0, count: funnel.steps.count) }

  /// The users who took step 1.
  func users(_ day: Int32, _ worker: Worker) -> Set<Int32> {
    Set(
      shared.subjects.compactMap { subject in
        best(subject, day, worker).flatMap { shared.user(of: $0.start, subject: subject) }
      })
  }

  /// The best attempt of a subject, the earliest of these; nil where no attempt began.
  private func best(_ subject: Int, _ day: Int32, _ worker: Worker) -> Attempt? {
    let from = funnel.over.start(endingAt: day)
    if funnel.order == .any { return bestInAnyOrder(subject, from, day, worker) }
    let starts = streams[0].events(of: subject, through: day, worker).filter { $0.day >= from }
    guard !starts.isEmpty else { return nil }
    let steps = streams.map { $0.events(of: subject, through: day, worker) }
    let whole = wholeStreams.map { $0.events(of: subject, through: day, worker) }
    var best: Attempt?
    for start in starts {
      let limit = funnel.within.map { Int(start.day) + $0 } ?? Int.max
      let reached =
        funnel.order == .strict ? strict(start, steps, whole, limit) : inOrder(start, steps, limit)
      if reached > best?.reached ?? 0 {
        best = Attempt(reached: reached, start: start, startDay: start.day)
        if reached == steps.count { break }
      }
    }
    return best
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
      let between = streams[index].sharesType(with: streams[index - 1]) ? [whole[index]] : [whole[index - 1], whole[index]]
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

  // MARK: Any order

  /// The window in which most different steps were taken. A window starts with a step that lies in P.
  private func bestInAnyOrder(_ subject: Int, _ from: Int32, _ day: Int32, _ worker: Worker) -> Attempt? {
    let steps = streams.map { $0.events(of: subject, through: day, worker) }
    var best: Attempt?
    for start in Set(steps.joined().map(\.day)).sorted() where start >= from {
      let limit = funnel.within.map { Int(start) + $0 } ?? Int.max
      let taken = steps.map { events in
        events.first { $0.day >= start && Int($0.day) < limit }
      }
      let reached = taken.count { $0 != nil }
      if reached > best?.reached ?? 0 {
        best = Attempt(reached: reached, start: taken[0], startDay: start)
      }
    }
    return best
  }
}

extension EventSource {
  /// All facts of the record type, whatever the step's `where` says.
  fileprivate var unfiltered: EventSource {
    if case .fact(let record, let route, _) = self { .fact(record, route: route, filter: nil) } else { self }
  }
}
