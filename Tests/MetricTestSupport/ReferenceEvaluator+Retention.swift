import MetricData
import MetricPlan

/// Retention (LANGUAGE, Funnels and retention).
extension ReferenceEvaluator {
  /// A pair of subject and day 0.
  private struct Cohort {
    var day: DayKey
    var group: ReferenceGroup
    var ways: [[ByteText?]]
    var returns: [DayKey]
  }

  /// "parts `dN.eligible`, `dN.returned`, `dN.rate` in the order written"
  func table(_ retention: Retention, _ id: MetricID, at day: DayKey) throws -> [GroupRow] {
    let cohorts = try manySubjects(of: id).flatMap { try self.cohorts(retention, id, of: $0, at: day) }
    var groups = Set(cohorts.map(\.group))
    if retention.grouping.isEmpty { groups.insert([""]) }
    var values: [ReferenceGroup: [ReferenceValue]] = [:]
    for after in retention.after {
      // "eligible are those with day 0 + N ≤ r"
      let eligible = cohorts.filter { $0.day.advanced(by: after) <= day }
      let returned = eligible.filter { isReturned($0, after: after, retention) }
      func few(_ cohorts: [Cohort]) -> Set<ReferenceGroup> {
        let users = groups.map { group in
          (group, fewest(cohorts.filter { $0.group == group }.flatMap(\.ways)))
        }
        return hidden(Dictionary(uniqueKeysWithValues: users), atLeast: retention.atLeast)
      }
      // "behind each N's eligible and returned; what follows a hidden number is hidden with it"
      let (noEligible, noReturned) = (few(eligible), few(returned).union(few(eligible)))
      for group in groups {
        let counts = [eligible, returned].map { Int128($0.count { $0.group == group }) }
        values[group, default: []] += [
          noEligible.contains(group) ? .none : .int(counts[0]),
          noReturned.contains(group) ? .none : .int(counts[1]),
          noReturned.contains(group) ? .none : try ReferenceNumber.divide(counts[1], counts[0]),
        ]
      }
    }
    return values.map { GroupRow(group: $0.key, values: $0.value) }
  }

  /// "a subject's first day with a start fact is its day 0 (`start each`: every such day is one, and
  /// pairs of subject and day 0 are counted)"
  private func cohorts(
    _ retention: Retention, _ id: MetricID, of subject: ByteText, at day: DayKey
  ) throws -> [Cohort] {
    let starts = try events(retention.start, of: subject, id, at: day)
    let returns = try events(retention.returns, of: subject, id, at: day).map(\.day)
    let days = Set(starts.map(\.day)).sorted()
    let zeros = retention.startsEachDay ? days : Array(days.prefix(1))
    // "`over P`: step 1, or day 0, lies in P."
    let span = DaySpan(retention.over, at: day)
    let scope = eventScope(id, subject, at: day)
    return try zeros.filter { span.contains($0) }.compactMap { zero in
      let own = starts.filter { $0.day == zero }
      // "[FIELD belongs] in a retention to the start fact": the earliest of that day.
      guard let first = try earliest(own, retention.grouping, scope) else { return nil }
      return Cohort(
        day: zero, group: first.group, ways: ways(to: own, of: subject, id), returns: returns)
    }
  }

  /// "returned those with a return fact on day 0 + N (`or later`: on or after, up to r)"
  private func isReturned(_ cohort: Cohort, after: Int, _ retention: Retention) -> Bool {
    let day = cohort.day.advanced(by: after)
    return cohort.returns.contains { retention.orLater ? $0 >= day : $0 == day }
  }
}
