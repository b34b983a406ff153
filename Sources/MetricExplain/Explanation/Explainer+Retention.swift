import MetricData
import MetricEvaluate
import MetricPlan

/// When one subject started and came back (RET-01 to RET-04).
extension Explainer {
  func explain(_ retention: Retention, _ work: inout Work) throws(EvaluationError) {
    guard !work.subject.isEmpty || work.plan.subject.entity == nil else { return }
    if let reason = whyNotCounted(work) {
      work.explanation.absence = reason
      return
    }
    let starts = try events(of: retention.start, work)
    let returns = try events(of: retention.returns, work)
    let returnDays = Set(returns.map(\.day)).sorted()
    var days = Set(starts.map(\.day)).sorted()
    if !retention.startsEachDay { days = Array(days.prefix(1)) }
    let from = retention.over.start(endingAt: work.day.number)
    days.removeAll { $0.number < from }
    var story = RetentionStory(starts: [], returnDays: [])
    for day in days {
      guard let first = try earliest(starts.filter { $0.day == day }, work) else { continue }
      story.starts.append(
        RetentionStory.Start(
          day: day, group: try group(of: first, work),
          checks: retention.after.map { check($0, from: day, returnDays, retention, at: work.day) }))
      work.add(starts.filter { $0.day == day }.compactMap(reference))
    }
    if let first = days.first {
      story.returnDays = returnDays.filter { $0 >= first }
      work.add(returns.filter { $0.day >= first }.compactMap(reference))
    }
    work.explanation.returning = story
    for case .completion(let id) in [retention.start, retention.returns] {
      let read = try explainRead(id, subject: work.subject, isTeam: work.isTeam, at: work.day)
      if let read { work.explanation.reads.append(read) }
    }
  }

  private func check(
    _ after: Int, from zero: DayKey, _ returnDays: [DayKey], _ retention: Retention, at day: DayKey
  ) -> RetentionStory.Check {
    let wanted = zero.advanced(by: after)
    let found = returnDays.first { $0 >= wanted }
    let isEligible = wanted <= day
    let hasReturned = isEligible && (found == wanted || (retention.orLater && found != nil))
    return RetentionStory.Check(
      name: "d\(after)", day: wanted, isEligible: isEligible, hasReturned: hasReturned,
      returnDay: hasReturned ? found : nil)
  }
}
