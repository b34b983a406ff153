import MetricPlan

/// How far one subject came in a funnel (FUN-01).
extension Explainer {
  func explain(_ funnel: Funnel, _ work: inout Work) throws(EvaluationError) {
    guard try isCounted(&work) else { return }
    let trace = try prober.trace(work.metric, at: work.day)
      .funnel(funnel, of: work.subject)
    var steps: [FunnelStory.Step] = []
    for (index, step) in funnel.steps.enumerated() {
      let event = trace.attempt?.chosen[index] ?? nil
      let record = event.flatMap(reference)
      if let record { work.add([record]) }
      steps.append(
        FunnelStory.Step(
          name: step.name, isReached: event != nil, day: event?.day, record: record,
          factCount: trace.eventCounts[index]))
      if case .completion(let id) = step.source, let event {
        try read(id, at: event.day, &work)
      }
    }
    work.explanation.journey = FunnelStory(
      steps: steps, reached: trace.attempt?.chosen.count { $0 != nil } ?? 0,
      group: trace.attempt?.group ?? "",
      deadline: trace.attempt.flatMap { attempt in funnel.within.map { attempt.start.advanced(by: $0 - 1) } })
  }
}
