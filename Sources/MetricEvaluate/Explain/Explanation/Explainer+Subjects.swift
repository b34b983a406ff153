/// Whether and where a subject counts, and how.
extension Explainer {
  func reference(_ event: TracedEvent) -> RecordReference? {
    event.record.map { reader.reference($0, event.row) }
  }

  /// The group in which a subject of a funnel or retention counts, where it has one.
  func groupOf(_ work: Work) throws(EvaluationError) -> GroupKey? {
    let trace = try prober.trace(work.metric, at: work.day)
    return switch work.plan.body {
    case .funnel(let funnel): try trace.funnel(funnel, of: work.subject).attempt?.group
    case .retention(let retention): try trace.retention(retention, of: work.subject).starts.first?.group
    case .completion, .windows, .measure, .level: nil
    }
  }

  /// Whether the subject exists for the metric.
  func exists(_ work: Work) throws(EvaluationError) -> Bool {
    try prober.trace(work.metric, at: work.day).exists(work.subject)
  }

  /// What `for S where` is for the subject; without one true for whom the records name that are read.
  func condition(_ work: Work) -> Value {
    let condition = work.plan.subject.condition?.onSubject ?? .literal(.bool(true))
    return prober.ask([condition], work.scope(over: .allTime), at: [work.day])[0]
      .value(work.subject, work.day)
  }

  /// Whether a funnel or retention has a subject to look at. Notes why it does not count, where it does not.
  func isCounted(_ work: inout Work) throws(EvaluationError) -> Bool {
    guard let entity = work.plan.subject.entity else { return true }
    guard !work.subject.isEmpty else { return false }
    if condition(work) == .bool(true) { return true }
    let name = library.records[entity].subjectName
    work.explanation.absence =
      if let reason = try whyLeftOut(name, work) { reason } else { try whyUnknown(name, work) }
    return false
  }

  /// Why there is no row of a subject that exists: `for S where` leaves it out; nil if nothing does.
  func whyLeftOut(_ name: String, _ work: Work, note: String = "") throws(EvaluationError) -> Reason? {
    guard let condition = work.plan.subject.condition, try exists(work) else { return nil }
    return Reason(
      code: .leftOut,
      text: "`for \(name) where \(library.text(of: condition))` leaves `\(work.subject)` out\(note)")
  }

  /// Why there is no such subject: nothing names it, or the people behind it did not agree.
  func whyUnknown(_ name: String, _ work: Work) throws(EvaluationError) -> Reason {
    let open = prober.withoutConsent(work.metric)
    guard work.plan.audience == .team, let entity = work.plan.subject.entity,
      try open.trace(work.metric, at: work.day).exists(work.subject)
    else {
      return Reason(
        code: .unknownSubject,
        text: "no record that `\(work.plan.name)` reads names the \(name) `\(work.subject)`")
    }
    let scope = DataNeeds(library: library, metrics: [work.metric]).subjects(of: entity, for: work.metric)
    let asked = scope.consents.map { "`\($0.text)`" }.joined(separator: " and ")
    return Reason(
      code: .noConsent,
      text:
        "`\(work.plan.name)` needs consent to \(asked), which the people behind the \(name) `\(work.subject)` do not give"
    )
  }

  // MARK: Funnels and retentions

  /// How far the subject came (FUN-01).
  func explain(_ funnel: Funnel, _ work: inout Work) throws(EvaluationError) {
    guard try isCounted(&work) else { return }
    let trace = try prober.trace(work.metric, at: work.day).funnel(funnel, of: work.subject)
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

  /// When the subject started and came back (RET-01 to RET-04).
  func explain(_ retention: Retention, _ work: inout Work) throws(EvaluationError) {
    guard try isCounted(&work) else { return }
    let trace = try prober.trace(work.metric, at: work.day).retention(retention, of: work.subject)
    var story = RetentionStory(starts: [], returnDays: [])
    for start in trace.starts {
      let checks = retention.after.indices.map { index in
        let (after, returnDay) = (retention.after[index], start.returnDays[index])
        let wanted = start.day.advanced(by: after.through)
        return RetentionStory.Check(
          name: after.name, day: wanted, isEligible: wanted <= work.day,
          hasReturned: wanted <= work.day && returnDay != nil, returnDay: returnDay,
          worth: start.worths[index])
      }
      story.starts.append(RetentionStory.Start(day: start.day, group: start.group, checks: checks))
      work.add(start.events.compactMap(reference))
    }
    if let first = trace.starts.first?.day {
      let returns = trace.returns.filter { $0.day >= first }
      story.returnDays = Set(returns.map(\.day)).sorted()
      work.add(returns.compactMap(reference))
    }
    work.explanation.returning = story
    for case .completion(let id) in [retention.start, retention.returns] {
      try read(id, at: work.day, &work)
    }
  }
}
