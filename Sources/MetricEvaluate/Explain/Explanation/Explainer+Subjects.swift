/// Whether and where a subject counts, and how.
extension Explainer {
  /// The group in which a subject of a funnel or retention counts, where it has one.
  func groupOf(_ work: Work) throws(EvaluationError) -> GroupKey? {
    let trace = try prober.trace(work.metric, at: work.day)
    switch work.plan.body {
    case .funnel(let funnel):
      let story = try trace.funnel(funnel, of: work.subject)
      return story.reached > 0 ? story.group : nil
    case .retention(let retention):
      return try trace.retention(retention, of: work.subject).story.starts.first?.group
    case .completion, .windows, .measure, .level: return nil
    }
  }

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
      .leftOut, "`for \(name) where \(library.text(of: condition))` leaves `\(work.subject)` out\(note)")
  }

  /// Why there is no such subject: nothing names it, or the people behind it did not agree.
  func whyUnknown(_ name: String, _ work: Work) throws(EvaluationError) -> Reason {
    let open = prober.withoutConsent(work.metric)
    guard work.plan.audience == .team, let entity = work.plan.subject.entity,
      try open.trace(work.metric, at: work.day).exists(work.subject)
    else {
      return Reason(
        .unknownSubject, "no record that `\(work.plan.name)` reads names the \(name) `\(work.subject)`")
    }
    let scope = DataNeeds(library: library, metrics: [work.metric]).subjects(of: entity, for: work.metric)
    let asked = scope.consents.map { "`\($0.text)`" }.joined(separator: " and ")
    return Reason(
      .noConsent,
      "`\(work.plan.name)` needs consent to \(asked), which the people behind the \(name) `\(work.subject)` do not give"
    )
  }

  /// How far the subject came (FUN-01).
  func explain(_ funnel: Funnel, _ work: inout Work) throws(EvaluationError) {
    guard try isCounted(&work) else { return }
    let story = try prober.trace(work.metric, at: work.day).funnel(funnel, of: work.subject)
    work.add(story.steps.compactMap(\.record))
    for (step, told) in zip(funnel.steps, story.steps) {
      if case .completion(let id) = step.source, let day = told.day { try read(id, at: day, &work) }
    }
    work.explanation.journey = story
  }

  /// When the subject started and came back (RET-01 to RET-04).
  func explain(_ retention: Retention, _ work: inout Work) throws(EvaluationError) {
    guard try isCounted(&work) else { return }
    let (story, records) = try prober.trace(work.metric, at: work.day)
      .retention(retention, of: work.subject)
    work.add(records)
    work.explanation.returning = story
    for case .completion(let id) in [retention.start, retention.returns] {
      try read(id, at: work.day, &work)
    }
  }
}
