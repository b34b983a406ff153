import MetricPlan

/// When one subject started and came back (RET-01 to RET-04).
extension Explainer {
  func explain(_ retention: Retention, _ work: inout Work) throws(EvaluationError) {
    guard try isCounted(&work) else { return }
    let trace = try prober.trace(work.metric, at: work.day)
      .retention(retention, of: work.subject)
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
