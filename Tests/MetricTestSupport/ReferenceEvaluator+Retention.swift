import MetricData
import MetricPlan

/// Retention (LANGUAGE, Funnels and retention).
extension ReferenceEvaluator {
  /// A pair of subject and day 0.
  private struct Cohort {
    var day: DayKey
    var group: ReferenceGroup
    var ways: [[ByteText?]]
    /// The days of the return facts, and what each is worth.
    var returns: [(day: DayKey, worth: ReferenceValue)]
  }

  /// "parts `dN.eligible`, `dN.returned`, `dN.rate` in the order written"; "in place of `returned` and `rate` there are
  /// `value` and `mean`"
  func table(_ retention: Retention, _ id: MetricID, at day: DayKey) throws -> [GroupRow] {
    let cohorts = try manySubjects(of: id).flatMap { try self.cohorts(retention, id, of: $0, at: day) }
    var groups = Set(cohorts.map(\.group))
    if retention.grouping.isEmpty { groups.insert([""]) }
    var values: [ReferenceGroup: [ReferenceValue]] = [:]
    for after in retention.after {
      // "eligible are those with day 0 + N ≤ r"
      let eligible = cohorts.filter { $0.day.advanced(by: after.through) <= day }
      let returned = eligible.filter { !counting($0, after, retention).isEmpty }
      func few(_ cohorts: [Cohort]) -> Set<ReferenceGroup> {
        hidden(groups, atLeast: retention.atLeast) { first in
          fewest(cohorts.filter { $0.group.starts(with: first) }.flatMap(\.ways))
        }
      }
      // "behind each N's eligible and returned; what follows a hidden number is hidden with it"
      let (noEligible, noReturned) = (few(eligible), few(returned).union(few(eligible)))
      for group in groups {
        let (own, others) = (eligible.filter { $0.group == group }, returned.filter { $0.group == group })
        var part = ReferenceValue.int(Int128(others.count))
        if let value = retention.value {
          let worths = others.flatMap { counting($0, after, retention) }.map(\.worth)
          part = try combine(value.function, worths, type: value.type)
        }
        let one = ReferenceNumber.scale
        values[group, default: []] += [
          noEligible.contains(group) ? .none : .int(Int128(own.count)),
          noReturned.contains(group) ? .none : part,
          noReturned.contains(group)
            ? .none : try ReferenceNumber.divide(part.millionths ?? 0, Int128(own.count) * one),
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
    let scope = eventScope(id, subject, at: day)
    let returns = try events(retention.written, of: subject, id, at: day).map { event in
      guard let value = retention.value, let fact = event.fact else {
        return (event.day, ReferenceValue.none)
      }
      return (event.day, try argument(value, fact, scope))
    }
    let days = Set(starts.map(\.day)).sorted()
    let zeros = retention.startsEachDay ? days : Array(days.prefix(1))
    // "`over P`: step 1, or day 0, lies in P."
    let span = DaySpan(retention.over, at: day)
    return try zeros.filter { span.contains($0) }.compactMap { zero in
      let own = starts.filter { $0.day == zero }
      // "[FIELD belongs] in a retention to the start fact": the earliest of that day.
      guard let first = try earliest(own, retention.grouping, scope) else { return nil }
      return Cohort(
        day: zero, group: first.group, ways: ways(to: own, of: subject, id), returns: returns)
    }
  }

  /// "returned those with a return fact on day 0 + N (`or later`: on or after, up to r)", or "inside the bracket"; "E over
  /// the facts from day 0 to day 0 + N", of which those that add nothing have nobody behind them.
  private func counting(
    _ cohort: Cohort, _ after: DaysAfter, _ retention: Retention
  ) -> [(day: DayKey, worth: ReferenceValue)] {
    let last = cohort.day.advanced(by: after.through)
    let first =
      after.from.map { cohort.day.advanced(by: $0) } ?? (retention.value == nil ? last : cohort.day)
    return cohort.returns.filter { fact in
      guard fact.day >= first, retention.orLater || fact.day <= last else { return false }
      return retention.value?.function != .sum || (fact.worth.millionths ?? 0) != 0
    }
  }
}
