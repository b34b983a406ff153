import MetricData
import MetricEvaluate
import MetricPlan

/// How far one subject came in a funnel (FUN-01), tried out start by start.
extension Explainer {
  /// The best attempt of a subject.
  struct Attempt {
    /// What was chosen for each step that was reached; in any order nil for the others.
    var chosen: [SubjectEvent?]
    var reached: Int
    var start: SubjectEvent
    var group: String
  }

  func explain(_ funnel: Funnel, _ work: inout Work) throws(EvaluationError) {
    guard !work.subject.isEmpty || work.plan.subject.entity == nil else { return }
    if let reason = whyNotCounted(work) {
      work.explanation.absence = reason
      return
    }
    let attempt = try attempt(funnel, work)
    var steps: [FunnelStory.Step] = []
    for (index, step) in funnel.steps.enumerated() {
      let all = try events(of: step.source, work)
      let event = attempt?.chosen[index] ?? nil
      let record = event.flatMap(reference)
      if let record { work.add([record]) }
      steps.append(
        FunnelStory.Step(
          name: step.name, isReached: event != nil, day: event?.day, record: record, factCount: all.count))
      if case .completion(let id) = step.source, event != nil {
        let read = try explainRead(
          id, subject: work.subject, isTeam: work.isTeam, at: event?.day ?? work.day)
        if let read { work.explanation.reads.append(read) }
      }
    }
    work.explanation.journey = FunnelStory(
      steps: steps, reached: attempt?.reached ?? 0, group: attempt?.group ?? "",
      deadline: attempt.flatMap { attempt in funnel.within.map { attempt.start.day.advanced(by: $0 - 1) } })
  }

  /// The best attempt, the earliest of these; nil where none began.
  func attempt(_ funnel: Funnel, _ work: Work) throws(EvaluationError) -> Attempt? {
    var steps: [[SubjectEvent]] = []
    var whole: [[SubjectEvent]] = []
    for step in funnel.steps {
      steps.append(try events(of: step.source, work))
      if funnel.order == .strict { whole.append(try events(of: step.source.withoutFilter, work)) }
    }
    let from = funnel.over.start(endingAt: work.day.number)
    let openings = (funnel.order == .any ? Array(steps.joined()) : steps[0]).filter { $0.day.number >= from }
    var best: [(start: SubjectEvent, chosen: [SubjectEvent?])] = []
    var most = 0
    for start in openings {
      let last = funnel.within.map { start.day.advanced(by: $0 - 1) } ?? work.day
      let chosen: [SubjectEvent?] =
        switch funnel.order {
        case .inOrder: inOrder(start, steps, last)
        case .strict: strict(start, steps, whole, funnel, last)
        case .any: steps.map { $0.first { $0.day >= start.day && $0.day <= last } }
        }
      let reached = chosen.count { $0 != nil }
      if reached > most { (most, best) = (reached, []) }
      if reached == most { best.append((start, chosen)) }
    }
    guard let start = try earliest(best.map(\.start), work),
      let found = best.first(where: { $0.start == start })
    else { return nil }
    return Attempt(chosen: found.chosen, reached: most, start: start, group: try group(of: start, work))
  }

  /// Each time the earliest that may follow.
  private func inOrder(
    _ start: SubjectEvent, _ steps: [[SubjectEvent]], _ last: DayKey
  ) -> [SubjectEvent?] {
    var chosen: [SubjectEvent?] = [start]
    var current = start
    for events in steps.dropFirst() {
      guard let next = events.first(where: { current.mayPrecede($0) }), next.day <= last else { break }
      chosen.append(next)
      current = next
    }
    return chosen + Array(repeating: nil, count: steps.count - chosen.count)
  }

  /// All that can be reached step by step with nothing in between, then one way back.
  private func strict(
    _ start: SubjectEvent, _ steps: [[SubjectEvent]], _ whole: [[SubjectEvent]], _ funnel: Funnel,
    _ last: DayKey
  ) -> [SubjectEvent?] {
    var layers: [[(event: SubjectEvent, before: Int)]] = [[(start, -1)]]
    for index in 1..<steps.count {
      let sharesType = funnel.steps[index].source.type == funnel.steps[index - 1].source.type
      let between = sharesType ? whole[index] : whole[index - 1] + whole[index]
      var next: [(event: SubjectEvent, before: Int)] = []
      for event in steps[index] where event.day <= last {
        let before = layers[index - 1].firstIndex { one in
          one.event.mayPrecede(event)
            && !between.contains { one.event.isSurelyBefore($0) && $0.isSurelyBefore(event) }
        }
        if let before { next.append((event, before)) }
      }
      if next.isEmpty { break }
      layers.append(next)
    }
    var chosen: [SubjectEvent?] = []
    var place = 0
    for layer in layers.reversed() {
      chosen.insert(layer[place].event, at: 0)
      place = layer[place].before
    }
    return chosen + Array(repeating: nil, count: steps.count - chosen.count)
  }
}

extension EventSource {
  /// All facts of the record type, whatever the step's `where` says.
  fileprivate var withoutFilter: EventSource {
    if case .fact(let record, let route, _) = self { .fact(record, route: route, filter: nil) } else { self }
  }

  /// What two steps have to share for one kind of fact to serve both.
  fileprivate var type: EventSource {
    if case .fact(let record, _, _) = self { .fact(record, route: .whole, filter: nil) } else { self }
  }
}
